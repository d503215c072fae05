import { expect, test } from 'vitest';
import { cases } from '../support/cases.js';
import { canFail } from '../support/failing-disk/failing-disk.js';
import { seeded } from '../support/kill-rounds.js';
import { writingRounds } from '../support/writing-rounds.js';

const ROUNDS = cases(40, 12);

test.runIf(canFail())(
  'writers, killed at random under jumping clocks, keep what they acknowledged and tear nothing',
  async () => {
    const report = await writingRounds(ROUNDS, seeded(7));
    expect(report).toMatchObject({ rounds: ROUNDS, wrong: [], torn: [], verifies: true });
    expect(report.killed).toBeGreaterThan(ROUNDS / 13);
    expect(report.acknowledged).toBeGreaterThan(ROUNDS / 13);
  },
);
