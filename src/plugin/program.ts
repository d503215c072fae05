import { spawn } from 'node:child_process';
import { isRecord, parseJson } from '../base/json.js';

interface Call {
  readonly args: readonly string[];
  readonly workspace: string;
  readonly input?: string;
  /** Time limit in ms, after which the process is killed. */
  readonly limit: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs our command line under its own Node. The host may use another Node, for which SQLite is not compiled. If our process
 * crashes, the host must go on.
 */
export class CommandLineRunner {
  constructor(private readonly config: Pick<PluginConfig, 'node' | 'bin'>) {}

  /**
   * Runs a command and parses its JSON answer.
   * @throws Error if the command fails (with its message), takes too long or is cancelled
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
      // The process may end before it has read all input; ignore the write error.
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

/** Node options of the host must not apply to our process. */
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

/** The settings of the plugin. The schema in its manifest has the same names and defaults. */
export interface PluginConfig {
  /** Absolute paths of the Node program with which our command line was installed, and of our command line. */
  readonly node: string;
  readonly bin: string;
  /** Maximum time in ms that a turn waits for us. */
  readonly budgetMs: number;
  readonly tools: boolean;
  readonly corpus: boolean;
  readonly prompt: boolean;
  readonly context: boolean;
  readonly contextPlace: 'user' | 'system';
  readonly capture: boolean;
  readonly compaction: boolean;
  /**
   * Patterns for session keys, in addition to the owner's own sessions. If a session's key matches a pattern, the plugin
   * puts memories into the session and saves its messages.
   */
  readonly sessions: readonly string[];
}

/** Reads the settings; undefined if they do not say where our command line is. */
export function readPluginConfig(given: unknown): PluginConfig | undefined {
  const settings = isRecord(given) ? given : {};
  const { node, bin, budgetMs, sessions } = settings;
  if (typeof node !== 'string' || typeof bin !== 'string') return undefined;
  const isOn = (name: string): boolean => settings[name] !== false;
  return {
    node,
    bin,
    budgetMs: typeof budgetMs === 'number' ? budgetMs : 1_500,
    tools: isOn('tools'),
    corpus: isOn('corpus'),
    prompt: isOn('prompt'),
    context: isOn('context'),
    contextPlace: settings.contextPlace === 'system' ? 'system' : 'user',
    capture: isOn('capture'),
    compaction: isOn('compaction'),
    sessions: Array.isArray(sessions) ? sessions.filter((pattern) => typeof pattern === 'string') : [],
  };
}
