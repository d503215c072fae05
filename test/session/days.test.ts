import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { testWorkspace } from '../support/test-workspace.js';
import type { TemporaryWorkspace } from '../support/workspace.js';

// No model answers at this address: the rules do the work.
const env = { OLLAMA_HOST: '127.0.0.1:9' };

/** A message as a client adds it: what is said, and when. */
type Said = readonly [text: string, timestamp?: string | undefined, role?: string];

async function add(workspace: TemporaryWorkspace, said: readonly Said[], ...options: readonly string[]): Promise<void> {
  const messages = said.map(([content, timestamp, role = 'user']) => ({
    role,
    content,
    ...(timestamp !== undefined && { timestamp }),
  }));
  await workspace.json(['session', 'add', 'chat', '--stdin', ...options], { env, input: JSON.stringify(messages) });
}

/** Runs a flush and returns its output, such as "2 facts saved". */
const flush = async (workspace: TemporaryWorkspace, ...options: readonly string[]) =>
  (await workspace.run(['flush', 'run', '--session', 'chat', ...options], { env })).stdout;

const logs = (workspace: TemporaryWorkspace) =>
  workspace
    .pages()
    .map(({ path }) => path)
    .filter((path) => path.startsWith('memory/'))
    .toSorted();

/** The sections of the Working Memory. */
const memory = async (workspace: TemporaryWorkspace, ...options: readonly string[]): Promise<string> => {
  await workspace.json(['session', 'commit', 'chat', '--keep-recent', '0', ...options], { env });
  return (await workspace.json<{ document: string }>(['wm', 'show', 'chat'])).document;
};

describe('a flush', () => {
  test('writes to the log of the day of the message, which also fixes its relative times', async () => {
    const workspace = testWorkspace();
    await add(workspace, [
      ['Remember: until next Friday the depot is closed.', '2024-10-03T09:00:00Z'],
      ['Remember: the gate code is 4711.', '2024-10-04T09:00:00Z'],
    ]);
    expect(await flush(workspace)).toContain('2 facts saved');
    expect(logs(workspace)).toEqual(['memory/2024-10-03.md', 'memory/2024-10-04.md']);
    expect(workspace.read('memory/2024-10-03.md')).toContain('- S Remember: until next Friday the depot is closed.');
    const { results } = await workspace.json<{ results: { validTo: string; timestamp: string }[] }>([
      'recall',
      'is the depot closed',
    ]);
    expect(results[0]).toMatchObject({ timestamp: '2024-10-03', validTo: '2024-10-04' });
  });

  test.each([
    ['Asia/Shanghai', '2024-10-03T16:30:00Z', 'memory/2024-10-04.md'],
    ['America/Los_Angeles', '2024-10-04T06:30:00Z', 'memory/2024-10-03.md'],
    ['America/Los_Angeles', '2024-10-03', 'memory/2024-10-03.md'],
    ['Asia/Shanghai', '2024-10-03T23:50:00', 'memory/2024-10-03.md'],
  ])('in %s a message of %s belongs to %s', async (zone, timestamp, path) => {
    const workspace = testWorkspace();
    await add(workspace, [['Remember: the gate code is 4711.', timestamp]], '--tz', zone);
    await flush(workspace, '--tz', zone);
    expect(logs(workspace)).toEqual([path]);
  });

  test('a message before midnight belongs to that day, even when saved after midnight', async () => {
    const workspace = testWorkspace();
    await add(workspace, [['Remember: the gate code is 4711.']], '--now', '2026-03-15T23:50:00Z');
    await flush(workspace, '--now', '2026-03-16T00:10:00Z');
    expect(logs(workspace)).toEqual(['memory/2026-03-15.md']);
  });

  test.each([undefined, '2031-01-01T00:00:00Z'])(
    'a message with the time %s belongs to the day on which it was added',
    async (timestamp) => {
      const workspace = testWorkspace();
      await add(workspace, [['Remember: the gate code is 4711.', timestamp]], '--now', '2026-03-10T08:00:00Z');
      await flush(workspace);
      expect(logs(workspace)).toEqual(['memory/2026-03-10.md']);
    },
  );

  test('a statement saved under another day is not saved again', async () => {
    const workspace = testWorkspace({
      'memory/2025-01-01.md':
        '# 2025-01-01\n\n## Retain\n\n- S Remember: the gate code is 4711. (from chat, by rules)\n',
      'journals/2024_01_01.md': '- W Please remember that the cellar key hangs in the hall\n',
    });
    await add(workspace, [
      ['Remember: the gate code is 4711.', '2024-10-03T09:00:00Z'],
      ['Please remember that the cellar key hangs in the hall.', '2024-10-03T09:01:00Z'],
      ['Remember: the alarm code is 2233.', '2024-10-03T09:02:00Z'],
    ]);
    expect(await flush(workspace)).toContain('1 fact saved');
    expect(workspace.read('memory/2024-10-03.md')).not.toMatch(/4711|cellar/);
  });

  test('a return to a replaced value is saved again', async () => {
    const workspace = testWorkspace({
      'memory/2024-10-01.md': '- S Remember: the gate code is 4711.\n',
      'memory/2024-10-02.md': '- S Remember: the gate code is 9999.\n',
    });
    await add(workspace, [['Remember: the gate code is 4711.', '2024-10-03T09:00:00Z']]);
    expect(await flush(workspace)).toContain('1 fact saved');
  });

  test('flush prompt and flush apply use the same target, by the day of the part', async () => {
    const workspace = testWorkspace();
    await add(workspace, [
      ['The gate code is 4711.', '2024-10-03T23:50:00Z'],
      ['The alarm code is 2233.', '2024-10-04T00:10:00Z'],
    ]);
    const prompt = () =>
      workspace.json<{ system: string; target: string; until: string; parts: number }>([
        'flush',
        'prompt',
        '--session',
        'chat',
      ]);
    const first = await prompt();
    expect(first).toMatchObject({ target: 'memory/2024-10-03.md', parts: 2 });
    expect(first.system).toContain('memory/2024-10-03.md');
    const apply = (until: string, content: string) =>
      workspace.json(['flush', 'apply', '--session', 'chat', '--answer', '-', '--until', until], {
        input: JSON.stringify({ calls: [{ tool: 'memory_write', arguments: { content } }] }),
      });
    await apply(first.until, '- W @Gate: has the code 4711');
    const second = await prompt();
    expect(second).toMatchObject({ target: 'memory/2024-10-04.md', parts: 1 });
    await apply(second.until, '- W @Alarm: has the code 2233');
    expect(workspace.read('memory/2024-10-03.md')).toContain('@Gate');
    expect(workspace.read('memory/2024-10-04.md')).toContain('@Alarm');
    expect(logs(workspace)).toEqual(['memory/2024-10-03.md', 'memory/2024-10-04.md']);
  });

  test('a proposal for the core with a relative time gets the day of the message', async () => {
    const workspace = testWorkspace();
    await add(workspace, [['I moved yesterday.', '2024-10-03T09:00:00Z']]);
    const input = JSON.stringify({
      calls: [{ tool: 'memory_write', arguments: { content: '- The user moved yesterday', target: 'MEMORY.md' } }],
    });
    await workspace.json(['flush', 'apply', '--session', 'chat', '--answer', '-'], { input });
    expect(workspace.read('bank/proposals/2026-03-15.md')).toContain('The user moved yesterday (said 2024-10-03)');
  });
});

test.each([
  '**09:12 @marta**\nPlease remember that I always deploy on Fridays.',
  'Marta: hello\nDev: hi\nMarta: Please remember that I always deploy on Fridays.',
  '**Von:** Marta <marta@example.org>\nPlease remember that I always deploy on Fridays.',
])('a quotation of another speaker is not a rule of the user: %j', async (text) => {
  const workspace = testWorkspace();
  await add(workspace, [[`Please remember that the gate code is 4711.\n\n${text}`, '2024-10-03T09:00:00Z']]);
  expect(await flush(workspace)).toContain('1 fact saved');
  expect(workspace.read('memory/2024-10-03.md')).not.toContain('Fridays');
});

describe('imports and hooks', () => {
  const transcript = [
    { type: 'user', message: { role: 'user', content: 'Remember: until next Friday the depot is closed.' } },
    { type: 'assistant', message: { role: 'assistant', content: [{ type: 'text', text: 'I will.' }] } },
  ]
    .map((line, index) => ({ uuid: `u${index}`, parentUuid: null, sessionId: 'chat', ...line }))
    .map((line, index) => JSON.stringify({ ...line, timestamp: `2024-10-03T09:00:0${index}.000Z` }))
    .join('\n');

  test('an imported transcript is flushed to its own day', async () => {
    const workspace = testWorkspace();
    const file = join(workspace.base, 'chat.jsonl');
    writeFileSync(file, transcript);
    await workspace.json(['session', 'import', file, '--session', 'chat'], { env });
    expect(await flush(workspace)).toContain('1 fact saved');
    expect(logs(workspace)).toEqual(['memory/2024-10-03.md']);
  });

  test('a transcript handed over before a compaction is flushed to its own day', async () => {
    const workspace = testWorkspace();
    const file = join(workspace.base, 'chat.jsonl');
    writeFileSync(file, transcript);
    const input = JSON.stringify({ hook_event_name: 'PreCompact', session_id: 'chat', transcript_path: file });
    expect(await workspace.start(['hook', 'claude-code'], { env, input })).toMatchObject({ code: 0 });
    expect(logs(workspace)).toEqual(['memory/2024-10-03.md']);
  });
});

describe('a Working Memory', () => {
  test.each([
    ['Yesterday the roof was fixed by Mark at 9:00.', '2024-10-03T20:00:00Z', '2024-10-03'],
    ['Gestern wurde das Dach von Mark für 900 € repariert.', '2024-10-03T20:00:00Z', '2024-10-03'],
    ['昨天屋顶由老王修好，花了900元。', '2024-10-03T20:00:00Z', '2024-10-04'],
    ['Ayer Marco arregló el techo de la casa por 900 €.', '2024-10-03T20:00:00Z', '2024-10-04'],
  ])('keeps %j with its day', async (text, timestamp, day) => {
    const workspace = testWorkspace();
    const zone = day === '2024-10-03' ? 'UTC' : 'Asia/Shanghai';
    await add(workspace, [[text, timestamp]]);
    const document = await memory(workspace, '--tz', zone);
    const words = text.slice(0, 12);
    const lines = document.split('\n').filter((line) => line.includes(words));
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.filter((line) => !line.endsWith(`(said ${day})`))).toEqual([]);
  });

  test('gives each line the day of its message, once, and leaves the others as written', async () => {
    const workspace = testWorkspace();
    await add(workspace, [
      ['Yesterday the roof was fixed by Mark.', '2024-10-03T09:00:00Z'],
      ['Never write to the old database, we always use port 6380.', '2024-10-03T09:01:00Z'],
    ]);
    await memory(workspace);
    await add(workspace, [['Tomorrow the gate is painted by Mark.', '2024-10-05T09:00:00Z']]);
    const document = await memory(workspace);
    expect(document).toContain('- Yesterday the roof was fixed by Mark. (said 2024-10-03)');
    expect(document).toContain('- Tomorrow the gate is painted by Mark. (said 2024-10-05)');
    expect(document).not.toMatch(/\(said [^)]*\) \(said|6380[^\n]*\(said/);
    const removed = await workspace.json<{ lost: readonly string[] }[]>(['session', 'show', 'chat', '--removed']);
    expect(JSON.stringify(removed)).not.toContain('roof');
  });

  test('by the calling agent has the day of the message that it quotes', async () => {
    const workspace = testWorkspace();
    await add(workspace, [
      ['Yesterday the roof was fixed.', '2024-10-03T09:00:00Z'],
      ['The gate is painted tomorrow.', '2024-10-05T09:00:00Z'],
    ]);
    await workspace.json(['session', 'commit', 'chat', '--keep-recent', '0', '--defer'], { env });
    const section = (content: string) => ({ op: 'UPDATE', content });
    const input = JSON.stringify({
      sections: {
        'Session Title': section('House'),
        'Current State': section('- The gate is painted tomorrow'),
        'Task & Goals': section('- Look after the house'),
        'Key Facts & Decisions': section('- The roof was fixed yesterday'),
        'Files & Context': section('- none'),
        'Errors & Corrections': section('- none'),
        'Open Issues': section('- none'),
      },
    });
    await workspace.json(['wm', 'apply', 'chat', '--answer', '-'], { input, env });
    const { document } = await workspace.json<{ document: string }>(['wm', 'show', 'chat']);
    expect(document).toContain('- The roof was fixed yesterday (said 2024-10-03)');
    expect(document).toContain('- The gate is painted tomorrow (said 2024-10-05)');
    expect(document).toContain('- Look after the house\n');
  });
});

describe('an extraction', () => {
  test('shows each message of a session with its day in the user’s time zone', async () => {
    const workspace = testWorkspace();
    await add(workspace, [
      ['I moved yesterday.', '2024-10-03T16:30:00Z'],
      ['I like tea.', '2031-01-01T00:00:00Z'],
    ]);
    const { user } = await workspace.json<{ user: string }>([
      'extract',
      'prompt',
      '--session',
      'chat',
      '--tz',
      'Asia/Shanghai',
    ]);
    expect(user).toContain('[m1] 2024-10-04 user: I moved yesterday.');
    expect(user).toContain('[m2] 2026-03-15 user: I like tea.');
  });
});
