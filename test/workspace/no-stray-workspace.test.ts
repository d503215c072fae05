import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { WITHOUT_RIGHTS } from '../support/cli.js';
import { cliHere } from '../support/cli-here.js';
import { testWorkspace } from '../support/test-workspace.js';

/** Returns a folder beside a home, with somebody's files in it. */
function folderWith(...files: readonly string[]) {
  const { base, home, env } = testWorkspace();
  const folder = join(base, 'project');
  mkdirSync(folder);
  for (const file of files) {
    mkdirSync(join(folder, file, '..'), { recursive: true });
    if (file.endsWith('/')) mkdirSync(join(folder, file));
    else writeFileSync(join(folder, file), '{}');
  }
  const run = (args: readonly string[], cwd = folder, input = '') => cliHere(args, { cwd, env, input });
  return { folder, home, run };
}

test.each([
  [['recall', 'x']],
  [['status']],
  [['index']],
  [['reflect']],
  [['lint']],
  [['entity', 'list']],
  [['forget', '--query', 'x']],
  [['session', 'list']],
  [['session', 'show', 's']],
  [['session', 'search', 's', 'x']],
  [['session', 'commit', 's']],
  [['session', 'resume']],
  [['wm', 'show', 's']],
  [['core', 'show']],
  [['core', 'proposals']],
  [['core', 'accept', '1']],
  [['flush', 'check', '--session', 's']],
  [['flush', 'run', '--session', 's']],
  [['extract', 'prompt', '--session', 's']],
  [['reflect', '--undo']],
])('%j in a named folder without a memory creates nothing there, and suggests init', async (command) => {
  const { folder, run } = folderWith('package.json');
  const { code, stderr } = await run(['-w', folder, ...command]);
  expect(code).toBe(1);
  expect(stderr).toBe(
    `error: there is no memory in ${folder}\nhint: make it a workspace: openclaw memory init ${folder}\n`,
  );
  expect(readdirSync(folder)).toEqual(['package.json']);
});

test('init expands a ~ that the shell has left, and prints a next command that can be copied', async () => {
  const { folder, home, run } = folderWith();
  const { code, stdout } = await run(['init', '~/My notes']);
  expect(code).toBe(0);
  expect(stdout).toContain(`openclaw memory -w '${home}/My notes' retain`);
  expect([readdirSync(home), readdirSync(folder)]).toEqual([['My notes'], []]);
  const { stderr } = await run(['-w', 'not yet', 'recall', 'x']);
  expect(stderr).toContain(`hint: create one: openclaw memory init '${folder}/not yet'\n`);
});

test('doctor and hooks create nothing there either, and a hook exits without an error', async () => {
  const { folder, run } = folderWith('package.json');
  const doctor = await run(['-w', folder, 'doctor']);
  expect(doctor.code).toBe(4);
  expect(doctor.stdout).toContain(`there is no memory in ${folder}`);
  const event = { hook_event_name: 'UserPromptSubmit', session_id: 's', cwd: folder, prompt: 'What did we decide?' };
  expect(await run(['-w', folder, 'hook', 'claude-code'], folder, JSON.stringify(event))).toMatchObject({ code: 0 });
  expect(readdirSync(folder)).toEqual(['package.json']);
});

test('a writing command begins a memory in a named folder, and prints the place if it is not below the current one', async () => {
  const { folder, home, run } = folderWith('package.json');
  const near = await run(['-w', folder, 'retain', 'W @Peter: likes heliotrope']);
  expect(near).toMatchObject({ code: 0, stderr: '' });
  const far = await run(['-w', folder, 'retain', 'W @Peter: likes zinnias'], home);
  expect(far.stderr).toBe(`written in ${folder}\n`);
  const said = await run(['-w', folder, 'session', 'add', 'chat', '--role', 'user', '--text', 'hello'], home);
  expect(said.stderr).toBe(`written in ${folder}\n`);
  const calls = [{ tool: 'memory_write', arguments: { content: '- W @Peter: said hello' } }];
  const flush = ['flush', 'apply', '--session', 'chat', '--answer', '-'];
  for (const [args, input] of [
    [flush, JSON.stringify({ calls })],
    [['session', 'commit', 'chat', '--keep-recent', '0', '--defer'], ''],
    [['session', 'resume', 'chat'], ''],
  ] as const)
    expect((await run(['-w', folder, ...args], home, input)).stderr).toContain(`written in ${folder}\n`);
  expect((await run(['-w', folder, 'recall', 'heliotrope'])).stdout).toContain('likes heliotrope');
  expect(existsSync(join(folder, '.memory', '.gitignore'))).toBe(true);
});

test.each([[[]], [['MEMORY.md']], [['memory/']], [['.obsidian/', 'a note.md']], [['logseq/', 'journals/']]])(
  'init in a folder with %j makes it the workspace',
  async (files) => {
    const { folder, run } = folderWith(...files);
    const { code, stderr } = await run(['init']);
    expect(code).toBe(0);
    expect(stderr).toContain(`the workspace is ${folder} (current folder)`);
    expect(existsSync(join(folder, '.memory'))).toBe(true);
  },
);

test("init in somebody's project, or at home, makes the default workspace and says so; it finds an enclosing one", async () => {
  const { folder, home, run } = folderWith('package.json');
  for (const cwd of [folder, home]) {
    const { stderr } = await run(['init'], cwd);
    expect(stderr).toContain(`the workspace is ${join(home, '.openclaw', 'workspace')} (default)`);
  }
  expect(readdirSync(folder)).toEqual(['package.json']);
  const inner = join(home, '.openclaw', 'workspace', 'memory');
  expect((await run(['init'], inner)).stderr).toContain('(parent folder)');
});

test.each([
  ['a file in its place', ['notes'], 'notes', 'notes is not a folder'],
  ['a file above it', ['notes'], 'notes/mine', 'notes is not a folder'],
  ['a file for a folder', ['bank'], '.', 'bank is not a folder'],
  ['a folder for a file', ['MEMORY.md/'], '.', 'MEMORY.md is a folder'],
])('init creates nothing if something is in the way, and --dry-run says so: %s', async (_, files, dir, wrong) => {
  const { folder, run } = folderWith(...files);
  const before = readdirSync(folder, { recursive: true });
  for (const how of [['--dry-run'], []]) {
    const { code, stdout, stderr } = await run(['init', dir, ...how]);
    expect([code, stdout, stderr]).toEqual([
      1,
      '',
      `error: ${join(folder, wrong)}\nhint: move it away, or use another folder\n`,
    ]);
  }
  expect(readdirSync(folder, { recursive: true })).toEqual(before);
});

test.runIf(process.platform === 'linux')(
  'init reports an unwritable folder, with --dry-run too, unless there is nothing to create',
  async () => {
    const workspace = testWorkspace({ 'mine/note.txt': '' });
    chmodSync(workspace.path('mine'), 0o555);
    for (const how of [['--dry-run'], []]) {
      const args = ['init', '--workspace', workspace.path('mine/notes'), ...how];
      const { code, stderr } = await workspace.start(args, { launcher: WITHOUT_RIGHTS });
      expect([code, stderr]).toEqual([
        1,
        expect.stringContaining(
          `error: ${workspace.path('mine')} can't be changed: not permitted\nhint: check its permissions\n`,
        ),
      ]);
    }
    await workspace.run(['init']);
    chmodSync(workspace.root, 0o555);
    const { code, stdout } = await workspace.start(['init', '--dry-run'], { launcher: WITHOUT_RIGHTS });
    expect([code, stdout]).toEqual([0, `${workspace.root} is already a workspace. No file was changed.\n`]);
    chmodSync(workspace.root, 0o755);
    chmodSync(workspace.path('mine'), 0o755);
  },
);

test.each([
  [['retain', 'W @Peter: lives in Graz'], 'memory', 'memory/2026-03-15.md'],
  [['session', 'add', 's', '--role', 'user', '--text', 'x'], 'sessions', 'sessions/s'],
  [['reflect'], 'bank', 'bank/opinions.md'],
])('a file in place of a folder is reported for any path below it: %j', async (args, file, path) => {
  const workspace = testWorkspace({ [file]: 'x', 'memory.md': '- W @Anna: reads\n' });
  const { code, stderr } = await workspace.run(args);
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining(
      `${workspace.path(path)} can't exist, because its parent is a file\nhint: move that file away`,
    ),
  ]);
});
