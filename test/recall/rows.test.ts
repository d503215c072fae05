import { expect, test } from 'vitest';
import type { RecallAnswer } from '../../src/recall/request.js';
import { testWorkspace } from '../support/test-workspace.js';

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
