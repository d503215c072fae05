import { expect, test } from 'vitest';
import { seeded } from '../support/kill-rounds.js';
import { reflectBesideRounds, reflectKillRounds } from '../support/reflect-kill-rounds.js';

test('reflect killed at random moments: the run that is let through leaves the bytes of one that nothing came in between', {
  timeout: 300_000,
}, async () => {
  const report = await reflectKillRounds(20, seeded(8));
  expect(report.broken).toEqual([]);
  expect(report.killed).toBe(20);
  // Kills that never hit the writing would prove nothing.
  expect(report.within).toBeGreaterThan(2);
});

test('reflect killed beside retain and beside an editor: nothing acknowledged is lost, the last text is in place', {
  timeout: 300_000,
}, async () => {
  const report = await reflectBesideRounds(20, seeded(9));
  expect(report.broken).toEqual([]);
  expect(report.killed).toBeGreaterThan(2);
  expect(report.acknowledged).toBeGreaterThan(2);
  expect(report.saves).toBeGreaterThan(100);
});
