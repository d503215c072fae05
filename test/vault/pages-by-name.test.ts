import { expect, test } from 'vitest';
import { testWorkspace } from '../support/test-workspace.js';
import type { TemporaryWorkspace } from '../support/workspace.js';

const VAULT = "{ extraFolders: ['.'] }";

async function first(workspace: TemporaryWorkspace, question: string, ...flags: string[]) {
  const { results } = await workspace.recall(question, ...flags);
  return results[0];
}

test.each([
  ['decoy effect', 'Decoy Effect.md'],
  ['[[Decoy Effect]]', 'Decoy Effect.md'],
  ['Project/Heat Pump', 'pages/Project___Heat Pump.md'],
  ['Project___Heat Pump', 'pages/Project___Heat Pump.md'],
  ['Project%2FHeat Pump', 'pages/Project___Heat Pump.md'],
  ['heat pump', 'pages/Project___Heat Pump.md'],
  ['Areas/Garden', 'Areas/Garden.md'],
  ['202601101230', '202601101230 Sourdough starter.md'],
  ['Sourdough starter', '202601101230 Sourdough starter.md'],
  ['MVU', 'Munich.md'],
  ['Minga', 'Munich.md'],
  ['Müller', 'Mueller.md'],
  ['Strasse', 'Straße.md'],
  ['Über uns', 'U\u0308ber uns.md'],
  ['热水器', '熱水器.md'],
  ['图书馆', '圖書館.md'],
  ['[[../Areas/Garden]]', 'Areas/Garden.md'],
  ['ラーメン', 'らーめん.md'],
  ['Sunday Dinner', 'Sunday Dinner.md'],
  ['Rome, Berlin and Oslo', 'Rome, Berlin and Oslo.md'],
])('"%s" names a page: its first line comes first', async (question, path) => {
  const workspace = testWorkspace({
    'memory.config.json5': VAULT,
    'Decoy Effect.md': 'A third, worse option makes one of two look better.\n',
    'pages/Project___Heat Pump.md': '- The old boiler goes in May.\n',
    'Areas/Garden.md': '---\nstatus: active\n---\nBeds are dug in autumn.\n',
    '202601101230 Sourdough starter.md': 'Feed it twice a day.\n',
    'Munich.md': '---\ntitle: Monaco di Baviera\naliases:\n  - Minga\n  - MVU\n---\nThe Isar runs through it.\n',
    'Mueller.md': 'Plumber in the next village.\n',
    'Straße.md': 'What the kerb is made of.\n',
    'U\u0308ber uns.md': 'Wir sind zu dritt.\n',
    '熱水器.md': '上次換的。\n',
    '圖書館.md': '館內很安靜。\n',
    'らーめん.md': '駅前の店。\n',
    'Sunday Dinner.md': 'Roast, and everybody brings something.\n',
    'Rome, Berlin and Oslo.md': 'Three weeks by train.\n',
    'memory/2026-03-14.md': [
      '- read about the decoy effect again, [[Decoy Effect]], decoy effect',
      '- Project/Heat Pump: heat pump, Areas/Garden, 202601101230, Sourdough starter, MVU, Minga',
      '- Müller, Strasse, Über uns, 热水器, ラーメン, Sunday Dinner, Rome, Berlin and Oslo',
      '',
    ].join('\n'),
  });
  const found = await first(workspace, question);
  expect(found?.path.normalize('NFC')).toBe(path.normalize('NFC'));
});

test('an empty page answers with its name, one of only a heading with that; fields are not first lines', async () => {
  const workspace = testWorkspace({
    'memory.config.json5': VAULT,
    'Empty Room.md': '',
    'Spring.md': '# [A fair for gardeners](https://fair.example)\n',
    'Tools___Rake.md': 'alias:: [[Leaf Rake]]\n',
    'Anna.md': '---\nid: 4711\nphone: 0664 777\n---\nPlays the viola.\n',
    'log.md': 'The empty room is upstairs, next to Anna.\n',
  });
  expect(await first(workspace, 'Empty Room')).toMatchObject({
    path: 'Empty Room.md',
    content: 'Empty Room',
    title: 'Empty Room',
  });
  expect(await first(workspace, 'Spring')).toMatchObject({
    path: 'Spring.md',
    content: expect.stringContaining('fair'),
  });
  expect(await first(workspace, 'Leaf Rake')).toMatchObject({ path: 'Tools___Rake.md', content: 'Tools/Rake' });
  expect(await first(workspace, 'Anna')).toMatchObject({ content: 'Plays the viola.', title: 'Anna' });
});

test('hidden folders, backups, templates, drawings and paths in `ignore` are not read', async () => {
  const files = {
    '.obsidian/a.md': 'quokka one',
    'logseq/bak/b.md': 'quokka two',
    '.trash/c.md': 'quokka three',
    'x/templates/d.md': 'quokka four',
    'Templates/e.md': 'quokka five',
    'sketch.excalidraw.md': 'quokka six',
    'sketch.md': '---\nexcalidraw-plugin: parsed\n---\nquokka seven',
    'drafts/f.md': 'quokka eight',
    'notes/old/g.md': 'quokka nine',
    'AGENTS.md': 'quokka ten',
    'notes/h.md': 'quokka eleven',
    'bank/templates/i.md': 'quokka twelve',
  };
  const workspace = testWorkspace({
    'memory.config.json5': "{ extraFolders: ['.'], ignore: ['drafts', '**/old/**'] }",
    ...files,
  });
  const { results } = await workspace.recall('quokka', '--k', '50');
  expect(results.map(({ path }) => path)).toEqual(['notes/h.md']);
});

test('extra folders are read in place, and a missing one is a warning', async () => {
  const workspace = testWorkspace({
    'memory.config.json5': "{ extraFolders: ['../vault', '~/more', 'gone'] }",
    '../vault/2026/03/2026_03_10.md': '- W @Ivo: broke the ladder\n',
    '../home/more/ladder.md': 'The ladder is in the shed.\n',
  });
  await workspace.run(['doctor', '--allow-folders']);
  const { results, warnings } = await workspace.recall('ladder');
  expect(results.map(({ path, timestamp }) => [path, timestamp])).toEqual([
    [`${workspace.home}/more/ladder.md`, null],
    [`${workspace.base}/vault/2026/03/2026_03_10.md`, '2026-03-10'],
  ]);
  expect(warnings).toEqual(['gone is in extraFolders, but is not a folder']);
});

test.each([
  'memory/2026/2026-03-11.md',
  'journals/2026_03_11.md',
  'journals/2026/03/20260311.md',
  'journals/2026-03-11 Wednesday.md',
  'journals/2026-03-11 (Mi).md',
  'memory/topics/2026_03_11 星期三.md',
  'Daily/2026-03-11, Miércoles.md',
])('%s is the log of its day', async (path) => {
  const workspace = testWorkspace({
    'memory.config.json5': VAULT,
    [path]: '- W @Ivo: sold the piano\n- the tuner came\n',
  });
  const { results } = await workspace.recall('what happened on 2026-03-11?');
  expect(results.map(({ path: cited, timestamp, kind }) => [cited, timestamp, kind])).toEqual([
    [path, '2026-03-11', 'world'],
    [path, '2026-03-11', 'log'],
  ]);
});

test.each([
  ['Lazygit Keyshort Quit', 'pages/Lazygit___Keyshort___Quit.md'],
  ['what is bubble sort?', 'pages/Bubble Sort.md'],
])('"%s" finds the page before lines that only link to it', async (question, path) => {
  const workspace = testWorkspace({
    'memory.config.json5': VAULT,
    'pages/Lazygit___Keyshort___Quit.md': '- Press q.\n',
    'pages/Bubble Sort.md': '- Bubble sort swaps neighbours until all are in order.\n',
    'memory/2026-03-14.md':
      '- [[Lazygit/Keyshort/Quit]]\n- [[Bubble Sort]]\n- [Bubble Sort](../pages/Bubble%20Sort.md)\n',
  });
  expect((await first(workspace, question))?.path).toBe(path);
});

const ASKED = {
  'memory.config.json5': VAULT,
  'Thoughts on Heat Pumps.md': 'They like a warm cellar.\n',
  'Heat Pumps.md': '- [[Boiler]]\n- They move warmth uphill.\n',
  'The Castle.md': 'A pub with a garden.\n',
  'Projects___C++.md': '- Templates are a language of their own.\n',
  '热水器.md': '上次换的。\n',
  'memory/2026-03-14.md': [
    '- I know that heat pumps, [[Heat Pumps]], are what we want to know more about, tell me about heat pumps',
    '- thoughts on heat pumps: what do I know about them, see [[Thoughts on Heat Pumps]]',
    '- the castle is closed on Mondays, and the heat pumps stand where the castle was, in Graz',
    '- read about C++ and [[Projects/C++]], 热水器 热水器',
    '',
  ].join('\n'),
};

test.each([
  ['What do I know about heat pumps?', 'Heat Pumps.md', 'They move warmth uphill.'],
  ['tell me about Heat Pumps', 'Heat Pumps.md', 'They move warmth uphill.'],
  ['was weiß ich über Heat Pumps?', 'Heat Pumps.md', 'They move warmth uphill.'],
  ['What do I know about Thoughts on Heat Pumps?', 'Thoughts on Heat Pumps.md', 'They like a warm cellar.'],
  ['what is the castle?', 'The Castle.md', 'A pub with a garden.'],
  ['what do we know about [[C++]]?', 'Projects___C++.md', 'Templates are a language of their own.'],
  ['关于热水器我知道什么？', '热水器.md', '上次换的。'],
])('"%s" asks about a page as a whole: its own prose comes first', async (question, path, content) => {
  expect(await first(testWorkspace(ASKED), question)).toMatchObject({ path, content });
});

test.each(['where are the heat pumps?', 'what stands where the castle was?', 'when is the castle closed?'])(
  '"%s" asks for a detail: the line with it comes first',
  async (question) => {
    expect(await first(testWorkspace(ASKED), question)).toMatchObject({ source: 'memory/2026-03-14.md#L3' });
  },
);

const NOTE = '- W @Anna keeps bees on the roof\n- W @Anna: plays the harp\n';
const OTHER = '- W @Clara: plays the lute in the harp room\n\n- x\n';

test('no command writes to an extra folder, inside or outside of the workspace', async () => {
  const workspace = testWorkspace({
    'memory/2026-03-12.md': '- W @Peter: lives in Vienna\n',
    'notes/anna.md': NOTE,
    '../outside/anna.md': OTHER,
    'memory.config.json5': '{ extraFolders: ["notes", "../outside"] }',
  });
  await workspace.run(['doctor', '--allow-folders']);
  const { results } = await workspace.json<{ results: { id: string }[] }>(['recall', 'who plays the harp?']);
  expect(results.length).toBeGreaterThan(1);
  for (const { id } of results.slice(0, 2)) {
    const { erased, remaining } = await workspace.json<{ erased: []; remaining: { source: string }[] }>(['forget', id]);
    expect([erased, remaining.map(({ source }) => source)]).toEqual([[], [expect.stringMatching(/anna\.md#L[12]$/)]]);
  }
  expect(await workspace.json(['recall', 'harp'])).toMatchObject({ results: [] });
  await workspace.run(['lint', '--fix']);
  await workspace.run(['reflect']);
  expect(workspace.read('notes/anna.md')).toBe(NOTE);
  expect(workspace.read('../outside/anna.md')).toBe(OTHER);
});
