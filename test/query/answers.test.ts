import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { RecallAnswer } from '../../src/query/request.js';
import { testWorkspace } from '../support/test-workspace.js';

const LOG = (day: string, ...lines: readonly string[]) => `# ${day}\n\n${lines.join('\n')}\n`;

test.each([
  [
    'bank/house.md',
    '# House\n\n## Rain barrel\n\nHolds 200 litres.\nNeeds a new tap.\n',
    'rain barrel',
    5,
    ['House', 'Rain barrel'],
  ],
  ['memory/topics/haus.md', '# Haus\n\n## Dachrinne\n\n- wurde gereinigt\n', 'Dachrinne', 5, ['Haus', 'Dachrinne']],
  [
    'memory/topics/jardin.md',
    '# Jardin\n\n## Clapier\n\n### Lapins\n\nTrois, tous gris.\n',
    'clapier',
    7,
    ['Jardin', 'Clapier', 'Lapins'],
  ],
  [
    'memory/topics/cave.md',
    'Cave\n====\n\nVins de\nLoire\n---\n\nDouze bouteilles.\n',
    'Loire',
    8,
    ['Cave', 'Vins de Loire'],
  ],
  ['memory/topics/院子.md', '# 院子\n\n## 葡萄架\n\n今年要重新刷漆。\n', '葡萄架', 5, ['院子', '葡萄架']],
])('the first lines of a section answer for its heading: %s', async (path, text, question, line, heading) => {
  const { results } = await testWorkspace({ [path]: text }).recall(question);
  expect(results[0]).toMatchObject({ source: `${path}#L${line}`, heading, title: heading[0] });
  expect(results.map(({ content }) => content)).not.toContain(heading.at(-1));
});

test('an empty section answers with its heading', async () => {
  const workspace = testWorkspace({ 'memory/topics/boat.md': '# Boat\n\n## Varnish\n\n## Sails\n\nTwo.\n' });
  const { results } = await workspace.recall('varnish');
  expect(results.map(({ content, heading, title }) => [content, heading, title])).toEqual([
    ['Varnish', ['Boat'], 'Boat'],
  ]);
});

test('headings and titles do not count as tokens', async () => {
  const plain = testWorkspace({ 'memory/topics/a.md': 'The kettle leaks.\n' });
  const under = testWorkspace({ 'memory/topics/a.md': '# A very long title of a page\n\nThe kettle leaks.\n' });
  const tokens = async (workspace: typeof plain) => (await workspace.recall('which kettle leaks')).tokens;
  expect(await tokens(under)).toBe(await tokens(plain));
});

test('horizontal rules, empty bullets, fences, dates and machine lines are not answers', async () => {
  const workspace = testWorkspace({
    'memory/2026-03-02.md': LOG(
      '2026-03-02 Monday',
      '---',
      '- [ ]',
      '- ',
      '| --- | :-: |',
      '```yaml',
      'stove: lit',
      '```',
      '***',
      '- Mara lit the stove.',
    ),
    'bank/opinions.md':
      '# Opinions\n\n- O(c=0.80) @Mara: Prefers oak for the stove. ^o-aaaaaaaaaaaaa\n  - prior: 0.70 (2026-03-02)\n  - updated: 2026-03-02\n  - for: [memory/2026-03-02.md#L12](../memory/2026-03-02.md#L12)\n',
    'bank/entities/Mara.md': '---\nname: Mara\n---\n# Mara\n\n**Preferences**\n\n- Prefers oak for the stove.\n',
  });
  for (const question of ['does Mara prefer oak for the stove?', 'what was lit, the stove?', 'Mara']) {
    const { results } = await workspace.recall(question, '--k', '50');
    expect(results.length).toBeGreaterThan(1);
    for (const { content } of results) {
      expect(content).toMatch(/\p{L}/u);
      expect(content).not.toMatch(/^(?:prior|updated|for|name):|^\*\*|^```|^2026-03-02/);
    }
  }
});

test('text written by init is not an answer; text of a person below it is', async () => {
  const workspace = testWorkspace();
  await workspace.run(['init']);
  const asked = async (question: string) =>
    (await workspace.recall(question, '--k', '50')).results.map(({ content }) => content);
  expect(await asked('curated facts about the world')).toEqual([]);
  expect(await asked('what opinions and experience, and which memory?')).toEqual([]);
  workspace.write('bank/world.md', `${workspace.read('bank/world.md')}\n- W The world cup is in the cellar.\n`);
  expect(await asked('world')).toEqual(['The world cup is in the cellar.']);
});

test('a line shown only as the neighbour of a hit is marked, and text output puts it below the hit', async () => {
  const workspace = testWorkspace({
    'memory/2026-03-03.md': LOG(
      '2026-03-03',
      '- Lunch was soup.',
      '- Ordered walnut planks from the sawmill.',
      '- Slept badly.',
    ),
  });
  const question = 'who ordered walnut planks at the sawmill?';
  const { results, tokens } = await workspace.recall(question);
  const [hit, ...others] = results;
  expect(hit).toMatchObject({ source: 'memory/2026-03-03.md#L4' });
  expect(hit?.beside).toBeUndefined();
  expect(others.map(({ beside }) => beside)).toEqual([hit?.id, hit?.id]);
  expect(tokens).toBeGreaterThan(10);
  const { stdout } = await workspace.run(['recall', question]);
  expect(stdout.split('\n').filter((line) => /^\S/.test(line))).toHaveLength(1);
  expect(stdout).toContain('beside memory/2026-03-03.md#L3');
});

test('the first results do not depend on how many are requested', async () => {
  const words = ['harbour', 'ledger', 'plum', 'stairs', 'violin'] as const;
  const line = fc.array(fc.constantFrom(...words, 'the', 'and', 'F#', '茶'), { minLength: 1, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(
      fc.array(line, { minLength: 20, maxLength: 160 }),
      fc.subarray([...words, 'F#', '茶'], { minLength: 1, maxLength: 3 }),
      async (lines, asked) => {
        const days = ['2026-01-05', '2026-02-03', '2026-02-04', '2026-03-09'];
        const files = days.map((day, one) => {
          const own = lines.flatMap((words, at) => (at % days.length === one ? [`- ${words.join(' ')} ${at}`] : []));
          return [`memory/${day}.md`, LOG(day, ...own)];
        });
        const memory = await testWorkspace(Object.fromEntries(files)).open();
        const sources = async (k: number) =>
          (await memory.recall({ query: asked.join(' '), k })).results.map(({ source }) => source);
        const most = await sources(200);
        for (const k of [1, 3, 10, 11, 40, 100, 101]) expect(await sources(k)).toEqual(most.slice(0, k));
      },
    ),
    { numRuns: 12 },
  );
});

test.each([
  ['tmux detach keyshort', 'memory/topics/tmux.md', '# Keys\n\nThe tmux keyshort to detach is prefix d.\n'],
  [
    'Heizung entlüften Schlüssel',
    'memory/topics/heizung.md',
    '# Haus\n\nZum Entlüften der Heizung nimmt man den Schlüssel aus der Küche.\n',
  ],
  ['robinet cave fermer', 'memory/topics/eau.md', '# Eau\n\nPour fermer, le robinet est dans la cave.\n'],
  ['路由器 密码 贴纸', 'memory/topics/网络.md', '# 网络\n\n密码在路由器背面的贴纸上。\n'],
])('a line with every word of the question comes first: %s', async (question, path, text) => {
  const words = question.split(' ');
  const around = words.flatMap((word, at) => [
    `- W @Nils: ${word} ${word} ${words[(at + 1) % words.length]}`,
    `- ${words[(at + 1) % words.length]} ${word}?`,
    `- ${word} ${words[(at + 2) % words.length]}!`,
  ]);
  const { results } = await testWorkspace({
    [path]: text,
    'memory/2026-03-14.md': LOG('2026-03-14', ...around),
    'memory/2026-03-13.md': LOG('2026-03-13', ...around.toReversed()),
  }).recall(question);
  expect(results[0]?.source).toBe(`${path}#L3`);
});

test('links to related entities and the line about omitted facts are not answers', async () => {
  const facts = Array.from({ length: 30 }, (_, i) => `- W @Nadia: met @Rui about relic${i}\n`).join('');
  const workspace = testWorkspace({ 'memory/2026-03-02.md': `## Retain\n${facts}` });
  await workspace.run(['reflect', '--max-calls', '0']);
  const page = workspace.read('bank/entities/Nadia.md');
  expect(page).toMatch(/^- and \d+ older: /m);
  expect(page).toMatch(/^\[Rui\]\(Rui\.md\)$/m);
  for (const question of ['Rui', 'older relics of Nadia', 'does Rui know Nadia?']) {
    const { results } = await workspace.recall(question, '--k', '30');
    expect(results.map(({ content }) => content).filter((said) => /^and \d+ older|^\[Rui\]/.test(said))).toEqual([]);
  }
});

const NOTES = {
  'memory/2025-10-04.md':
    '# 2025-10-04\n\n- W @Jonas: birthday on 3 May.\n- W @Jonas: works at the bakery in Linz.\n- The gate code is on the fridge.\n',
};

test.each([
  ['where is the gate code?', 'all'],
  ['is the gate code of the cellar on the fridge?', 'some'],
  ['has Jonas ever played the trombone?', 'none'],
  ['is there a submarine?', 'none'],
  // A name alone has no content word.
  ['Jonas', 'all'],
  // Any line of the day answers; a day without lines has no answer.
  ['what did we work on on 4 October?', 'all'],
  ['what did we do on 5 October?', 'none'],
  ['what did we decide about the submarine on 4 October?', 'none'],
])('lines that answer "%s": %s', async (question, answers) => {
  const workspace = testWorkspace(NOTES);
  expect((await workspace.recall(question)).answers).toBe(answers);
  expect((await workspace.recall(question, '--k', '1')).answers).toBe(answers);
});

/** Where somebody lives, in languages that a short question hardly shows, and a question without an answer. */
test.each([
  ['@Dora: wohnt in Bremen', 'Wo wohnt Dora?', 'Wo tanzt Dora?'],
  ['@Fleur: habite à Brême', 'Où habite Fleur ?', 'Où danse Fleur ?'],
  ['@Elena: vive en Bremen', '¿Dónde vive Elena?', '¿Dónde baila Elena?'],
  ['@Ilaria: abita a Brema', 'Dove abita Ilaria?', 'Dove balla Ilaria?'],
  ['@Paula: mora em Bremen', 'Onde mora Paula?', 'Onde dança Paula?'],
  ['@Noor: woont in Bremen', 'Waar woont Noor?', 'Waar danst Noor?'],
  ['@Рита: живёт в Бремене', 'Где живёт Рита?', 'Где танцует Рита?'],
  ['@志强: 和姐姐一起住在不来梅', '志强住在哪里？', '志强跳舞吗？'],
])('"%s" answers "%s", and nothing answers "%s"', async (line, asked, other) => {
  const workspace = testWorkspace({ 'memory/2025-10-04.md': `- W ${line}\n- W @Max: is a cook\n` });
  expect(await workspace.recall(asked)).toMatchObject({ answers: 'all' });
  expect(await workspace.recall(other)).toMatchObject({ answers: 'none' });
});

test('the text output says when no line clearly answers', async () => {
  const workspace = testWorkspace(NOTES);
  expect((await workspace.run(['recall', 'has Jonas ever played the trombone?'])).stdout).toMatch(
    /^No line clearly answers this\./,
  );
  expect((await workspace.run(['recall', 'where is the gate code?'])).stdout).not.toContain('(none of');
});

const FIXTURES = fileURLToPath(new URL('../../fixtures', import.meta.url));

test('four fifths of fifty unanswerable questions are marked as unanswered, and hardly any answerable one', async () => {
  const workspace = testWorkspace();
  cpSync(join(FIXTURES, 'workspace'), workspace.root, { recursive: true });
  const answersTo = async (lines: readonly string[]) => {
    const { stdout } = await workspace.run(['recall', '--batch', '--now', '2026-01-15T12:00:00Z'], {
      input: lines.join('\n'),
    });
    const answers = stdout
      .trim()
      .split('\n')
      .map((line): Pick<RecallAnswer, 'answers'> => JSON.parse(line));
    return answers.map(({ answers }) => answers);
  };
  const shareOfNone = (answers: readonly string[]): number =>
    answers.filter((one) => one === 'none').length / answers.length;
  const linesOf = (file: string): readonly string[] => readFileSync(join(FIXTURES, file), 'utf8').trim().split('\n');
  const unanswered = linesOf('unanswered.jsonl');
  expect(unanswered).toHaveLength(50);
  const toUnanswered = await answersTo(unanswered);
  expect(shareOfNone(toUnanswered)).toBeGreaterThanOrEqual(0.8);
  expect(toUnanswered.filter((one) => one === 'all').length).toBeLessThanOrEqual(2);
  const answered = linesOf('cases.jsonl')
    .map((line): { query: string; expect: readonly string[]; options?: object } => JSON.parse(line))
    .filter((one) => one.expect.length > 0 && one.options === undefined)
    .map(({ query }) => JSON.stringify({ query }));
  expect(shareOfNone(await answersTo(answered))).toBeLessThanOrEqual(0.08);
});

test('the first results of a question are the same for every --k', async () => {
  const workspace = testWorkspace();
  cpSync(join(FIXTURES, 'workspace'), workspace.root, { recursive: true });
  const questions = ['cases.jsonl', 'unanswered.jsonl']
    .flatMap((file) => readFileSync(join(FIXTURES, file), 'utf8').trim().split('\n'))
    .filter((_, at) => at % 8 === 0)
    .map((line): { query: string } => JSON.parse(line));
  const sourcesFor = async (k: number): Promise<readonly (readonly string[])[]> => {
    const input = questions.map(({ query }) => JSON.stringify({ query, k })).join('\n');
    const { stdout } = await workspace.run(['recall', '--batch', '--now', '2026-01-15T12:00:00Z'], { input });
    const lines = stdout.trim().split('\n');
    const answers = lines.map((line): RecallAnswer => JSON.parse(line));
    return answers.map(({ results }) => results.map(({ source }) => source));
  };
  const all = await sourcesFor(5_000);
  expect(all.some((sources) => sources.length > 100)).toBe(true);
  for (const k of [1, 3, 10, 50]) expect(await sourcesFor(k)).toEqual(all.map((sources) => sources.slice(0, k)));
});
