import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { testWorkspace } from '../support/test-workspace.js';
import type { TemporaryWorkspace } from '../support/workspace.js';

const LOG = 'sessions/chat/messages.jsonl';

function add(workspace: TemporaryWorkspace, text: string, ...more: readonly string[]) {
  return workspace.run(['session', 'add', 'chat', '--role', 'user', '--text', text, ...more]);
}

function lines(workspace: TemporaryWorkspace): readonly unknown[] {
  return workspace
    .read(LOG)
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

describe('session add', () => {
  test('stores a message and prints the pending tokens', async () => {
    const workspace = testWorkspace();
    const answer = await workspace.json(['session', 'add', 'chat', '--role', 'user', '--text', 'abcdefgh']);
    expect(answer).toMatchObject({
      session: 'chat',
      added: [{ role: 'user', tokens: 2 }],
      duplicates: 0,
      pending_tokens: 2,
      live_messages: 1,
      commit_due: false,
    });
    expect(lines(workspace)).toMatchObject([
      { id: expect.any(String), role: 'user', content: 'abcdefgh', timestamp: '2026-03-15T12:00:00.000Z' },
    ]);
  });

  test('takes JSON lines: text, parts, tool calls and results', async () => {
    const workspace = testWorkspace();
    const input = [
      { role: 'user', content: 'run the tests' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'bash', input: { command: 'npm test' } }] },
      { role: 'tool', tool_call_id: 't1', content: 'all green' },
    ];
    const stdin = input.map((message) => JSON.stringify(message)).join('\r\n');
    expect(await workspace.run(['session', 'add', 'chat', '--stdin'], { input: stdin })).toMatchObject({ code: 0 });
    expect(lines(workspace)).toMatchObject([
      { content: 'run the tests' },
      { parts: [{ type: 'tool_call', id: 't1', input: { command: 'npm test' } }] },
      { parts: [{ type: 'tool_result', id: 't1', output: 'all green' }] },
    ]);
  });

  test('takes a tool result from options', async () => {
    const workspace = testWorkspace();
    const args = [
      'session',
      'add',
      'chat',
      '--role',
      'tool',
      '--tool-call-id',
      't1',
      '--tool-name',
      'bash',
      '--text',
      'ok',
    ];
    expect(await workspace.run(args)).toMatchObject({ code: 0 });
    expect(lines(workspace)).toMatchObject([
      { parts: [{ type: 'tool_result', id: 't1', name: 'bash', output: 'ok' }] },
    ]);
  });

  test('adds nothing when one line is bad', async () => {
    const workspace = testWorkspace();
    const input = '{"role":"user","content":"a"}\nnot json\n';
    const result = await workspace.run(['session', 'add', 'chat', '--stdin'], { input });
    expect(result).toMatchObject({ code: 2, stderr: expect.stringContaining('line 2') });
    expect(existsSync(workspace.path(LOG))).toBe(false);
  });

  test('replaces secrets with a warning', async () => {
    const workspace = testWorkspace();
    const { stderr } = await add(workspace, `use ghp_${'a1B2'.repeat(9)}`);
    expect(stderr).toBe('warning: secrets were replaced: github-token\n');
    expect(workspace.read(LOG)).toContain('[redacted:github-token]');
  });

  test('adds a message once for one key', async () => {
    const workspace = testWorkspace();
    await add(workspace, 'a', '--idempotency-key', 'k1');
    const again = await workspace.json([
      'session',
      'add',
      'chat',
      '--role',
      'user',
      '--text',
      'a',
      '--idempotency-key',
      'k1',
    ]);
    expect(again).toMatchObject({ added: [], duplicates: 1, live_messages: 1 });
  });

  test.each([
    [['add', '../x', '--role', 'user', '--text', 'a'], 'is not a valid session id'],
    [['add', 'chat', '--text', 'a'], '--role is missing'],
    [['add', 'chat', '--role', 'user'], 'there is no message to add'],
    [['add', 'chat', '--role', 'nobody', '--text', 'a'], 'unknown role "nobody"'],
    [['add', 'chat', '--role', 'user', '--text', ' '], 'the message is empty'],
    [['add', 'chat', '--stdin', '--text', 'a'], 'used together'],
    [['commit', 'chat', '--keep-recent', 'many'], '--keep-recent must be a whole number, not "many"'],
    [['commit', 'chat', '--background', '--defer'], 'used together'],
    [['nonsense'], 'unknown command "nonsense"'],
    [[], 'session needs a command'],
  ])('session %j is wrong usage', async (args, message) => {
    const { code, stdout, stderr } = await testWorkspace().run(['session', ...args]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^error: [^\n]+\nhint: [^\n]+\n$/);
    expect(stderr).toContain(message);
  });
});

describe('session status and list', () => {
  test('report pending tokens, archives and whether a commit is due', async () => {
    const workspace = testWorkspace();
    await add(workspace, 'abcd');
    const status = await workspace.json(['session', 'status', 'chat']);
    expect(status).toMatchObject({
      pending_tokens: 1,
      keep_recent_count: 0,
      archives: { completed: 0, failed: 0, pending: 0 },
      memory_flushing: false,
      last_memory_flush: null,
      commit_threshold: 64_000,
      commit_due: false,
    });
    expect(await workspace.json(['session', 'list'])).toMatchObject({
      sessions: [{ session: 'chat', live_messages: 1 }],
    });
  });

  test('the threshold is that of the settings, if set', async () => {
    const workspace = testWorkspace({ 'memory.config.json5': '{ commitTokenThreshold: 2 }' });
    await add(workspace, 'abcdefgh');
    expect(await workspace.json(['session', 'status', 'chat'])).toMatchObject({
      commit_threshold: 2,
      commit_due: true,
    });
    expect(await workspace.json(['session', 'commit', 'chat', '--keep-recent', '0', '--threshold'])).toMatchObject({
      outcome: 'accepted',
    });
  });

  test('an unknown session is an error, an empty list is not', async () => {
    const workspace = testWorkspace();
    expect(await workspace.run(['session', 'status', 'chat'])).toMatchObject({ code: 1, stdout: '' });
    expect(await workspace.json(['session', 'list'])).toEqual({ sessions: [] });
  });
});

describe('session commit, compact and resume', () => {
  test('commit keeps the newest ten by default', async () => {
    const workspace = testWorkspace();
    const input = Array.from({ length: 12 }, (_, i) => `{"role":"user","content":"message ${i}"}`).join('\n');
    await workspace.run(['session', 'add', 'chat', '--stdin'], { input });
    const report = await workspace.json(['session', 'commit', 'chat']);
    expect(report).toMatchObject({ outcome: 'accepted', archive: 'archive_001', archived: 2, live_messages: 10 });
    expect(await workspace.json(['session', 'commit', 'chat', '--keep-recent', '-3'])).toMatchObject({
      archived: 10,
      warnings: [expect.stringContaining('0 was used')],
    });
  });

  test('a Working Memory made without a model is shown, marked and found', async () => {
    const workspace = testWorkspace();
    await add(workspace, 'Let us feed the walrus from src/feed.ts');
    await workspace.run(['session', 'commit', 'chat', '--keep-recent', '0']);
    const shown = await workspace.run(['wm', 'show', 'chat']);
    expect(shown.stdout).toContain('## Session Title\nLet us feed the walrus from src/feed.ts\n');
    expect(shown.stderr).toContain('without a model');
    const { results } = await workspace.json<{ results: { kind: string }[] }>(['recall', 'walrus']);
    expect(results[0]).toMatchObject({ kind: 'summary' });
  });

  test('--defer leaves the archive to the agent, which gets a prompt and gives an answer', async () => {
    const workspace = testWorkspace();
    await add(workspace, 'Let us feed the walrus');
    const deferred = await workspace.json(['session', 'commit', 'chat', '--keep-recent', '0', '--defer']);
    expect(deferred).toMatchObject({ archive: 'archive_001', finished: [], pending: ['archive_001'] });
    const prompt = await workspace.json(['wm', 'prompt', 'chat']);
    expect(prompt).toMatchObject({
      archive: 'archive_001',
      user: expect.stringContaining('feed the walrus'),
      schema: {},
    });
    const input = '{"sections":{"Current State":{"op":"UPDATE","content":"the walrus is fed"}}}';
    const wrong = await workspace.run(['wm', 'apply', 'chat', '--answer', '-', '--archive', 'archive_002'], { input });
    expect(wrong).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('the oldest waiting archive is archive_001'),
    });
    for (const nothing of ['{}', 'null', '{"sections":{}}']) {
      const empty = await workspace.run(['wm', 'apply', 'chat', '--answer', '-'], { input: nothing });
      expect(empty).toMatchObject({ code: 1, stderr: expect.stringContaining('no section has an operation') });
    }
    const applied = await workspace.json(['wm', 'apply', 'chat', '--answer', '-'], { input });
    expect(applied).toMatchObject({ finished: [{ state: 'completed', overview_by: 'agent' }], pending: [] });
    expect((await workspace.run(['wm', 'show', 'chat'])).stdout).toContain('the walrus is fed');
    expect(await workspace.run(['wm', 'prompt', 'chat'])).toMatchObject({ code: 1, stdout: '' });
  });

  test('compact prints events, archives everything, and is the only command that counts compactions', async () => {
    const workspace = testWorkspace();
    await add(workspace, 'one');
    await workspace.run(['session', 'commit', 'chat', '--keep-recent', '0']);
    await add(workspace, 'two');
    const half = await workspace.run(['session', 'compact', 'chat', '--tokens', '178000']);
    expect(half).toMatchObject({ code: 2, stderr: expect.stringContaining('--context-window') });
    const run = ['session', 'compact', 'chat', '--tokens', '178000', '--context-window', '200000', '--json'];
    const { stdout } = await workspace.run(run);
    const events = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(events).toMatchObject([
      { type: 'memory_flush_start' },
      { type: 'memory_flush_end', status: 'failed' },
      { type: 'compaction_start', live_messages: 1 },
      { type: 'compaction_end', archive: 'archive_002', compaction_count: 1, flush: { shouldFlush: true } },
    ]);
    expect(await workspace.json(['session', 'status', 'chat'])).toMatchObject({
      compaction_count: 1,
      live_messages: 0,
    });
  });

  test('after compact the context has the last turn, not the archived ones; a later commit adds its own', async () => {
    const workspace = testWorkspace();
    const talk = (from: number): string =>
      Array.from({ length: 40 }, (_, i) => [
        { role: 'user', content: `Request ${from + i}: ${'look at the tide table '.repeat(100)}` },
        { role: 'assistant', content: `Answer ${from + i}. ${'the harbour is open '.repeat(100)}` },
      ])
        .flat()
        .map((message) => JSON.stringify(message))
        .join('\n');
    const context = async () => {
      const { messages, tokens } = await workspace.json<{ messages: { content: string }[]; tokens: number }>([
        'session',
        'context',
        'chat',
      ]);
      const asked = messages.flatMap(({ content }) => /^(?:Request|Answer) (\d+)/.exec(content)?.[1] ?? []);
      return { asked: asked.map(Number), tokens };
    };
    await workspace.run(['session', 'add', 'chat', '--stdin'], { input: talk(0) });
    const before = await context();
    expect(before.tokens).toBeGreaterThan(40_000);
    await workspace.run(['session', 'compact', 'chat']);
    const after = await context();
    expect(after.asked).toEqual([39, 39]);
    expect(after.tokens).toBeLessThan(before.tokens / 10);
    const { messages } = await workspace.json<{ messages: unknown[] }>(['session', 'expand', 'chat', '1']);
    expect(messages).toHaveLength(80);
    await workspace.run(['session', 'add', 'chat', '--stdin'], { input: talk(40) });
    await workspace.run(['session', 'commit', 'chat', '--keep-recent', '2']);
    const { asked } = await context();
    expect([...new Set(asked)]).toEqual(Array.from({ length: 40 }, (_, i) => 40 + i));
  });

  test('--background returns when the messages are archived, and another process finishes', async () => {
    const workspace = testWorkspace();
    await add(workspace, 'Let us feed the walrus');
    const report = await workspace.json<{ background: { pid: number; log: string } }>([
      'session',
      'commit',
      'chat',
      '--keep-recent',
      '0',
      '--background',
    ]);
    expect(report).toMatchObject({ archive: 'archive_001', finished: [], background: { pid: expect.any(Number) } });
    await until(() => existsSync(workspace.path('sessions/chat/history/archive_001/.done')));
    await until(() => readFileSync(report.background.log, 'utf8').includes('archive_001 completed'));
  });

  test('resume without an id resumes all sessions', async () => {
    const workspace = testWorkspace();
    for (const id of ['a', 'b']) {
      await workspace.run(['session', 'add', id, '--role', 'user', '--text', 'x']);
      await workspace.run(['session', 'commit', id, '--keep-recent', '0', '--defer']);
    }
    const { sessions } = await workspace.json<{ sessions: readonly unknown[] }>(['session', 'resume']);
    expect(sessions).toHaveLength(2);
    for (const session of sessions) expect(session).toMatchObject({ finished: [{ state: 'completed' }], pending: [] });
  });
});

/** Waits for work of another process. */
async function until(holds: () => boolean): Promise<void> {
  for (let tries = 0; tries < 400 && !holds(); tries++) await delay(50);
  expect(holds()).toBe(true);
}
