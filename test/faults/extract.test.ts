import { expect, test } from 'vitest';
import { extractKillRounds } from '../support/extract-kill-rounds.js';
import { seeded } from '../support/kill-rounds.js';

test('extract apply, killed: the next command that writes finds all pages old or makes all new, and nothing is added twice', async () => {
  const { broken, killed } = await extractKillRounds(20, seeded(1));
  expect(broken).toEqual([]);
  expect(killed).toBeGreaterThan(5);
}, 240_000);
