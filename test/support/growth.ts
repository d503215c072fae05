/**
 * How much longer `run` computes on an input four times as long: about 4 if linear, 16 if quadratic. It measures processor
 * time and takes the best of several runs, so that a busy machine does not decide.
 */
export function growthOfFour(
  make: (length: number) => string,
  run: (text: string) => unknown,
  length = 50_000,
): number {
  const [small, large] = [make(length), make(4 * length)];
  run(small);
  const growth = new Growth();
  while (growth.isOpen)
    growth.add(
      best(() => run(small)),
      best(() => run(large)),
    );
  return growth.ofFour;
}

/** Other processes on one processor also share its caches, so a larger result is measured again, and the best counts. */
class Growth {
  private rounds = 0;
  private small = Number.POSITIVE_INFINITY;
  private large = Number.POSITIVE_INFINITY;

  add(small: number, large: number): void {
    this.rounds++;
    this.small = Math.min(this.small, small);
    this.large = Math.min(this.large, large);
  }

  get ofFour(): number {
    return this.large / Math.max(this.small, SHORTEST_MS);
  }

  get isOpen(): boolean {
    return this.rounds === 0 || (this.rounds < MOST_ROUNDS && this.ofFour >= LINEAR_LIMIT);
  }
}

const MOST_ROUNDS = 4;

/** Above the growth of a linear algorithm, below that of a quadratic one. */
export const LINEAR_LIMIT = 12;

/** Shorter times are noise. */
const SHORTEST_MS = 8;

function best(run: () => unknown): number {
  return Math.min(...[1, 2, 3, 4].map(() => processorMs(run)));
}

/**
 * How much `run` computes, in units of a fixed piece of work on this machine: about the same number on a slow or busy
 * machine. A unit is about 10 ms on a machine of 2024.
 */
export function effort(run: () => unknown): number {
  const start = process.cpuUsage();
  run();
  return unitsSince(start);
}

/**
 * The same for asynchronous work.
 * @param start of `process.cpuUsage()`
 */
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

/** The same for asynchronous work that needs a new start for every run: two runs of each length. */
export async function growthOfFourStarts(
  make: (length: number) => string,
  start: (text: string) => Promise<() => Promise<unknown>>,
  length: number,
): Promise<number> {
  const [small, large] = [make(length), make(4 * length)];
  const timed = async (text: string): Promise<number> => {
    const run = await start(text);
    const before = process.cpuUsage();
    await run();
    return process.cpuUsage(before).user / 1000;
  };
  // The first run warms up.
  await timed(small);
  const growth = new Growth();
  while (growth.isOpen)
    growth.add(Math.min(await timed(small), await timed(small)), Math.min(await timed(large), await timed(large)));
  return growth.ofFour;
}
