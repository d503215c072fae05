import { expect, test } from 'vitest';
import { embedRounds } from '../support/embed-rounds.js';
import { seeded } from '../support/kill-rounds.js';

test('index --embed, killed again and again, embeds nothing twice that was stored, and ends complete (complaint 14: batches that never end)', async () => {
  const report = await embedRounds(8, seeded(5));
  expect(report.killed).toBeGreaterThanOrEqual(4);
  expect(report.again).toEqual([]);
  expect(report.repeated).toBeLessThanOrEqual(32 * report.killed);
  expect(report.stored).toBe(report.texts);
});
