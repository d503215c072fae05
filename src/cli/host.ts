import { constants as modes, realpathSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fail, tryWithFallback } from '../base/failure.js';
import { parseRecord } from '../base/json.js';
import { isLauncher } from '../upkeep/openclaw.js';
import { mayAccessPath, readBytes } from '../workspace/files.js';
import { findCommandName } from './arguments.js';

/** The program that must handle a command line of `openclaw`, and the arguments for it. */
export interface CommandRoute {
  readonly to: 'us' | 'host';
  readonly args: readonly string[];
}

/**
 * Decides who handles a command line. `memory` with one of our verbs is ours, even if the host has the same verb. Every
 * other command line goes to the host, whose program has the same name. The host's own options may come before the word
 * `memory`. Pure.
 * @param argv arguments after the word `openclaw`
 */
export function findRoute(argv: readonly string[], commands: readonly string[]): CommandRoute {
  const at = argv.findIndex((word, i) => !word.startsWith('-') && argv[i - 1] !== '--profile');
  const options = argv.slice(0, Math.max(0, at)).flatMap((word) => (word === '--dev' ? ['--profile', 'dev'] : [word]));
  const isKnown = options.every((word, i) => OF_BOTH.test(word) || options[i - 1] === '--profile');
  if (argv[at] !== 'memory' || !isKnown) return { to: 'host', args: argv };
  const rest = argv.slice(at + 1);
  if (rest[0] === PASS_TO_HOST_FLAG) return { to: 'host', args: [...argv.slice(0, at + 1), ...rest.slice(1)] };
  const verb = findCommandName(rest);
  const isOurs = verb === undefined || verb === 'help' || commands.includes(verb);
  return isOurs ? { to: 'us', args: [...options, ...rest] } : { to: 'host', args: argv };
}

/** Flag that passes a command line to the host, even if we have a command of that name: `openclaw memory --host status`. */
export const PASS_TO_HOST_FLAG = '--host';

/** Global options that the host and this program both have, with the same meaning. */
const OF_BOTH = /^--(?:profile(?:=.*)?|no-color)$/;

/** Environment variable that counts how often this command line was passed on to the host. */
const COUNT = 'OPENCLAW_MEMORY_HANDED_OVER';
/**
 * Maximum number of times that a command line is passed on. An agent of the host may call us, and we may call the host.
 * A higher number means that both call each other without end.
 */
const MOST = 6;
const FORWARDED = ['SIGTERM', 'SIGHUP', 'SIGUSR1', 'SIGUSR2'] as const;

/**
 * Runs a command line of the host with our streams and its exit code.
 * @returns the exit code, 128 plus the signal that ended it, or undefined if there is no host
 * @throws MemoryError `usage` when the host and we call each other in a loop
 */
export async function delegate(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number | undefined> {
  const host = findHost(env.PATH);
  if (host === undefined) return undefined;
  const count = Number(env[COUNT] ?? 0);
  if (count >= MOST)
    fail('usage', `${host} and this openclaw call each other without end`, `remove one of the two from PATH`);
  // Load this module here, not at the top of the file. Then every other command starts 5 ms faster.
  const { spawn } = await import('node:child_process');
  // Register before the spawn, so that a signal during the start reaches the host, too.
  const forward = (signal: NodeJS.Signals) => void child.kill(signal);
  for (const signal of FORWARDED) process.on(signal, forward);
  // A terminal sends Ctrl-C to both processes, so do not pass it on. The host then decides whether to end.
  process.on('SIGINT', (signal) => process.stdin.isTTY || forward(signal));
  const child = spawn(host, [...args], { stdio: 'inherit', env: { ...env, [COUNT]: String(count + 1) } });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve(code ?? 128 + (signal === null ? 1 : constants.signals[signal])));
  });
}

/** Finds the host's program: the first `openclaw` on PATH that does not start this package, after resolving links. */
export function findHost(path: string | undefined): string | undefined {
  return findPrograms('openclaw', path).find((file) => !isOurProgram(file));
}

export function isOnPath(name: string, path: string | undefined): boolean {
  return findPrograms(name, path).length > 0;
}

/** All programs of this name on PATH. */
export function findPrograms(name: string, path = ''): readonly string[] {
  const files = path.split(delimiter).flatMap((folder) => (folder === '' ? [] : join(folder, name)));
  return files.filter((file) => mayAccessPath(file, modes.X_OK));
}

/** Whether a program starts this package: it is our launcher, or it lies inside our package. */
export function isOurProgram(file: string): boolean {
  return tryWithFallback(() => {
    const real = realpathSync(file);
    if (isLauncher(readBytes(real).toString('latin1'))) return true;
    const manifest = readBytes(join(dirname(dirname(real)), 'package.json')).toString('utf8');
    return parseRecord(manifest)?.name === 'openclaw-memory';
  }, false);
}
