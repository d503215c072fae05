import { expect, test } from 'vitest';
import { formatProgressBar } from '../../src/cli/progress.js';
import { relating } from '../support/asked-pairs.js';
import { mcpSession } from '../support/mcp.js';
import { oneOllama } from '../support/ollama/start.js';
import { testWorkspace } from '../support/test-workspace.js';

const server = oneOllama();

/** Logs of some days, with a fact and an opinion in each. */
function logs(days: number): Record<string, string> {
  const text = (n: number) => `- W @Peter${n}: lives in house ${n}\n- O(c=0.6) @Peter${n}: prefers tea number ${n}\n`;
  return Object.fromEntries(
    Array.from({ length: days }, (_, n) => [
      `memory/${new Date(Date.UTC(2025, 0, n + 1)).toISOString().slice(0, 10)}.md`,
      text(n),
    ]),
  );
}

const CHAT = Array.from({ length: 450 }, (_, n) =>
  JSON.stringify({
    type: 'message',
    id: `m${n}`,
    message: { role: 'user', content: `The port of service ${n} is ${n}.` },
  }),
).join('\n');

test('a progress bar shows the speed and the time left', () => {
  expect(formatProgressBar(0, 10, '10 days', 0)).toBe(`${'░'.repeat(24)} 0 of 10 days`);
  expect(formatProgressBar(5, 10, '10 days', 2)).toBe(
    `${'█'.repeat(12)}${'░'.repeat(12)} 5 of 10 days, 2.5 a second, 2 s left`,
  );
  expect(formatProgressBar(5, 25, 'about 25 questions', 20)).toMatch(
    / 5 of about 25 questions, 4\.0 s each, 2 min left$/,
  );
  expect(formatProgressBar(100, 100_000, '100000 files', 10)).toMatch(/10 a second, 2 h 47 min left$/u);
});

test.each([
  [['index'], /1\d\d of 200 files, \d+(?:\.\d)? a second, \d+ s left/u],
  [['reflect'], /\d+ of 200 days.*\d+ of 200 entities/su],
  [['session', 'import', 'chat.jsonl', '--session', 'chat'], /400 of 450 messages/u],
])('%j shows a progress bar at a terminal and removes it before the answer', async (args, shown) => {
  const workspace = testWorkspace({ ...logs(200), 'chat.jsonl': CHAT });
  const typed = await workspace.run(args, { typed: '', cwd: workspace.root });
  expect(typed).toMatchObject({ code: 0, stderr: expect.stringMatching(shown) });
  expect(typed.stderr.split('\r\u001b[K').at(-1)).not.toMatch(/[█░]/u);
  expect(typed.stdout).not.toMatch(/[█░\r]/u);
  const other = testWorkspace({ ...logs(200), 'chat.jsonl': CHAT });
  expect((await other.run(args, { cwd: other.root })).stderr).not.toMatch(/[█░\r]/u);
});

/** Lines with different words: texts that differ only in numbers share a vector. */
const WORDS = Array.from({ length: 300 }, (_, n) => {
  const name = n.toString(2).replaceAll('0', 'o').replaceAll('1', 'i');
  return `- W @Peter: found a stone named ${name}`;
}).join('\n');

/** A conversation that a window of this size needs several parts for. */
const TALK = CHAT.replaceAll('The port', 'As we said at length this morning, when everybody was there, the port');
const SAID = TALK.split('\n')
  .map((line) => JSON.stringify(JSON.parse(line).message))
  .join('\n');

test.each([
  ['texts', /[1-9]\d* of 300 texts/u, [], ['index', '--embed']],
  ['parts', /1 of [1-9]\d* parts/u, [], ['extract', '--file', 'said.jsonl']],
  [
    'messages',
    /[1-9]\d* of 450 messages/u,
    ['session', 'import', 'talk.jsonl', '--session', 'chat'],
    ['session', 'commit', 'chat', '--keep-recent', '0'],
  ],
])('the work of a model on %s shows a progress bar', async (_, shown, before, args) => {
  const workspace = testWorkspace({
    'memory/2025-01-01.md': WORDS,
    'talk.jsonl': TALK,
    'said.jsonl': SAID,
    'memory.config.json5': JSON.stringify({ ollamaHost: server.url, numCtx: 8_192 }),
  });
  const how = { typed: '', cwd: workspace.root };
  if (before.length > 0) await workspace.run(before, how);
  const typed = await workspace.run(args, how);
  expect(typed.stderr).toMatch(shown);
  expect(typed.stderr.split('\r\u001b[K').at(-1)).not.toMatch(/[█░]/u);
  expect(typed.stdout).not.toMatch(/[█░\r]/u);
});

test('the questions of reflect to a model are estimated before it begins, then counted', async () => {
  server.answer((prompt) => {
    const verdicts = [...prompt.matchAll(/^pair (\d+)$/gm)].map(([, pair]) => ({
      pair: Number(pair),
      verdict: 'none',
    }));
    return relating(prompt, 'both') ?? (verdicts.length > 0 ? { verdicts } : { sentences: [] });
  });
  const workspace = testWorkspace(logs(12));
  for (let day = 1; day <= 6; day++)
    workspace.write(
      `memory/2025-02-0${day}.md`,
      Array.from({ length: 12 }, (_, n) => `- W @Peter${n}: bought book ${day * 100 + n} about tea\n`).join(''),
    );
  const typed = await workspace.run(['reflect'], { typed: '', env: { OLLAMA_HOST: server.url } });
  expect(typed.code).toBe(0);
  const shown = [...typed.stderr.matchAll(/(\d+) of about (\d+) questions/g)].map(([, done, all]) => [
    Number(done),
    Number(all),
  ]);
  const asked = server
    .bodies('/api/chat')
    .filter(({ messages }) => Array.isArray(messages) && messages.length > 0).length;
  const [first = [], last = []] = [shown[0], shown.at(-1)];
  expect(first[0]).toBe(0);
  expect(Number(first[1])).toBeGreaterThan(asked * 0.7);
  expect(Number(first[1])).toBeLessThan(asked * 1.5);
  expect(last[0]).toBe(asked);
  expect(typed.stderr).not.toMatch(/\d (?:days|logs|entities)/);
});

test('an MCP client receives progress notifications with rising numbers', async () => {
  const mcp = await mcpSession(testWorkspace(logs(30)), { args: ['--tools', 'all'] });
  const heard: { progress: number; total?: number | undefined; message?: string | undefined }[] = [];
  await mcp.client.callTool({ name: 'reflect', arguments: {} }, undefined, { onprogress: (step) => heard.push(step) });
  const said = heard.map(({ message }) => message);
  expect(said).toContain('29 of 30 days');
  expect(said).toContain('29 of 30 entities');
  for (const [at, { progress, total = progress }] of heard.entries()) {
    expect(progress).toBeGreaterThan(at === 0 ? 0 : (heard[at - 1]?.progress ?? 0));
    expect(total).toBeGreaterThanOrEqual(progress);
  }
});
