import { expect, test } from 'vitest';
import { halfYear } from '../bench/half-year.js';
import { liveThrough } from '../support/half-year-run.js';

// Rules see only denials in a belief's own words; whether another value replaced it is for a judge to say.
test('after half a year by rules most true beliefs rank above false ones; the table is in BENCHMARKS.md', async () => {
  const run = await liveThrough(halfYear(1), { every: 14 });
  expect(run.pairs).toBeGreaterThan(400);
  expect(run.right / run.pairs, run.wrong.join('\n')).toBeGreaterThanOrEqual(0.72);
});
