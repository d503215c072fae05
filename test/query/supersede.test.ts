import { expect, test } from 'vitest';
import { addDays } from '../../src/language/time/calendar.js';
import type { RecallAnswer } from '../../src/query/request.js';
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

test('the newest of daily readings comes first, and each other one names it or its successor', async () => {
  const day = (i: number): string => addDays('2026-01-01', i);
  const logs = Array.from({ length: 60 }, (_, i) => {
    const facts = [
      `weighs ${82 + (i % 7) / 10} kg`,
      `${12 + (i % 11)} open tickets`,
      `the status is ${i % 2 ? 'red' : 'green'}`,
    ];
    return [`memory/${day(i)}.md`, `## Retain\n${facts.map((fact) => `- W @Max: ${fact}\n`).join('')}`] as const;
  });
  const workspace = testWorkspace(Object.fromEntries(logs));
  await workspace.run(['reflect', '--max-calls', '0', '--now', `${day(60)}T03:00:00Z`]);
  const ask = async (query: string) => (await workspace.recall(query, '--now', `${day(60)}T12:00:00Z`)).results;
  const [weight, ...lighter] = await ask("Max's weight in kg");
  expect(weight).toMatchObject({ content: '@Max: weighs 82.3 kg', source: `memory/${day(59)}.md#L2` });
  const weights = lighter.filter(({ content }) => content.includes('weighs'));
  expect(weights.length).toBeGreaterThan(3);
  for (const one of weights) expect(one.superseded, one.source).toMatch(/^f-/);
  const [tickets, ...fewer] = await ask('open tickets of Max');
  expect(tickets).toMatchObject({ content: '@Max: 16 open tickets', source: `memory/${day(59)}.md#L3` });
  const others = fewer.filter(({ content }) => content.includes('tickets'));
  expect(others.length).toBeGreaterThan(3);
  for (const one of others) expect(one.newer, one.source).toBe(tickets?.id);
});

test('a newer value supersedes one of the same thing, not one that only has the same kind', async () => {
  const workspace = testWorkspace({
    'memory/2026-01-12.md': '## Retain\n- W @Atlas: runs on Postgres 15\n',
    'memory/2026-02-16.md': '## Retain\n- W @Atlas: upgraded to Postgres 16\n',
    'memory/2026-03-02.md': '## Retain\n- W @Atlas: release 2.4 is out\n',
  });
  const { results } = await workspace.recall('which Postgres does Atlas run on?');
  expect(results.map(({ content }) => content).slice(0, 2)).toEqual([
    '@Atlas: upgraded to Postgres 16',
    '@Atlas: runs on Postgres 15',
  ]);
  expect(results[1]?.newer).toBe(results[0]?.id);
});

test('a daily repeated fact lists twenty of its places and their number', async () => {
  const logs = Array.from({ length: 60 }, (_, i) => {
    const day = addDays('2026-01-01', i);
    return [`memory/${day}.md`, '## Retain\n- O(c=0.7) @Max: likes green tea\n- W @Max: drives a van\n'] as const;
  });
  const workspace = testWorkspace(Object.fromEntries(logs));
  await workspace.run(['reflect', '--max-calls', '0', '--now', '2026-03-02T03:00:00Z']);
  const { results } = await workspace.recall('which van does Max drive?');
  expect(results[0]).toMatchObject({ standsForCount: 61, standsFor: { length: 20 } });
  const [belief] = (await workspace.recall('Max green tea')).results;
  expect(belief).toMatchObject({ evidence: { for: { length: 20 }, more: 40 } });
  expect(belief?.evidence?.for.at(-1)?.source).toBe('memory/2026-03-01.md#L2');
  const { stdout } = await workspace.run(['recall', 'which van does Max drive?', '--k', '1']);
  expect(stdout).toMatch(/stands for (?:\S+, ){4}\S+ and 56 more/);
});

const NOW = ['--now', '2026-07-10T12:00:00Z'];

const MEDICINES = [
  '# Medicines\n',
  '| Drug | Dose | Since | Until |',
  '| --- | --- | --- | --- |',
  '| Losartan | 100 mg | 2026-03-16 | 2026-05-10 |',
  '| Metformin | 500 mg | 2026-01-02 | |',
  '| Losartan | 25 mg | 2026-05-11 | |',
];
const ARZNEI = [
  '# Arznei\n',
  '| Ab | Bis | Mittel | Menge |',
  '| --- | --- | --- | --- |',
  '| 11.05.2026 | | Losartan | 25 mg |',
  '| 16.03.2026 | 10.05.2026 | Losartan | 100 mg |',
  '| 02.01.2026 | | Metformin | 500 mg |',
];
const PARTS = [
  '# Parts\n',
  '| Part | Ordered | Delivered |',
  '| --- | --- | --- |',
  '| Losartan box | 2026-03-01 | 2026-03-10 |',
  '| Lens | 2026-05-01 | |',
];

const recall = async (lines: readonly string[], question: string): Promise<RecallAnswer['results']> =>
  (await testWorkspace({ 'memory/topics/table.md': `${lines.join('\n')}\n` }).recall(question, ...NOW)).results;

test.each([
  ['in English', MEDICINES],
  ['in German, with the key behind the days', ARZNEI],
])('a row whose period has ended comes after the current row of its key, %s', async (_, table) => {
  const results = await recall(table, 'Losartan');
  const [first, second] = results;
  expect(first?.content).toContain('25 mg');
  expect(first?.superseded).toBeUndefined();
  expect(second?.content).toContain('100 mg');
  expect(second?.superseded).toBe(first?.id);
  expect(results.filter(({ content }) => content.includes('Metformin')).every((row) => !row.superseded)).toBe(true);
});

test('it comes first and marked when its own value is asked for', async () => {
  const [first] = await recall(MEDICINES, 'losartan 100 mg');
  expect(first?.content).toContain('100 mg');
  expect(first?.superseded).toMatch(/^l-/);
});

test('rows of different keys do not supersede each other', async () => {
  const results = await recall(PARTS, 'Losartan box or Lens');
  expect(results.length).toBeGreaterThan(1);
  expect(results.every(({ superseded }) => superseded === undefined)).toBe(true);
});

test('the block before a message has only the current row of a key', async () => {
  const workspace = testWorkspace({ 'memory/topics/table.md': `${MEDICINES.join('\n')}\n` });
  const message = 'What dose of losartan does she take?';
  const { block } = await workspace.json<{ readonly block: string }>([
    'context',
    'build',
    '--message',
    message,
    ...NOW,
  ]);
  expect(block).toContain('25 mg');
  expect(block).not.toContain('100 mg');
});

test('two current rows of one key are both in the block: equal columns do not make a topic', async () => {
  const table = [
    '# Medicines\n',
    '| Drug | Dose | When | How |',
    '| --- | --- | --- | --- |',
    '| Losartan | 25 mg | morning | with water |',
    '| Losartan | 50 mg | evening | with water |',
  ];
  const workspace = testWorkspace({ 'memory/topics/table.md': `${table.join('\n')}\n` });
  const { block } = await workspace.json<{ readonly block: string }>([
    'context',
    'build',
    '--message',
    'When does she take losartan, and how much?',
    ...NOW,
  ]);
  expect(block).toContain('morning');
  expect(block).toContain('evening');
});

test('--explain says before which older line a newer one was put', async () => {
  const workspace = testWorkspace({
    'memory/2026-03-01.md': '## Retain\n\n- W @Max: drives a red van to the market\n',
    'memory/2026-03-09.md': '## Retain\n\n- W @Max: drives a blue van\n',
  });
  const { results } = await workspace.recall('which red van does Max drive to the market?', '--explain');
  expect(results.map(({ source }) => source)).toEqual(['memory/2026-03-09.md#L3', 'memory/2026-03-01.md#L3']);
  expect(results[0]?.why).toContain('before memory/2026-03-01.md#L3');
  expect(results[1]?.why).toContain('all words');
});
