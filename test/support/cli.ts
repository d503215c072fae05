import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const BIN = fileURLToPath(new URL('../../bin/openclaw.js', import.meta.url));

export interface CliResult {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** What a run of the command line finds around it. */
export interface Surroundings {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly input?: string | Buffer;
  /** What somebody types at a terminal, in this process; without it there is none. */
  readonly typed?: string;
  /** In this process: Ctrl-C comes once it has said this. */
  readonly stopAt?: string | undefined;
}

export interface CliOptions extends Omit<Surroundings, 'typed' | 'stopAt'> {
  /** Another build of the program. */
  readonly bin?: string;
  /** What starts Node, with its arguments. */
  readonly launcher?: readonly string[];
}

/** Where children keep compiled code: one place for all, since each test has a home of its own. */
const COMPILE_CACHE = fileURLToPath(new URL('../../node_modules/.cache/openclaw-memory', import.meta.url));

/** The environment of a child: this one without what would point it at the developer's own workspace or slow Node down. */
export function childEnv(extra: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  // Nothing listens there: no test meets a server that happens to run here.
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

/** Runs `openclaw memory …` as a real process and collects what it printed. */
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
    // A command that never reads its input may be gone before we have written it.
    child.stdin.on('error', () => {});
    child.stdin.end(options.input ?? '');
  });
}
