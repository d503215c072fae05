import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cli } from '../support/cli.js';
import { filesOf, git, identity } from '../support/git.js';
import { testWorkspace } from '../support/test-workspace.js';
import type { TemporaryWorkspace } from '../support/workspace.js';

const LOG = 'memory/2026-03-15.md';

async function repository(files: Readonly<Record<string, string>> = {}): Promise<TemporaryWorkspace> {
  const workspace = testWorkspace({ '.gitignore': '.memory/\n', ...files });
  await git(workspace.root, 'init', '-q', '-b', 'main');
  await git(workspace.root, 'add', '.');
  await git(workspace.root, 'commit', '-q', '--allow-empty', '-m', 'start');
  return workspace;
}

const retain = (workspace: TemporaryWorkspace, text: string, env: NodeJS.ProcessEnv = {}) =>
  workspace.start(['retain', text, '--commit', '--json'], { env: { ...identity(workspace), ...env } });

function hook(workspace: TemporaryWorkspace, name: string, script: string): void {
  const path = workspace.path(`.git/hooks/${name}`);
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
}

test('init --git in an existing workspace commits its starting files only', async () => {
  const workspace = testWorkspace();
  const env = identity(workspace);
  await workspace.start(['init'], { env });
  workspace.write('memory/mine.md', 'mine\n');
  const made = await workspace.startJson<{ commit: string }>(['init', '--git'], { env });
  expect(made.commit).toMatch(/^[0-9a-f]{7,40}$/);
  expect(await filesOf(workspace.root, 'HEAD')).toEqual(expect.arrayContaining(['.gitignore', 'MEMORY.md']));
  expect(await git(workspace.root, 'status', '--porcelain')).toContain('memory/');
});

test.runIf(process.platform === 'linux')('init reports that nothing can be created, and exits', async () => {
  const words = expect.stringMatching(/^error: .+\nhint: .+\n$/);
  expect(await cli(['init', '/proc/none'])).toMatchObject({ code: 1, stdout: '', stderr: words });
});

test('init --git creates a repository and one commit of the files that it made', async () => {
  const workspace = testWorkspace();
  const made = await workspace.startJson<{ commit: string }>(['init', '--git'], { env: identity(workspace) });
  expect((await git(workspace.root, 'rev-parse', 'HEAD')).trim()).toBe(made.commit);
  expect(await filesOf(workspace.root)).toContain('.gitattributes');
  expect(await git(workspace.root, 'status', '--porcelain')).toBe('');
});

test('git ignores the summaries of folders in a new workspace, and goes on committing those that it tracks', async () => {
  const answer = '{"preferences": [{"topic": "tea", "content": "- Likes green tea"}]}';
  const extracted = async (workspace: TemporaryWorkspace) => {
    const args = ['extract', 'apply', '--answer', '-', '--commit', '--json'];
    const { stdout } = await workspace.start(args, { input: answer, env: identity(workspace) });
    return { ...JSON.parse(stdout), files: await filesOf(workspace.root) };
  };
  const made = testWorkspace();
  await made.start(['init', '--git'], { env: identity(made) });
  const first = await extracted(made);
  expect(first.warnings ?? []).toEqual([]);
  expect(first.files).toEqual(['bank/.applied.jsonl', 'bank/preferences/tea.md']);
  const tracking = await repository({ 'bank/preferences/.overview.md': 'old\n' });
  tracking.write('.gitignore', '.memory/\nbank/**/.abstract.md\nbank/**/.overview.md\n');
  const { files } = await extracted(tracking);
  expect(files).toEqual(['bank/.applied.jsonl', 'bank/preferences/.overview.md', 'bank/preferences/tea.md']);
});

test('--commit commits exactly the written file and leaves staged and changed files alone', async () => {
  const workspace = await repository({ 'notes.md': 'one\n', 'other.md': 'one\n' });
  workspace.write('notes.md', 'two\n');
  await git(workspace.root, 'add', 'notes.md');
  workspace.write('other.md', 'two\n');
  workspace.write('new.md', 'new\n');
  const { commit } = JSON.parse((await retain(workspace, 'W @Peter: lives in Vienna')).stdout);
  expect((await git(workspace.root, 'rev-parse', 'HEAD')).trim()).toBe(commit);
  expect(await filesOf(workspace.root)).toEqual([LOG]);
  expect(await git(workspace.root, 'status', '--porcelain', '-uall')).toBe('M  notes.md\n M other.md\n?? new.md\n');
});

test('--commit commits nothing if nothing was written', async () => {
  const workspace = await repository();
  await retain(workspace, 'W @Peter: lives in Vienna');
  const head = await git(workspace.root, 'rev-parse', 'HEAD');
  expect(JSON.parse((await retain(workspace, 'W @Peter: lives in Vienna')).stdout)).toMatchObject({ commit: null });
  expect(await git(workspace.root, 'rev-parse', 'HEAD')).toBe(head);
});

test('a refusing hook leaves the file written, gives its reason, and leaves nothing staged', async () => {
  const workspace = await repository();
  hook(workspace, 'pre-commit', 'echo "no commits on Sundays" >&2; exit 1');
  const result = await retain(workspace, 'W @Peter: lives in Vienna');
  expect(result).toMatchObject({ code: 0, stderr: expect.stringContaining('no commits on Sundays') });
  expect(JSON.parse(result.stdout)).toMatchObject({ commit: null, retained: [{ kind: 'world' }] });
  expect(workspace.read(LOG)).toContain('lives in Vienna');
  expect(await git(workspace.root, 'status', '--porcelain', '-uall')).toBe(`?? ${LOG}\n`);
});

test('a hook sees the file to be committed', async () => {
  const workspace = await repository();
  hook(workspace, 'pre-commit', 'git diff --cached --name-only > .git/seen');
  await retain(workspace, 'W @Peter: lives in Vienna');
  expect(workspace.read('.git/seen')).toBe(`${LOG}\n`);
});

test('commits work in a subfolder of a repository and in a linked work tree', async () => {
  const outer = testWorkspace();
  await git(outer.base, 'init', '-q', '-b', 'main');
  await retain(outer, 'W @Peter: lives in Vienna');
  expect(await filesOf(outer.base)).toEqual([`workspace/${LOG}`]);

  const workspace = await repository({ 'a.md': 'a\n' });
  const linked = join(workspace.base, 'linked');
  await git(workspace.root, 'worktree', 'add', '-q', linked);
  const args = ['-w', linked, 'retain', 'W @Peter: lives in Graz', '--commit'];
  expect(await workspace.start(args, { env: identity(workspace) })).toMatchObject({ code: 0, stderr: '' });
  expect(await filesOf(linked)).toEqual([LOG]);
});

test('a commit uses the repository of the workspace, even when run from a hook of another one', async () => {
  const workspace = await repository();
  const other = join(workspace.base, 'other');
  mkdirSync(other);
  await git(other, 'init', '-q');
  const env = { GIT_DIR: join(other, '.git'), GIT_INDEX_FILE: join(other, '.git', 'index'), GIT_WORK_TREE: other };
  await retain(workspace, 'W @Peter: lives in Vienna', env);
  expect(await filesOf(workspace.root)).toEqual([LOG]);
});

test('a merge in progress, an ignored file and a missing repository are warnings: the fact is written', async () => {
  const merging = await repository({ 'a.md': 'a\n' });
  await git(merging.root, 'checkout', '-q', '-b', 'side');
  merging.write('a.md', 'side\n');
  await git(merging.root, 'commit', '-qam', 'side');
  await git(merging.root, 'checkout', '-q', 'main');
  merging.write('a.md', 'main\n');
  await git(merging.root, 'commit', '-qam', 'main');
  await expect(git(merging.root, 'merge', 'side')).rejects.toThrow();
  const ignoring = await repository({ '.gitignore': '.memory/\nmemory/\n' });
  for (const [workspace, says] of [
    [merging, 'merge'],
    [ignoring, 'ignores'],
    [testWorkspace(), 'not in a git repository'],
  ] as const) {
    const result = await retain(workspace, 'W @Peter: lives in Vienna');
    expect(result).toMatchObject({ code: 0, stderr: expect.stringContaining(says) });
    expect(workspace.read(LOG)).toContain('lives in Vienna');
  }
  expect(existsSync(merging.path('.git/MERGE_HEAD'))).toBe(true);
});

test('names with spaces, stars and other scripts are committed', async () => {
  const workspace = await repository();
  for (const name of ['a b.md', '*.md', '日记.md', '-x.md']) {
    const page = `memory/topics/${name}`;
    const args = ['retain', `W @A: ${name}`, `--file=${page}`, '--commit'];
    expect(await workspace.start(args, { env: identity(workspace) })).toMatchObject({ code: 0, stderr: '' });
    expect(await filesOf(workspace.root)).toEqual([page]);
  }
});

test('a commit refused by git is a warning in JSON; the same command again commits the file, or exits with 1', async () => {
  const workspace = await repository();
  hook(workspace, 'pre-commit', 'echo "no commits on Sundays" >&2; exit 1');
  const fact = 'W @Peter: lives in Vienna';
  const first = await retain(workspace, fact);
  expect([first.code, JSON.parse(first.stdout).warnings]).toEqual([0, [expect.stringContaining('on Sundays')]]);
  const core = await workspace.start(['core', 'append', 'tea', '--commit', '--json'], { env: identity(workspace) });
  expect([core.code, JSON.parse(core.stdout).warnings]).toEqual([0, [expect.stringContaining('on Sundays')]]);
  const again = await retain(workspace, fact);
  expect([again.code, JSON.parse(again.stdout).error.message]).toEqual([1, expect.stringContaining('on Sundays')]);
  rmSync(workspace.path('.git/hooks/pre-commit'));
  const { commit } = JSON.parse((await retain(workspace, fact)).stdout);
  expect((await git(workspace.root, 'rev-parse', 'HEAD')).trim()).toBe(commit);
  expect(await git(workspace.root, 'log', '--format=%s', '-2')).toBe(
    'memory: append in MEMORY.md\nmemory: retain 1 fact about Peter\n',
  );
  expect(await git(workspace.root, 'status', '--porcelain', '-uall')).toBe('');
  expect(JSON.parse((await retain(workspace, fact)).stdout)).toMatchObject({ commit: null, warnings: [] });
});

test('a commit without an identity is made later, except of files that are gone since', async () => {
  const workspace = await repository();
  const env = { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', EMAIL: '' };
  await git(workspace.root, 'config', 'user.useConfigOnly', 'true');
  const retained = await workspace.start(['retain', 'W @Peter: lives in Vienna', '--commit', '--json'], { env });
  expect([retained.code, JSON.parse(retained.stdout).warnings]).toEqual([
    0,
    [expect.stringContaining('does not know your name')],
  ]);
  workspace.remove(LOG);
  const other = await workspace.start(['core', 'append', 'tea', '--commit', '--json'], { env: identity(workspace) });
  expect([other.code, other.stderr]).toEqual([0, '']);
  expect(await filesOf(workspace.root)).toEqual(['MEMORY.md']);
});

test('a commit on a detached HEAD is made with a warning', async () => {
  const workspace = await repository();
  await git(workspace.root, 'checkout', '-q', '--detach');
  const { code, stdout, stderr } = await retain(workspace, 'W @Peter: lives in Vienna');
  const { commit, warnings } = JSON.parse(stdout);
  expect([code, commit, warnings]).toEqual([0, expect.any(String), [expect.stringContaining('detached')]]);
  expect(stderr).toContain('detached');
  const doctor = JSON.parse((await workspace.start(['doctor', '--json'])).stdout);
  expect(doctor.checks.find(({ check }: { check: string }) => check === 'git')?.message).toContain('detached');
});

test('a core change that git refused is committed by the same command, and not written twice', async () => {
  const workspace = await repository();
  const append = () =>
    workspace.start(['core', 'append', 'Tea at five.', '--commit', '--json'], { env: identity(workspace) });
  hook(workspace, 'pre-commit', 'exit 1');
  expect((await append()).code).toBe(0);
  expect((await append()).code).toBe(1);
  rmSync(workspace.path('.git/hooks/pre-commit'));
  expect(JSON.parse((await append()).stdout).commit).toEqual(expect.any(String));
  expect(workspace.read('MEMORY.md').match(/Tea at five/g)).toHaveLength(1);
});
