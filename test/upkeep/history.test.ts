import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { PageChange, StatementChange } from '../../src/upkeep/history.js';
import { git } from '../support/git.js';
import { testWorkspace } from '../support/test-workspace.js';
import type { TemporaryWorkspace } from '../support/workspace.js';

const LOG = 'memory/2026-01-02.md';
const OPINIONS = 'bank/opinions.md';
const OPINION = 'o-7k3m2q9x1a4bc';

interface Step {
  readonly at: string;
  readonly files: Readonly<Record<string, string | null>>;
}

/** Makes a repository with one commit for each step, at its time. */
async function repository(...steps: readonly Step[]): Promise<TemporaryWorkspace> {
  const workspace = testWorkspace({ '.gitignore': '.memory/\n' });
  await git(workspace.root, 'init', '-q', '-b', 'main');
  for (const [number, step] of steps.entries()) await commit(workspace, step, `step ${number + 1}`);
  return workspace;
}

async function commit(workspace: TemporaryWorkspace, { at, files }: Step, subject: string): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    if (text === null) workspace.remove(path);
    else workspace.write(path, text);
  }
  await git(workspace.root, 'add', '-A');
  const zone = ['-c', 'user.name=A', '-c', 'user.email=a@example.org'];
  process.env.GIT_COMMITTER_DATE = at;
  try {
    await git(workspace.root, ...zone, 'commit', '-q', '-m', subject, '--date', at);
  } finally {
    delete process.env.GIT_COMMITTER_DATE;
  }
}

const THREE_STEPS: readonly Step[] = [
  { at: '2026-01-02T10:00:00Z', files: { [LOG]: '# Day\n\n- W @Peter: lives in Graz\n' } },
  { at: '2026-01-05T23:30:00Z', files: { [LOG]: '# Day\n\n- W @Peter: lives in Vienna\n', 'a.md': 'a\n' } },
  { at: '2026-01-09T10:00:00Z', files: { [LOG]: '# Day\n\nmore\n\n- W @Peter: lives in Vienna\n' } },
];

async function changesOf<T>(workspace: TemporaryWorkspace, which: string): Promise<readonly T[]> {
  return (await workspace.json<{ changes: readonly T[] }>(['history', which])).changes;
}

test('history of a page: its commits, newest first, with diffs, and uncommitted changes', async () => {
  const workspace = await repository(...THREE_STEPS);
  workspace.write(LOG, '# Day\n');
  const changes = await changesOf<PageChange>(workspace, LOG);
  expect(changes.map(({ day, subject, path }) => [day, subject, path])).toEqual([
    [null, 'not committed', LOG],
    ['2026-01-09', 'step 3', LOG],
    ['2026-01-05', 'step 2', LOG],
    ['2026-01-02', 'step 1', LOG],
  ]);
  expect(changes[2]?.diff).toBe(
    '@@ -1,3 +1,3 @@\n # Day\n \n-- W @Peter: lives in Graz\n+- W @Peter: lives in Vienna\n',
  );
  const { stdout } = await workspace.run(['history', `${LOG}#L3`]);
  expect(stdout).toMatch(/^not committed\n@@/);
  expect(stdout).toMatch(/\n2026-01-05 {2}[0-9a-f]{9} {2}step 2\n@@ /);
});

test('history follows a renamed page, and --at finds the old name', async () => {
  const workspace = await repository(
    { at: '2026-01-02T10:00:00Z', files: { 'memory/topics/旧 name.md': 'one\ntwo\nthree\n' } },
    {
      at: '2026-01-04T10:00:00Z',
      files: { 'memory/topics/旧 name.md': null, 'memory/topics/new.md': 'one\ntwo\nthree\n' },
    },
  );
  const changes = await changesOf<PageChange>(workspace, 'memory/topics/new.md');
  expect(changes.map(({ path, diff }) => [path, diff === ''])).toEqual([
    ['memory/topics/new.md', true],
    ['memory/topics/旧 name.md', false],
  ]);
  const past = await workspace.json(['history', 'memory/topics/new.md', '--at', '2026-01-03']);
  expect(past).toMatchObject({ path: 'memory/topics/旧 name.md', day: '2026-01-03', content: 'one\ntwo\nthree\n' });
});

test('--at means the end of that day in the user’s time zone, byte for byte', async () => {
  const bytes = '\uFEFFone\r\ntwo';
  const workspace = await repository(
    { at: '2026-01-05T23:30:00Z', files: { 'a.md': bytes } },
    { at: '2026-01-07T10:00:00Z', files: { 'a.md': 'later\n' } },
    { at: '2026-01-09T10:00:00Z', files: { 'a.md': null, 'b.md': 'x\n' } },
  );
  expect(await workspace.run(['history', 'a.md', '--at', '2026-01-06'])).toMatchObject({ code: 0, stdout: bytes });
  expect(await workspace.run(['history', 'a.md', '--at', '2026-01-05'])).toMatchObject({ code: 0, stdout: bytes });
  // It was the 6th in Vienna already.
  const vienna = ['history', 'a.md', '--at', '2026-01-05', '--tz', 'Europe/Vienna'];
  expect(await workspace.run(vienna)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('git has no version of a.md'),
  });
  expect(await workspace.run(['history', 'a.md', '--at', '2026-01-07'])).toMatchObject({ stdout: 'later\n' });
  expect(await workspace.run(['history', 'a.md', '--at', '2026-01-09'])).toMatchObject({ code: 1 });
  expect(await workspace.run(['history', 'a.md', '--at', 'whenever'])).toMatchObject({ code: 2 });
});

test('history of a fact without a written id: commits that changed its line, with old and new line', async () => {
  const workspace = await repository(...THREE_STEPS);
  const { results } = await workspace.json<{ results: { id: string }[] }>(['recall', 'Peter Vienna']);
  const id = results[0]?.id ?? '';
  expect(id).toMatch(/^f-/);
  const changes = await changesOf<StatementChange>(workspace, id);
  expect(changes.map(({ day, old, new: now }) => [day, old, now])).toEqual([
    ['2026-01-05', '- W @Peter: lives in Graz', '- W @Peter: lives in Vienna'],
    ['2026-01-02', null, '- W @Peter: lives in Graz'],
  ]);
  const { stdout } = await workspace.run(['history', id, '--at', '2026-01-04']);
  expect(stdout).toBe('- W @Peter: lives in Graz\n');
});

test('history of an opinion: every change of its line, also when it moves within the page or is not committed', async () => {
  const opinion = (c: string) => `- O(c=${c}) @Peter: prefers tea ^${OPINION}\n`;
  const notes = '  - prior: 0.70 (2026-01-01)\n';
  const workspace = await repository(
    { at: '2026-01-01T10:00:00Z', files: { [OPINIONS]: opinion('0.7') + notes } },
    { at: '2026-01-02T10:00:00Z', files: { [OPINIONS]: `# Head\n\n${opinion('0.7')}${notes}` } },
    { at: '2026-01-03T10:00:00Z', files: { [OPINIONS]: `# Head\n\n${opinion('0.72')}${notes}` } },
    { at: '2026-01-04T10:00:00Z', files: { [OPINIONS]: `# Head\n\n- O(c=0.5) @Anna: likes tea\n${opinion('0.74')}` } },
    { at: '2026-01-05T10:00:00Z', files: { [OPINIONS]: opinion('0.74') } },
  );
  workspace.write(OPINIONS, opinion('0.76'));
  const changes = await changesOf<StatementChange>(workspace, `^${OPINION}`);
  const short = (line: string | null) => line?.match(/c=([\d.]+)/)?.[1] ?? null;
  const opinions = changes.filter(({ path }) => path === OPINIONS);
  expect(opinions.map(({ day, old, new: now }) => [day, short(old), short(now)])).toEqual([
    [null, '0.74', '0.76'],
    ['2026-01-04', '0.72', '0.74'],
    ['2026-01-03', '0.7', '0.72'],
    ['2026-01-01', null, '0.7'],
  ]);
  expect((await workspace.run(['history', OPINION])).stdout).toContain(
    `${OPINIONS}\n- ${opinion('0.7').trim()}\n+ ${opinion('0.72')}`,
  );
});

test('history of a fact follows it through a new name of its page, and takes no unlike line for its older wording', async () => {
  const page = (...lines: readonly string[]) => ['- W the backup failed', ...lines, '- W all is well', ''].join('\n');
  const workspace = await repository(
    { at: '2026-01-02T10:00:00Z', files: { 'memory/topics/旧.md': page('- O @张三: 喜欢喝绿茶') } },
    { at: '2026-01-03T10:00:00Z', files: { 'memory/topics/旧.md': page('- O @张三: 喜欢喝红茶') } },
    {
      at: '2026-01-04T10:00:00Z',
      files: { 'memory/topics/旧.md': null, 'memory/topics/new.md': page('- O @张三: 喜欢喝红茶') },
    },
    { at: '2026-01-05T10:00:00Z', files: { 'memory/topics/new.md': '- O @张三: 喜欢喝红茶\n- W @Anna: moved\n' } },
  );
  const idOf = async (query: string) =>
    (await workspace.json<{ results: { id: string }[] }>(['recall', query])).results[0]?.id ?? '';
  const tea = await changesOf<StatementChange>(workspace, await idOf('红茶'));
  expect(tea.map(({ path, old, new: now }) => [path, old, now])).toEqual([
    ['memory/topics/旧.md', '- O @张三: 喜欢喝绿茶', '- O @张三: 喜欢喝红茶'],
    ['memory/topics/旧.md', null, '- O @张三: 喜欢喝绿茶'],
  ]);
  expect(await changesOf<StatementChange>(workspace, await idOf('Anna moved'))).toMatchObject([
    { old: null, new: '- W @Anna: moved' },
  ]);
});

test('history works in a subfolder and in a linked work tree, and reads only the workspace', async () => {
  const workspace = testWorkspace({ [LOG]: '- W @Peter: lives in Graz ^f-a1b2c3d4e5f6g\n' });
  mkdirSync(join(workspace.base, 'beside'));
  await git(workspace.base, 'init', '-q', '-b', 'main');
  await git(workspace.base, 'add', `workspace/${LOG}`);
  await git(workspace.base, 'commit', '-q', '-m', 'first');
  expect(await changesOf<PageChange>(workspace, LOG)).toMatchObject([{ path: LOG, subject: 'first' }]);
  expect(await changesOf<StatementChange>(workspace, 'f-a1b2c3d4e5f6g')).toMatchObject([{ path: LOG, old: null }]);
  expect((await workspace.run(['history', LOG, '--at', '2100-01-01'])).stdout).toBe(workspace.read(LOG));
  expect(await workspace.run(['history', '../x.md'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('outside'),
  });
  const linked = join(workspace.base, 'linked');
  await git(workspace.base, 'worktree', 'add', '-q', '--detach', linked);
  const result = await workspace.run(['-w', join(linked, 'workspace'), 'history', LOG, '--json']);
  expect(JSON.parse(result.stdout)).toMatchObject({ changes: [{ path: LOG, subject: 'first' }] });
});

test('history reports a missing repository, missing commits and an unknown name', async () => {
  const workspace = testWorkspace({ [LOG]: '- W @Peter: lives in Graz\n' });
  expect(await workspace.run(['history', LOG])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/is not in a git repository\nhint: run openclaw memory init --git/),
  });
  await git(workspace.root, 'init', '-q');
  expect(await workspace.run(['history', LOG])).toMatchObject({ code: 0, stdout: 'Never committed.\n' });
  for (const unknown of ['memory/2020-01-01.md', 'f-0000000000000', 'o-0000000000000', 'l-0000000000000'])
    expect(await workspace.run(['history', unknown])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('hint:'),
    });
});
