const IS_FULL = process.env.OPENCLAW_TEST_RUNS === 'full';

/**
 * Number of random cases of a test: all with `OPENCLAW_TEST_RUNS=full`, as in `.ci/run`, else few enough for quick tests.
 */
export function cases(all: number, few = Math.ceil(all / 10)): number {
  return IS_FULL ? all : few;
}
