import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { git } from '../support/git.js';
import { testWorkspace } from '../support/test-workspace.js';
import type { TemporaryWorkspace } from '../support/workspace.js';

interface Finding {
  readonly check: string;
  readonly state: string;
  readonly message: string;
  readonly mended?: true;
}

async function doctor(workspace: TemporaryWorkspace, ...args: string[]) {
  const { code, stdout, stderr } = await workspace.run(['doctor', '--json', ...args]);
  expect(stderr).toBe('');
  const { checks } = JSON.parse(stdout) as { checks: readonly Finding[] };
  return { code, of: (name: string) => checks.find(({ check }) => check === name) };
}

const FILES = { 'memory/2026-03-14.md': '- W @Peter: likes tea\n', 'MEMORY.md': '# Memory\n' };

test('a healthy workspace has no problem, and doctor lists its basis', async () => {
  const workspace = testWorkspace(FILES);
  await workspace.run(['index']);
  const { code, of } = await doctor(workspace);
  expect(code).toBe(0);
  expect(of('node')?.message).toContain(process.versions.node);
  expect(of('index')?.message).toBe('2 indexed, up to date');
  expect(of('zone')?.message).toContain('UTC (from --tz): today is 2026-03-15');
  expect(of('core')?.message).toContain('9 of 12000 characters');
});

test('doctor works without a workspace and with wrong settings', async () => {
  const workspace = testWorkspace(FILES);
  workspace.write('memory.config.json5', '{ recallLimt: 3 }');
  const wrong = await doctor(workspace);
  expect(wrong.code).toBe(4);
  expect(wrong.of('settings')).toMatchObject({ state: 'problem', message: expect.stringContaining('recallLimt') });
  const nowhere = await workspace.run(['-w', `${workspace.base}/nowhere`, 'doctor', '--json']);
  expect(nowhere.code).toBe(4);
  expect(nowhere.stdout).toContain('nowhere');
});

test('a check that cannot run says so under its own name, and the others continue', async () => {
  const workspace = testWorkspace({ 'memory/2026-03-14.md': FILES['memory/2026-03-14.md'], 'MEMORY.md/x.txt': '' });
  const { code, of } = await doctor(workspace);
  expect(code).toBe(4);
  expect(of('core')).toMatchObject({ state: 'problem', message: expect.stringContaining('MEMORY.md is a folder') });
  expect(of('types')).toMatchObject({ state: 'ok' });
});

test('settings are listed with their origin', async () => {
  const workspace = testWorkspace({ ...FILES, 'memory.config.json5': '{ recallLimit: 3 }' });
  expect((await doctor(workspace)).of('settings')?.message).toBe(
    'from memory.config.json5: recallLimit = 3; all others have their default values',
  );
});

test('a damaged index is found, and --fix rebuilds it from the files (complaint: a corrupt index)', async () => {
  const workspace = testWorkspace(FILES);
  await workspace.run(['index']);
  writeFileSync(workspace.path('.memory/index.sqlite'), 'no database at all, though long enough to be read as one');
  expect((await doctor(workspace)).of('index')).toMatchObject({ state: 'problem' });
  expect((await doctor(workspace, '--fix')).of('index')).toMatchObject({ state: 'ok', mended: true });
  expect(await workspace.run(['index', '--verify'])).toMatchObject({ code: 0 });
});

test('temporary files of dead writers are removed, those of living ones stay (complaint: orphans fill the disk)', async () => {
  const workspace = testWorkspace(FILES);
  workspace.write('memory/.2026-03-14.md.99999999.tmp', 'half');
  workspace.write(`memory/.2026-03-14.md.${process.pid}.tmp`, 'being written');
  expect((await doctor(workspace)).of('leftovers')).toMatchObject({ state: 'warning' });
  expect((await doctor(workspace, '--fix')).of('leftovers')).toMatchObject({ mended: true });
  expect(existsSync(workspace.path('memory/.2026-03-14.md.99999999.tmp'))).toBe(false);
  expect(existsSync(workspace.path(`memory/.2026-03-14.md.${process.pid}.tmp`))).toBe(true);
});

test('ignore and merge rules of a git repository are checked and added, and other lines stay', async () => {
  const workspace = testWorkspace({ ...FILES, '.gitignore': 'mine\n' });
  await git(workspace.root, 'init', '-q');
  expect((await doctor(workspace)).of('git')).toMatchObject({
    state: 'warning',
    message: expect.stringContaining('.memory/'),
  });
  expect((await doctor(workspace, '--fix')).of('git')).toMatchObject({ mended: true });
  expect(workspace.read('.gitignore')).toBe('mine\n.memory/\n');
});

test('a core over its budget and a second core file are reported (complaint: MEMORY.md grows unnoticed)', async () => {
  const big = testWorkspace({ 'MEMORY.md': 'x'.repeat(12_001) });
  expect((await doctor(big)).of('core')).toMatchObject({
    state: 'problem',
    message: expect.stringContaining('12001 of 12000'),
  });
  const two = testWorkspace({ 'MEMORY.md': 'a\n', 'memory.md': 'b\n' });
  expect((await doctor(two)).of('core')).toMatchObject({
    state: 'warning',
    message: expect.stringContaining('both exist'),
  });
});

test.runIf(process.getuid?.() !== 0)('an unwritable folder is reported', async () => {
  const workspace = testWorkspace(FILES);
  chmodSync(workspace.path('memory'), 0o555);
  expect((await doctor(workspace)).of('permissions')).toMatchObject({ state: 'warning' });
  chmodSync(workspace.path('memory'), 0o755);
});
