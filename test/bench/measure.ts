import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { childEnv } from '../support/cli.js';

const BIN = fileURLToPath(new URL('../../bin/openclaw.js', import.meta.url));

interface Timed {
  /** Process start to exit. */
  readonly ms: number;
  readonly stdout: string;
}

/**
 * Runs a program to its end and measures the time for its caller.
 * @throws Error when it fails
 */
function timedNode(args: readonly string[]): Timed {
  const start = performance.now();
  const child = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    env: childEnv(),
    maxBuffer: 2 ** 28,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ms = performance.now() - start;
  if (child.status !== 0) throw new Error(`${args.join(' ')} failed: ${child.stderr}`);
  return { ms, stdout: child.stdout };
}

/** Runs `openclaw memory …`. */
export function timedMemory(args: readonly string[]): Timed {
  return timedNode([BIN, 'memory', ...args]);
}

/** Runs a script of `floors/`. */
export function timedFloor(name: string, args: readonly string[]): Timed {
  return timedNode([floorPath(name), ...args]);
}

/**
 * Runs `openclaw memory …`.
 * @returns its peak resident memory in MB
 */
export function peakMemory(args: readonly string[]): number {
  const child = spawnSync(process.execPath, ['--require', floorPath('peak.cjs'), BIN, 'memory', ...args], {
    encoding: 'utf8',
    env: childEnv(),
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  });
  if (child.status !== 0) throw new Error(`${args.join(' ')} failed: ${child.stderr}`);
  return (Number(child.output[3]) * 1024) / 1e6;
}

export function memoryArguments(root: string, command: string, ...args: readonly string[]): readonly string[] {
  return [command, '--workspace', root, '--json', ...args];
}

export { BIN };

/**
 * The medians of several contenders that take turns, so that other load hits all of them equally. Each gets the number of
 * the round and returns its measurement. One round before the first is not counted.
 */
export function medians<Name extends string>(
  rounds: number,
  contenders: Readonly<Record<Name, (round: number) => number>>,
): Record<Name, number> {
  const names = Object.keys(contenders) as Name[];
  const samples = new Map<Name, number[]>(names.map((name) => [name, []]));
  for (let round = 0; round <= rounds; round++) {
    // The second one finds warmer caches, so the order alternates too.
    for (const name of round % 2 === 0 ? names : [...names].reverse()) {
      const value = contenders[name](round);
      if (round > 0) samples.get(name)?.push(value);
    }
  }
  const result = {} as Record<Name, number>;
  for (const name of names) result[name] = median(samples.get(name) ?? []);
  return result;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

function floorPath(name: string): string {
  return fileURLToPath(new URL(`floors/${name}`, import.meta.url));
}
