import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { testWorkspace } from '../support/test-workspace.js';

const NOW = ['--now', '2026-05-20T12:00:00Z'];

const CHAT = `12.01.26, 08:17 - Jana Brandt: Moin! Die Schlüssel liegen im Café
13.01.26, 21:02 - Ole Petersen: der Sprinter kostet 60 Euro
05.02.26, 09:00 - Jana Brandt: Heizung ist abgelesen
05.02.26, 09:05 - Ole Petersen: gut
`;

const BOARD = (date: string, treasurer: string, rest: string) =>
  `# Board meeting\n\n**Date:** ${date}\n**Present:** ${treasurer} (treasurer)\n\n## Notes\n\n${rest}\n`;

const NOTES = {
  'memory.config.json5': "{ extraFolders: ['notes'] }",
  'notes/chat.md': CHAT,
  'notes/march.md': BOARD('Tuesday, 3 March 2026, 18:30', 'Colm', 'The open day is on 13 June.'),
  'notes/may.md': BOARD('Tuesday, 5 May 2026, 18:30', 'Nadia', 'The open day is on 20 June, not in the rain again.'),
};

const contents = async (question: string, ...options: string[]) => {
  const { results } = await testWorkspace(NOTES).recall(question, ...NOW, ...options);
  return results.map(({ content }) => content);
};

test('a question about a day finds the lines that their own place gives that day', async () => {
  const found = await contents('Was war am 5. Februar 2026 los?');
  expect(found.filter((line) => line.includes('abgelesen'))).toHaveLength(1);
  expect(found.filter((line) => line.includes('Sprinter'))).toEqual([]);
});

test('a result names the day and the speaker of its line', async () => {
  const { results } = await testWorkspace(NOTES).recall('Sprinter', ...NOW);
  const expected = { timestamp: '2026-01-13', dayBy: 'line', speaker: 'Ole Petersen', path: 'notes/chat.md' };
  expect(results[0]).toMatchObject(expected);
});

test.each([
  ['row', 'page.md', '| Date | Read |\n|---|---|\n| 2026-03-01 | pumphouse |'],
  ['heading', 'page.md', '## 2026-03-01\n\npumphouse'],
  ['page', 'page.md', '**Date:** 1 March 2026\n\npumphouse'],
  ['page', '2026-03-01 page.md', 'pumphouse'],
  ['file', '../memory/2026-03-01.md', '- pumphouse'],
])('a result says that its day is that of its %s: %s', async (dayBy, file, text) => {
  const workspace = testWorkspace({
    'memory.config.json5': "{ extraFolders: ['notes'] }",
    [join('notes', file)]: text,
  });
  const { results } = await workspace.recall('pumphouse', ...NOW);
  expect(results[0]).toMatchObject({ timestamp: '2026-03-01', dayBy });
});

test('a cell with only a dash answers nothing', async () => {
  const table = '| Plant | Harvest | Notes |\n|---|---|---|\n| Tomato | July | red |\n| Basil | - | cut |\n';
  const workspace = testWorkspace({ 'memory/topics/garden.md': table });
  const { results } = await workspace.recall('harvest basil', ...NOW);
  expect(results[0]?.row).toEqual(['Plant: Basil', 'Notes: cut']);
});

test('who writes several lines with times is their speaker, also where nobody else writes', async () => {
  const workspace = testWorkspace({
    'memory/2026-03-01.md': '- 07:00 Rachel Perez: mornings again\n- 07:05 Rachel Perez: the panel is green\n',
  });
  expect((await workspace.recall('panel', ...NOW)).results[0]?.speaker).toBe('Rachel Perez');
});

test('as of a day, a line that its place dates later is not shown', async () => {
  expect((await contents('open day', '--as-of', '2026-04-01')).join()).not.toContain('20 June');
  expect((await contents('open day')).join()).toContain('20 June');
});

describe('of lines with the same words of a question', () => {
  test('the newest is first, and the next older beneath it', async () => {
    const [first, second] = await contents('When is the open day?');
    expect(first).toContain('20 June');
    expect(second).toContain('13 June');
  });

  test('the oldest is first where the first one is asked for', async () => {
    expect((await contents('When was the open day first planned?'))[0]).toContain('13 June');
  });
});

test('the question itself comes after the lines that state something', async () => {
  const workspace = testWorkspace({
    'memory/2026-03-01.md': '- Do we round the tax per line or per order?\n- We round the tax per order.\n',
  });
  const { results } = await workspace.recall('how do we round the tax per order?', ...NOW);
  expect(results[0]?.content).toBe('We round the tax per order.');
});

test('a number counts for "how many" only in a line that has a word of the question', async () => {
  const log = '- Nils rowed home.\n- Asked the harbour office about keys.\n- Bought 12 screws.\n';
  const { results } = await testWorkspace({ 'memory/2026-03-01.md': log }).recall(
    'how many keys does the harbour office have?',
    ...NOW,
  );
  expect(results.map(({ startLine }) => startLine)).toEqual([2, 1, 3]);
});

test('a block that asks another program for a list comes after all lines, and is found', async () => {
  const query = '```dataview\nTASK FROM "Daily" WHERE due passport renewal\n```';
  const workspace = testWorkspace({
    'memory/2026-03-01.md': `${query}\n\n- [ ] Renew passport, due in June\n- The renewal is paid.\n`,
  });
  const { results } = await workspace.recall('when is the passport renewal due?', ...NOW);
  expect(results.map(({ startLine }) => startLine)).toEqual([5, 6, 2]);
});

test.each([
  ['where is the first aid kit?', 'The first aid kit is in the hall', 'The first aid kit is in the cellar'],
  [
    'what is the initial password of the router?',
    'The initial password of the router is 1111',
    'The initial password of the router is 2222',
  ],
])('a word that the lines have, too, does not ask for the oldest: %s', async (question, older, newer) => {
  const workspace = testWorkspace({ 'memory/2026-03-01.md': `- ${older}\n`, 'memory/2026-04-01.md': `- ${newer}\n` });
  expect((await workspace.recall(question, ...NOW)).results[0]?.content).toBe(newer);
});
