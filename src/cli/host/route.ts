import { constants } from 'node:os';
import { fail } from '../../base/failure.js';
import { wantedCommand } from '../arguments.js';
import { findHost } from './find-host.js';

/** Who a command line of `openclaw` is for, with the arguments for it. */
export interface Route {
  readonly to: 'us' | 'host';
  readonly args: readonly string[];
}

/**
 * `memory` with a verb of ours is for us, whatever else knows that verb; every other command line is the host's, whose
 * bin has the same name. The host's own options may stand before the word `memory`. Pure.
 * @param argv what stands after the word `openclaw`
 */
export function routeOf(argv: readonly string[], commands: readonly string[]): Route {
  const at = argv.findIndex((word, i) => !word.startsWith('-') && argv[i - 1] !== '--profile');
  const options = argv.slice(0, Math.max(0, at)).flatMap((word) => (word === '--dev' ? ['--profile', 'dev'] : [word]));
  const isKnown = options.every((word, i) => OF_BOTH.test(word) || options[i - 1] === '--profile');
  if (argv[at] !== 'memory' || !isKnown) return { to: 'host', args: argv };
  const rest = argv.slice(at + 1);
  if (rest[0] === FOR_HOST) return { to: 'host', args: [...argv.slice(0, at + 1), ...rest.slice(1)] };
  const verb = wantedCommand(rest);
  const isOurs = verb === undefined || verb === 'help' || commands.includes(verb);
  return isOurs ? { to: 'us', args: [...options, ...rest] } : { to: 'host', args: argv };
}

/** Right after the word `memory`: the verb behind it is the host's, though we have one of that name. */
export const FOR_HOST = '--host';

/** Options of the host's root that mean the same to us. */
const OF_BOTH = /^--(?:profile(?:=.*)?|no-color)$/;

/** How often command lines were handed over on the way here. */
const COUNT = 'OPENCLAW_MEMORY_HANDED_OVER';
/** An agent of the host may call us, and we the host; more often than this is a circle. */
const MOST = 6;
const FORWARDED = ['SIGTERM', 'SIGHUP', 'SIGUSR1', 'SIGUSR2'] as const;

/**
 * Runs a command line of the host with our streams, and ends as it ends.
 * @returns its exit code, 128 and the signal that ended it, or undefined where there is no host
 * @throws MemoryError `usage` when the host calls us again and again
 */
export async function delegate(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number | undefined> {
  const host = findHost(env.PATH);
  if (host === undefined) return undefined;
  const count = Number(env[COUNT] ?? 0);
  if (count >= MOST)
    fail('usage', `${host} calls this openclaw, which calls it again`, `take one of the two out of PATH`);
  // Every other command starts 5 ms faster without it.
  const { spawn } = await import('node:child_process');
  // Before there is a host: what comes while it starts is heard once it has, and does not end us alone.
  const forward = (signal: NodeJS.Signals) => void child.kill(signal);
  for (const signal of FORWARDED) process.on(signal, forward);
  // A terminal sends Ctrl-C to both of us; who ends on it is the host's decision.
  process.on('SIGINT', (signal) => process.stdin.isTTY || forward(signal));
  const child = spawn(host, [...args], { stdio: 'inherit', env: { ...env, [COUNT]: String(count + 1) } });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve(code ?? 128 + (signal === null ? 1 : constants.signals[signal])));
  });
}
