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
  const times = [1, 2, 3, 4].map(() => {
    const start = process.cpuUsage();
    run();
    return process.cpuUsage(start).user / 1000;
  });
  return Math.min(...times);
}
