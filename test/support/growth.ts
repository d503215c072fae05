/**
 * How much longer `run` computes on an input four times as long: about 4 when it is linear, 16 when it is quadratic.
 * Processor time, the best of some runs, so that a busy machine does not decide.
 */
export function growthOfFour(
  make: (length: number) => string,
  run: (text: string) => unknown,
  length = 50_000,
): number {
  const small = make(length);
  const large = make(4 * length);
  run(small);
  return (
    best(() => run(large)) /
    Math.max(
      best(() => run(small)),
      SHORTEST_MS,
    )
  );
}

/** More than a linear algorithm can come to, less than a quadratic one does. */
export const LINEAR_LIMIT = 12;

/** Shorter times are noise. */
const SHORTEST_MS = 8;

function best(run: () => unknown): number {
  return Math.min(...[1, 2, 3, 4].map(() => processorMs(run)));
}

/**
 * How much `run` computes, in units of what a fixed piece of work takes here: about the same number on a slow machine,
 * and on one that is busy with other things. A unit is some 10 ms of a machine of 2024.
 */
export function effort(run: () => unknown): number {
  const start = process.cpuUsage();
  run();
  return unitsSince(start);
}

/** The same for what is awaited. @param start of `process.cpuUsage()` */
export function unitsSince(start: NodeJS.CpuUsage): number {
  const { user } = process.cpuUsage(start);
  unit ??= best(fixedWork);
  return user / 1000 / unit;
}

let unit: number | undefined;

function fixedWork(): number {
  let sum = 0;
  for (let i = 0; i < 12_000_000; i++) sum = (Math.imul(sum, 31) + i) | 0;
  return sum;
}

function processorMs(run: () => unknown): number {
  const start = process.cpuUsage();
  run();
  return process.cpuUsage(start).user / 1000;
}

/** The same for work that is waited for, of which every run needs a start of its own: two runs of each length. */
export async function growthOfFourStarts(
  make: (length: number) => string,
  start: (text: string) => Promise<() => Promise<unknown>>,
  length: number,
): Promise<number> {
  const times: number[] = [];
  for (const size of [length, length, length, 4 * length, 4 * length]) {
    const run = await start(make(size));
    const before = process.cpuUsage();
    await run();
    times.push(process.cpuUsage(before).user / 1000);
  }
  // The first warms up.
  return Math.min(...times.slice(3)) / Math.max(Math.min(...times.slice(1, 3)), SHORTEST_MS);
}
