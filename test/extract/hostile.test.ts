import { expect, test } from 'vitest';
import { cases } from '../support/cases.js';
import { hostileRounds } from '../support/hostile-extractions.js';

const ROUNDS = cases(500, 20);

test('whatever a model answers, nothing but pages of the bank changes, all of them can be read, and what is refused is named', async () => {
  const { broken, written, rejected } = await hostileRounds(ROUNDS, 1);
  expect(broken).toEqual([]);
  // What would change a line of a person is proposed, not written.
  expect(written).toBeGreaterThan(ROUNDS / 8);
  expect(rejected).toBeGreaterThan(ROUNDS / 4);
});
