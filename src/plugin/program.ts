import { spawn } from 'node:child_process';
import { isRecord, parseJson } from '../base/json.js';
import type { PluginConfig } from './config.js';

interface Call {
  readonly args: readonly string[];
  readonly workspace: string;
  readonly input?: string;
  /** After so long, in ms, it is killed. */
  readonly limit: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Our command line, under its own Node. The host may have another one, for which SQLite is not compiled, and must not
 * end with us.
 */
export class Program {
  constructor(private readonly config: Pick<PluginConfig, 'node' | 'bin'>) {}

  /**
   * The answer of a command.
   * @throws Error when it fails, with what it said; when it takes too long; when it is cancelled
   */
  json({ args, workspace, input = '', limit, signal }: Call): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const child = spawn(this.config.node, [this.config.bin, '--workspace', workspace, '--json', ...args], {
        stdio: ['pipe', 'pipe', 'ignore'],
        env: ownEnv(),
        killSignal: 'SIGKILL',
        timeout: limit,
        ...(signal === undefined ? {} : { signal }),
      });
      const chunks: Buffer[] = [];
      child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
      child.on('error', reject);
      child.on('close', (code) => {
        const answer = parseJson(Buffer.concat(chunks).toString('utf8'));
        if (code === 0) resolve(answer);
        else reject(new Error(saidOf(answer) ?? `openclaw-memory ended with ${code ?? 'a signal'}`));
      });
      // It may have ended before it has read everything.
      child.stdin.on('error', () => {});
      child.stdin.end(input);
    });
  }

  /** Starts a command that outlives the turn and the host. */
  detach(args: readonly string[], workspace: string): void {
    const child = spawn(this.config.node, [this.config.bin, '--workspace', workspace, '--quiet', ...args], {
      detached: true,
      stdio: 'ignore',
      env: ownEnv(),
    });
    child.on('error', () => {});
    child.unref();
  }
}

/** Options of the host's Node are not for ours. */
function ownEnv(): NodeJS.ProcessEnv {
  const { NODE_OPTIONS: _, ...env } = process.env;
  return env;
}

function saidOf(answer: unknown): string | undefined {
  const error = isRecord(answer) && isRecord(answer.error) ? answer.error : {};
  const { message, hint } = error;
  if (typeof message !== 'string') return undefined;
  return typeof hint === 'string' ? `${message}\nhint: ${hint}` : message;
}
