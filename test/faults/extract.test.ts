import { expect, test } from 'vitest';
import { cases } from '../support/cases.js';
import { extractKillRounds } from '../support/extract-kill-rounds.js';
import { canFail } from '../support/failing-disk/failing-disk.js';
import { seeded } from '../support/kill-rounds.js';

const ROUNDS = cases(20, 6);

test.runIf(canFail())(
  'after a killed extract apply the next writing command finds all pages old or makes all new, and adds nothing twice',
  async () => {
    const { broken, killed, partial } = await extractKillRounds(ROUNDS, seeded(1));
    expect(broken).toEqual([]);
    expect(killed).toBeGreaterThanOrEqual(ROUNDS / 3);
    expect(partial).toBeGreaterThan(0);
  },
);
