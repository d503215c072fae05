import { expect, test } from 'vitest';
import { cases } from '../support/cases.js';
import { embedRounds } from '../support/embed-rounds.js';
import { seeded } from '../support/kill-rounds.js';

const ROUNDS = cases(8, 3);

test('index --embed, killed again and again, embeds nothing twice that was stored, and ends complete (complaint 14: batches that never end)', async () => {
  const report = await embedRounds(ROUNDS, seeded(5));
  expect(report.killed).toBeGreaterThanOrEqual(ROUNDS / 2);
  expect(report.again).toEqual([]);
  expect(report.repeated).toBeLessThanOrEqual(32 * report.killed);
  expect(report.stored).toBe(report.texts);
});
