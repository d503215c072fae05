import { existsSync, rmSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { RecallAnswer, RecallResult } from '../src/query/request.js';
import { canFail, FailingDisk } from './support/failing-disk/failing-disk.js';
import { FakeOllama, type FakeOllamaOptions } from './support/ollama/server.js';
import { testWorkspace } from './support/test-workspace.js';
import type { TemporaryWorkspace } from './support/workspace.js';

// Complaints of users of similar memory tools, one test each. Complaints about one command are tested with that command.

const LOG = 'memory/2026-03-10.md';

async function recall(
  workspace: TemporaryWorkspace,
  question: string,
  ...args: string[]
): Promise<readonly RecallResult[]> {
  return (await workspace.recall(question, ...args)).results;
}
async function first(files: Record<string, string>, question: string): Promise<string | undefined> {
  return (await recall(testWorkspace(files), question))[0]?.source;
}

describe('retrieval', () => {
  test('a change of the embedding model hides no word hits (complaint: hybrid search drops them)', async () => {
    const workspace = testWorkspace({
      [LOG]: '- W @Peter: likes green tea\n',
      'memory.config.json5': '{embedModel: "one"}',
    });
    const before = await recall(workspace, 'green tea');
    workspace.write('memory.config.json5', '{embedModel: "two"}');
    expect(await recall(workspace, 'green tea')).toEqual(before);
    expect(before).toHaveLength(1);
  });

  test('a question of several words finds lines with only some of them (complaint: all words must match)', async () => {
    expect(await first({ [LOG]: 'The boiler was serviced.\n' }, 'boiler pressure valve manufacturer')).toBe(
      `${LOG}#L1`,
    );
  });

  test('stop words of a question need not match (complaint: all of them must)', async () => {
    expect(await first({ [LOG]: 'Boiler: serviced.\n' }, 'so what was it again that we did with the boiler?')).toBe(
      `${LOG}#L1`,
    );
  });

  test('a fresh index finds an exact word, however low it scores (complaint: no matches)', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 30 }, (_, i) => [`memory/topics/${i}.md`, `word ${'filler '.repeat(200)}\n`]),
    );
    expect(await first({ ...files, [LOG]: `${'filler '.repeat(300)}zirconium\n` }, 'zirconium')).toBe(`${LOG}#L1`);
  });

  test('--explain shows keywords, entities, searches and candidates (complaint: an empty answer gives no reason)', async () => {
    const answer = await testWorkspace({ [LOG]: '- W @Peter: likes tea\n' }).recall(
      'what does Peter like?',
      '--explain',
    );
    const notes = answer.explain?.join('\n');
    for (const part of ['keywords: ', 'entities: peter', 'full text: ', 'candidates: ']) expect(notes).toContain(part);
    expect(answer.results[0]?.why).toContain('lexical');
  });

  test('every indexed place is searched in the same way (complaint: keywords fail in one place only)', async () => {
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

  test('a word inside a Chinese sentence is found (complaint: a sentence is one token)', async () => {
    expect(await first({ [LOG]: '我们决定把登录会话迁移到新的数据库。\n' }, '数据库')).toBe(`${LOG}#L1`);
  });

  test('mixed text is found by its Latin part, its Chinese part, and one character (complaint: it scores 0)', async () => {
    for (const question of ['GitHub', '仓库', '权限', 'github仓库', '限']) {
      expect(await first({ [LOG]: '使用GitHub仓库的权限\n' }, question)).toBe(`${LOG}#L1`);
    }
  });

  test('a Chinese question to an empty workspace finds nothing and does not fail (complaint: a crash)', async () => {
    expect(await recall(testWorkspace(), '缓存')).toEqual([]);
  });

  test('an answer is the matching line (complaint: the first lines of the file are returned)', async () => {
    const text = `${Array.from({ length: 80 }, (_, i) => `Line about nothing ${i}.`).join('\n\n')}\n\nThe valve is behind the stairs.\n`;
    const [result] = await recall(testWorkspace({ [LOG]: text }), 'where is the valve?');
    expect(result).toMatchObject({ content: 'The valve is behind the stairs.', startLine: 161 });
  });

  test('a citation has the line number of the current file (complaint: wrong line numbers)', async () => {
    const workspace = testWorkspace({ [LOG]: 'The valve is behind the stairs.\n' });
    await recall(workspace, 'valve');
    workspace.write(LOG, 'One more line.\n\nThe valve is behind the stairs.\n');
    expect((await recall(workspace, 'valve'))[0]?.source).toBe(`${LOG}#L3`);
  });

  test('transcripts do not push curated pages out of the results (complaint: they drown out memory files)', async () => {
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

  test('the environment limits the time of a model, and a timeout is reported (complaint: a fixed limit)', async () => {
    const server = await ollama({ slowMs: 60_000 });
    const workspace = testWorkspace();
    const env = { OLLAMA_HOST: server.url, OPENCLAW_MODEL_WAIT_MS: '200' };
    await workspace.run(['session', 'add', 'chat', '--role', 'user', '--text', 'use port 6380'], { env });
    server.faults.set('slow-first-token');
    const commit = ['session', 'commit', 'chat', '--keep-recent', '0'];
    const { finished } = await workspace.json<{ finished: { overview_by: string; notes: string[] }[] }>(commit, {
      env,
    });
    expect(finished).toMatchObject([{ overview_by: 'deterministic' }]);
    expect(finished[0]?.notes.join()).toMatch(/within [\d.]+ s/);
  });

  test('index --embed calls /api/embed with many texts at once (complaint: a deprecated endpoint)', async () => {
    const server = await ollama();
    await testWorkspace(TEA).json(['index', '--embed'], { env: { OLLAMA_HOST: server.url } });
    const asked = server.received.filter(({ path }) => path.includes('embed'));
    expect(new Set(asked.map(({ path }) => path))).toEqual(new Set(['/api/embed']));
    expect(asked.some(({ body }) => Array.isArray(body.input) && body.input.length >= 2)).toBe(true);
  });

  test('a slow model uses up only its own budget, and words answer (complaint: it uses up the whole deadline)', async () => {
    const server = await ollama();
    const workspace = testWorkspace({ ...TEA, 'memory.config.json5': '{ recallEmbedBudgetMs: 300 }' });
    const env = { OLLAMA_HOST: server.url };
    await workspace.json(['index', '--embed'], { env });
    server.faults.set('hang-before-headers');
    const answer = await workspace.json<RecallAnswer>(['recall', 'green tea'], { env });
    expect(answer).toMatchObject({ mode: 'lexical', warnings: [expect.stringContaining('within 300 ms')] });
    expect(answer.results[0]?.source).toBe(`${LOG}#L1`);
  });

  test('status --deep shows server, models, dimension and times (complaint: the configuration is invisible)', async () => {
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

  test('an error of the server leaves the index whole, and words answer (complaint: it is reported as a bad index)', async () => {
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
  test('every file is indexed without a model, and status counts them (complaint: nothing is indexed)', async () => {
    const workspace = testWorkspace({ [LOG]: '- W @Peter: likes tea\n' });
    expect(await workspace.json(['status'])).toMatchObject({ files: 1, facts: 1, stale: false });
    expect(await recall(workspace, 'tea')).toHaveLength(1);
  });

  test.runIf(canFail())(
    'a killed indexer leaves no lock that blocks the next command (complaint: every search waits for it)',
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

  test('a deleted index is rebuilt with the same answers (complaint: recovery of the index destroys history)', async () => {
    const workspace = testWorkspace({ [LOG]: '- W @Peter: likes tea\nAnd coffee.\n' });
    const before = await recall(workspace, 'tea coffee');
    rmSync(workspace.path('.memory'), { recursive: true });
    expect(await recall(workspace, 'tea coffee')).toEqual(before);
  });
});

describe('freshness', () => {
  test('status reads the disk and counts an edit without a watcher (complaint: a dead watcher says "not dirty")', async () => {
    const workspace = testWorkspace({ [LOG]: '- W @Peter: likes tea\n' });
    expect(await workspace.json(['status'])).toMatchObject({ facts: 1, stale: false });
    workspace.write(LOG, '- W @Peter: likes tea\n- W @Anna: likes coffee\n');
    expect(await workspace.json(['status'])).toMatchObject({ facts: 2, stale: false });
    workspace.remove(LOG);
    expect(await workspace.json(['status'])).toMatchObject({ files: 0, facts: 0, stale: false });
  });
});

describe('writing', () => {
  test('a commit reports what it stored, and fails when it can store nothing (complaint: it silently does not run)', async () => {
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

  test('only the core command writes the core file (complaint: raw candidates appear in MEMORY.md)', async () => {
    const core = '# Memory\n\n- W@Peter: a bullet that lint would mend elsewhere\n';
    const workspace = testWorkspace({ 'MEMORY.md': core });
    await workspace.run(['retain', 'W @Peter: lives in Vienna', 'P&L -3.2%', '$ rm -rf build']);
    await workspace.run(['session', 'add', 'chat', '--role', 'user', '--text', 'remember: always use port 6380']);
    await workspace.run(['session', 'commit', 'chat', '--keep-recent', '0']);
    await workspace.run(['doctor', '--fix']);
    await workspace.run(['index', '--force']);
    expect(workspace.read('MEMORY.md')).toBe(core);
  });

  test('a line that a cron job writes daily is one result (complaint: repetition fills the results)', async () => {
    const logs = Array.from({ length: 28 }, (_, i) => [
      `memory/2026-02-${String(i + 1).padStart(2, '0')}.md`,
      '- S @backup: the backup of the valve readings is done\n',
    ]);
    const once = { 'bank/world.md': '- W @House: the valve is behind the stairs\n' };
    const results = await recall(testWorkspace({ ...Object.fromEntries(logs), ...once }), 'valve', '--k', '3');
    expect(results.map(({ path }) => path)).toContain('bank/world.md');
    expect(results.filter(({ entities }) => entities.includes('backup'))).toHaveLength(1);
  });

  test('near-duplicates are noticed in Chinese too (complaint: they are noticed in ASCII only)', async () => {
    const workspace = testWorkspace();
    await workspace.run(['retain', 'W @Redis: 缓存的有效期从二十四小时改为六小时,上周开会决定,由张三执行']);
    const report = await workspace.json<{ retained: { nearDuplicateOf?: string }[] }>([
      'retain',
      'W @Redis: 缓存的有效期从二十四小时改为六小时,上周开会决定,由张三执行了',
    ]);
    expect(report.retained[0]?.nearDuplicateOf).toMatch(/^f-/);
  });

  test('terminal control characters in a memory are not printed (complaint: memory is an injection channel)', async () => {
    const { stdout } = await testWorkspace({ [LOG]: 'valve \u001b[2J\u0007 cleared\n' }).run(['recall', 'valve']);
    expect(stdout).not.toMatch(/[\u001b\u0007]/);
  });
});
