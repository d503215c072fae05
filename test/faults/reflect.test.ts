import { expect, test } from 'vitest';
import { cases } from '../support/cases.js';
import { canFail } from '../support/failing-disk/failing-disk.js';
import { seeded } from '../support/kill-rounds.js';
import { reflectBesideRounds, reflectKillRounds } from '../support/reflect-kill-rounds.js';

const ROUNDS = cases(20, 6);

test.runIf(canFail())('reflect, killed at random, ends with the same bytes as a run without interruption', async () => {
  const report = await reflectKillRounds(ROUNDS, seeded(8));
  expect(report.broken).toEqual([]);
  expect(report.killed).toBe(ROUNDS);
  // The test proves nothing if no kill hit a write.
  expect(report.within).toBeGreaterThan(ROUNDS / 10);
});

test.runIf(canFail())(
  'reflect, killed beside retain and an editor, loses no acknowledged fact and keeps the editor’s last text',
  async () => {
    const report = await reflectBesideRounds(ROUNDS, seeded(9));
    expect(report.broken).toEqual([]);
    expect(report.killed).toBeGreaterThan(ROUNDS / 10);
    expect(report.acknowledged).toBeGreaterThan(ROUNDS / 10);
    expect(report.saves).toBeGreaterThan(ROUNDS * 5);
  },
);
