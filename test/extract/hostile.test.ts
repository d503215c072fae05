import { expect, test } from 'vitest';
import { hostileRounds } from '../support/hostile-extractions.js';

test('whatever a model answers, nothing but pages of the bank changes, all of them can be read, and what is refused is named', async () => {
  const { broken, written, rejected } = await hostileRounds(200, 1);
  expect(broken).toEqual([]);
  expect(written).toBeGreaterThan(50);
  expect(rejected).toBeGreaterThan(50);
}, 240_000);
