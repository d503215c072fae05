import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cli } from '../support/cli.js';
import { testWorkspace } from '../support/test-workspace.js';

/** Returns the workspace that a command finds from a folder, and its messages. */
async function foundFrom(cwd: string, env: NodeJS.ProcessEnv): Promise<{ root: string; said: string }> {
  const { stdout, stderr } = await cli(['doctor', '--json'], { cwd, env });
  const { checks }: { checks: readonly { check: string; message: string }[] } = JSON.parse(stdout);
  const found = checks.find(({ check }) => check === 'workspace')?.message ?? '';
  return { root: found.replace(/ \(from .*$/, ''), said: stderr };
}

test.each([
  ['a core file', { 'MEMORY.md': '# Memory\n' }, true],
  ['a core file in small letters', { 'memory.md': '# Memory\n' }, true],
  ['a log', { 'memory/2026/2026-03-01.md': 'x\n' }, true],
  ['a page of the bank', { 'bank/world.md': 'x\n' }, true],
  ['nothing but the folders', {}, false],
  ['only pages in subfolders of the bank', { 'bank/entities/Peter.md': 'x\n' }, false],
])('memory/ and bank/ with %s are a workspace: %#', async (_, files, isOne) => {
  const workspace = testWorkspace({ '../home/notes/memory/.keep': '', '../home/notes/bank/.keep': '' });
  for (const [path, text] of Object.entries(files)) workspace.write(`../home/notes/${path}`, text);
  const notes = join(workspace.home, 'notes');
  mkdirSync(join(notes, 'deep/er'), { recursive: true });
  const { root, said } = await foundFrom(join(notes, 'deep/er'), workspace.env);
  if (isOne) expect([root, said]).toEqual([notes, '']);
  else {
    expect(root).toContain(join(workspace.home, '.openclaw/workspace'));
    expect(said).toContain(`${notes} is not a workspace`);
  }
});

test('the upward search stops at the home folder', async () => {
  const workspace = testWorkspace({ '../MEMORY.md': '', '../memory/a.md': '', '../bank/world.md': '' });
  mkdirSync(join(workspace.home, 'x'));
  const { root } = await foundFrom(join(workspace.home, 'x'), workspace.env);
  expect(root).toContain(join(workspace.home, '.openclaw/workspace'));
});

test('a workspace made by init is found at once, beside a default one, and after .memory/ was deleted', async () => {
  const workspace = testWorkspace({ '../home/.openclaw/workspace/MEMORY.md': '', '../home/p/.keep': '' });
  const [cwd, { env }] = [join(workspace.home, 'p'), workspace];
  await cli(['init', '.'], { cwd, env });
  expect(workspace.read('../home/p/.memory/.gitignore')).toBe('*\n');
  rmSync(join(cwd, '.memory'), { recursive: true });
  const { stdout } = await cli(['retain', 'W @Peter: lives in Vienna', '--json'], { cwd, env });
  expect(JSON.parse(stdout).retained).toHaveLength(1);
  expect((await foundFrom(cwd, env)).root).toBe(cwd);
  // A command that creates it again keeps it out of git.
  expect(workspace.read('../home/p/.memory/.gitignore')).toBe('*\n');
});

test('init --track-sessions works on an existing workspace, and a later init keeps the choice', async () => {
  const workspace = testWorkspace();
  const ignored = () => workspace.read('.gitignore').split('\n');
  await workspace.run(['init']);
  expect(ignored()).toContain('sessions/');
  await workspace.run(['init', '--track-sessions']);
  expect(ignored()).toEqual(['.memory/', 'bank/**/.abstract.md', 'bank/**/.overview.md', '']);
  await workspace.run(['init']);
  expect(ignored()).toEqual(['.memory/', 'bank/**/.abstract.md', 'bank/**/.overview.md', '']);
});

test('a model server on another machine is contacted only after it was allowed once', async () => {
  const workspace = testWorkspace({ 'memory.config.json5': "{ ollamaHost: 'models.example.invalid:11434' }" });
  const hostOf = async () =>
    (await workspace.json<{ configured: { host: string | null } }>(['status'])).configured.host;
  expect(await hostOf()).not.toContain('invalid');
  const { stdout } = await workspace.run(['doctor']);
  expect(stdout).toContain('openclaw memory doctor --allow-host');
  await workspace.run(['doctor', '--allow-host']);
  expect(await hostOf()).toBe('models.example.invalid:11434');
  writeFileSync(workspace.path('memory.config.json5'), "{ ollamaHost: 'http://127.0.0.1:80@evil.example.invalid' }");
  expect(await hostOf()).not.toContain('invalid');
  writeFileSync(workspace.path('memory.config.json5'), "{ ollamaHost: 'http://localhost:4711' }");
  expect(await hostOf()).toBe('http://localhost:4711');
});
