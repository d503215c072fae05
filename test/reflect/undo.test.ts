import { existsSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { REFLECT, undoReflectRun } from '../../src/reflect/undo.js';
import { decodeBytes, encodeBytes } from '../../src/text/bytes.js';
import { type FileChange, finishPendingChanges } from '../../src/workspace/changes.js';
import { openClock } from '../../src/workspace/clock.js';
import { listRuns, runEntries } from '../../src/workspace/runs.js';
import { storeEntries } from '../../src/workspace/state.js';
import { testWorkspace } from '../support/test-workspace.js';
import { type FileContents, NOW, type TemporaryWorkspace } from '../support/workspace.js';

const PAGE = 'bank/entities/Peter.md';
const BEFORE = '# Peter\n\nprose\n\n- one\n- two\n';
const AFTER = '# Peter\n\nprose\n\n- one\n- two, and more\n';

/** A workspace as a run has left it: stored first, then written. */
function afterRun(changes: readonly FileChange[], files: FileContents = {}): TemporaryWorkspace {
  const workspace = testWorkspace(files);
  run(workspace, 'r1', changes);
  return workspace;
}

function run(workspace: TemporaryWorkspace, id: string, changes: readonly FileChange[]): void {
  store(workspace, id, changes);
  for (const { path, after } of changes) {
    if (after === null) workspace.remove(path);
    else workspace.write(path, encodeBytes(after));
  }
}

function undo(workspace: TemporaryWorkspace, id?: string, dryRun = false) {
  const place = { root: workspace.root, stateFolder: workspace.path('.memory'), clock: openClock('UTC', NOW) };
  return undoReflectRun(place, id, dryRun);
}

function store(workspace: TemporaryWorkspace, id: string, changes: readonly FileChange[]): void {
  const stateFolder = workspace.path('.memory');
  storeEntries(stateFolder, runEntries(stateFolder, REFLECT, id, { changes }, 20));
}

/** Names of the stored runs, newest first. */
function stored(workspace: TemporaryWorkspace): readonly string[] {
  return [...listRuns(workspace.path('.memory'), REFLECT).keys()];
}

const edit: FileChange = { path: PAGE, before: BEFORE, after: AFTER };
const made: FileChange = { path: 'bank/entities/New.md', before: null, after: 'new\n' };

test('runs are ordered as they were stored, whatever their names', async () => {
  const workspace = afterRun([edit]);
  run(workspace, 'r0', [made]);
  expect(stored(workspace)).toEqual(['r0', 'r1']);
  expect((await undo(workspace)).run).toBe('r0');
});

describe('unchanged files', () => {
  test('are restored, whether edited, created or deleted', async () => {
    const removed = { path: 'bank/old.md', before: 'old\r\n', after: null };
    const workspace = afterRun([edit, made, removed]);
    const { run: id, changes } = await undo(workspace);
    expect(id).toBe('r1');
    expect(changes).toEqual(
      [edit, made, removed].map(({ path, before, after }) => ({ path, before: after, after: before })),
    );
    expect(workspace.read(PAGE)).toBe(BEFORE);
    expect(workspace.read('bank/old.md')).toBe('old\r\n');
    expect(existsSync(workspace.path(made.path))).toBe(false);
  });

  test('are restored with any bytes', async () => {
    const bytes = fc.uint8Array({ maxLength: 40 }).map((array) => Buffer.from(array));
    await fc.assert(
      fc.asyncProperty(bytes, bytes, async (before, after) => {
        fc.pre(!before.equals(after));
        const workspace = afterRun([{ path: PAGE, before: decodeBytes(before), after: decodeBytes(after) }]);
        await undo(workspace);
        expect(readFileSync(workspace.path(PAGE))).toEqual(before);
      }),
      { numRuns: 15 },
    );
  });

  test('are restored after a run that died early or wrote a file several times', async () => {
    const second = { path: PAGE, before: AFTER, after: `${AFTER}- three\n` };
    const workspace = afterRun([edit, made]);
    run(workspace, 'r1', [second]);
    store(workspace, 'r1', [{ path: 'bank/world.md', before: 'w\n', after: 'W\n' }]);
    workspace.write('bank/world.md', 'w\n');
    await undo(workspace);
    expect([workspace.read(PAGE), workspace.read('bank/world.md')]).toEqual([BEFORE, 'w\n']);
  });
});

describe('files changed since the run', () => {
  test('keep the change and lose the edits of the run', async () => {
    const workspace = afterRun([edit]);
    workspace.write(PAGE, `${AFTER.replace('prose', 'my prose')}- three\n`);
    await undo(workspace);
    expect(workspace.read(PAGE)).toBe(`${BEFORE.replace('prose', 'my prose')}- three\n`);
  });

  test('lose the run’s lines in an evidence log and keep those of others, in any order after a merge', async () => {
    const log = { path: 'bank/evidence.jsonl', before: '{"a":1}\n', after: '{"a":1}\n{"b":2}\n{"c":3}\n' };
    const workspace = afterRun([log]);
    workspace.write(log.path, '{"b":2}\n{"d":4}\n{"a":1}\n{"c":3}\n{"e":5}\n');
    await undo(workspace);
    expect(workspace.read(log.path)).toBe('{"d":4}\n{"a":1}\n{"e":5}\n');
  });

  test.each([
    ['edited where the run did', PAGE, AFTER.replace('and more', 'and less')],
    ['gone', PAGE, null],
    ['made by the run, and edited', made.path, 'new and mine\n'],
  ])('stop the undo before any write and are named if %s', async (_, path, text) => {
    const first = { path: 'a.md', before: 'a\n', after: 'A\n' };
    const last = { path: 'z.md', before: 'z\n', after: 'Z\n' };
    const workspace = afterRun([first, edit, made, last]);
    if (text === null) workspace.remove(path);
    else workspace.write(path, text);
    const state = () => workspace.pages().map(({ path: name, text: now }) => [name, now]);
    const before = state();
    await expect(undo(workspace)).rejects.toMatchObject({
      failure: {
        type: 'conflict',
        message: expect.stringContaining(path),
        hint: expect.stringContaining('nothing was written'),
      },
    });
    expect(state()).toEqual(before);
    expect(stored(workspace)).toEqual(['r1']);
    expect(listRuns(workspace.path('.memory'), REFLECT).get('r1')?.isUndone).toBeUndefined();
  });
});

test('undo reverts the last run first, then the one before; a named run may be any', async () => {
  const workspace = afterRun([{ path: PAGE, before: 'a\n-\nb\n', after: 'A\n-\nb\n' }]);
  run(workspace, 'r2', [{ path: PAGE, before: 'A\n-\nb\n', after: 'A\n-\nB\n' }]);
  expect(await undo(workspace, 'r1')).toMatchObject({ run: 'r1' });
  expect(workspace.read(PAGE)).toBe('a\n-\nB\n');
  expect(await undo(workspace)).toMatchObject({ run: 'r2' });
  expect(workspace.read(PAGE)).toBe('a\n-\nb\n');
  await expect(undo(workspace)).rejects.toMatchObject({ failure: { message: 'there is no run to undo' } });
  await expect(undo(workspace, 'r1')).rejects.toMatchObject({
    failure: { message: expect.stringContaining('already') },
  });
  await expect(undo(workspace, 'r9')).rejects.toMatchObject({
    failure: { hint: expect.stringContaining('r2 (undone)') },
  });
  await expect(undo(workspace, '../x')).rejects.toMatchObject({ failure: { type: 'not_found' } });
});

test('a killed run that was reverted is not finished by the next one', async () => {
  const workspace = testWorkspace({ [PAGE]: BEFORE, 'a.md': 'a\n' });
  const changes = [edit, { path: 'a.md', before: 'a\n', after: 'A\n' }];
  store(workspace, 'r1', changes);
  storeEntries(workspace.path('.memory'), [{ kind: 'pending', value: changes }]);
  workspace.write(PAGE, AFTER);
  await undo(workspace);
  finishPendingChanges(workspace.root, workspace.path('.memory'));
  expect([workspace.read(PAGE), workspace.read('a.md')]).toEqual([BEFORE, 'a\n']);
});

test('a run that restarted after an edit is reverted to that edit', async () => {
  const workspace = testWorkspace();
  store(workspace, 'r1', [edit]);
  run(workspace, 'r1', [{ path: PAGE, before: `mine\n${BEFORE}`, after: `mine\n${AFTER}` }]);
  await undo(workspace);
  expect(workspace.read(PAGE)).toBe(`mine\n${BEFORE}`);
});

test('runs of one second are reverted one by one, even one that was reverted and repeated', async () => {
  const workspace = testWorkspace({ 'memory/2026-03-14.md': '- W @Peter: lives in Graz\n' });
  const reflect = async (): Promise<string> => (await workspace.json<{ run: string }>(['reflect'])).run;
  const runs = [await reflect()];
  const first = workspace.read(PAGE);
  workspace.write('memory/2026-03-14.md', '- W @Peter: lives in Graz\n- W @Peter: plays chess\n');
  runs.push(await reflect());
  const undoLast = async (): Promise<string> => (await workspace.json<{ run: string }>(['reflect', '--undo'])).run;
  expect(await undoLast()).toBe(runs[1]);
  expect(workspace.read(PAGE)).toBe(first);
  runs.push(await reflect());
  expect(workspace.read(PAGE)).toContain('plays chess');
  expect(await undoLast()).toBe(runs[2]);
  expect(workspace.read(PAGE)).toBe(first);
  expect(await undoLast()).toBe(runs[0]);
  expect(existsSync(workspace.path(PAGE))).toBe(false);
  expect(new Set(runs).size).toBe(3);
});

test('a dry run reports the same and writes nothing', async () => {
  const workspace = afterRun([edit]);
  const { changes } = await undo(workspace, undefined, true);
  expect(workspace.read(PAGE)).toBe(AFTER);
  expect((await undo(workspace)).changes).toEqual(changes);
});

test('the last 20 runs are kept', () => {
  const workspace = testWorkspace();
  for (let i = 1; i <= 25; i++) run(workspace, `run-${i}`, [{ path: 'a.md', before: `${i - 1}\n`, after: `${i}\n` }]);
  expect(stored(workspace)).toEqual(Array.from({ length: 20 }, (_, i) => `run-${25 - i}`));
});

test('a path that leads out of the workspace is refused', async () => {
  const workspace = testWorkspace();
  run(workspace, 'r1', [made]);
  store(workspace, 'r1', [{ path: '../outside.md', before: 'x', after: null }]);
  await expect(undo(workspace)).rejects.toMatchObject({ failure: { type: 'refused' } });
  expect(workspace.read(made.path)).toBe('new\n');
});
