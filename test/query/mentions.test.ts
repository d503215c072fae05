import { expect, test } from 'vitest';
import { testWorkspace } from '../support/test-workspace.js';

const CORE = `# Memory

## People

- **Oda** — runs the lab
  - back on Mondays
- Sanne: the landlord

## Vik

Plays the cello.
`;

const FILES = {
  'MEMORY.md': CORE,
  'memory/Mira.md': 'Born in Trieste.\n',
  'memory/2026-03-01.md': '- met Oda for lunch\n- will the odanite sample come?\n- Decided with Oda to move the lab.\n',
  'memory/2026-03-02.md': 'Oda wrote about the pump.\n- W @Peter: saw Mira at the fair\n',
  'memory/2026-03-03.md': 'We asked Will for help. It will rain. The lunch was late.\n今天和张三吃饭\n',
  'memory/2026-03-04.md': 'We thanked Will for it. Lunch with Will.\n',
};

interface Shown {
  readonly name: string;
  readonly page: string | null;
  readonly core: readonly { readonly text: string; readonly source: string }[];
  readonly mentions: readonly { readonly source: string; readonly day: string | null }[];
  readonly mentionCount: number;
  readonly decisions: readonly { readonly source: string }[];
  readonly facts: readonly unknown[];
}

test('a label or a heading of the core is shown with the lines below it', async () => {
  const workspace = testWorkspace(FILES);
  const core = async (name: string) =>
    (await workspace.json<Shown>(['entity', 'show', name])).core.map(({ source }) => source);
  expect(await core('Oda')).toEqual(['MEMORY.md#L5', 'MEMORY.md#L6']);
  expect(await core('Sanne')).toEqual(['MEMORY.md#L7']);
  expect(await core('vik')).toEqual(['MEMORY.md#L9', 'MEMORY.md#L11']);
});

test('the lines that name somebody are shown newest first, with day, place and number', async () => {
  const workspace = testWorkspace(FILES);
  expect(await workspace.json(['entity', 'show', 'Oda'])).toMatchObject({
    name: 'Oda',
    page: null,
    factCount: 0,
    mentions: [
      { source: 'memory/2026-03-02.md#L1', day: '2026-03-02' },
      { source: 'memory/2026-03-01.md#L3', day: '2026-03-01' },
      { source: 'memory/2026-03-01.md#L1', day: '2026-03-01' },
    ],
    mentionCount: 3,
    decisions: [{ source: 'memory/2026-03-01.md#L3' }],
    firstMention: '2026-03-01',
    lastMention: '2026-03-02',
  });
  const { stdout } = await workspace.run(['entity', 'show', 'Oda']);
  expect(stdout).toContain('the core says:\n  **Oda** — runs the lab  [MEMORY.md#L5]\n');
  expect(stdout).toContain('mentions:\n  2026-03-02  Oda wrote about the pump.  [memory/2026-03-02.md#L1]\n');
});

test('of the lines that name somebody, those with a later day are shown: the next day first, then past ones', async () => {
  const workspace = testWorkspace({
    'memory/2026-03-01.md': '- Oda brings the pump on 4 March\n- Oda was away on 27 February\n',
    'memory/2026-03-02.md': 'Oda is in Rome from 2026-04-01 to 2026-04-05.\n\nOda calls on 20 March. It was raining.\n',
  });
  const args = ['entity', 'show', 'Oda', '--now', '2026-03-10T12:00:00Z'];
  expect(await workspace.json(args)).toMatchObject({
    dates: [
      { on: '2026-03-20', day: '2026-03-02', source: 'memory/2026-03-02.md#L3' },
      { on: '2026-04-01', day: '2026-03-02', source: 'memory/2026-03-02.md#L1' },
      { on: '2026-03-04', day: '2026-03-01', source: 'memory/2026-03-01.md#L1' },
    ],
  });
  expect((await workspace.run(args)).stdout).toContain(
    'dates:\n  2026-03-20  Oda calls on 20 March. It was raining.  [memory/2026-03-02.md#L3]\n',
  );
});

test('a note with the name as its title is the page, and a fact that names it is a mention', async () => {
  expect(await testWorkspace(FILES).json(['entity', 'show', 'Mira'])).toMatchObject({
    page: 'memory/Mira.md',
    summary: [{ text: 'Born in Trieste.', source: 'memory/Mira.md#L1' }],
    mentions: [{ source: 'memory/2026-03-02.md#L2' }],
    facts: [],
  });
});

test('a name in lines alone is shown: with a capital, or in a script without them', async () => {
  const workspace = testWorkspace(FILES);
  const sources = async (name: string) =>
    (await workspace.json<Shown>(['entity', 'show', name])).mentions.map(({ source }) => source);
  expect(await sources('Will')).toEqual(['memory/2026-03-04.md#L1', 'memory/2026-03-03.md#L1']);
  expect(await sources('张三')).toEqual(['memory/2026-03-03.md#L2']);
});

test('a word that is no name, or stands nowhere, is unknown', async () => {
  const workspace = testWorkspace(FILES);
  for (const name of ['lunch', 'rain', 'Nobody'])
    expect(await workspace.run(['entity', 'show', name]), name).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`nothing is known about "${name}"`),
    });
});

test('a mention enters no fact and no filter', async () => {
  const workspace = testWorkspace(FILES);
  const { results, warnings } = await workspace.recall('fair', '--entity', 'Mira');
  expect(results).toEqual([]);
  expect(warnings).toEqual([expect.stringContaining('nothing is known about "Mira"')]);
  const { results: found } = await workspace.recall('who was at the fair?');
  expect(found[0]).toMatchObject({ entities: ['Peter'] });
});

interface Listed {
  readonly entities: readonly { readonly name: string; readonly by: string; readonly lines: number }[];
}

async function listed(files: Record<string, string>): Promise<Record<string, string>> {
  const { entities } = await testWorkspace(files).json<Listed>(['entity', 'list']);
  return Object.fromEntries(entities.map(({ name, by }) => [name, by]));
}

/** A log for each line. */
function logs(...lines: readonly string[]): Record<string, string> {
  return Object.fromEntries(lines.map((line, at) => [`memory/2026-03-${String(at + 10)}.md`, `- ${line}\n`]));
}

test('entity list has the defined terms and names of the core, and none of its fields', async () => {
  const core = `${CORE}\nTimezone: CET\nStatus: fine\n\nShe plays the duets with Lioba on Sundays.\n`;
  const found = await listed({
    'MEMORY.md': core,
    ...logs('asked Sanne about the rent', 'the timezone of the clock', 'met Vik and Oda'),
  });
  expect(found).toEqual({ Oda: 'core', Sanne: 'core', Vik: 'core', Lioba: 'core' });
});

test('in a list of names each label is one, also if it is a word', async () => {
  const core = '# Memory\n\n1. **Adam** (north) → Pirates\n2. **Ralph** → Ninjas\n3. **Will** → Marches\n';
  const found = await listed({ 'MEMORY.md': core, ...logs('it will rain', 'Adam will come', 'asked Ralph and Adam') });
  expect(found).toEqual({ Adam: 'core', Ralph: 'core', Will: 'core' });
});

test('a name in lines must stand inside of sentences on several days, and hardly ever without a capital', async () => {
  const found = await listed(
    logs(
      'met Mira for the Little book, see Phase 1',
      'thanked Mira in the little garden in Phase 2',
      'asked Mira for a Little more in Phase 3',
      'a Little late, on Monday',
      'the mention of a little Noise',
    ),
  );
  expect(found).toEqual({ Mira: 'lines' });
});

test('languages are no names', async () => {
  const found = await listed(
    logs(
      'met Mira, who writes English and on Polish sites',
      'asked Mira to answer in English, not in Polish',
      'thanked Mira for the English text and the Polish one',
    ),
  );
  expect(found).toEqual({ Mira: 'lines' });
});

test('German nouns are no names', async () => {
  const found = await listed(
    logs(
      'der Termin mit Leon ist verschoben, die Tagesordnung nicht',
      'habe von Leon gehört, dass Termine und Ordnung wichtig sind',
      'wir wollen für Leon noch einen Termin und die Ordnung klären',
      'und ohne Leon gibt es keinen Termin mit Ordnung',
    ),
  );
  expect(found).toEqual({ Leon: 'lines' });
});

test('speakers of a conversation are listed, and labels that recur are not', async () => {
  const chat = '- Amira: can you call me?\n- Jonte: I will do it\n- Amira: I thank you\n- Jonte: we are done\n';
  const fields = '- Disk: full\n- Load: high\n- Disk: empty\n- Load: low\n';
  expect(await listed({ 'memory/2026-03-01.md': chat, 'memory/2026-03-02.md': fields })).toEqual({
    Amira: 'speaker',
    Jonte: 'speaker',
  });
});
