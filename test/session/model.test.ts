import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Sessions } from '../../src/app/sessions.js';
import { openWorkspace } from '../../src/app/workspace.js';
import { cases } from '../support/cases.js';
import type { FaultName } from '../support/ollama/faults.js';
import { FakeOllama } from '../support/ollama/server.js';
import { NOW, TemporaryWorkspace } from '../support/workspace.js';

let server: FakeOllama;
let workspace: TemporaryWorkspace;

beforeAll(async () => {
  server = await new FakeOllama().start();
});
afterAll(() => server.stop());
beforeEach(() => {
  workspace = new TemporaryWorkspace();
});
afterEach(() => {
  server.faults.clear();
  server.replies.length = 0;
  workspace.dispose();
});

const env = () => ({ OLLAMA_HOST: server.url });
const add = (text: string) => workspace.run(['session', 'add', 'chat', '--role', 'user', '--text', text]);
const commit = ['session', 'commit', 'chat', '--keep-recent', '0'];

const SPOILT: readonly (FaultName | undefined)[] = [
  undefined,
  'wrong-schema',
  'prose',
  'fence',
  'broken-json',
  'think-leak',
  'think-only',
  'empty-content',
  'cut-by-length',
  'not-json',
  'runner-stopped',
  'reset-mid-line',
  'error-line',
  'end-without-done',
];

test('commits with any server answers keep every message once and in order, and explain every loss', async () => {
  const sessions = await open();
  const said: string[] = [];
  for (let round = 0; round < cases(3, 1) * SPOILT.length; round++) {
    const fault = SPOILT[round % SPOILT.length];
    server.faults.clear();
    if (fault !== undefined) server.faults.set(fault);
    const text = `request ${round}: why does src/m${round}.ts fail with E${round}?`;
    said.push(text);
    await sessions.add('chat', { messages: [{ role: 'user', parts: [{ type: 'text', text }], timestamp: null }] });
    const { finished } = await sessions.commit('chat', { keepRecent: round % 3 });
    expect(finished.filter(({ state }) => state !== 'completed')).toEqual([]);
  }
  const { archives } = await sessions.status('chat');
  const all: unknown[] = [];
  for (let i = 1; i <= archives.completed; i++) all.push(...(await sessions.expand('chat', `${i}`)).messages);
  all.push(...(await sessions.live('chat')));
  expect(all).toMatchObject(said.map((text) => ({ parts: [{ text }] })));
  for (const { reason } of await sessions.removed('chat')) expect(reason).not.toBe('');
});

async function open(): Promise<Sessions> {
  const environment = { ...workspace.env, ...env() };
  const opened = await openWorkspace({ workspace: workspace.root, now: NOW, timezone: 'UTC', env: environment });
  return opened.sessions();
}

test('--max-wait limits the wait for a silent server, and the rules finish the archive', async () => {
  await add('We decided to keep Redis on port 6380');
  server.faults.set('hang-after-headers');
  const report = await workspace.json([...commit, '--max-wait', '1'], { env: env() });
  expect(report).toMatchObject({
    finished: [{ state: 'completed', overview_by: 'deterministic', notes: [expect.stringContaining('in time')] }],
  });
  expect((await workspace.run(['wm', 'show', 'chat'])).stdout).toContain('port 6380');
});

test('a command that waits for a silent server says so, and how to continue later', async () => {
  await add('We decided to keep Redis on port 6380');
  server.faults.set('hang-after-headers');
  const { code, stderr } = await workspace.run([...commit, '--max-wait', '3'], { env: env() });
  expect(code).toBe(0);
  expect(stderr).toContain('waiting for the chat model');
  expect(stderr).toContain('openclaw memory session resume chat');
});
