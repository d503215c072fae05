import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { COMMANDS } from '../../src/cli/registry.js';
import { ROOT } from '../support/readme.js';
import { testWorkspace } from '../support/test-workspace.js';

/** One run of each command of the registry, with its exit code if not 0. */
const RUNS: Readonly<Record<string, readonly [args: readonly string[], code?: number, input?: string]>> = {
  init: [['--dry-run']],
  recall: [['where does Peter live?']],
  search: [['--query', 'Peter']],
  agenda: [['next week']],
  recent: [[]],
  get: [['memory/2026-03-12.md#L4']],
  retain: [['W @Anna: keeps bees']],
  import: [['WhatsApp Chat with Bo.txt']],
  forget: [['--query', 'lives in Vienna', '--dry-run']],
  index: [['--verify']],
  status: [[]],
  view: [['--out', '-']],
  entity: [['show', 'Peter']],
  session: [['add', 'chat', '--stdin'], 0, '[{"role": "user", "content": "the port is 6380"}]'],
  reflect: [['--dry-run', '--max-calls', '0']],
  opinion: [['list']],
  settle: [['f-0000000000000', 'f-0000000000001', 'replaces'], 1],
  core: [['show']],
  extract: [['prompt', '--stdin'], 0, '[{"role": "user", "content": "I like tea"}]'],
  types: [['preferences']],
  history: [['MEMORY.md'], 1],
  flush: [['check', '--tokens', '10']],
  context: [['strip'], 0, 'plain'],
  connect: [['vscode']],
  disconnect: [['vscode']],
  skill: [[]],
  mcp: [[]],
  hooks: [['generic']],
  hook: [['claude-code'], 0, '{"hook_event_name": "UserPromptSubmit", "prompt": "where does Peter live?"}'],
  link: [['--dir', 'bin']],
  wm: [['show', 'chat'], 1],
  lint: [[]],
  doctor: [[]],
  models: [['list']],
  completion: [['bash']],
  schedule: [['cron']],
  eval: [['cases.jsonl']],
};

const FILES = {
  'MEMORY.md': '# Memory\n\n- Anna likes cats.\n',
  'memory/2026-03-12.md': '# 2026-03-12\n\n## Retain\n- W @Peter: lives in Vienna\n',
  'WhatsApp Chat with Bo.txt': '12.03.26, 09:15 - Bo: See you at the mill\n12.03.26, 09:16 - Anna: Fine\n',
  'cases.jsonl': '{"query": "where does Peter live?", "expect": ["memory/2026-03-12.md#L4"]}\n',
};

// `watch` runs until it is stopped: its own tests start it.
test.each(COMMANDS.map(({ name }) => name).filter((name) => name !== 'watch'))(
  '%s works in the built program',
  async (name) => {
    const [args, code = 0, input = ''] = RUNS[name] ?? [['is not in the table of this test']];
    const workspace = testWorkspace(FILES);
    const ran = await workspace.start([name, ...args], { input, cwd: workspace.root });
    const said = code === 0 ? expect.not.stringMatching(/^error/m) : expect.stringMatching(/^error: .+\nhint: .+\n$/);
    expect(ran).toMatchObject({ code, signal: null, stderr: said });
  },
);

describe('the code cache', () => {
  const FILES = { 'memory/2026-03-14.md': '## Retain\n- W @Peter: likes short replies\n' };

  /** Node caches compiled code in this folder too, from Node 22 on. */
  function ours(folder: string): readonly string[] {
    return readdirSync(folder)
      .filter((name) => !/^v\d/.test(name))
      .sort();
  }

  test('each command caches its compiled code for the owner only; a damaged cache changes no answer', async () => {
    const workspace = testWorkspace(FILES);
    const folder = join(workspace.home, 'code');
    const recall = () => workspace.start(['recall', 'Peter'], { env: { NODE_COMPILE_CACHE: folder } });
    const first = await recall();
    const [name = ''] = ours(folder);
    expect(ours(folder)).toEqual([expect.stringMatching(/^code-.*-recall$/)]);
    const path = join(folder, name);
    expect(statSync(path).mode & 0o077).toBe(0);
    expect(await recall()).toEqual(first);
    for (const damaged of [Buffer.alloc(0), Buffer.from('no code'), readFileSync(path).subarray(0, 5_000)]) {
      writeFileSync(path, damaged);
      expect(await recall()).toEqual(first);
      // A new file has replaced the one that V8 refused.
      expect(statSync(path).size).toBeGreaterThan(5_000);
    }
  });

  test('the cache of another build is removed, and NODE_DISABLE_COMPILE_CACHE switches the cache off', async () => {
    const workspace = testWorkspace(FILES);
    const folder = join(workspace.home, 'code');
    await workspace.start(['recall', 'Peter'], {
      env: { NODE_COMPILE_CACHE: folder, NODE_DISABLE_COMPILE_CACHE: '1' },
    });
    expect(() => readdirSync(folder)).toThrow();
    await workspace.start(['recall', 'Peter'], { env: { NODE_COMPILE_CACHE: folder } });
    writeFileSync(join(folder, 'code-of-another-build'), '');
    writeFileSync(join(folder, 'something else'), '');
    await workspace.start(['status'], { env: { NODE_COMPILE_CACHE: folder } });
    expect(ours(folder)).toEqual([
      expect.stringMatching(/^code-.*-recall$/),
      expect.stringMatching(/^code-.*-status$/),
      'something else',
    ]);
  });

  test('a cache folder that cannot be created causes no error', async () => {
    const workspace = testWorkspace(FILES);
    workspace.write('a-file', '');
    const env = { NODE_COMPILE_CACHE: join(workspace.path('a-file'), 'code') };
    expect(await workspace.start(['recall', 'Peter'], { env })).toMatchObject({ code: 0, stderr: '' });
  });

  test('a copy that is not built or is damaged reports so in two lines', async () => {
    const workspace = testWorkspace(FILES);
    const copy = join(workspace.home, 'copy');
    cpSync(join(ROOT, 'bin'), join(copy, 'bin'), { recursive: true });
    const run = () => workspace.start(['recall', 'Peter'], { bin: join(copy, 'bin/openclaw.js') });
    expect(await run()).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^error: [^\n]*not built\nhint: [^\n]*\n$/),
    });
    mkdirSync(join(copy, 'dist/cli'), { recursive: true });
    writeFileSync(join(copy, 'dist/cli/parts'), readFileSync(join(ROOT, 'dist/cli/parts')).subarray(0, 20_000));
    expect(await run()).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^error: [^\n]*damaged[^\n]*\nhint: [^\n]*\n$/),
    });
  });

  test('the bundle is read as UTF-8: rules for other scripts work in the built program', async () => {
    const workspace = testWorkspace({
      'memory/2026-03-12.md': '- W @Redis: 缓存改为六小时\n',
      'memory/2026-02-01.md': '- W @Redis: 缓存\n',
    });
    const answer = await workspace.startJson<{ window: unknown }>(['recall', '本周关于 Redis 缓存']);
    expect(answer.window).toEqual({ since: '2026-03-09', until: '2026-03-15' });
  });
});
