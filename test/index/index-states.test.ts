import { spawn } from 'node:child_process';
import { existsSync, readFileSync, statSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { openWorkspace } from '../../src/app/workspace.js';
import { testWorkspace } from '../support/test-workspace.js';
import type { TemporaryWorkspace } from '../support/workspace.js';

const LOG = 'memory/2026-03-01.md';
const FILES = { [LOG]: '# day\n\n- W @Peter: likes heliotrope\n' };

async function found(workspace: TemporaryWorkspace, word: string): Promise<readonly string[]> {
  const { results } = await workspace.recall(word);
  return results.map(({ source }) => source);
}

test('recall sees edited, deleted and renamed files without a watcher (complaints: dead watchers, stale status)', async () => {
  const workspace = testWorkspace(FILES);
  expect(await found(workspace, 'heliotrope')).toEqual([`${LOG}#L3`]);
  workspace.write(LOG, '# day\n\n\n- W @Peter: likes marigold\n');
  expect(await found(workspace, 'heliotrope')).toEqual([]);
  expect(await found(workspace, 'marigold')).toEqual([`${LOG}#L4`]);
  workspace.write('memory/2026-03-02.md', workspace.read(LOG));
  workspace.remove(LOG);
  expect(await found(workspace, 'marigold')).toEqual(['memory/2026-03-02.md#L4']);
  expect((await workspace.run(['index', '--verify'])).code).toBe(0);
});

test('a change that keeps size and times is seen if the file changed just before it was indexed', async () => {
  const workspace = testWorkspace(FILES);
  expect(await found(workspace, 'heliotrope')).toHaveLength(1);
  const { atime, mtime } = statSync(workspace.path(LOG));
  workspace.write(LOG, workspace.read(LOG).replace('heliotrope', 'chrysantem'));
  utimesSync(workspace.path(LOG), atime, mtime);
  expect(await found(workspace, 'chrysantem')).toHaveLength(1);
});

test('after a checkout or a copy only files with other content, or with a forgotten line, are read again', async () => {
  const other = 'memory/2026-03-02.md';
  const workspace = testWorkspace({ ...FILES, [other]: '- W @X: zinnia\n- W @X: lupin\n' });
  await workspace.json(['index']);
  const rewrite = (change: (text: string) => string): void => {
    for (const path of [LOG, other]) {
      const text = change(workspace.read(path));
      workspace.remove(path);
      workspace.write(path, text);
    }
  };
  rewrite((text) => text);
  expect(await workspace.json(['index'])).toMatchObject({ added: 0, changed: 0, removed: 0, changes: [] });
  rewrite((text) => text.replace('zinnia', 'violet'));
  expect(await workspace.json(['index'])).toMatchObject({ changed: 1, changes: [{ path: other, event: 'changed' }] });
  expect(await found(workspace, 'violet')).toEqual([`${other}#L1`]);
  // A merge restores a tombstone and rewrites the file unchanged.
  const { results } = await workspace.recall('heliotrope');
  const id = results[0]?.id ?? '';
  await workspace.json(['forget', id]);
  const tombstones = workspace.read('bank/forgotten.md');
  await workspace.json(['forget', id, '--undo']);
  expect(await found(workspace, 'heliotrope')).toHaveLength(1);
  workspace.write('bank/forgotten.md', tombstones);
  rewrite((text) => text);
  expect(await found(workspace, 'heliotrope')).toEqual([]);
  expect((await workspace.run(['index', '--verify'])).code).toBe(0);
});

const DAMAGE: Readonly<Record<string, (path: string) => void>> = {
  truncated: (path) => truncateSync(path, 5_000),
  garbage: (path) => writeFileSync(path, 'no database at all '.repeat(500)),
  foreign: (path) => {
    writeFileSync(path, '');
    new Database(path).exec('CREATE TABLE theirs (a)').close();
  },
};

test.each(Object.keys(DAMAGE))(
  'an index that is %s is set aside and rebuilt with one warning (complaint: a corrupt index)',
  async (kind) => {
    const workspace = testWorkspace(FILES);
    await workspace.json(['index']);
    const path = workspace.path('.memory/index.sqlite');
    DAMAGE[kind]?.(path);
    const run = await workspace.run(['recall', 'heliotrope']);
    expect(run.code).toBe(0);
    expect(run.stdout).toContain(`${LOG}#L3`);
    expect(run.stderr).toMatch(/^warning: the index was [^\n]*moved to index\.sqlite\.unusable[^\n]*\n$/);
    expect(existsSync(`${path}.unusable`)).toBe(true);
    expect((await workspace.run(['index', '--verify'])).code).toBe(0);
  },
);

test('an index of another version is rebuilt with one warning, and no copy of it stays', async () => {
  const workspace = testWorkspace(FILES);
  for (const command of [['recall', 'heliotrope'], ['index'], ['index', '--force']]) {
    await workspace.json(['index']);
    new Database(workspace.path('.memory/index.sqlite')).exec('PRAGMA user_version = 1').close();
    const run = await workspace.run(command);
    expect([run.code, run.stderr]).toEqual([
      0,
      'warning: the index was of another version; it is rebuilt from the files\n',
    ]);
  }
  expect(await workspace.json(['doctor'])).toMatchObject({ ok: true });
});

test.each([
  ['a row', "UPDATE unit SET text = 'tampered' WHERE fact IS NOT NULL"],
  ['the full text', 'DELETE FROM fts WHERE rowid = (SELECT max(id) FROM unit)'],
])('--verify notices that %s differs from the file, and --force repairs it', async (_, sql) => {
  const workspace = testWorkspace(FILES);
  await workspace.json(['index']);
  const db = new Database(workspace.path('.memory/index.sqlite'));
  db.exec(sql);
  db.close();
  const verify = await workspace.run(['index', '--verify']);
  expect(verify.code).toBe(4);
  expect(verify.stdout).toContain(LOG);
  await workspace.json(['index', '--force']);
  expect((await workspace.run(['index', '--verify'])).code).toBe(0);
});

test('while another process writes, recall reads changed files itself; too many make the answer stale, with a warning', async () => {
  const workspace = testWorkspace({ ...FILES, 'memory/2026-03-02.md': '- W @X: zinnia\n' });
  await workspace.json(['index']);
  const holder = await holdLock(workspace.path('.memory/lock.sqlite'));
  try {
    workspace.write(LOG, '- W @Peter: likes marigold\n');
    workspace.remove('memory/2026-03-02.md');
    expect(await found(workspace, 'marigold')).toEqual([`${LOG}#L1`]);
    expect(await found(workspace, 'zinnia')).toEqual([]);
    expect(await found(workspace, 'heliotrope')).toEqual([]);
    for (let i = 0; i < 250; i++) workspace.write(`memory/topics/t${i}.md`, `- W @T: lobelia ${i}\n`);
    const answer = await workspace.recall('lobelia');
    expect(answer).toMatchObject({ stale: true, results: [] });
    expect(answer.warnings[0]).toContain('changed files are not in this answer');
  } finally {
    holder.kill('SIGKILL');
  }
});

test('files that an interrupted index stored and that are deleted later are not found', async () => {
  const workspace = testWorkspace(FILES);
  expect(await found(workspace, 'heliotrope')).toHaveLength(1);
  const topics = Array.from({ length: 100 }, (_, i) => `memory/topics/t${i}.md`);
  for (const path of topics) {
    workspace.write(path, '- W @T: lobelia\n');
    // A file written just now would be read again in any case.
    utimesSync(workspace.path(path), 1e9, 1e9);
  }
  const stop = new AbortController();
  const opened = await openWorkspace({
    workspace: workspace.root,
    env: workspace.env,
    signal: stop.signal,
    onProgress: () => stop.abort(),
  });
  await expect(opened.index()).rejects.toThrow('indexing was interrupted');
  for (const path of topics) workspace.remove(path);
  expect(await found(workspace, 'lobelia')).toEqual([]);
  expect((await workspace.run(['index', '--verify'])).code).toBe(0);
});

async function holdLock(path: string) {
  const driver = fileURLToPath(import.meta.resolve('better-sqlite3'));
  const code = `import D from ${JSON.stringify(driver)}; globalThis.db = new D(${JSON.stringify(path)}); db.exec('BEGIN EXCLUSIVE'); console.log('held'); setInterval(() => db.open, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'inherit'] });
  await new Promise((resolve) => child.stdout.once('data', resolve));
  return child;
}

test('only one core file counts, and only the newest completed overview of a session', async () => {
  const overview = (word: string) => `# Working Memory\n\n## Current State\n\n${word}\n`;
  const workspace = testWorkspace({
    'MEMORY.md': 'peony\n',
    'memory.md': 'begonia\n',
    'sessions/a/history/archive_001/.overview.md': overview('petunia'),
    'sessions/a/history/archive_001/.done': '',
    'sessions/a/history/archive_002/.overview.md': overview('verbena'),
    'sessions/a/history/archive_002/.done': '',
    'sessions/a/history/archive_003/.overview.md': overview('lantana'),
    'node_modules/x/a.md': 'begonia',
    'memory/.hidden/a.md': 'begonia',
    'memory/a.md~': 'begonia',
    'AGENTS.md': 'begonia',
  });
  expect(await found(workspace, 'peony')).toEqual(['MEMORY.md#L1']);
  expect(await found(workspace, 'verbena')).toEqual(['sessions/a/history/archive_002/.overview.md#L5']);
  for (const word of ['begonia', 'petunia', 'lantana']) expect(await found(workspace, word), word).toEqual([]);
  expect(readFileSync(workspace.path('memory.md'), 'utf8')).toBe('begonia\n');
});

const log = (day: string, ...facts: readonly string[]): string =>
  `# ${day}\n\n## Retain\n\n${facts.map((fact) => `- W @Max: ${fact}\n`).join('')}`;

test('the latest statement is found by its day, even after hundreds of older notes are added', async () => {
  const workspace = testWorkspace({
    'memory/2026-01-02.md': log('2026-01-02', 'lives in Linz'),
    'memory/2026-02-02.md': log('2026-02-02', 'moved to Salzburg, where he lives now'),
  });
  await workspace.run(['index']);
  const counted = Array.from({ length: 200 }, (_, i) => `counted crate ${i}`);
  workspace.write('memory/2020-01-01.md', log('2020-01-01', ...counted));
  const first = async (): Promise<string | undefined> =>
    (await workspace.recall('@Max in Linz', '--k', '1')).results[0]?.source;
  const shown = async (): Promise<string> => (await workspace.run(['entity', 'show', 'Max', '--all'])).stdout;
  expect(await first()).toBe('memory/2026-02-02.md#L5');
  const before = await shown();
  await workspace.run(['index', '--force']);
  expect(await first()).toBe('memory/2026-02-02.md#L5');
  expect(await shown()).toBe(before);
});
