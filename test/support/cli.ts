import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const BIN = fileURLToPath(new URL('../../bin/openclaw.js', import.meta.url));

export interface CliResult {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The environment of a run of the command line. */
export interface Surroundings {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly input?: string | Buffer;
  /** The text typed at a terminal, in this process; without it there is no terminal. */
  readonly typed?: string;
  /** In this process: the width of the terminal that the answer is printed on; without it, it goes into a pipe. */
  readonly columns?: number;
  /** In this process: the output after which Ctrl-C comes. */
  readonly stopAt?: string | undefined;
}

export interface CliOptions extends Omit<Surroundings, 'typed' | 'columns' | 'stopAt'> {
  /** Another build of the program. */
  readonly bin?: string;
  /** The program that starts Node, with its arguments. */
  readonly launcher?: readonly string[];
}

/** The folder in which children cache compiled code: one for all, since each test has its own home. */
const COMPILE_CACHE = fileURLToPath(new URL('../../node_modules/.cache/openclaw-memory', import.meta.url));

/**
 * The environment of a child: that of this process without variables that point to the developer's workspace or slow Node
 * down.
 */
export function childEnv(extra: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  // Nothing listens on this port: no test meets a real server.
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    NODE_COMPILE_CACHE: COMPILE_CACHE,
    OLLAMA_HOST: '127.0.0.1:9',
    ...extra,
  };
  if (extra.NODE_EXTRA_CA_CERTS === undefined) delete env.NODE_EXTRA_CA_CERTS;
  for (const name of Object.keys(env)) if (name.startsWith('OPENCLAW_') && !(name in extra)) delete env[name];
  return env;
}

/** Runs `openclaw memory …` as a real process and collects its output. */
export function cli(args: readonly string[], options: CliOptions = {}): Promise<CliResult> {
  return new Promise((resolve, reject) => {
    const [program = process.execPath, ...first] = [...(options.launcher ?? []), process.execPath];
    const child = spawn(program, [...first, options.bin ?? BIN, 'memory', ...args], {
      ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
      env: childEnv(options.env),
    });
    const out: Buffer[] = [];
    const errors: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => errors.push(chunk));
    child.on('error', reject);
    child.on('close', (code, signal) =>
      resolve({
        code,
        signal,
        stdout: Buffer.concat(out).toString('utf8'),
        stderr: Buffer.concat(errors).toString('utf8'),
      }),
    );
    // A command that does not read its input may exit before the input is written.
    child.stdin.on('error', () => {});
    child.stdin.end(options.input ?? '');
  });
}

/** Root may write anywhere unless it drops that right. */
export const WITHOUT_RIGHTS =
  process.getuid?.() === 0
    ? ['setpriv', '--bounding-set', '-dac_override,-dac_read_search,-fowner', '--inh-caps', '-dac_override']
    : [];
