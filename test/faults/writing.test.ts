import { expect, test } from 'vitest';
import { seeded } from '../support/kill-rounds.js';
import { writingRounds } from '../support/writing-rounds.js';

test('writers killed at random moments, under clocks that jump, keep what they acknowledged and tear nothing', {
  timeout: 120_000,
}, async () => {
  const report = await writingRounds(40, seeded(7));
  expect(report).toMatchObject({ rounds: 40, wrong: [], torn: [], verifies: true });
  expect(report.killed).toBeGreaterThan(3);
  expect(report.acknowledged).toBeGreaterThan(3);
});
