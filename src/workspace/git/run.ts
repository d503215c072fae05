import { type ChildProcess, spawn } from 'node:child_process';
import { fail, tryWithFallback } from '../../base/failure.js';

/** After an abort, git has this time to release its locks, in ms. Then it is killed. */
const GRACE_MS = 300;

/** Options for every call: start no file-system monitor, and print paths without quotes. */
const QUIET = ['-c', 'core.fsmonitor=false', '-c', 'core.quotePath=false'];
/** Options for calls that only read: run no program that the repository configures. */
const ONLY_READING = ['-c', 'log.showSignature=false', '-c', 'core.hooksPath=/dev/null', '--no-optional-locks'];
/**
 * Keeps git from downloading. Otherwise git would download missing objects in a partial clone, and the settings of the
 * repository could make it run any command for that.
 */
const NO_FETCH = { GIT_NO_LAZY_FETCH: '1', GIT_ALLOW_PROTOCOL: 'none' };

/** Runs git in one folder. When the signal aborts, git and the programs that it started are ended. */
export class Git {
  constructor(
    private readonly root: string,
    private readonly signal?: AbortSignal,
  ) {}

  /**
   * Runs a git command that only reads, and returns its output as text. If git fails without a message, that counts as
   * success: some commands say "no" in this way, with an empty output.
   * @throws Error with the message of git
   */
  async read(...args: readonly string[]): Promise<string> {
    return (await this.bytes(...args)).toString('utf8');
  }

  /** Like {@link read}, but returns the bytes. */
  bytes(...args: readonly string[]): Promise<Buffer> {
    return this.run([...ONLY_READING, ...args], NO_FETCH);
  }

  /**
   * Runs a git command that changes the repository. Hooks and filters run as the user has configured them.
   * @throws Error with the message of git
   */
  change(...args: readonly string[]): Promise<Buffer> {
    return this.run(args, {});
  }

  /**
   * Whether the folder is in a git repository. @throws MemoryError `io` if git can't say it, for example because it is not
   * installed
   */
  async isRepository(): Promise<boolean> {
    try {
      return (await this.read('rev-parse', '--is-inside-work-tree')).trim() === 'true';
    } catch (error) {
      if (/not a git repository/i.test(String(error))) return false;
      return fail('io', gitErrorReason(error), 'fix this, or install git', error);
    }
  }

  private run(args: readonly string[], env: NodeJS.ProcessEnv): Promise<Buffer> {
    const { root, signal } = this;
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(INTERRUPTED);
      const child = spawn('git', [...QUIET, ...args], {
        cwd: root,
        // With `GIT_LITERAL_PATHSPECS`, git reads paths as names and not as patterns. The command `check-ignore` always
        // reads paths in this way, and rejects the variable.
        env: { ...ownEnvironment(), ...(args.includes('check-ignore') ? {} : { GIT_LITERAL_PATHSPECS: '1' }), ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
        // Git gets a process group of its own, so that the programs that it starts end with it.
        detached: true,
      });
      const [out, said] = [collect(child.stdout), collect(child.stderr)];
      const stop = () => {
        endGroup(child, 'SIGTERM');
        setTimeout(() => endGroup(child, 'SIGKILL'), GRACE_MS).unref();
      };
      signal?.addEventListener('abort', stop, { once: true });
      child.once('error', reject);
      // After an abort, we do not wait for other processes that still hold the output open.
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
  // Sending the signal fails if the processes have ended already. That is no problem.
  tryWithFallback(() => pid !== undefined && process.kill(-pid, signal), false);
}

function collect(stream: NodeJS.ReadableStream): () => Buffer {
  const chunks: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => void chunks.push(chunk));
  return () => Buffer.concat(chunks);
}

/**
 * The environment variables for git. Leaves out most variables that git reads, and keeps those that name the author and
 * committer. If a git hook has called this program, variables such as `GIT_DIR` name the repository of that hook.
 */
function ownEnvironment(): NodeJS.ProcessEnv {
  const isOurs = ([name]: readonly [string, unknown]) =>
    !/^(?:GIT_|EDITOR$|VISUAL$|PAGER$|SSH_ASKPASS$)/.test(name) || /^GIT_(?:AUTHOR|COMMITTER)_/.test(name);
  return Object.fromEntries(Object.entries(process.env).filter(isOurs));
}

/** Explains an error of git in words, also if git is not installed. */
export function gitErrorReason(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  if (/please tell me who you are|unable to auto-detect email/i.test(text))
    return 'git does not know your name; run: git config user.name and git config user.email';
  if (/ENOENT/.test(text)) return 'git is not installed';
  return text.replace(/\s+/g, ' ').trim().slice(0, 400);
}
