import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testWorkspace } from '../support/test-workspace.js';
import type { TemporaryWorkspace } from '../support/workspace.js';

// Today is 2026-03-15.
const LOG = 'memory/2026-03-14.md';
const infer = (workspace: TemporaryWorkspace, ...args: readonly string[]) =>
  workspace.run(['retain', '--infer', '--date', '2026-03-14', ...args]);
const read = (workspace: TemporaryWorkspace): string => readFileSync(join(workspace.root, LOG), 'utf8');

const DAY = `# 2026-03-14

Long talk about the boiler.
09:30 We decided to use Postgres 16 for the archive.
Should we have decided earlier?
@Anna prefers calls before noon.
Remember: the spare key is at @Peter's.
> He decided to leave.
我们决定把端口改成 6380。
`;

test('explicit statements become facts in their own words with their line, those to remember first', async () => {
  const workspace = testWorkspace({ [LOG]: DAY });
  expect(await infer(workspace)).toMatchObject({ code: 0 });
  expect(read(workspace)).toBe(`${DAY}
## Retain

- W Remember: the spare key is at @Peter's. (from L7, by rules)
- W We decided to use Postgres 16 for the archive. (from L4, by rules)
- W 我们决定把端口改成 6380。 (from L9, by rules)
- O(c=0.7) @Anna: prefers calls before noon. (from L6, by rules)
`);
});

test('a second run changes no byte, and recall returns an inferred fact once', async () => {
  const workspace = testWorkspace({ [LOG]: DAY });
  await infer(workspace);
  const before = read(workspace);
  await infer(workspace);
  expect(read(workspace)).toBe(before);
  const { stdout } = await workspace.run(['recall', 'Postgres archive', '--json']);
  const { results }: { results: readonly { content: string; standsFor?: unknown }[] } = JSON.parse(stdout);
  expect(results.filter(({ content }) => content.includes('Postgres'))).toHaveLength(1);
});

test('a citation names the place of a line after new facts have moved it', async () => {
  const workspace = testWorkspace({
    [LOG]: '## Retain\n\n- W @Anna: keeps bees\n\n## Afternoon\n\nWe fixed the pump.\n',
  });
  await infer(workspace);
  const line = /\(from L(\d+), by rules\)/.exec(read(workspace))?.[1];
  expect(read(workspace).split('\n')[Number(line) - 1]).toBe('We fixed the pump.');
});

test('a day gives at most five facts, and none without a cue', async () => {
  const many = Array.from({ length: 9 }, (_, index) => `We decided on colour number ${index} of the list.`).join('\n');
  const workspace = testWorkspace({ [LOG]: `${many}\n`, 'memory/2026-03-15.md': 'Nothing much.\n' });
  await infer(workspace);
  await infer(workspace);
  expect(read(workspace).match(/by rules/g)).toHaveLength(5);
  const { stdout } = await workspace.run(['retain', '--infer', '--json']);
  expect(JSON.parse(stdout)).toMatchObject({ retained: [] });
});

test('a fact that was stated already is not inferred again', async () => {
  const text = 'We decided to use Postgres.\n\n## Retain\n\n- W We decided to use Postgres.\n';
  const workspace = testWorkspace({ [LOG]: text });
  await infer(workspace);
  expect(read(workspace)).toBe(text);
});

const IN_OTHER_WORDS: readonly (readonly [line: string, fact: string | null])[] = [
  ['On a décidé de garder le prestataire actuel.', 'W On a décidé de garder le prestataire actuel.'],
  ["On n'a pas décidé pour le budget.", null],
  ['Le serveur doit être réparé vendredi.', null],
  ['Wir haben am 3. März beschlossen, umzuziehen.', 'W Wir haben am 3. März beschlossen, umzuziehen.'],
  ['Jonas hat sich noch nicht entschieden.', null],
  ['Bitte merken: der Schlüssel liegt im 2. Stock.', 'W Bitte merken: der Schlüssel liegt im 2. Stock.'],
  ['妈妈上个月搬到成都了。', 'W 妈妈上个月搬到成都了。'],
  ['李四还没决定去不去杭州。', null],
  ['我记得小时候住在海边。', null],
  ['要不要换成 Redis？', null],
  ['The weather was bad. We fixed the pump. Then we ate.', 'B We fixed the pump.'],
  ['The bug needs to be fixed before Friday.', null],
  ['He decided to leave.', null],
  ['It looks like rain.', null],
  ['Nobody has decided who pays.', null],
  ['assistant: I like short answers.', null],
];

test.each(IN_OTHER_WORDS)('%s', async (line, fact) => {
  const workspace = testWorkspace({ [LOG]: `${line}\n` });
  await infer(workspace);
  expect(read(workspace)).toBe(fact === null ? `${line}\n` : `${line}\n\n## Retain\n\n- ${fact} (from L1, by rules)\n`);
});

test('machine output, code, injected memory and generated sections give no facts', async () => {
  const text =
    '```\nWe decided to use x.\n```\n<relevant-memories>\nWe decided to use y.\n</relevant-memories>\n\n## Heartbeat\n\nWe decided to use z.\n';
  const workspace = testWorkspace({ [LOG]: text });
  await infer(workspace);
  expect(read(workspace)).toBe(text);
});

test.each(['Tool output: prefers tabs', 'tool: prefers tabs', '助手：偏好浅色主题', '[assistant] prefers tabs'])(
  'a statement of an agent or tool is not an opinion: %s',
  async (line) => {
    const workspace = testWorkspace({ [LOG]: `${line}\n` });
    await infer(workspace);
    expect(read(workspace)).not.toMatch(/^- O/mu);
  },
);

test('known entities are tagged, a sentence may span two lines, and its origin is not part of the fact', async () => {
  const long = 'Anna moved the weekly sync of the garden group to Thursday because of her';
  const workspace = testWorkspace({
    [LOG]: `${long}\ncourse in the town hall.\n`,
    'bank/entities/Anna.md': '# Anna\n',
  });
  await infer(workspace);
  const [, written = ''] = read(workspace).split('## Retain\n\n');
  expect(written).toBe(`- W @Anna: ${long.slice(5)} course in the town hall. (from L1–L2, by rules)\n`);
  const { stdout } = await workspace.run(['recall', 'weekly sync', '--json']);
  const [first] = JSON.parse(stdout).results;
  expect(first.content).toBe(`@Anna: ${long.slice(5)} course in the town hall.`);
  // Without its provenance it is the same fact.
  workspace.write(LOG, read(workspace).replace(' (from L1–L2, by rules)', ''));
  const again = await workspace.run(['recall', 'weekly sync', '--json']);
  const facts: readonly { readonly id: string; readonly kind: string }[] = JSON.parse(again.stdout).results;
  expect(facts.find(({ kind }) => kind === 'world')?.id).toBe(first.id);
});

test('reflect --infer reads the logs of the last days first', async () => {
  const workspace = testWorkspace({ [LOG]: '@Anna prefers calls before noon.\n' });
  const { code, stdout } = await workspace.run(['reflect', '--infer', '--max-calls', '0', '--json']);
  const { inferred, opinions } = JSON.parse(stdout);
  expect({ code, inferred: inferred.length, said: opinions[0]?.statement }).toEqual({
    code: 0,
    inferred: 1,
    said: 'prefers calls before noon.',
  });
  expect(readFileSync(join(workspace.root, 'bank/opinions.md'), 'utf8')).not.toContain('by rules');
});
