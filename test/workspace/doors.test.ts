import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, lstatSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { RecallAnswer } from '../../src/recall/request.js';
import { testWorkspace } from '../support/test-workspace.js';

const FILES = { 'memory/2026-03-14.md': '## Retain\n- W @Peter: likes heliotrope\n' };
/** A process that hangs is killed after 20 seconds, which fails the test. */
const UNTIL = { launcher: ['timeout', '-s', 'KILL', '20'] };

function pipe(path: string): void {
  execFileSync('mkfifo', [path]);
}

test.runIf(process.platform === 'linux').each([
  ['a pipe', pipe],
  ['a device that never ends', (path: string) => symlinkSync('/dev/zero', path)],
  [
    'too large a file',
    (path: string) => {
      writeFileSync(path, '');
      truncateSync(path, 8 * 2 ** 30);
    },
  ],
])('%s in place of a file is refused by every command, by name', async (_, put) => {
  const doors = [
    ['memory.config.json5', ['recall', 'heliotrope']],
    ['bank/types/own.yaml', ['types']],
    ['bank/forgotten.md', ['recall', 'heliotrope']],
    ['bank/evidence.jsonl', ['lint']],
    ['MEMORY.md', ['core', 'show']],
    ['memory/2026-03-15.md', ['retain', 'W @Anna: likes mauve']],
    ['sessions/chat/messages.jsonl', ['session', 'add', 'chat', '--role', 'user', '--text', 'hello']],
  ] as const;
  await Promise.all(
    doors.map(async ([path, command]) => {
      const workspace = testWorkspace(FILES);
      mkdirSync(join(workspace.path(path), '..'), { recursive: true });
      put(workspace.path(path));
      const { code, signal, stdout, stderr } = await workspace.start(command, UNTIL);
      expect([path, signal, code === 0 || (stdout + stderr).includes(path)]).toEqual([path, null, true]);
      expect(stderr).not.toContain('report this');
    }),
  );
  const workspace = testWorkspace(FILES);
  put(workspace.path('talk.jsonl'));
  const event = { hook_event_name: 'Stop', session_id: 's', transcript_path: workspace.path('talk.jsonl') };
  const { code, stderr } = await workspace.start(['hook', 'claude-code'], { ...UNTIL, input: JSON.stringify(event) });
  expect(code).toBe(0);
  expect(stderr).toContain('talk.jsonl');
});

test.runIf(process.platform === 'linux').each<[string, (path: string) => void]>([
  ['a pipe', pipe],
  ['a socket', (path) => createServer().listen(path).unref()],
  ['a folder', (path) => mkdirSync(path)],
  ['a link to itself', (path) => symlinkSync(path, path)],
  ['a log of 9 MB', (path) => writeFileSync(path, '- W @Peter: likes heliotrope\n'.repeat(330_000))],
])('%s in place of another day’s log stops no retain, and lint says what it is', async (_, put) => {
  const workspace = testWorkspace(FILES);
  put(workspace.path('memory/2026-03-13.md'));
  const run = await workspace.start(['retain', 'W @Anna: likes mauve'], UNTIL);
  expect(run.code).toBe(0);
  expect(run.stderr).toContain('memory/2026-03-13.md');
  expect(workspace.read('memory/2026-03-15.md')).toContain('- W @Anna: likes mauve\n');
  const { results } = await workspace.startJson<RecallAnswer>(['recall', 'mauve'], UNTIL);
  expect(results.map(({ source }) => source)).toEqual(['memory/2026-03-15.md#L5']);
  const { stdout } = await workspace.start(['lint'], UNTIL);
  if (!lstatSync(workspace.path('memory/2026-03-13.md')).isDirectory())
    expect(stdout).toContain('memory/2026-03-13.md');
});

test.runIf(process.platform === 'linux').each<[string, (path: string) => void, string]>([
  ['a pipe', pipe, 'refused'],
  ['a folder', (path) => mkdirSync(path), 'EISDIR'],
])('%s in place of the evidence: reading commands warn, and deciding ones stop before a write', async (_, put, why) => {
  const workspace = testWorkspace({ ...FILES, 'bank/entities/Peter.md': '---\nname: Peter\n---\n' });
  put(workspace.path('bank/evidence.jsonl'));
  const says = `bank/evidence.jsonl can't be read (${why})`;
  const shows = [
    `view --out ${workspace.base}/page.html`,
    'recall heliotrope',
    'entity show Peter',
    'context build --message heliotrope',
  ];
  for (const command of shows) {
    const { code, stderr } = await workspace.run(command.split(' '));
    expect({ command, code, stderr }).toEqual({
      command,
      code: 0,
      stderr: expect.stringContaining(`warning: ${says}`),
    });
  }
  expect((await workspace.run(['lint'])).stdout).toContain(says.replace(' ', ': error: '));
  for (const command of ['reflect', 'forget --query heliotrope']) {
    const { code, stderr } = await workspace.run(command.split(' '));
    expect({ command, code, stderr }).toEqual({
      command,
      code: 1,
      stderr: expect.stringContaining(`error: ${says}`),
    });
  }
  expect(workspace.read('memory/2026-03-14.md')).toBe(FILES['memory/2026-03-14.md']);
});

test.each(['bank', 'sessions'])('a file in place of the folder %s is reported by readers and lint', async (folder) => {
  const workspace = testWorkspace({ ...FILES, [folder]: 'x\n' });
  const recalled = await workspace.run(['recall', 'heliotrope']);
  expect(recalled.stdout).toContain('likes heliotrope');
  expect(recalled.stderr).toBe(`warning: ${folder} is not a folder\n`);
  expect(await workspace.run(['lint'])).toMatchObject({
    code: 4,
    stdout: expect.stringContaining(`${folder}: error`),
  });
});

test.runIf(process.platform === 'linux')('a file given as a shell’s pipe is read like standard input', async () => {
  const workspace = testWorkspace(FILES);
  const line = '{"role":"user","content":"the cache is on port 6380"}';
  const launcher = ['bash', '-c', `exec "$@" --session s <(echo '${line}')`, 'bash'];
  const { code } = await workspace.start(['session', 'import'], { launcher });
  expect(code).toBe(0);
  expect((await workspace.start(['session', 'show', 's'])).stdout).toContain('6380');
});

test('a folder outside of the workspace is read only after somebody has allowed it here for this workspace', async () => {
  const workspace = testWorkspace({ ...FILES, 'memory.config.json5': "{ extraFolders: ['../private', 'link'] }" });
  mkdirSync(join(workspace.base, 'private'));
  writeFileSync(join(workspace.base, 'private', 'diary.md'), 'the zebra password\n');
  symlinkSync('../private', workspace.path('link'));
  const asked = await workspace.start(['recall', 'zebra password']);
  expect(asked.stdout).not.toContain('zebra');
  expect(asked.stderr).toContain('doctor --allow-folders');
  expect((await workspace.start(['get', join(workspace.base, 'private', 'diary.md')])).code).toBe(1);
  await workspace.start(['doctor', '--allow-folders']);
  expect((await workspace.start(['recall', 'zebra password'])).stdout).toContain('zebra');
  const other = testWorkspace({ 'memory.config.json5': `{ extraFolders: ['${join(workspace.base, 'private')}'] }` });
  expect((await other.run(['recall', 'zebra password'], { env: workspace.env })).stdout).not.toContain('zebra');
});

test('a memory folder that links out of the workspace is not read, with a warning', async () => {
  const workspace = testWorkspace(FILES);
  mkdirSync(join(workspace.base, 'private'));
  writeFileSync(join(workspace.base, 'private', 'diary.md'), 'the zebra password\n');
  symlinkSync('../private', workspace.path('resources'));
  symlinkSync('../private', workspace.path('bank'));
  const { stdout, stderr } = await workspace.start(['recall', 'zebra password']);
  expect(stdout).not.toContain('zebra');
  expect(stderr).toContain('bank is a link to a place outside of the workspace');
});

function repository(config: readonly (readonly [string, string])[] = []) {
  const workspace = testWorkspace(FILES);
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-C', workspace.root, '-c', 'user.name=A', '-c', 'user.email=a@example.org', ...args]);
  git('init', '--quiet');
  git('config', 'user.name', 'A');
  git('config', 'user.email', 'a@example.org');
  git('add', '.');
  git('commit', '--quiet', '-m', 'first');
  for (const [name, value] of config) git('config', name, value);
  return workspace;
}

test.runIf(process.platform !== 'win32')('reading the history runs nothing that a repository configures', async () => {
  const workspace = repository();
  const ran = join(workspace.base, 'ran');
  const program = join(workspace.base, 'program');
  writeFileSync(program, `#!/bin/sh\necho "$0 $@" >> ${ran}\ncat\n`);
  chmodSync(program, 0o755);
  const names = [
    'core.fsmonitor',
    'filter.x.clean',
    'filter.x.smudge',
    'diff.x.textconv',
    'diff.x.command',
    'diff.external',
    'gpg.program',
    'core.pager',
  ];
  for (const name of names) execFileSync('git', ['-C', workspace.root, 'config', name, program]);
  execFileSync('git', ['-C', workspace.root, 'config', 'log.showSignature', 'true']);
  workspace.write('.gitattributes', '*.md filter=x diff=x\n');
  workspace.write('memory/2026-03-14.md', '## Retain\n- W @Peter: likes mauve\n');
  for (const args of [['history', 'memory/2026-03-14.md'], ['history', 'f-aaaaaaaaaaaaa'], ['doctor'], ['status']])
    await workspace.start(args);
  const { stdout } = await workspace.start(['history', 'memory/2026-03-14.md']);
  expect(stdout).toContain('likes mauve');
  expect(existsSync(ran)).toBe(false);
});

test.runIf(process.platform === 'linux')(
  'SIGTERM stops a commit with a hanging hook; the line stays, git has no lock, and the next commit has it',
  async () => {
    const workspace = repository();
    const hook = workspace.path('.git/hooks/pre-commit');
    // The parent process of git is the command.
    writeFileSync(hook, '#!/bin/sh\nkill -TERM $(cut -d" " -f4 /proc/$PPID/stat)\nsleep 600\n');
    chmodSync(hook, 0o755);
    const { signal } = await workspace.start(['retain', 'W @Anna: likes mauve', '--commit'], UNTIL);
    expect(signal).toBe(null);
    expect(workspace.read('memory/2026-03-15.md')).toContain('likes mauve');
    expect(existsSync(workspace.path('.git/index.lock'))).toBe(false);
    writeFileSync(hook, '#!/bin/sh\nexit 0\n');
    expect((await workspace.start(['retain', 'W @Anna: likes mauve', '--commit'], UNTIL)).code).toBe(0);
    expect(execFileSync('git', ['-C', workspace.root, 'log', '-p'], { encoding: 'utf8' })).toContain('likes mauve');
  },
);
