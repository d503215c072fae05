import { spawn } from 'node:child_process';
import { expect, test } from 'vitest';
import { SECTION_NAMES } from '../../src/wm/document.js';
import { BIN, childEnv } from '../support/cli.js';
import type { FakeOllama } from '../support/ollama/server.js';
import { testOllama } from '../support/ollama/start.js';
import { testWorkspace } from '../support/test-workspace.js';
import type { TemporaryWorkspace } from '../support/workspace.js';

const OVERVIEW = 'sessions/chat/history/archive_001/.overview.md';
const COMMIT = ['session', 'commit', 'chat', '--keep-recent', '0'];

/** A session of which a model with a small window reads one message at a time. */
async function talking(chatLevel: 'free' | 'extractive'): Promise<TemporaryWorkspace> {
  const workspace = testWorkspace({ 'memory.config.json5': '{ numCtx: 8192, extractOnCommit: false }' });
  workspace.chatLevel = chatLevel;
  const messages = Array.from({ length: 5 }, (_, at) => {
    const more = Array.from({ length: 260 }, (_, line) => `The shelf ${at}-${line} of the hall has a green label.`);
    return { role: 'user', content: `The printer number ${at} stands in room ${at}0. ${more.join(' ')}` };
  });
  const input = messages.map((message) => JSON.stringify(message)).join('\n');
  expect((await workspace.run(['session', 'add', 'chat', '--stdin'], { input })).code).toBe(0);
  return workspace;
}

function answerOf(prompt: string): unknown {
  const printers = prompt.match(/The printer number \d stands in room \d0\./gu) ?? [];
  if (prompt.includes('<sentences>')) return { 'Key Facts & Decisions': printers.length > 0 ? [1] : [] };
  const change = { op: 'APPEND', items: printers };
  const sections = SECTION_NAMES.map((name) => [name, name.startsWith('Key') && printers[0] ? change : { op: 'KEEP' }]);
  return { sections: Object.fromEntries(sections) };
}

/** A server whose answer to the fourth question never comes. */
async function silentAfterThree(): Promise<FakeOllama> {
  const double = await testOllama();
  let answered = 0;
  return double.answer((prompt) => {
    answered++;
    if (answered === 3) double.faults.set('hang-before-headers');
    return answerOf(prompt);
  });
}

const questions = (double: FakeOllama) =>
  double.bodies('/api/chat').flatMap(({ messages }) => {
    const text = JSON.stringify(messages ?? []);
    return text === '[]' ? [] : [text];
  });

test.each([
  ['SIGINT', 'free', ['session', 'resume', 'chat']],
  ['SIGKILL', 'free', COMMIT],
  ['SIGKILL', 'extractive', ['session', 'resume']],
] as const)('a commit that %s ends, with a model that is %s, loses at most one answer', async (signal, level, next) => {
  const [stopped, whole] = [await talking(level), await talking(level)];
  const double = await silentAfterThree();
  const env = { OLLAMA_HOST: double.url };
  const { args, options } = stopped.command(COMMIT, { env });
  const child = spawn(process.execPath, [BIN, 'memory', ...args], {
    ...options,
    env: childEnv(options.env),
    stdio: 'ignore',
  });
  const ended = new Promise<unknown>((resolve) => child.on('close', (code, by) => resolve(by ?? code)));
  await expect.poll(() => questions(double).length).toBe(4);
  child.kill(signal);
  expect(await ended).toBe(signal === 'SIGINT' ? 1 : 'SIGKILL');

  double.faults.clear();
  double.answer(answerOf);
  expect((await stopped.run(next, { env })).code).toBe(0);
  const asked = questions(double);
  expect(new Set(asked).size).toBe(asked.length - 1);
  expect((await whole.run(COMMIT, { env })).code).toBe(0);
  expect(questions(double).length - asked.length).toBe(asked.length - 1);
  expect(stopped.read(OVERVIEW)).toBe(whole.read(OVERVIEW));
  expect(stopped.read(OVERVIEW)).toContain('printer number 4');
});

test('a model that may only choose reads on where its time was over', async () => {
  const workspace = await talking('extractive');
  const double = await silentAfterThree();
  const env = { OLLAMA_HOST: double.url };
  const cut = await workspace.run([...COMMIT, '--max-wait', '3', '--json'], { env });
  expect(JSON.parse(cut.stdout).finished).toMatchObject([
    { overview_by: 'deterministic', notes: [expect.stringContaining('of 5 messages in time')] },
  ]);
  double.faults.clear();
  double.received.length = 0;
  double.answer(answerOf);
  const { finished } = await workspace.json<{ finished: unknown }>(COMMIT, { env });
  expect(finished).toMatchObject([{ archive: 'archive_001', overview_by: 'model' }]);
  expect(questions(double).some((text) => text.includes('printer number 0'))).toBe(false);
  for (const at of [0, 1, 2, 3, 4]) expect(workspace.read(OVERVIEW)).toContain(`printer number ${at}`);
});
