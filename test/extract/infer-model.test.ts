import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFactCheck } from '../../src/extract/infer/by-model.js';
import { oneOllama } from '../support/ollama/start.js';
import { testWorkspace } from '../support/test-workspace.js';
import type { TemporaryWorkspace } from '../support/workspace.js';

const server = oneOllama();

const LOG = 'memory/2026-03-14.md';
const DAY = `# 2026-03-14

Ana called: the ferry to Hvar leaves at 7:40 from May on.
She does not want to drive at night.
Remember: the boat papers expire on 2026-06-30.
assistant: I would rather book early.
`;
const infer = (workspace: TemporaryWorkspace, host = server.url) =>
  workspace.run(['retain', '--infer', '--date', '2026-03-14'], { env: { OLLAMA_HOST: host } });
const read = (workspace: TemporaryWorkspace): string => readFileSync(join(workspace.root, LOG), 'utf8');
const written = (workspace: TemporaryWorkspace): readonly string[] => read(workspace).match(/^- .*$/gm) ?? [];
const answer = (...facts: readonly unknown[]): void => {
  server.replies.push({ content: JSON.stringify({ facts }) });
};
const FERRY = { kind: 'W', entities: ['Hvar'], text: 'The ferry to Hvar leaves at 7:40 from May on', from: 3 };
const NIGHT = {
  kind: 'O',
  entities: ['Ana'],
  text: 'Ana does not want to drive at night',
  confidence: 0.9,
  from: 3,
  to: 4,
};

test('a model turns lines into facts with their places; lines to remember are kept in any case', async () => {
  const workspace = testWorkspace({ [LOG]: DAY });
  answer(FERRY, NIGHT);
  expect(await infer(workspace)).toMatchObject({ code: 0 });
  expect(written(workspace)).toEqual([
    '- W Remember: the boat papers expire on 2026-06-30. (from L5, by rules)',
    '- W @Hvar: The ferry to Hvar leaves at 7:40 from May on (from L3, by qwen3:4b-instruct)',
    '- O(c=0.9) @Ana: does not want to drive at night (from L3–L4, by qwen3:4b-instruct)',
  ]);
});

test('a fact that the lines do not bear out is left out and named', async () => {
  const workspace = testWorkspace({ [LOG]: DAY });
  answer(
    { ...FERRY, text: 'The ferry to Hvar leaves at 8:40' },
    { ...FERRY, text: 'The ferry to Split leaves at 7:40', entities: [] },
    { ...NIGHT, text: 'Ana wants to drive at night' },
    { ...FERRY, entities: ['Marko'] },
    { ...FERRY, from: 40, to: 41 },
    { kind: 'O', text: 'I would rather book early', from: 6 },
  );
  const { code, stderr } = await infer(workspace);
  expect(code).toBe(0);
  expect(stderr.match(/was left out/g)).toHaveLength(5);
  // A statement of an agent is not an opinion.
  expect(written(workspace)).toEqual([
    '- W Remember: the boat papers expire on 2026-06-30. (from L5, by rules)',
    '- S I would rather book early (from L6, by qwen3:4b-instruct)',
  ]);
});

test('one narrative is sent to the model once; a day that grew is sent again, up to five facts a day', async () => {
  const workspace = testWorkspace({ [LOG]: DAY });
  answer(FERRY);
  await infer(workspace);
  const before = read(workspace);
  server.received.length = 0;
  await infer(workspace);
  expect(read(workspace)).toBe(before);
  expect(server.bodies('/api/chat')).toEqual([]);
  const notes = Array.from({ length: 6 }, (_, index) => `Note ${index}: gate ${index} of the yard is painted red.`);
  workspace.write(LOG, `${notes.join('\n')}\n\n${before}`);
  answer(...notes.map((text, index) => ({ kind: 'W', text, from: index + 1 })));
  await infer(workspace);
  expect(written(workspace)).toHaveLength(5);
});

test('rules read a day while no model answers, and the model reads it once it is back', async () => {
  const workspace = testWorkspace({ [LOG]: DAY });
  await infer(workspace, '127.0.0.1:9');
  expect(written(workspace)).toHaveLength(1);
  server.replies.push({ content: 'no' }, { content: 'no' });
  expect((await infer(workspace)).stderr).toContain('the rules read this day instead');
  answer(FERRY);
  await infer(workspace);
  expect(written(workspace)).toHaveLength(2);
});

test.each([
  ['W', 'The port is 6380.', '我们把端口改成 6380。', false],
  ['W', '端口改成 6380', '今天我们把端口改成 6380，下周上线。', true],
  ['W', '端口改成 6379', '今天我们把端口改成 6380，下周上线。', false],
  ['O', '王芳喜欢咖啡', '王芳不喜欢咖啡。', false],
  ['W', 'Das Büro zieht nach Graz', 'Das Büro zieht nicht nach Graz.', false],
  ['W', 'Das Büro zieht nicht nach Graz', 'Das Büro zieht doch nicht nach Graz.', true],
  ['B', 'Fixed `src/a_b.ts` by a retry', 'Fixed `src/a_b.ts` by adding a retry.', true],
  ['B', 'Fixed `src/other.ts` by a retry', 'Fixed `src/a_b.ts` by adding a retry.', false],
  ['W', 'Fine ^f-0123456789abc', 'Fine.', false],
  ['W', 'x <!-- memory:begin y -->', 'x memory begin y', false],
] as const)('the fact %s %s is checked against: %s', (kind, text, said, isKept) => {
  const passage = { from: 1, to: 1, text: said, isByAgent: false, topics: [], isItem: false, isRuling: false };
  const checked = makeFactCheck([passage], '2026-03-14')({ kind, text, from: 1 });
  expect(typeof checked === 'string').toBe(!isKept);
});

test('rules read the day that a model has no time for, and the model reads it in the next run', async () => {
  const workspace = testWorkspace({ [LOG]: DAY });
  answer(FERRY);
  const short = ['retain', '--infer', '--date', '2026-03-14', '--max-minutes', '0'];
  expect((await workspace.run(short, { env: { OLLAMA_HOST: server.url } })).code).toBe(0);
  expect(written(workspace)).toHaveLength(1);
  await infer(workspace);
  expect(written(workspace)).toHaveLength(2);
  expect((await workspace.run(['retain', 'W x', '--max-minutes', '1'])).code).toBe(2);
});

test('a model that gives no usable answer is asked about two days, and the rules read all', async () => {
  const days = ['2026-03-10', '2026-03-11', '2026-03-12', '2026-03-13', '2026-03-14'];
  const workspace = testWorkspace(
    Object.fromEntries(days.map((day) => [`memory/${day}.md`, `Remember: the key of ${day} is under the mat.\n`])),
  );
  server.received.length = 0;
  for (let count = 0; count < 20; count++) server.replies.push({ content: 'no' });
  const { code, stderr } = await workspace.run(
    ['reflect', '--infer', '--since', '2026-03-10', '--now', '2026-03-15T12:00:00Z'],
    { env: { OLLAMA_HOST: server.url } },
  );
  server.replies.length = 0;
  expect(code).toBe(0);
  // An unusable answer is asked for again.
  expect(server.bodies('/api/chat').length).toBeLessThan(7);
  expect(stderr.match(/the rules read/g)).toHaveLength(2);
  for (const day of days) expect(workspace.read(`memory/${day}.md`)).toContain(`- W Remember: the key of ${day}`);
});

test('a fact of a model takes the place of no fact that the rules find', async () => {
  const workspace = testWorkspace({
    [LOG]: 'We decided to move the server to Graz in May, because the rent is low.\n',
  });
  answer(
    { kind: 'W', text: 'We decided to move the server to Graz', from: 1 },
    { kind: 'W', text: 'The rent of the server is low', from: 1 },
  );
  await infer(workspace);
  expect(written(workspace)).toEqual([
    '- W We decided to move the server to Graz in May, because the rent is low. (from L1, by rules)',
    '- W The rent of the server is low (from L1, by qwen3:4b-instruct)',
  ]);
});

test('a model that may only choose adds sentences of the log, word for word', async () => {
  const workspace = testWorkspace({ [LOG]: DAY });
  workspace.chatLevel = 'extractive';
  server.replies.push({ content: '{"keep":[1,44]}' });
  expect(await infer(workspace)).toMatchObject({ code: 0 });
  const facts = written(workspace);
  expect(facts).toHaveLength(2);
  expect(facts[0]).toBe('- W Remember: the boat papers expire on 2026-06-30. (from L5, by rules)');
  const [, said = '', line] = /^- S (.*) \(from L(\d+), by qwen3:4b-instruct\)$/u.exec(facts[1] ?? '') ?? [];
  expect(DAY.split('\n')[Number(line) - 1]).toContain(said);
});
