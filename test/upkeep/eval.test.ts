import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { EvalReport } from '../../src/upkeep/eval.js';
import { type CheckedCase, readCases, scoreCase } from '../../src/upkeep/eval.js';
import { testWorkspace } from '../support/test-workspace.js';

const FIXTURES = fileURLToPath(new URL('../../fixtures', import.meta.url));

function asked(fields: Partial<CheckedCase>): CheckedCase {
  return {
    id: '1',
    query: 'q',
    kind: 'k',
    expect: ['a.md#L3'],
    k: 5,
    all: false,
    top: false,
    absent: [],
    empty: false,
    now: undefined,
    options: {},
    ...fields,
  };
}

const results = ['b.md#L1', 'a.md#L2-L4', 'c.md#L9'].map((source) => ({ source }));

test('overlapping line ranges count as found: rank 2, MRR ½, nDCG 1/log2(3)', () => {
  const score = scoreCase(asked({}), results);
  expect(score).toMatchObject({ passed: true, rank: 2, recall: 1, reciprocalRank: 0.5 });
  expect(score.ndcg10).toBeCloseTo(1 / Math.log2(3), 10);
});

test('a perfect ranking scores 1 in everything', () => {
  const score = scoreCase(asked({ expect: ['b.md#L1', 'a.md#L3', 'c.md#L9'], all: true, top: true }), results);
  expect(score).toMatchObject({ passed: true, recall: 1, reciprocalRank: 1, ndcg10: 1 });
});

test.each([
  ['not among the first k', { k: 1 }, 'no expected source is among the first 1'],
  ['not all of them', { expect: ['a.md#L3', 'd.md#L1'], all: true }, 'not all expected sources are among the first 5'],
  ['not the first', { top: true }, 'the first expected source has rank 2'],
  ['behind what must not come first', { absent: ['b.md#L1'] }, 'b.md#L1 comes before the expected source'],
  ['something where nothing is right', { expect: [], empty: true }, 'recall found something, but must find nothing'],
] as const)('a case fails when the source is %s', (_, fields, reason) => {
  expect(scoreCase(asked(fields), results)).toMatchObject({ passed: false, reason });
});

test('another place of the same statement counts as found', () => {
  expect(scoreCase(asked({ top: true }), [{ source: 'z.md#L1', standsFor: [{ source: 'a.md#L3' }] }]).passed).toBe(
    true,
  );
});

test('every question of the fixture workspace gets the answer in its case file', async () => {
  const workspace = testWorkspace();
  cpSync(join(FIXTURES, 'workspace'), workspace.root, { recursive: true });
  const report = await workspace.json<EvalReport>(['eval', join(FIXTURES, 'cases.jsonl'), '--min', '1', '--explain']);
  expect(report.failures).toEqual([]);
  expect(report.cases).toBeGreaterThanOrEqual(60);
  const kinds = [
    'as-of',
    'cjk',
    'contradiction',
    'entity',
    'exact',
    'name',
    'nothing',
    'now',
    'opinion',
    'temporal',
    'then',
    'who',
    'whole',
  ];
  expect(Object.keys(report.byKind)).toEqual(kinds);
});

test('a score under --min gives exit code 4, and failures show what was found instead', async () => {
  const workspace = testWorkspace({ 'memory/2026-03-01.md': '- W @Peter: lives in Vienna\n' });
  workspace.write(
    'cases.jsonl',
    '{"id":"a","query":"Vienna","expect":["memory/2026-03-01.md#L1"]}\n{"query":"Vienna","expect":["memory/2026-03-02.md#L1"]}\n',
  );
  const path = workspace.path('cases.jsonl');
  const failed = await workspace.run(['eval', path, '--min', '0.6']);
  expect(failed.code).toBe(4);
  expect(failed.stdout).toContain('expected memory/2026-03-02.md#L1, but this line does not exist');
  expect(failed.stdout).toContain('found    memory/2026-03-01.md#L1');
  expect((await workspace.run(['eval', path, '--min', '0.5'])).code).toBe(0);
});

test('a failure shows the rank of the expected line, the reason, and the warnings of the answer', async () => {
  const lines = Array.from({ length: 12 }, (_, i) => `- Vienna and Graz, note ${'abcdefghijkl'[i]}.\n`).join('');
  const workspace = testWorkspace({ 'memory/2026-03-01.md': `${lines}- Graz, far behind.\n` });
  workspace.write(
    'cases.jsonl',
    '{"id":"a","query":"Vienna and Graz in June 2020","expect":["memory/2026-03-01.md#L13"]}\n{"query":"Vienna","expect":["memory/2026-03-01.md#L1"],"k":12}\n',
  );
  const { failures, warnings } = await workspace.json<EvalReport>(['eval', workspace.path('cases.jsonl'), '--explain']);
  expect(failures.map(({ expect: expected }) => expected)).toEqual([
    [
      {
        source: 'memory/2026-03-01.md#L13',
        content: 'Graz, far behind.',
        rank: 13,
        why: expect.stringContaining('lexical'),
      },
    ],
  ]);
  expect(failures[0]?.warnings[0]).toContain('June 2020');
  expect(warnings).toEqual([]);
});

test('an older case file with "entity" in its options is read with one warning', async () => {
  const workspace = testWorkspace({ 'memory/2026-03-01.md': '- W @Peter: lives in Vienna\n- W @Anna: loves Vienna\n' });
  const line = '{"query":"Vienna","expect":["memory/2026-03-01.md#L1"],"top":true,"options":{"entity":["Peter"]}}\n';
  workspace.write('cases.jsonl', line.repeat(2));
  const { code, stdout, stderr } = await workspace.run(['eval', workspace.path('cases.jsonl'), '--min', '1', '--json']);
  expect([code, stderr]).toEqual([
    0,
    expect.stringMatching(/^warning: [^\n]*write "entities" [^\n]* instead of "entity"\n$/),
  ]);
  expect(JSON.parse(stdout)).toMatchObject({ passed: 2, warnings: [expect.stringContaining('"entities"')] });
});

test.each([
  ['', 'the file has no cases'],
  ['{"query":"a","expect":["a.md#L1"]}\n\nnonsense\n', 'line 3: is not JSON'],
  ['{"query":"a"}', 'line 1: has neither "expect" nor "empty"'],
  ['{"query":"a","empty":true}\n{"query":"a","empty":true,"limt":3}', 'line 2: unknown key "limt"'],
  [
    '{"query":"a","empty":true,"options":{"since":7}}',
    'line 1: options.since must be a time such as 2026-03-01, 30d or "last week", not 7',
  ],
  ['{"query":"a","empty":true,"options":{"kind":"O"}}', 'line 1: options.kinds[0]: unknown kind "O"'],
  ['{"query":"a","expect":"a.md#L1"}', 'line 1: expect must be a list of texts, not "a.md#L1"'],
  ['{"query":"a","empty":true,"kind":["x"]}', 'line 1: kind must be text, not a list'],
  ['{"query":"a","expect":["a.md"]}', 'line 1: "a.md" is not a source such as memory/2025-11-27.md#L14'],
])('a case file with %j is refused with its line', (text, message) => {
  expect(() => readCases(text)).toThrow(
    expect.objectContaining({ failure: expect.objectContaining({ type: 'usage', message }) }),
  );
});

test('the fixture cases are read as written', () => {
  const { cases, warnings } = readCases(readFileSync(join(FIXTURES, 'cases.jsonl'), 'utf8'));
  expect({ count: cases.length > 20, warnings }).toEqual({ count: true, warnings: [] });
});
