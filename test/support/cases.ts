const IS_FULL = process.env.OPENCLAW_TEST_RUNS === 'full';

/**
 * How many random cases a test runs: all of them with `OPENCLAW_TEST_RUNS=full`, as `.ci/run` does, else so few that
 * the tests are quick.
 */
export function cases(all: number, few = Math.ceil(all / 10)): number {
  return IS_FULL ? all : few;
}
