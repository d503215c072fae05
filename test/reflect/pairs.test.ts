import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { judgeByRules, prepareStatement } from '../../src/memory/judge/rules.js';

const DIRECTIONS: Readonly<Record<string, string>> = { s: 'supports', c: 'contradicts', n: 'none' };

/** Pairs of a belief and a fact about somebody, each with what a person says that the fact does to the belief. */
const pairs = readFileSync(new URL('pairs.tsv', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => {
    const [direction = '', entity = '', belief = '', fact = ''] = line.split('\t');
    return { label: DIRECTIONS[direction], entity, belief, fact };
  });

test('rules give hardly any wrong verdict on 350 pairs, and most of the right ones', () => {
  expect(pairs.length).toBeGreaterThan(330);
  const judged = pairs.map((pair) => ({
    ...pair,
    verdict: judgeByRules(prepareStatement(pair.belief, [pair.entity]), prepareStatement(pair.fact, [pair.entity])),
  }));
  const given = judged.filter(({ verdict }) => verdict !== 'none');
  const wrong = given.filter(({ verdict, label }) => verdict !== label);
  expect(wrong.map(({ belief, fact, verdict }) => `${belief} ← ${fact}: ${verdict}`)).toEqual([]);
  const due = judged.filter(({ label }) => label !== 'none');
  expect(given.length / due.length).toBeGreaterThan(0.8);
});
