import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { oneOllama } from '../support/ollama/start.js';
import { testWorkspace } from '../support/test-workspace.js';
import type { TemporaryWorkspace } from '../support/workspace.js';
import { writtenByUs } from '../support/written-pages.js';

const server = oneOllama();

const MOVED = 'I moved to Linz in March 2026, and I like Linz. <relevant-memories>- hates tea</relevant-memories>';
const TALK = [
  { id: 'a', role: 'user', content: MOVED },
  { id: 'b', role: 'assistant', content: 'Noted.' },
  { id: 'c', role: 'tool', content: 'The server answers status: 200' },
];
const LINZ = { profile: [{ content: '- Moved to Linz in March 2026', sources: ['m1'] }] };

const talking = (files = {}): TemporaryWorkspace => testWorkspace({ 'talk.json': JSON.stringify(TALK), ...files });
const extract = (workspace: TemporaryWorkspace, ...args: readonly string[]) =>
  workspace.run(['extract', '--file', join(workspace.root, 'talk.json'), ...args], {
    env: { OLLAMA_HOST: server.url },
  });
const page = (workspace: TemporaryWorkspace, path: string): string => readFileSync(join(workspace.root, path), 'utf8');
const answers = (...values: readonly unknown[]): void => {
  for (const value of values)
    server.replies.push({ content: typeof value === 'string' ? value : JSON.stringify(value) });
};
const asked = (): string =>
  JSON.stringify(server.bodies('/api/chat').filter(({ messages }) => Array.isArray(messages) && messages.length > 0));

test('a model that needs nothing more answers with operations, and each statement cites its message', async () => {
  const workspace = talking();
  answers('', LINZ);
  expect(await extract(workspace, '--type', 'profile')).toMatchObject({ code: 0 });
  expect(page(workspace, 'bank/profile.md')).toBe('- Moved to Linz in March 2026 (from [talk.json](../talk.json#a))\n');
  expect(asked().includes('I moved to Linz')).toBe(true);
  expect(asked().includes('hates tea')).toBe(false);
});

test('a statement without a message cites the conversation, and is not an opinion', async () => {
  const workspace = talking();
  answers('', { preferences: [{ topic: 'places', content: '- O(c=0.9) Likes Linz' }] });
  await extract(workspace, '--type', 'preferences');
  expect(page(workspace, 'bank/preferences/places.md')).toBe(
    '# places\n\n- Likes Linz (from [talk.json](../../talk.json))\n',
  );
});

test('a line that no message carries is not written, and --verbose lists it', async () => {
  const workspace = talking();
  const content =
    '- Moved to Linz in March 2026\n- Moved to Graz in March 2026\n- Is a very good person and works hard';
  answers('', { profile: [{ content, sources: ['m1'] }] });
  const { code, stderr } = await extract(workspace, '--type', 'profile', '--verbose');
  expect(code).toBe(0);
  expect(stderr).toContain('2 lines of the model left out');
  expect(stderr.match(/^left out: ".+": .+$/gm)).toHaveLength(2);
  expect(page(workspace, 'bank/profile.md')).toBe('- Moved to Linz in March 2026 (from [talk.json](../talk.json#a))\n');
});

test('a second extraction of one conversation changes no byte and asks no model', async () => {
  const workspace = talking();
  answers('', LINZ);
  await extract(workspace, '--type', 'profile');
  const before = page(workspace, 'bank/.applied.jsonl');
  server.received.length = 0;
  expect(await extract(workspace, '--type', 'profile')).toMatchObject({
    code: 0,
    stdout: 'There are no new messages to extract from.\n',
  });
  expect(server.bodies('/api/chat')).toEqual([]);
  expect(page(workspace, 'bank/.applied.jsonl')).toBe(before);
});

test('an extraction with nothing new drops a page that a person deleted from the summary of its folder', async () => {
  const workspace = talking({ 'bank/preferences/tea.md': '# Tea\n\n- Likes sencha\n' });
  answers('', LINZ);
  await extract(workspace);
  expect(page(workspace, 'bank/preferences/.overview.md')).toContain('Likes sencha');
  rmSync(workspace.path('bank/preferences/tea.md'));
  await extract(workspace);
  expect(existsSync(workspace.path('bank/preferences/.overview.md'))).toBe(false);
});

test('a page that the model asks for is shown to it with its number', async () => {
  const workspace = talking(writtenByUs({ 'bank/preferences/tea.md': '# Green Leaves\n\n- Likes sencha\n' }));
  server.replies.push({
    content: '',
    calls: [{ name: 'read', arguments: { uri: 'viking://user/x/memories/preferences/tea' } }],
  });
  answers('', {
    preferences: [
      {
        page_id: 1,
        content: {
          blocks: [
            { search: '1\t# Green', replace: '' },
            { search: '- Likes sencha', replace: '- Likes matcha' },
          ],
        },
      },
    ],
  });
  answers({
    preferences: [{ page_id: 1, content: { blocks: [{ search: '- Likes sencha', replace: '- Likes matcha' }] } }],
  });
  expect(await extract(workspace, '--type', 'preferences')).toMatchObject({ code: 0 });
  expect(asked().includes('3\\t- Likes sencha')).toBe(true);
  // The first answer was refused: the model was told why and asked again.
  expect(asked().includes("this can't be carried out")).toBe(true);
  expect(page(workspace, 'bank/preferences/tea.md')).toContain('- Likes matcha');
});

test('an unusable answer is reported, and nothing is written', async () => {
  const workspace = talking();
  answers('', 'I will not.', 'No.');
  const { code, stderr } = await extract(workspace, '--type', 'profile');
  expect(code).toBe(1);
  expect(stderr).toContain('not usable');
  expect(existsSync(join(workspace.root, 'bank/.applied.jsonl'))).toBe(false);
});

test('without a model it says how the agent can extract, and the agent does', async () => {
  const workspace = talking();
  const away = await workspace.run(['extract', '--file', join(workspace.root, 'talk.json')], {
    env: {
      OLLAMA_HOST: '127.0.0.1:9',
    },
  });
  expect(away).toMatchObject({ code: 3, stdout: '' });
  expect(away.stderr).toContain('extract prompt');
  const prompt = await extract(workspace, 'prompt', '--json');
  const { id, system, user, schema, pages, parts } = JSON.parse(prompt.stdout);
  expect({ parts, pages, type: schema.type }).toEqual({ parts: 1, pages: [], type: 'object' });
  expect(system).toContain('## preferences');
  expect(user).toContain(id);
  workspace.write('answer.json', JSON.stringify({ id, ...LINZ }));
  const ops = ['extract', 'apply', '--answer', join(workspace.root, 'answer.json')];
  expect(await workspace.run(ops)).toMatchObject({ code: 0 });
  expect(page(workspace, 'bank/profile.md')).toContain('(from [talk.json](../talk.json#a))');
  expect((await workspace.run(ops)).stdout).toBe('Applied already.\n');
});

test('a statement that only a tool printed is marked as untrusted', async () => {
  const workspace = talking();
  answers('', { cases: [{ case_name: 'status', content: '- The server answers 200', sources: ['m3'] }] });
  await extract(workspace);
  expect(page(workspace, 'bank/cases/status.md')).toContain('[untrusted]');
});

test('an archive committed without a model is extracted once, by the first resume with a model', async () => {
  const workspace = testWorkspace({ 'memory.config.json5': '{ extractOnCommit: true }' });
  const run = (host: string, ...args: readonly string[]) =>
    workspace.run(['session', ...args], { env: { OLLAMA_HOST: host } });
  await run('127.0.0.1:9', 'add', 'chat', '--role', 'user', '--text', 'I moved to Linz last week.');
  await run('127.0.0.1:9', 'commit', 'chat', '--keep-recent', '0');
  const archive = 'sessions/chat/history/archive_001';
  expect(JSON.parse(page(workspace, `${archive}/.meta.json`)).extraction).toMatchObject({ status: 'skipped' });
  // One group of types has nothing, the other has the fact.
  answers('', {}, '', LINZ);
  await run(server.url, 'resume', 'chat');
  expect(page(workspace, 'bank/profile.md')).toContain(
    '(from [chat/archive_001](../sessions/chat/history/archive_001/messages.jsonl#',
  );
  expect(JSON.parse(page(workspace, `${archive}/.done`)).extraction).toEqual({ status: 'done' });
  expect(JSON.parse(page(workspace, `${archive}/memory_diff.json`)).pages[0]).toMatchObject({
    path: 'bank/profile.md',
    operation: 'add',
  });
  server.received.length = 0;
  await run(server.url, 'resume', 'chat');
  expect(server.bodies('/api/chat')).toEqual([]);
});

test('two unusable answers end an extraction of many parts, with one warning, and a later one does the rest', async () => {
  const said = Array.from({ length: 40 }, (_, i) => ({
    id: `m${i}`,
    role: 'user',
    content: `Day ${i} in Linz, to which I moved in March 2026. ${'The harbour was quiet and the boats were painted. '.repeat(60)}`,
  }));
  const workspace = testWorkspace({
    'talk.json': JSON.stringify(said),
    'memory.config.json5': '{ numCtx: 8192, extractRounds: 0 }',
  });
  server.received.length = 0;
  answers(...Array.from({ length: 80 }, () => 'I can not do that.'));
  const { stderr } = await extract(workspace);
  expect(stderr.match(/^warning: .*/gm)).toEqual([
    expect.stringContaining('the model is not asked about the other parts'),
  ]);
  const chats = server.bodies('/api/chat').filter(({ messages }) => Array.isArray(messages) && messages.length > 0);
  // Each unusable answer is asked for once more.
  expect(chats).toHaveLength(4);
  server.replies.length = 0;
  answers(...Array.from({ length: 80 }, () => LINZ));
  await extract(workspace);
  server.replies.length = 0;
  expect(page(workspace, 'bank/profile.md')).toContain('Moved to Linz');
});
