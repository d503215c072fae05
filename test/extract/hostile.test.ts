import { expect, test } from 'vitest';
import { cases } from '../support/cases.js';
import { hostileRounds } from '../support/hostile-extractions.js';

const ROUNDS = cases(500, 20);

test('any answer of a model changes only pages of the bank, leaves them readable, and names what is refused', async () => {
  const { broken, written, rejected } = await hostileRounds(ROUNDS, 1);
  expect(broken).toEqual([]);
  // A change of a person's line is proposed, not written.
  expect(written).toBeGreaterThan(ROUNDS / 8);
  expect(rejected).toBeGreaterThan(ROUNDS / 4);
});
