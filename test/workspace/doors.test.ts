import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { GetAnswer } from '../../src/query/get.js';
import type { RecallAnswer } from '../../src/query/request.js';
import type { RetainReport } from '../../src/retain/retain.js';
import type { SessionMatches } from '../../src/session/search.js';
import type { PageChange } from '../../src/upkeep/history.js';
import type { LintReport } from '../../src/upkeep/lint.js';
import { git } from '../support/git.js';
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

const NAME = 'Übergänge';

test.each([
  ['composed', 'NFC', 'NFD'],
  ['decomposed', 'NFD', 'NFC'],
] as const)('a page with a %s name is found by its other form, and written to', async (_, stored, typed) => {
  const path = `memory/topics/${NAME}.md`.normalize(stored);
  const other = path.normalize(typed);
  const workspace = testWorkspace({ [path]: '- W @Mo: keeps zebrafish\n' });
  const { item } = await workspace.json<GetAnswer>(['get', `${other}#L1`]);
  expect(item).toMatchObject({ path, content: expect.stringContaining('zebrafish') });
  const { retained } = await workspace.json<RetainReport>(['retain', 'W @Mo: bought gouramis', '--file', other]);
  expect(retained[0]?.source.startsWith(`${path}#L`)).toBe(true);
  expect(readdirSync(workspace.path('memory/topics'))).toEqual([path.slice('memory/topics/'.length)]);
  const { checked, problems } = await workspace.json<LintReport>(['lint', other]);
  expect([checked, problems.every((one) => one.path === path)]).toEqual([1, true]);
  await git(workspace.root, 'init', '-q', '-b', 'main');
  await git(workspace.root, 'add', '-A');
  await git(workspace.root, 'commit', '-q', '-m', 'fish');
  const history = await workspace.json<{ page: string; changes: readonly PageChange[] }>(['history', other]);
  expect([history.page, history.changes.map(({ subject }) => subject)]).toEqual([path, ['fish']]);
  const { stdout } = await workspace.run(['history', other, '--at', '2099-01-01']);
  expect(stdout).toContain('zebrafish');
});

test('lint checks the pages of a folder whose name is typed in another form', async () => {
  const folder = 'memory/topics/Café'.normalize('NFD');
  const workspace = testWorkspace({ [`${folder}/a.md`]: 'a\n', 'memory/topics/b.md': 'b\n' });
  const { checked } = await workspace.json<LintReport>(['lint', `${folder.normalize('NFC')}/`]);
  expect(checked).toBe(1);
});

test.each(['a\nb.md', 'a\\b.md', ' a.md', 'a .md'])('get shows the page %j', async (name) => {
  const path = `memory/topics/${name}`;
  const workspace = testWorkspace({ [path]: '# Fish\n\nThe zebrafish swim.\n' });
  const { item } = await workspace.json<GetAnswer>(['get', path]);
  expect(item).toMatchObject({ path, content: '# Fish\n\nThe zebrafish swim.' });
  const { item: line } = await workspace.json<GetAnswer>(['get', `${path}#L3`]);
  expect(line).toMatchObject({ path, startLine: 3 });
});

test.each([
  ['.gz', 'gzip -dc'],
  ['.2026-03-01.zst', 'zstd -dc'],
])('a transcript named .jsonl%s is refused with a way to read it', async (end, command) => {
  const workspace = testWorkspace();
  const line = JSON.stringify({ role: 'user', content: 'The zebrafish swim.' });
  const file = `${workspace.base}/chat-1.jsonl${end}`;
  writeFileSync(file, gzipSync(`${line}\n`));
  const { code, stderr } = await workspace.run(['session', 'import', file]);
  expect([code, stderr]).toEqual([2, expect.stringContaining(`${file} is compressed`)]);
  expect(stderr).toContain(`${command} ${file} | openclaw memory session import - --session chat-1`);
});

test('a search over a damaged archive reports the damage', async () => {
  const workspace = testWorkspace();
  for (const text of ['The zebrafish swim.', 'The gouramis rest.'])
    await workspace.run(['session', 'add', 'chat', '--role', 'user', '--text', text]);
  await workspace.run(['session', 'commit', 'chat', '--keep-recent', '0']);
  const whole = await workspace.json<SessionMatches>(['session', 'search', 'chat', 'gouramis']);
  expect([whole.found, whole.warnings]).toEqual([1, []]);
  const log = 'sessions/chat/history/archive_001/messages.jsonl';
  workspace.write(log, `${workspace.read(log).split('\n')[0]}\n{"id":\n`);
  const { stderr } = await workspace.run(['session', 'search', 'chat', 'gouramis']);
  expect(stderr).toContain(
    'archive_001 is damaged: 1 of 2 messages can be read; its messages may be missing from this result',
  );
});
