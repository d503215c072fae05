import { existsSync, rmSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { RecallAnswer, RecallResult } from '../src/recall/request.js';
import { canFail, FailingDisk } from './support/failing-disk/failing-disk.js';
import { FakeOllama, type FakeOllamaOptions } from './support/ollama/server.js';
import { testWorkspace } from './support/test-workspace.js';
import type { TemporaryWorkspace } from './support/workspace.js';

// What users of such tools complained about, by the number of the complaint. Those on one command (13, 14, 21, 22, 25,
// 27, 29 to 31, 33, 37 to 39, 41) are tested beside it.

const LOG = 'memory/2026-03-10.md';

async function recall(
  workspace: TemporaryWorkspace,
  question: string,
  ...args: string[]
): Promise<readonly RecallResult[]> {
  return (await workspace.json<RecallAnswer>(['recall', question, ...args])).results;
}
async function first(files: Record<string, string>, question: string): Promise<string | undefined> {
  return (await recall(testWorkspace(files), question))[0]?.source;
}

describe('retrieval', () => {
  test('#1 (complaint 1) words are found whatever model the vectors are of: lexical rows have no model', async () => {
    const workspace = testWorkspace({
      [LOG]: '- W @Peter: likes green tea\n',
      'memory.config.json5': '{embedModel: "one"}',
    });
    const before = await recall(workspace, 'green tea');
    workspace.write('memory.config.json5', '{embedModel: "two"}');
    expect(await recall(workspace, 'green tea')).toEqual(before);
    expect(before).toHaveLength(1);
  });

  test('#2 (complaint 2) of several words not all must match', async () => {
    expect(await first({ [LOG]: 'The boiler was serviced.\n' }, 'boiler pressure valve manufacturer')).toBe(
      `${LOG}#L1`,
    );
  });

  test('#3 (complaint 3) the small words of a question need not match', async () => {
    expect(await first({ [LOG]: 'Boiler: serviced.\n' }, 'so what was it again that we did with the boiler?')).toBe(
      `${LOG}#L1`,
    );
  });

  test('#4 (complaint 4) an exact word is found in a fresh index, however little it scores', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 30 }, (_, i) => [`memory/topics/${i}.md`, `word ${'filler '.repeat(200)}\n`]),
    );
    expect(await first({ ...files, [LOG]: `${'filler '.repeat(300)}zirconium\n` }, 'zirconium')).toBe(`${LOG}#L1`);
  });

  test('#5 (complaint 5) --explain shows what was read, asked and found', async () => {
    const answer = await testWorkspace({ [LOG]: '- W @Peter: likes tea\n' }).json<RecallAnswer>([
      'recall',
      'what does Peter like?',
      '--explain',
    ]);
    const notes = answer.explain?.join('\n');
    for (const part of ['keywords: ', 'entities: peter', 'full text: ', 'candidates: ']) expect(notes).toContain(part);
    expect(answer.results[0]?.why).toContain('lexical');
  });

  test('#6 (complaint 6) every place that is indexed is searched the same way', async () => {
    const places = [
      'MEMORY.md',
      LOG,
      'memory/2026-03-10-call.md',
      'memory/topics/x.md',
      'bank/world.md',
      'bank/entities/X.md',
      'USER.md',
    ];
    for (const place of places)
      expect(await first({ [place]: '# Page\n\nquicksilver\n' }, 'quicksilver')).toBe(`${place}#L3`);
  });

  test('#7 (complaint 7) a word inside of a Chinese sentence is found', async () => {
    expect(await first({ [LOG]: '我们决定把登录会话迁移到新的数据库。\n' }, '数据库')).toBe(`${LOG}#L1`);
  });

  test('#8 (complaint 8) mixed text is found by either part, and by one or two characters', async () => {
    for (const question of ['GitHub', '仓库', '权限', 'github仓库', '限']) {
      expect(await first({ [LOG]: '使用GitHub仓库的权限\n' }, question)).toBe(`${LOG}#L1`);
    }
  });

  test('#9 (complaint 9) a CJK question to an empty workspace finds nothing and does not fail', async () => {
    expect(await recall(testWorkspace(), '缓存')).toEqual([]);
  });

  test('#10 (complaint 10) the line that answers is given, not the first lines of its file', async () => {
    const text = `${Array.from({ length: 80 }, (_, i) => `Line about nothing ${i}.`).join('\n\n')}\n\nThe valve is behind the stairs.\n`;
    const [result] = await recall(testWorkspace({ [LOG]: text }), 'where is the valve?');
    expect(result).toMatchObject({ content: 'The valve is behind the stairs.', startLine: 161 });
  });

  test('#11 (complaint 11) cited lines are those of the file as it is now', async () => {
    const workspace = testWorkspace({ [LOG]: 'The valve is behind the stairs.\n' });
    await recall(workspace, 'valve');
    workspace.write(LOG, 'One more line.\n\nThe valve is behind the stairs.\n');
    expect((await recall(workspace, 'valve'))[0]?.source).toBe(`${LOG}#L3`);
  });

  test('#12 (complaint 12) transcripts do not drown what was curated', async () => {
    const dumps = Object.fromEntries(
      Array.from({ length: 20 }, (_, i) => [
        `memory/2026-02-${String(i + 1).padStart(2, '0')}-chat.md`,
        'valve valve valve: we talked about the valve\n',
      ]),
    );
    const results = await recall(
      testWorkspace({ ...dumps, 'bank/world.md': '- W @House: the valve is behind the stairs\n' }),
      'valve',
      '--k',
      '5',
    );
    expect(results.map(({ path }) => path)).toContain('bank/world.md');
  });
});

describe('models', () => {
  async function ollama(options: FakeOllamaOptions = {}): Promise<FakeOllama> {
    const server = await new FakeOllama(options).start();
    onTestFinished(() => server.stop());
    return server;
  }
  const TEA = { [LOG]: '- W @Peter: likes green tea\n- W @Anna: likes coffee\n' };

  test('#15 (complaint 15) how long a model may take is a setting, and what took too long is said', async () => {
    const server = await ollama({ slowMs: 60_000 });
    const workspace = testWorkspace({ 'memory.config.json5': '{ modelFirstTokenMs: 200 }' });
    const env = { OLLAMA_HOST: server.url };
    await workspace.run(['session', 'add', 'chat', '--role', 'user', '--text', 'use port 6380'], { env });
    server.faults.set('slow-first-token');
    const commit = ['session', 'commit', 'chat', '--keep-recent', '0'];
    const { finished } = await workspace.json<{ finished: { overview_by: string; notes: string[] }[] }>(commit, {
      env,
    });
    expect(finished).toMatchObject([{ overview_by: 'deterministic' }]);
    expect(finished[0]?.notes.join()).toMatch(/within [\d.]+ s/);
  });

  test('#16 (complaint 16) vectors are asked for at /api/embed, many texts at once', async () => {
    const server = await ollama();
    await testWorkspace(TEA).json(['index', '--embed'], { env: { OLLAMA_HOST: server.url } });
    const asked = server.received.filter(({ path }) => path.includes('embed'));
    expect(new Set(asked.map(({ path }) => path))).toEqual(new Set(['/api/embed']));
    expect(asked.some(({ body }) => Array.isArray(body.input) && body.input.length >= 2)).toBe(true);
  });

  test('#17 (complaint 17) a cold model costs its budget and no more: words answer, and the mode says so', async () => {
    const server = await ollama();
    const workspace = testWorkspace({ ...TEA, 'memory.config.json5': '{ recallEmbedBudgetMs: 300 }' });
    const env = { OLLAMA_HOST: server.url };
    await workspace.json(['index', '--embed'], { env });
    server.faults.set('hang-before-headers');
    const answer = await workspace.json<RecallAnswer>(['recall', 'green tea'], { env });
    expect(answer).toMatchObject({ mode: 'lexical', warnings: [expect.stringContaining('within 300 ms')] });
    expect(answer.results[0]?.source).toBe(`${LOG}#L1`);
  });

  test('#18 (complaint 18) status --deep says server, models, dimension and times, and who named the server', async () => {
    const server = await ollama();
    const { stdout } = await testWorkspace(TEA).run(['status', '--deep'], { env: { OLLAMA_HOST: server.url } });
    for (const part of [new URL(server.url).host, '(from $OLLAMA_HOST)', 'qwen3:4b-instruct', 'embeddinggemma']) {
      expect(stdout).toContain(part);
    }
    const plain = await testWorkspace(TEA).json(['status'], { env: { OLLAMA_HOST: server.url } });
    expect(plain).toMatchObject({
      configured: { host: server.url, hostFrom: '$OLLAMA_HOST', embedModel: 'embeddinggemma' },
    });
    expect(stdout).toMatch(/dimension \d+; one in \d+ ms/);
  });

  test('#20 (complaint 20) a hiccup of the server is named as one: the index is whole, and words answer', async () => {
    const server = await ollama();
    const workspace = testWorkspace(TEA);
    const env = { OLLAMA_HOST: server.url };
    server.faults.set('html-502');
    const embedding = await workspace.run(['index', '--embed'], { env });
    expect(embedding).toMatchObject({ code: 3, stderr: expect.stringMatching(/^error: .*502/m) });
    expect(await workspace.json(['status'], { env })).toMatchObject({ files: 1, facts: 2, stale: false, warnings: [] });
    expect(await workspace.run(['index', '--verify'], { env })).toMatchObject({ code: 0 });
    expect(await recall(workspace, 'green tea')).toHaveLength(1);
  });
});

describe('index', () => {
  test('#19 (complaint 19) without any model everything is indexed, and the status says how much', async () => {
    const workspace = testWorkspace({ [LOG]: '- W @Peter: likes tea\n' });
    expect(await workspace.json(['status'])).toMatchObject({ files: 1, facts: 1, stale: false });
    expect(await recall(workspace, 'tea')).toHaveLength(1);
  });

  test.runIf(canFail())(
    '#23, #24 (complaints 23, 24) an indexer that was killed leaves no lock behind: the next command does not wait',
    async () => {
      const files = Object.fromEntries(
        Array.from({ length: 300 }, (_, i) => [`memory/topics/${i}.md`, `note ${i}\n`.repeat(20)]),
      );
      const workspace = testWorkspace(files);
      const disk = new FailingDisk();
      onTestFinished(() => disk.dispose());
      const env = disk.env(workspace.root, { at: 40, error: 'KILLED', lasting: false });
      expect(await workspace.start(['index'], { env })).toMatchObject({ signal: 'SIGKILL' });
      expect(existsSync(workspace.path('.memory/lock.holder'))).toBe(true);
      expect(await recall(workspace, 'note 7')).not.toEqual([]);
      expect(await workspace.run(['index', '--verify'])).toMatchObject({ code: 0 });
    },
  );

  test('#26 (complaint 26) the index is disposable: removed, the same answer comes from the files', async () => {
    const workspace = testWorkspace({ [LOG]: '- W @Peter: likes tea\nAnd coffee.\n' });
    const before = await recall(workspace, 'tea coffee');
    rmSync(workspace.path('.memory'), { recursive: true });
    expect(await recall(workspace, 'tea coffee')).toEqual(before);
  });
});

describe('freshness', () => {
  test('#28 (complaint 28) what the status says is read from the disk: an edit is counted without any watcher', async () => {
    const workspace = testWorkspace({ [LOG]: '- W @Peter: likes tea\n' });
    expect(await workspace.json(['status'])).toMatchObject({ facts: 1, stale: false });
    workspace.write(LOG, '- W @Peter: likes tea\n- W @Anna: likes coffee\n');
    expect(await workspace.json(['status'])).toMatchObject({ facts: 2, stale: false });
    workspace.remove(LOG);
    expect(await workspace.json(['status'])).toMatchObject({ files: 0, facts: 0, stale: false });
  });
});

describe('writing', () => {
  test('#32 (complaint 32) a commit says what it stored, and fails when it could store nothing', async () => {
    const workspace = testWorkspace();
    await workspace.run(['session', 'add', 'chat', '--role', 'user', '--text', 'use port 6380']);
    const commit = ['session', 'commit', 'chat', '--keep-recent', '0'];
    const stored = await workspace.run(commit);
    expect(stored).toMatchObject({ code: 0, stdout: expect.stringMatching(/^archive_001: 1 messages? archived/) });
    const nothing = await workspace.run(commit);
    expect(nothing).toMatchObject({ code: 0, stdout: expect.stringContaining('nothing to archive') });
    await workspace.run(['session', 'add', 'other', '--role', 'user', '--text', 'and 6381']);
    workspace.write('sessions/other/history', 'in the way of its archives');
    const failed = await workspace.run(['session', 'commit', 'other', '--keep-recent', '0']);
    const words = expect.stringMatching(/^error: .+\nhint: .+\n$/);
    expect(failed).toMatchObject({ code: 1, stdout: '', stderr: words });
    expect(workspace.read('sessions/other/messages.jsonl')).toContain('and 6381');
  });

  test('#34 (complaint 34) nothing but core writes the core file', async () => {
    const core = '# Memory\n\n- W@Peter: a bullet that lint would mend elsewhere\n';
    const workspace = testWorkspace({ 'MEMORY.md': core });
    await workspace.run(['retain', 'W @Peter: lives in Vienna', 'P&L -3.2%', '$ rm -rf build']);
    await workspace.run(['session', 'add', 'chat', '--role', 'user', '--text', 'remember: always use port 6380']);
    await workspace.run(['session', 'commit', 'chat', '--keep-recent', '0']);
    await workspace.run(['doctor', '--fix']);
    await workspace.run(['index', '--force']);
    expect(workspace.read('MEMORY.md')).toBe(core);
  });

  test('#35 (complaint 35) what a cron job writes every day is one result, and does not drown the rest', async () => {
    const logs = Array.from({ length: 28 }, (_, i) => [
      `memory/2026-02-${String(i + 1).padStart(2, '0')}.md`,
      '- S @backup: the backup of the valve readings is done\n',
    ]);
    const once = { 'bank/world.md': '- W @House: the valve is behind the stairs\n' };
    const results = await recall(testWorkspace({ ...Object.fromEntries(logs), ...once }), 'valve', '--k', '3');
    expect(results.map(({ path }) => path)).toContain('bank/world.md');
    expect(results.filter(({ entities }) => entities.includes('backup'))).toHaveLength(1);
  });

  test('#36 (complaint 36) near-duplicates are noticed in Chinese too', async () => {
    const workspace = testWorkspace();
    await workspace.run(['retain', 'W @Redis: 缓存的有效期从二十四小时改为六小时,上周开会决定,由张三执行']);
    const report = await workspace.json<{ retained: { nearDuplicateOf?: string }[] }>([
      'retain',
      'W @Redis: 缓存的有效期从二十四小时改为六小时,上周开会决定,由张三执行了',
    ]);
    expect(report.retained[0]?.nearDuplicateOf).toMatch(/^f-/);
  });

  test('#40 (complaint 40) text from memory cannot move the cursor or pose as a second answer', async () => {
    const { stdout } = await testWorkspace({ [LOG]: 'valve \u001b[2J\u0007 cleared\n' }).run(['recall', 'valve']);
    expect(stdout).not.toMatch(/[\u001b\u0007]/);
  });
});
