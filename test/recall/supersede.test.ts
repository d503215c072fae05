import { expect, test } from 'vitest';
import type { RecallAnswer } from '../../src/recall/request.js';
import { testWorkspace } from '../support/test-workspace.js';

const FILES = {
  'memory/2025-09-01.md':
    '# 2025-09-01\n\n## Retain\n- W @Peter: Lives in Vienna.\n- B @Peter: I moved his boxes from Graz.\n',
  'memory/2026-01-10.md': '# 2026-01-10\n\n## Retain\n- W @Peter: Moved from Vienna to Berlin; lives near the canal.\n',
  'bank/opinions.md': [
    '# Opinions',
    '',
    '- O(c=0.83) @Peter: Prefers short replies. ^o-7k3m2q9x1a4bc',
    '  - prior: 0.70 (2025-08-01)',
    '  - for: [memory/2025-09-01.md#L4](../memory/2025-09-01.md#L4) f-a1b2c3d4e5f6g',
    '  - for: [memory/2026-01-10.md#L4](../memory/2026-01-10.md#L4) f-z9y8x7w6v5u4t',
    '',
  ].join('\n'),
};

test('the newest value comes first, and the replaced one names its successor (complaint: old history outranks it)', async () => {
  const { results } = await testWorkspace(FILES).recall('where does Peter live, Vienna?');
  const facts = results.filter(({ kind }) => kind === 'world');
  expect(facts.map(({ source }) => source)).toEqual(['memory/2026-01-10.md#L4', 'memory/2025-09-01.md#L4']);
  expect(facts[1]?.superseded).toBe(facts[0]?.id);
  expect(facts[0]?.superseded).toBeUndefined();
});

test('an experience is never superseded', async () => {
  const { results } = await testWorkspace(FILES).recall('boxes from Graz', '--kind', 'experience');
  expect(results[0]).not.toHaveProperty('superseded');
});

test('as of an earlier day the old value is the answer, and later facts are unknown', async () => {
  const { results } = await testWorkspace(FILES).recall('where does Peter live?', '--as-of', '2025-10-01');
  expect(results[0]).toMatchObject({ source: 'memory/2025-09-01.md#L4' });
  expect(results[0]).not.toHaveProperty('superseded');
  expect(results.map(({ source }) => source)).not.toContain('memory/2026-01-10.md#L4');
});

test('an opinion as of a day has the confidence from the evidence until then', async () => {
  const workspace = testWorkspace(FILES);
  const ask = ['recall', 'what replies does Peter prefer?', '--kind', 'opinion'];
  const now = await workspace.json<RecallAnswer>(ask);
  expect(now.results[0]).toMatchObject({ confidence: 0.83, evidence: { for: [{}, {}], against: [] } });
  const then = await workspace.json<RecallAnswer>([...ask, '--as-of', '2025-10-01']);
  // One supporting day: 0.7 + 0.08 · 0.3.
  expect(then.results[0]).toMatchObject({
    confidence: 0.72,
    evidence: { for: [{ source: 'memory/2025-09-01.md#L4' }] },
  });
});

test('a time in the question without any lines is dropped with a warning', async () => {
  const answer = await testWorkspace(FILES).recall('where did Peter live in June 2024?');
  expect(answer.window).toBeNull();
  expect(answer.warnings[0]).toContain('June 2024');
  expect(answer.results.length).toBeGreaterThan(0);
});

test('--since, --until and --around accept dates, ages and words, and always filter', async () => {
  const workspace = testWorkspace(FILES);
  const days = async (...options: string[]) => {
    const { results } = await workspace.recall('Peter', '--kind', 'world', ...options);
    return results.map(({ timestamp }) => timestamp).toSorted();
  };
  expect(await days('--since', '90d')).toEqual(['2026-01-10']);
  expect(await days('--until', '2025-12')).toEqual(['2025-09-01']);
  expect(await days('--around', '2026-01-08')).toEqual(['2026-01-10']);
  expect(await days('--since', '2024-01-01', '--until', '2024-12-31')).toEqual([]);
  const wrong = await workspace.run(['recall', 'Peter', '--since', 'blue']);
  expect(wrong).toMatchObject({ code: 2, stdout: '' });
  expect(wrong.stderr).toContain('"blue" is not a date');
});
