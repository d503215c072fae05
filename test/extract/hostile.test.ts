import { expect, test } from 'vitest';
import { cases } from '../support/cases.js';
import { hostileRounds } from '../support/hostile-extractions.js';

const ROUNDS = cases(200);

test('whatever a model answers, nothing but pages of the bank changes, all of them can be read, and what is refused is named', async () => {
  const { broken, written, rejected } = await hostileRounds(ROUNDS, 1);
  expect(broken).toEqual([]);
  expect(written).toBeGreaterThan(ROUNDS / 4);
  expect(rejected).toBeGreaterThan(ROUNDS / 4);
}, 240_000);
