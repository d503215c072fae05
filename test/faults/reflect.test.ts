import { expect, test } from 'vitest';
import { cases } from '../support/cases.js';
import { canFail } from '../support/failing-disk/failing-disk.js';
import { seeded } from '../support/kill-rounds.js';
import { reflectBesideRounds, reflectKillRounds } from '../support/reflect-kill-rounds.js';

const ROUNDS = cases(20, 6);

test.runIf(canFail())(
  'reflect killed at random moments: the run that is let through leaves the bytes of one that nothing came in between',
  async () => {
    const report = await reflectKillRounds(ROUNDS, seeded(8));
    expect(report.broken).toEqual([]);
    expect(report.killed).toBe(ROUNDS);
    // Kills that never hit the writing would prove nothing.
    expect(report.within).toBeGreaterThan(ROUNDS / 10);
  },
);

test.runIf(canFail())(
  'reflect killed beside retain and beside an editor: nothing acknowledged is lost, the last text is in place',
  async () => {
    const report = await reflectBesideRounds(ROUNDS, seeded(9));
    expect(report.broken).toEqual([]);
    expect(report.killed).toBeGreaterThan(ROUNDS / 10);
    expect(report.acknowledged).toBeGreaterThan(ROUNDS / 10);
    expect(report.saves).toBeGreaterThan(ROUNDS * 5);
  },
);
