import { type ChildProcess, spawn } from 'node:child_process';
import { fail } from '../../base/failure.js';
import { attempt } from '../../base/result.js';

/** How long git may take to put its locks away before it is killed, in ms. */
const GRACE_MS = 300;

/** Of every call: no program is started to learn what has changed. */
const QUIET = ['-c', 'core.fsmonitor=false', '-c', 'core.quotePath=false'];
/** Of calls that read: nothing that a repository configures runs. */
const ONLY_READING = ['-c', 'log.showSignature=false', '-c', 'core.hooksPath=/dev/null', '--no-optional-locks'];
/** A clone without all objects would fetch, by whatever command it names. */
const NO_FETCH = { GIT_NO_LAZY_FETCH: '1', GIT_ALLOW_PROTOCOL: 'none' };

/** Git in one folder. Its calls end, with the programs that they have started, when the signal does. */
export class Git {
  constructor(
    private readonly root: string,
    private readonly signal?: AbortSignal,
  ) {}

  /** Reads as text; what git refuses without a word is ''. @throws Error with what git said */
  async read(...args: readonly string[]): Promise<string> {
    return (await this.bytes(...args)).toString('utf8');
  }

  /** As {@link read}. */
  bytes(...args: readonly string[]): Promise<Buffer> {
    return this.run([...ONLY_READING, ...args], NO_FETCH);
  }

  /** Changes the repository; hooks and filters run as the person has set them. @throws Error with what git said */
  change(...args: readonly string[]): Promise<Buffer> {
    return this.run(args, {});
  }

  /** @throws MemoryError `io` where git can't say it, as when there is none */
  async isRepository(): Promise<boolean> {
    try {
      return (await this.read('rev-parse', '--is-inside-work-tree')).trim() === 'true';
    } catch (error) {
      if (/not a git repository/i.test(String(error))) return false;
      return fail('io', reason(error), 'mend that, or install git', error);
    }
  }

  private run(args: readonly string[], env: NodeJS.ProcessEnv): Promise<Buffer> {
    const { root, signal } = this;
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(INTERRUPTED);
      const child = spawn('git', [...QUIET, ...args], {
        cwd: root,
        // Paths are names, no patterns; `check-ignore` knows no other, and not the setting.
        env: { ...ownEnvironment(), ...(args.includes('check-ignore') ? {} : { GIT_LITERAL_PATHSPECS: '1' }), ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
        // A group of its own: what it has started ends with it.
        detached: true,
      });
      const [out, said] = [collect(child.stdout), collect(child.stderr)];
      const stop = () => {
        endGroup(child, 'SIGTERM');
        setTimeout(() => endGroup(child, 'SIGKILL'), GRACE_MS).unref();
      };
      signal?.addEventListener('abort', stop, { once: true });
      child.once('error', reject);
      // Whoever is interrupted does not wait for those that have inherited its output.
      child.once('exit', () => signal?.aborted && reject(INTERRUPTED));
      child.once('close', (code) => {
        signal?.removeEventListener('abort', stop);
        const message = said().toString('utf8').trim();
        if (code !== 0 && message !== '') reject(new Error(message));
        else resolve(out());
      });
    });
  }
}

const INTERRUPTED = new Error('git was interrupted');

function endGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  // Unless they are gone.
  attempt(() => pid !== undefined && process.kill(-pid, signal), false);
}

function collect(stream: NodeJS.ReadableStream): () => Buffer {
  const chunks: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => void chunks.push(chunk));
  return () => Buffer.concat(chunks);
}

/** A hook that calls us has set where *its* repository and index are. */
function ownEnvironment(): NodeJS.ProcessEnv {
  const isOurs = ([name]: readonly [string, unknown]) =>
    !/^(?:GIT_|EDITOR$|VISUAL$|PAGER$|SSH_ASKPASS$)/.test(name) || /^GIT_(?:AUTHOR|COMMITTER)_/.test(name);
  return Object.fromEntries(Object.entries(process.env).filter(isOurs));
}

/** What git or its absence said, in words. */
export function reason(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  if (/please tell me who you are|unable to auto-detect email/i.test(text))
    return 'git does not know who you are; run git config user.name and git config user.email';
  if (/ENOENT/.test(text)) return 'git is not installed';
  return text.replace(/\s+/g, ' ').trim().slice(0, 400);
}
