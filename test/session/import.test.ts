import { chmodSync, existsSync, readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openDatabase } from '../../src/db/open.js';
import { testWorkspace } from '../support/test-workspace.js';
import type { TemporaryWorkspace } from '../support/workspace.js';

const lines = (...records: readonly unknown[]): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join('');

/** A record of Claude Code. */
function record(uuid: string, parentUuid: string | null, message: { role: string; content: unknown; id?: string }) {
  return { type: message.role, uuid, parentUuid, sessionId: 's', isSidechain: false, message };
}
const asks = (text: string) => ({ role: 'user', content: text });
const says = (id: string, ...content: unknown[]) => ({ role: 'assistant', id, content });
const uses = (id: string) => ({ type: 'tool_use', id, name: 'Read', input: { file_path: `${id}.ts` } });
const gives = (id: string) => ({
  role: 'user',
  content: [{ type: 'tool_result', tool_use_id: id, content: `of ${id}` }],
});
const text = (said: string) => ({ type: 'text', text: said });

async function imported(workspace: TemporaryWorkspace, transcript: string, ...args: string[]) {
  workspace.write('t.jsonl', transcript);
  return workspace.run(['session', 'import', workspace.path('t.jsonl'), '--json', ...args]);
}

async function said(workspace: TemporaryWorkspace, id = 's'): Promise<string> {
  return (await workspace.run(['session', 'show', id])).stdout;
}

describe('a transcript of Claude Code', () => {
  test('imports every call of a message split into several records, with its result', async () => {
    const workspace = testWorkspace();
    const transcript = lines(
      record('u', null, asks('read all three')),
      record('a1', 'u', says('msg', text('I read them.'))),
      record('a2', 'a1', says('msg', uses('t1'))),
      record('a3', 'a2', says('msg', uses('t2'))),
      record('a4', 'a3', says('msg', uses('t3'))),
      record('r1', 'a2', gives('t1')),
      record('r2', 'a3', gives('t2')),
      record('r3', 'a4', gives('t3')),
      record('b', 'r3', says('next', text('All three are short.'))),
    );
    expect(JSON.parse((await imported(workspace, transcript)).stdout)).toMatchObject({ added: 9, other_branches: 0 });
    const shown = await said(workspace);
    for (const id of ['t1', 't2', 't3']) expect(shown).toContain(`of ${id}`);
  });

  test('imports no text of the host as words of the agent or the user', async () => {
    const workspace = testWorkspace();
    const event = '<ci-monitor-event>PR #3 has a new comment:\n\nPlease address it.</ci-monitor-event>';
    const transcript = lines(
      record('u', null, asks('fix the port')),
      record('a', 'u', { ...says('m', text("You've hit your limit")), ...{ model: '<synthetic>' } }),
      record('e', 'a', asks(event)),
      record('d', 'e', asks('<command-name>/add-dir</command-name><command-args>/srv/a</command-args>')),
      record('h', 'd', asks('Operation stopped by hook: another session is active.')),
      record('b', 'h', says('n', text('The port is fixed.'))),
    );
    expect(JSON.parse((await imported(workspace, transcript)).stdout)).toMatchObject({ added: 2, noise: 4 });
    const shown = await said(workspace);
    expect(shown).toContain('The port is fixed.');
    for (const other of ['limit', 'new comment']) expect(shown).not.toContain(other);
  });

  test("continues where a parent is missing or null, and marks the summary of a compaction as the host's", async () => {
    const workspace = testWorkspace();
    const transcript = lines(
      record('u1', null, asks('first question')),
      record('a1', 'u1', says('m1', text('first answer'))),
      { type: 'system', subtype: 'compact_boundary', uuid: 'c', parentUuid: null, sessionId: 's' },
      { ...record('s', 'c', asks('This session is being continued. It was about ports.')), isCompactSummary: true },
      record('u2', 'nobody', asks('second question')),
      record('a2', 'u2', says('m2', text('second answer'))),
      {
        type: 'attachment',
        uuid: 'q',
        parentUuid: 'a2',
        attachment: { type: 'queued_command', prompt: 'and a third' },
      },
    );
    expect(JSON.parse((await imported(workspace, transcript)).stdout)).toMatchObject({ added: 6, left_out: [] });
    const shown = await said(workspace);
    for (const words of ['first question', 'second question', 'and a third']) expect(shown).toContain(words);
    expect(shown).toContain('[Context: host:compaction] This session is being continued');
  });

  test('does not follow a branch that only has notes of the host on a command', async () => {
    const workspace = testWorkspace();
    const transcript = lines(
      record('u1', null, asks('use port 1')),
      record('a1', 'u1', says('m1', text('done'))),
      record('n', 'u1', asks('<command-name>/export</command-name>')),
      record('o', 'n', asks('<local-command-stdout>Conversation exported to: a.txt</local-command-stdout>')),
    );
    expect(JSON.parse((await imported(workspace, transcript)).stdout)).toMatchObject({ added: 2, other_branches: 0 });
  });

  test('leaves out an abandoned branch and reports its size; --strict fails then', async () => {
    const workspace = testWorkspace();
    const transcript = lines(
      record('u1', null, asks('use port 1')),
      record('a1', 'u1', says('m1', text('done'))),
      record('u2', 'a1', asks('now paint it red')),
      record('a2', 'u2', says('m2', text('painted red'))),
      record('u3', 'a1', asks('no: paint it blue')),
      record('a3', 'u3', says('m3', text('painted blue'))),
      record('i', 'a3', asks('[Request interrupted by user]')),
    );
    const { code, stdout, stderr } = await imported(workspace, transcript, '--strict');
    expect(JSON.parse(stdout)).toMatchObject({
      added: 4,
      noise: 1,
      other_branches: 2,
      left_out: [{ messages: 1, characters: 16 }],
    });
    expect({ code, warned: stderr.includes('on a branch that the conversation left') }).toEqual({
      code: 1,
      warned: true,
    });
    expect(await said(workspace)).not.toContain('red');
  });
});

describe('a transcript of OpenClaw', () => {
  const message = (id: string, parentId: string | null, more: object) => ({
    type: 'message',
    id,
    parentId,
    message: more,
  });

  test('leaves out heartbeats, imports a repeated answer once, and inner calls as calls', async () => {
    const workspace = testWorkspace();
    const nested = {
      role: 'custom',
      customType: 'openclaw.nested-tool.v1',
      content: '',
      details: {
        parentToolCallId: 'c1',
        toolCallId: 'n1',
        toolName: 'recall',
        input: { query: 'ferry' },
        result: { content: [text('pier 4')] },
      },
    };
    const transcript = lines(
      { type: 'session', version: 4, id: 's' },
      message('u', null, { role: 'user', content: 'where is the ferry?' }),
      message('a', 'u', {
        role: 'assistant',
        content: [{ type: 'toolCall', id: 'c1', name: 'tool_call', arguments: { id: 'recall' } }],
      }),
      message('n', 'a', nested),
      message('r', 'n', {
        role: 'toolResult',
        toolCallId: 'c1',
        toolName: 'tool_call',
        content: [text('{"tool":{}}')],
      }),
      message('b', 'r', { role: 'assistant', content: [text('At pier 4.')] }),
      message('b2', 'b', { role: 'assistant', api: 'cli', content: [text('At pier 4.')] }),
      message('h', 'b2', {
        role: 'user',
        content: 'anything to do?',
        provenance: { kind: 'internal_system', sourceTool: 'heartbeat' },
      }),
      message('ha', 'h', { role: 'assistant', content: [text('Nothing.')] }),
    );
    expect(JSON.parse((await imported(workspace, transcript)).stdout)).toMatchObject({ added: 4, noise: 3 });
    const shown = await said(workspace);
    expect(shown).toContain('[Tool call: recall]\nInput: {\n  "query": "ferry"');
    expect(shown).toContain('(completed)\nOutput:\npier 4');
    expect(shown).not.toContain('Nothing.');
  });

  test('imports no text of the host before a user’s words, and takes no fact from it', async () => {
    const workspace = testWorkspace();
    const event = 'System: [2026-03-22 11:39:12 GMT+8] Exec completed (calm-sea, code 0) :: added 3 packages';
    const internal = '[Sat 2026-03-21 08:19 GMT+8] OpenClaw runtime context (internal):\nThe port is 1.';
    const asked = (id: string, parent: string | null, content: string) =>
      message(id, parent, { role: 'user', content });
    const transcript = lines(
      { type: 'session', version: 3, id: 's' },
      asked('u1', null, `${event}\nSystem: Run: doctor\n\n[Sat 2026-03-21 08:19 GMT+8] The port is 7001.`),
      asked('u2', 'u1', `${event}\n\nRead HEARTBEAT.md if it exists. If nothing needs attention, reply HEARTBEAT_OK.`),
      message('a2', 'u2', { role: 'assistant', content: [text('I looked, there is nothing.')] }),
      asked('u3', 'u2', '[Queued messages while agent was busy]\n\n---\nQueued #1\n[message_id: om_1]\n部署在 node-7'),
      asked('u4', 'u3', event),
      message('a4', 'u4', { role: 'assistant', content: [text('The packages are there.')] }),
      asked('u5', 'a4', internal),
    );
    expect(JSON.parse((await imported(workspace, transcript, '--strict')).stdout)).toMatchObject({
      added: 3,
      noise: 3,
      left_out: [],
    });
    await workspace.run(['session', 'commit', 's', '--keep-recent', '0']);
    const { stdout } = await workspace.run(['wm', 'show', 's']);
    expect(stdout).toContain('- The port is 7001.');
    expect(stdout).toContain('- 部署在 node-7');
    expect(stdout).not.toMatch(/System:|packages \(|runtime|Queued/);
  });

  test('archives everything before a reset at the next commit, whatever is to be kept', async () => {
    const workspace = testWorkspace();
    const before = Array.from({ length: 4 }, (_, i) =>
      message(`m${i}`, i === 0 ? null : `m${i - 1}`, { role: 'user', content: `old ${i}` }),
    );
    const transcript = lines(
      { type: 'session', version: 4, id: 's' },
      ...before,
      { type: 'reset', id: 'x', parentId: 'm3', reason: 'new' },
      message('n', 'x', { role: 'user', content: 'fresh' }),
    );
    await imported(workspace, transcript);
    expect(await workspace.json(['session', 'commit', 's', '--keep-recent', '10'])).toMatchObject({
      archived: 5,
      live_messages: 1,
    });
  });
});

/** A text as a zstd frame of one raw block: fewer than 256 bytes. */
function zstd(words: string): Buffer {
  const bytes = Buffer.from(words);
  const header = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x20, bytes.length, 0, 0, 0]);
  header.writeUIntLE((bytes.length << 3) | 1, 6, 3);
  return Buffer.concat([header, bytes]);
}

describe('a rollout of Codex', () => {
  const at = '2026-09-17T13:42:11.974Z';
  const meta = (payload: object) => ({
    timestamp: at,
    type: 'session_meta',
    payload: { id: 'cx', cwd: '/w', ...payload },
  });
  const item = (payload: object) => ({ timestamp: at, type: 'response_item', payload });
  const spoken = (role: string, ...texts: string[]) =>
    item({ type: 'message', role, content: texts.map((each) => ({ type: 'input_text', text: each })) });
  const runs = (call_id: string, input: string) => item({ type: 'custom_tool_call', call_id, name: 'exec', input });
  const ends = (call_id: string, ...texts: string[]) =>
    item({
      type: 'custom_tool_call_output',
      call_id,
      output: texts.map((each) => ({ type: 'input_text', text: each })),
    });

  test('imports calls, but neither the description of the environment nor the work of a helper', async () => {
    const workspace = testWorkspace();
    const transcript = lines(
      meta({}),
      spoken('developer', 'You may run commands.'),
      spoken('user', '# AGENTS.md instructions\n\n<INSTRUCTIONS>\nalways use tabs\n</INSTRUCTIONS>'),
      spoken('user', '<recommended_plugins>\nalways install Figma\n</recommended_plugins>'),
      spoken('user', '# Files mentioned by the user:\n\n## a.lua: c:/a.lua\n\n## My request for Codex:\nmend the jump'),
      item({ type: 'function_call', call_id: 'c1', name: 'shell_command', arguments: '{"command":"npm test"}' }),
      item({
        type: 'function_call_output',
        call_id: 'c1',
        output: 'Exit code: 1\nOutput:\na.ts(3,1): error TS2305: no x',
      }),
      spoken('assistant', 'The jump is mended.'),
    );
    expect(JSON.parse((await imported(workspace, transcript)).stdout)).toMatchObject({ session: 'cx', added: 4 });
    const shown = await said(workspace, 'cx');
    expect(shown).toContain('error TS2305');
    for (const other of ['tabs', 'Figma', 'You may']) expect(shown).not.toContain(other);
    await workspace.run(['session', 'commit', 'cx', '--keep-recent', '0']);
    const memory = workspace.read('sessions/cx/history/archive_001/.overview.md');
    expect(memory).toContain('Last request: mend the jump');
    expect(memory).toContain('`npm test`: a.ts(3,1): error TS2305: no x');
    const helper = lines(meta({ id: 'cy', thread_source: 'subagent' }), spoken('user', 'look at b.ts'));
    expect((await imported(workspace, helper)).stderr).toContain('no messages');
  });

  test('replaces a script by its calls, each with its result', async () => {
    const workspace = testWorkspace();
    const transcript = lines(
      meta({}),
      spoken('user', 'mend the build'),
      runs(
        's1',
        'const p = "*** Begin Patch\\n*** Update File: src/a.ts\\n@@\\n-x\\n+y\\n*** End Patch";\nawait tools.apply_patch(p);',
      ),
      ends('s1', 'Script completed\nWall time 0.1 seconds\nOutput:\n', '{}'),
      runs(
        's2',
        "const r = await Promise.all([\n tools.shell_command({command: 'npm run lint', workdir: base}),\n" +
          ' tools.shell_command({"command":`npm run "build"`,"timeout_ms":9})]); r.forEach((each) => text(each));',
      ),
      ends(
        's2',
        'Script completed\nWall time 1 seconds\nOutput:\n',
        'Exit code: 0\nWall time: 1 seconds\nOutput:\nall good\n',
        'Exit code: 2\nWall time: 1 seconds\nOutput:\nb.ts(1,1): error TS1005: no y\n',
      ),
      runs('s3', 'const r = await tools.exec_command({cmd:"cargo fmt", workdir:"/w/core"}); text(r.output);'),
      ends('s3', 'Script failed\nWall time 0.1 seconds\nOutput:\n', 'Script error:\nerror: no such command: fmt'),
    );
    expect(JSON.parse((await imported(workspace, transcript)).stdout)).toMatchObject({ added: 7 });
    await workspace.run(['session', 'commit', 'cx', '--keep-recent', '0']);
    const memory = workspace.read('sessions/cx/history/archive_001/.overview.md');
    expect(memory).toContain('`src/a.ts` edited');
    expect(memory).toContain('`npm run build`: b.ts(1,1): error TS1005: no y');
    expect(memory).toContain('`cargo fmt`: error: no such command: fmt');
    expect(memory).not.toContain('npm run lint');
  });
});

describe('a SQLite store of OpenClaw', () => {
  test('imports each session under its id, even from a log without checkpoint, and leaves no files beside', async () => {
    const workspace = testWorkspace();
    workspace.write('host/readme.txt', 'the host is here');
    const path = workspace.path('host/agent.sqlite');
    const db = openDatabase(path);
    db.exec(`PRAGMA journal_mode = WAL;
      CREATE TABLE session_nodes (session_key TEXT, current_session_id TEXT);
      CREATE TABLE session_windows (session_id TEXT, session_key TEXT);
      CREATE TABLE transcript_events (session_id TEXT, seq INTEGER, event_json TEXT, event_zstd BLOB);
      INSERT INTO session_nodes VALUES ('agent:main:main', 'one'), ('agent:main:two', 'two');`);
    const add = db.prepare('INSERT INTO transcript_events VALUES (?, ?, ?, ?)');
    const event = (id: string, content: string) =>
      JSON.stringify({ type: 'message', id, parentId: null, message: { role: 'user', content } });
    add.run('one', 0, JSON.stringify({ type: 'session', version: 4, id: 'one' }), null);
    add.run('one', 1, event('e1', 'said plainly'), null);
    add.run('one', 2, null, zstd(event('e2', 'said in zstd')));
    add.run('two', 0, event('e3', 'said elsewhere'), null);
    const before = readdirSync(dirname(path)).toSorted();
    chmodSync(path, 0o444);
    const run = (...args: string[]) =>
      workspace.json<{ sessions: { session: string }[] }>(['session', 'import', path, ...args]);
    expect((await run('--key', 'agent:main:two')).sessions).toMatchObject([{ session: 'two', added: 1 }]);
    expect((await run()).sessions).toMatchObject([
      { session: 'one', added: 2 },
      { session: 'two', added: 0, known: 1 },
    ]);
    expect(readdirSync(dirname(path)).toSorted()).toEqual(before);
    expect(existsSync(`${path}-wal`)).toBe(true);
    db.close();
    const shown = await said(workspace, 'one');
    for (const words of ['said plainly', 'said in zstd']) expect(shown).toContain(words);
    expect(await workspace.run(['session', 'import', path, '--key', 'nobody'])).toMatchObject({ code: 2 });
  });

  test('imports rows that the host moved away, compressed or not, and names those moved to a file', async () => {
    const workspace = testWorkspace();
    workspace.write('host/readme.txt', 'the host is here');
    const path = workspace.path('host/agent.sqlite');
    const db = openDatabase(path);
    db.exec(`CREATE TABLE session_nodes (session_key TEXT, current_session_id TEXT);
      CREATE TABLE session_windows (session_id TEXT, session_key TEXT);
      CREATE TABLE session_transcript_archives (session_id TEXT, session_key TEXT, encoding TEXT, archive_blob BLOB,
        archive_name TEXT, created_at INTEGER);
      CREATE TABLE session_transcript_cold_archives (session_id TEXT, archive_name TEXT, archive_blob BLOB,
        archived_at INTEGER, storage TEXT);`);
    const event = (id: string, content: string) =>
      JSON.stringify({ type: 'message', id, parentId: null, message: { role: 'user', content } });
    const add = db.prepare('INSERT INTO session_transcript_archives VALUES (?, ?, ?, ?, ?, 1)');
    add.run('ended', 'agent:main:ended', 'identity', Buffer.from(event('e1', 'said before the reset')), 'a.jsonl');
    const move = db.prepare('INSERT INTO session_transcript_cold_archives VALUES (?, ?, ?, 2, ?)');
    move.run('cold', 'b.jsonl.zst', zstd(event('e2', 'said long ago')), 'sqlite');
    move.run('gone', 'c.jsonl.zst', null, 'file');
    db.close();
    const run = (...args: string[]) => workspace.json(['session', 'import', path, ...args]);
    expect(await run('--key', 'agent:main:ended')).toMatchObject({ sessions: [{ session: 'ended', added: 1 }] });
    expect(await run()).toMatchObject({
      sessions: [
        { session: 'ended', known: 1 },
        { session: 'cold', added: 1 },
      ],
      elsewhere: ['c.jsonl.zst'],
    });
    expect(await said(workspace, 'cold')).toContain('said long ago');
  });
});

test('a byte order mark before the first line loses no line', async () => {
  const workspace = testWorkspace();
  const lines = [
    '{"role":"user","content":"the celadon batch failed at cone six"}',
    '{"role":"assistant","content":"noted"}',
  ];
  const file = '../talk.jsonl';
  workspace.write(file, `\uFEFF${lines.join('\r\n')}\r\n`);
  const { stderr } = await workspace.run(['session', 'import', workspace.path(file), '--session', 's']);
  expect(stderr).toBe('');
  expect((await workspace.run(['session', 'show', 's'])).stdout).toContain('cone six');
});

test('a record nested too deep is left out with its line number; session add refuses such an input', async () => {
  const workspace = testWorkspace();
  const said = (content: unknown) => JSON.stringify({ role: 'user', content });
  const deep = `{"role":"user","content":${'['.repeat(4_000)}${']'.repeat(4_000)}}`;
  const input = `${said('first')}\n\n${deep}\n${said('last')}\n`;
  const imported = await workspace.run(['session', 'import', '-', '--session', 'a'], { input });
  expect(imported).toMatchObject({ code: 0, stdout: expect.stringContaining('2 messages added') });
  expect(imported.stderr).toContain('in lines that could not be read (8026 characters)');
  expect(imported.stderr).toContain(': line 3');
  const added = await workspace.run(['session', 'add', 'b', '--stdin'], { input });
  expect(added.code).toBe(2);
  expect(added.stderr).toContain('line 3');
  expect((await workspace.run(['session', 'list'])).stdout).not.toContain('b ');
});
