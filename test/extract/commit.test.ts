import { expect, test } from 'vitest';
import { cases } from '../support/cases.js';
import { hostileRounds } from '../support/hostile-extractions.js';
import { oneOllama } from '../support/ollama/start.js';
import { testWorkspace } from '../support/test-workspace.js';
import type { TemporaryWorkspace } from '../support/workspace.js';

const server = oneOllama();

const AWAY = '127.0.0.1:9';
const QUIET = { 'memory.config.json5': '{ extractRounds: 0 }' };

async function commit(workspace: TemporaryWorkspace, host: string, ...said: readonly string[]): Promise<void> {
  const run = (...args: readonly string[]) => workspace.run(['session', ...args], { env: { OLLAMA_HOST: host } });
  for (const text of said) await run('add', 'chat', '--role', 'user', '--text', text);
  await run('commit', 'chat', '--keep-recent', '0');
}

const extraction = (workspace: TemporaryWorkspace, archive = 'archive_001') =>
  JSON.parse(workspace.read(`sessions/chat/history/${archive}/.done`)).extraction;
const answer = (...values: readonly unknown[]): void => {
  for (const value of values)
    server.replies.push({ content: typeof value === 'string' ? value : JSON.stringify(value) });
};
/** Prompts that ask for operations. */
const asked = (): readonly string[] =>
  server
    .bodies('/api/chat')
    .map((body) => JSON.stringify(body))
    .filter((body) => body.includes('<conversation>'));
const WM = '{}';

test('a commit with a model extracts, and records in the archive what it did', async () => {
  const workspace = testWorkspace(QUIET);
  answer(WM, WM, {}, { profile: [{ content: '- Sold the boat to Ines', sources: ['m1'] }] });
  await commit(workspace, server.url, 'I sold the boat to Ines.');
  expect(workspace.read('bank/profile.md')).toContain('- Sold the boat to Ines (from [chat/archive_001](');
  expect(extraction(workspace)).toEqual({ status: 'done' });
  expect(workspace.read('sessions/chat/history/archive_001/memory_diff.json')).toContain('bank/profile.md');
});

test('the record of an archive has the results of all its parts, with those refused', async () => {
  const workspace = testWorkspace({ 'memory.config.json5': '{ extractRounds: 0 }' });
  const refused = { preferences: [{ page_id: 7, content: '- x' }] };
  answer(WM, WM, {}, refused, refused);
  await commit(workspace, server.url, 'I sold the boat to Ines.');
  const record = JSON.parse(workspace.read('sessions/chat/history/archive_001/memory_diff.json'));
  expect(record).toMatchObject({
    pages: [],
    rejected: [{ operation: 'preferences[0]', reason: 'the prompt did not show a page 7' }],
  });
});

test('later commits ask a model again after a useless answer, three times in all', async () => {
  const workspace = testWorkspace(QUIET);
  answer(WM, WM, ...Array.from({ length: 8 }, () => 'I would rather not.'));
  await commit(workspace, server.url, 'I sold the boat to Ines.');
  expect(extraction(workspace)).toMatchObject({ status: 'failed' });
  server.replies.length = 0;
  answer('no', 'no', 'no', 'no');
  await workspace.run(['session', 'resume', 'chat'], { env: { OLLAMA_HOST: server.url } });
  expect(extraction(workspace)).toMatchObject({ status: 'failed', failures: 2 });
  answer({}, { profile: [{ content: '- Sold the boat to Ines' }] });
  await workspace.run(['session', 'resume', 'chat'], { env: { OLLAMA_HOST: server.url } });
  expect(extraction(workspace)).toEqual({ status: 'done' });
  expect(workspace.read('bank/profile.md')).toContain('- Sold the boat to Ines');
});

test('archives committed without a model are extracted later, even after a newer archive', async () => {
  const workspace = testWorkspace(QUIET);
  await commit(workspace, AWAY, 'I sold the boat to Ines.');
  expect(extraction(workspace)).toMatchObject({ status: 'skipped' });
  await commit(workspace, server.url, 'And bought a canoe.');
  expect(extraction(workspace)).toMatchObject({ status: 'done' });
  const prompts = asked().join('\n');
  expect(prompts).toContain('user: I sold the boat to Ines.');
  expect(prompts).toContain('user: And bought a canoe.');
  server.received.length = 0;
  // A later extraction does not repeat the work of the commits.
  await workspace.run(['extract', '--session', 'chat'], { env: { OLLAMA_HOST: server.url } });
  expect(asked()).toEqual([]);
});

test('an extraction prompt has the tasks of the Working Memory and how often each tool was called', async () => {
  const workspace = testWorkspace(QUIET);
  const call = (id: string) => ({ type: 'tool_call', id, name: 'certbot', input: {} });
  const result = (id: string, status: string) => ({ type: 'tool_result', id, name: 'certbot', status, output: 'x' });
  const messages = [
    { role: 'user', content: 'Please renew the certificate of the print server.' },
    { role: 'assistant', content: [call('a'), call('b')] },
    { role: 'tool', content: [result('a', 'error'), result('b', 'completed')] },
  ];
  workspace.write('talk.jsonl', messages.map((message) => JSON.stringify(message)).join('\n'));
  await workspace.run(['session', 'add', 'chat', '--stdin'], { input: workspace.read('talk.jsonl') });
  await commit(workspace, AWAY);
  await workspace.run(['session', 'resume', 'chat'], { env: { OLLAMA_HOST: server.url } });
  expect(asked()[0]).toContain('(Calls of tools, counted: certbot 2 (1 failed))');
  expect(asked()[0]).toMatch(/\(Working Memory of the tasks: [^)]*renew the certificate of the print server/u);
});

const ROUNDS = cases(500, 20);

test('any answer of a model changes only pages of the bank, leaves them readable, and names what is refused', async () => {
  const { broken, written, rejected } = await hostileRounds(ROUNDS, 1);
  expect(broken).toEqual([]);
  // A change of a person's line is proposed, not written.
  expect(written).toBeGreaterThan(ROUNDS / 8);
  expect(rejected).toBeGreaterThan(ROUNDS / 4);
});
