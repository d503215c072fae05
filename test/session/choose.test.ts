import { expect, test } from 'vitest';
import { oneOllama } from '../support/ollama/start.js';
import { testWorkspace } from '../support/test-workspace.js';
import type { TemporaryWorkspace } from '../support/workspace.js';

const server = oneOllama();
const OVERVIEW = 'sessions/chat/history/archive_001/.overview.md';
const env = () => ({ OLLAMA_HOST: server.url });

const TALK = [
  ['user', 'Always use Postgres 16 for Velmora, not MySQL. Our tester Joska Reindl is away until Monday.'],
  ['assistant', 'Noted. The printer of Brunnow stands in room 12. Shall I write the migration?'],
  ['user', 'What is the weather like? The label of the box is blue.'],
] as const;

/** A workspace with a session, and a model that may only choose. */
async function talking(): Promise<TemporaryWorkspace> {
  const workspace = testWorkspace({ 'memory.config.json5': '{ extractOnCommit: false }' });
  workspace.chatLevel = 'extractive';
  for (const [role, text] of TALK)
    await workspace.run(['session', 'add', 'chat', '--role', role, '--text', text], { env: env() });
  return workspace;
}

const shown = () =>
  server
    .bodies('/api/chat')
    .map(({ messages }) => JSON.stringify(messages))
    .find((text) => text.includes('<sentences>')) ?? '';

test('flush saves the sentences of users that the model has chosen, word for word, beside those of the rules', async () => {
  const workspace = await talking();
  server.replies.push({ content: '{"keep":[2,1,99,2]}' });
  const { stdout, code } = await workspace.run(['flush', 'run', '--session', 'chat'], { env: env() });
  expect([code, stdout]).toEqual([0, '2 facts saved\n']);
  const log = workspace.read('memory/2026-03-15.md');
  expect(log).toContain('S Our tester Joska Reindl is away until Monday. (from chat, by qwen3:4b-instruct)');
  expect(log).toContain('S Always use Postgres 16 for Velmora, not MySQL. (from chat, by rules)');
  expect(log.match(/Postgres/gu)).toHaveLength(1);
  // Neither what an assistant says nor a question can be chosen.
  expect(shown()).not.toMatch(/weather|migration/u);
});

test('flush without a usable choice saves what the rules find, and says why there is no more', async () => {
  const workspace = await talking();
  server.replies.push({ content: 'I would keep all of it.' }, { content: 'All of it!' });
  const { stderr, code } = await workspace.run(['flush', 'run', '--session', 'chat'], { env: env() });
  expect([code, stderr]).toEqual([0, expect.stringContaining('the rules saved what they could')]);
  expect(workspace.read('memory/2026-03-15.md')).toContain('Postgres 16 for Velmora, not MySQL. (from chat, by rules)');
});

test('a commit adds chosen sentences to the Working Memory of the rules, and not a word of the model', async () => {
  const rules = await talking();
  await rules.run(['session', 'commit', 'chat', '--keep-recent', '0'], { env: { OLLAMA_HOST: '127.0.0.1:9' } });
  const before = rules.read(OVERVIEW);
  const workspace = await talking();
  server.replies.push({
    content: '{"Key Facts & Decisions":[3],"Open Issues":[],"Current State":["MySQL 8 is what we use"]}',
  });
  await workspace.run(['session', 'commit', 'chat', '--keep-recent', '0'], { env: env() });
  const after = workspace.read(OVERVIEW);
  const added = after.split('\n').filter((line) => !before.includes(line));
  expect(added).toEqual(['- The printer of Brunnow stands in room 12.']);
  for (const line of before.split('\n')) expect(after).toContain(line);
});
