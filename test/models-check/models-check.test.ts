import { beforeAll, describe, expect, test } from 'vitest';
import { WEAK_MODELS } from '../support/weak-models.js';
import { inventionsAbout } from './answers.js';
import { GOLD } from './fixture.js';
import { type ByRules, runByRules } from './run.js';
import { runScripted, type ScriptedMeasured } from './scripted.js';
import { findFalsehood } from './truth.js';

let rules: ByRules;

beforeAll(async () => {
  rules = await runByRules();
});

test('the tables of the fixture tell true lines from false ones', () => {
  const inventions = GOLD.flatMap(inventionsAbout);
  expect(inventions.length).toBeGreaterThan(100);
  expect(inventions.filter((line) => findFalsehood(line) === undefined)).toEqual([]);
  expect(GOLD.filter(({ text }) => findFalsehood(text) !== undefined)).toEqual([]);
});

function falseLines(measured: readonly ScriptedMeasured[]): readonly string[] {
  return measured.flatMap(({ lines }) => lines.flatMap(({ text, falsehood }) => (falsehood === undefined ? [] : text)));
}

function written(measured: readonly ScriptedMeasured[]): number {
  return measured.reduce((sum, one) => sum + one.written.length, 0);
}

describe('as tested, a weak model changes nothing', () => {
  test.each([...Object.keys(WEAK_MODELS), 'invent'])('%s', async (name) => {
    const measured = await runScripted({ name }, rules);
    expect(measured.map(({ calls }) => calls)).toEqual([0, 0, 0, 0, 0]);
    expect(measured.flatMap(({ lines, verdicts, missing }) => [...lines, ...verdicts, ...missing])).toEqual([]);
  });
});

// The goal is one false line of a hundred. Most of those that pass name a value of something near, or leave out a "not".
describe.each([
  ['extractive', 60, 0.02],
  ['free', 200, 0.08],
] as const)('a model that invents and is forced to the level %s', (level, least, share) => {
  let measured: readonly ScriptedMeasured[];

  beforeAll(async () => {
    measured = await runScripted({ name: 'invent', level }, rules);
  });

  test('takes away no line of the rules without a word', () => {
    expect(measured.flatMap(({ missing }) => missing)).toEqual([]);
  });

  test(`gets at most ${100 * share} of a hundred false lines in`, () => {
    expect(written(measured)).toBeGreaterThanOrEqual(least);
    expect(falseLines(measured).length).toBeLessThanOrEqual(written(measured) * share);
  });
});

test.each([undefined, 'free'] as const)('a good model gets its lines and verdicts in (level %s)', async (level) => {
  const measured = await runScripted({ name: 'good', level }, rules);
  expect(falseLines(measured)).toEqual([]);
  expect(measured.flatMap(({ missing }) => missing)).toEqual([]);
  expect(measured.flatMap(({ verdicts }) => verdicts.filter(({ isFalse }) => isFalse))).toEqual([]);
  const refused = measured.flatMap((one) => one.written.filter((line) => !one.stands(line)));
  expect(refused.length, refused.join('\n')).toBeLessThanOrEqual(written(measured) / 20);
  expect(measured.find(({ task }) => task === 'reflect')?.verdicts.length).toBeGreaterThan(15);
});
