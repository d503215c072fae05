import { expect, test } from 'vitest';
import { cases } from '../support/cases.js';
import { canFail } from '../support/failing-disk/failing-disk.js';
import { Random } from '../support/random.js';
import { KILLS, unproved } from './kills.js';

test.runIf(canFail()).each(KILLS.map((kills) => [kills.promise, kills] as const))('%s', async (_, kills) => {
  const report = await kills.run(cases(...kills.rounds), new Random(kills.seed));
  expect(report.broken).toEqual([]);
  expect(unproved(kills, report)).toEqual([]);
});
