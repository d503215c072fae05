import { expect, test } from 'vitest';
import type { RecallAnswer } from '../../src/query/request.js';
import { testWorkspace } from '../support/test-workspace.js';

// A line below a heading or an introducing line is about its topic, often without its words.

const NOISE = Array.from({ length: 40 }, (_, i) => `- Gull status ${i}: nothing new of the status page\n`).join('');
const WORKSPACE = {
  'MEMORY.md': '# Memory\n\n## Boats\n\n### Petrel (sloop)\n- **Berth:** quay 4\n- **Status:** in dry dock\n',
  'memory/boats.md':
    '# Boats\n\n## Dunlin\n- Length: 9 m\n- Rig: yawl\n- Home port: Wick\n- Status: sold in spring\n\n## 白鸥号\n- **船长**：林海\n- **状态**：待修\n',
  'memory/engines.md':
    '# Engines\n\n| Boat | Maker | Oil change |\n| --- | --- | --- |\n| Fulmar | Bukh | in May |\n| Skua | Nanni | overdue |\n',
  'memory/2026-02-01.md': `# 2026-02-01\n\n${NOISE}`,
  'memory/2026-02-02.md': [
    '# 2026-02-02\n\nBefore we cast off, never forget:\n\n- life jackets\n- flares\n  - two red ones\n- a note for the harbour master\n\nThe tide was late.\n',
    '## Crew\n- Cook:\n- Mate:\n- Deckhands for the race:\n  - Ailsa\n  - Rory\n',
    `## Stores\n\nTo buy for August:\n${Array.from({ length: 11 }, (_, i) => `- crate ${i}\n`).join('')}`,
    '缆绳要检查：\n1. 前缆\n2. 后缆\n',
  ].join('\n'),
};

const ask = async (question: string, ...flags: string[]): Promise<RecallAnswer> =>
  testWorkspace(WORKSPACE).json(['recall', question, '--now', '2026-02-03T08:00:00Z', ...flags]);

test.each([
  ['what is the status of Petrel?', 'MEMORY.md#L7'],
  ['Dunlin status', 'memory/boats.md#L7'],
  ['what is the home port of Dunlin?', 'memory/boats.md#L6'],
  ['白鸥号的状态是什么？', 'memory/boats.md#L11'],
  ['oil change of Skua', 'memory/engines.md#L6'],
])(
  'a line below a heading is about the topic of the heading, and a row about its column headers: %s',
  async (question, source) => {
    expect((await ask(question)).results[0]?.source).toBe(source);
  },
);

test.each([
  [
    'what must we never forget before we cast off?',
    ['life jackets', 'flares', 'two red ones', 'a note for the harbour master'],
  ],
  ['deckhands for the race', ['Ailsa', 'Rory']],
  ['缆绳要检查什么？', ['前缆', '后缆']],
  ['what is to buy for August?', [...Array.from({ length: 8 }, (_, i) => `crate ${i}`), '…']],
])('a line that ends in a colon comes with its list items, once: %s', async (question, below) => {
  const { results, answers } = await ask(question);
  expect(results[0]?.below).toEqual(below);
  expect(results.filter(({ beside }) => beside !== undefined).map(({ content }) => content)).not.toContain(below[0]);
  expect(answers).not.toBe('none');
});

test('the heading of a list item includes the line that introduces its list, but only for that list', async () => {
  const [flares] = (await ask('flares before we cast off')).results.filter(({ content }) => content === 'flares');
  expect(flares?.heading).toEqual(['2026-02-02', 'Before we cast off, never forget:']);
  expect((await ask('was the tide late?')).results[0]?.heading).toEqual(['2026-02-02']);
});

test('a table row comes with its column names, in text output and in the block before a message', async () => {
  const workspace = testWorkspace(WORKSPACE);
  const question = 'who made the engine of Skua?';
  const [row] = (await workspace.recall(question)).results;
  expect(row).toMatchObject({
    content: '| Skua | Nanni | overdue |',
    row: ['Boat: Skua', 'Maker: Nanni', 'Oil change: overdue'],
  });
  const said = 'Boat: Skua | Maker: Nanni | Oil change: overdue';
  expect((await workspace.run(['recall', question, '--k', '1'])).stdout).toContain(`\n  ${said}\n`);
  expect((await workspace.run(['context', 'build', '--message', question])).stdout).toContain(`[log] ${said} (`);
});

test('a row with a wrong number of cells is shown unchanged', async () => {
  const workspace = testWorkspace({ 'memory/t.md': '| A | B |\n| --- | --- |\n| gannet | 1 | 2 |\n| tern | |\n' });
  const rows = (await workspace.recall('gannet')).results;
  expect(rows[0]).not.toHaveProperty('row');
  expect((await workspace.recall('tern')).results[0]?.row).toEqual(['A: tern']);
});

test('a table header comes with its rows', async () => {
  const head = (await ask('which maker, which oil change?')).results.find(
    ({ source }) => source === 'memory/engines.md#L3',
  );
  expect(head?.below).toEqual(['| Fulmar | Bukh | in May |', '| Skua | Nanni | overdue |']);
});

test('a line of code introduces no list', async () => {
  const workspace = testWorkspace({ 'memory/2026-02-02.md': '```yaml\nwinches:\n```\n- greased\n' });
  expect((await workspace.recall('winches')).results[0]).not.toHaveProperty('below');
});

test('a label without a value introduces no list', async () => {
  const { results } = await ask('cook');
  expect(results[0]).toMatchObject({ content: 'Cook:' });
  expect(results[0]).not.toHaveProperty('below');
});

test('items of an introduced list count in text, budget and the block before a message', async () => {
  const workspace = testWorkspace(WORKSPACE);
  const { stdout } = await workspace.run(['recall', 'deckhands for the race', '--k', '1']);
  expect(stdout).toBe('memory/2026-02-02.md#L15  log  › Crew\n  Deckhands for the race:\n    - Ailsa\n    - Rory\n');
  const { tokens } = await ask('deckhands for the race', '--k', '1');
  expect((await ask('deckhands for the race', '--k', '1', '--budget', String(tokens - 1))).dropped).toBe(1);
  const block = await workspace.run(['context', 'build', '--message', 'who are the deckhands for the race?']);
  expect(block.stdout).toContain('- [log] Crew › Deckhands for the race: Ailsa; Rory (memory/2026-02-02.md#L15)');
});

test('text output shows an unclear line with its heading, but not a fact or a line of a day', async () => {
  const files = {
    'MEMORY.md':
      '# Memory\n\n## Prices\n\n### Kestrel (hire)\n- **Price:** 90 a day\n- Price list:\n  - with crew 140\n',
    'memory/2026-02-02.md':
      '# 2026-02-02\n\nThe price went up.\n\n## 14:30\n- price asked by phone\n\n## Retain\n- W @Kestrel: the price is 90\n',
  };
  const workspace = testWorkspace(files);
  const { stdout } = await workspace.run(['recall', 'price']);
  expect(
    stdout
      .split('\n')
      .filter((line) => /^\S/.test(line))
      .sort(),
  ).toEqual([
    'MEMORY.md#L6  core  › Kestrel (hire)',
    'MEMORY.md#L7  core  › Kestrel (hire)',
    'memory/2026-02-02.md#L3  log',
    'memory/2026-02-02.md#L6  log',
    'memory/2026-02-02.md#L9  world',
  ]);
  const { block } = await workspace.json<{ block: string }>(['context', 'build', '--message', 'what is the price?']);
  expect(block).toContain('- [core] Kestrel (hire) › **Price:** 90 a day (MEMORY.md#L6)');
  expect(block).toContain('- [world] @Kestrel: the price is 90 (memory');
});
