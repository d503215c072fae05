import { existsSync } from 'node:fs';
import { fail, type Result } from '../base/failure.js';
import { type FileChange, joinChanges, readPageText, writeAllChanges } from './changes.js';
import { runWithLock } from './lock.js';
import type { WorkspaceContext } from './read-scope.js';
import { damagedStatePath, type Entry, readEntries, readEntry, readNames, storeEntries } from './state.js';

/** A stored run: an entry of the store whose kind is the verb and whose name is the id of the run. */
export interface Run<Note = unknown> {
  readonly changes: readonly FileChange[];
  readonly isUndone?: boolean;
  /** What the verb needs to know about the run later. */
  readonly note?: Note;
}

/** The stored runs of a verb, by name, the last stored first. */
export function listRuns<Note>(stateFolder: string, verb: string): ReadonlyMap<string, Run<Note>> {
  return new Map([...readEntries<Run<Note>>(stateFolder, verb)].reverse());
}

/**
 * The entries that store a run, and remove the oldest runs if there are more than `most`. If the run is stored already, the
 * changes are added to it.
 */
export function runEntries<Note>(stateFolder: string, verb: string, name: string, run: Run<Note>, most: number) {
  const earlier = readEntry<Run>(stateFolder, verb, name)?.changes ?? [];
  const others = readNames(stateFolder, verb).filter((other) => other !== name);
  return [
    { kind: verb, name, value: { ...run, changes: joinChanges(earlier, run.changes) } },
    ...others.slice(0, 1 - most).map((old): Entry => ({ kind: verb, name: old, value: undefined })),
  ];
}

interface UndoRequest {
  readonly verb: string;
  /** Name of the run. Default: the last run that is not undone. */
  readonly run?: string | undefined;
  readonly dryRun: boolean;
}

/**
 * Undoes a run, under the writer lock. Nothing is written if the plan fails.
 * @param plan returns the changes that revert the run. If `isPartial` is set, the run can be undone again
 * @throws MemoryError `not_found`, `conflict` that names the files, `busy`
 */
export async function undoRun<
  Note,
  Plan extends { readonly changes: readonly FileChange[]; readonly isPartial?: boolean },
>(
  context: WorkspaceContext,
  { verb, run, dryRun }: UndoRequest,
  plan: (run: Run<Note>) => Plan,
): Promise<Plan & { readonly run: string }> {
  const { root, stateFolder } = context;
  return runWithLock({ ...context, command: verb, dryRun }, () => {
    const [name, found] = findRun<Note>(stateFolder, verb, run);
    const made = { run: name, ...plan(found) };
    if (dryRun) return made;
    const changes = made.changes.filter(({ before, after }) => before !== after);
    const [left] = writeAllChanges(root, stateFolder, changes);
    const hint = `run ${verb} --undo again; it continues from there`;
    if (left !== undefined)
      fail('conflict', `another program changed ${left.path} while the run was being undone`, hint);
    if (!made.isPartial) storeEntries(stateFolder, [{ kind: verb, name, value: { ...found, isUndone: true } }]);
    return made;
  });
}

function findRun<Note>(stateFolder: string, verb: string, run?: string): readonly [name: string, run: Run<Note>] {
  const runs = [...listRuns<Note>(stateFolder, verb)];
  const found = runs.find(([name, { isUndone }]) => (run === undefined ? !isUndone : name === run));
  if (found?.[1].isUndone) return fail('not_found', `the run ${found[0]} is already undone`, 'nothing to do');
  if (found !== undefined) return found;
  const known = runs.map(([name, { isUndone }]) => (isUndone ? `${name} (undone)` : name)).join(', ');
  const damaged = damagedStatePath(stateFolder);
  const none = existsSync(damaged)
    ? `the earlier runs were in a file that was damaged: ${damaged}`
    : `${verb} has not written anything on this machine yet`;
  const message = run === undefined ? 'there is no run to undo' : `the run ${run} is not stored on this machine`;
  return fail('not_found', message, known === '' ? none : `stored runs: ${known}`);
}

/**
 * Plans how to revert a run. If nobody has changed a page after the run, it gets its old text back. From any other page,
 * only the changes of the run are removed.
 * @param outOf removes a change of the run from the text that the page has now. Returns the new text, or the reason why the
 * change can't be removed
 * @throws MemoryError `conflict` that names the pages from which a change can't be removed
 */
export function planRevert(
  root: string,
  changes: readonly FileChange[],
  outOf: (change: FileChange, now: string | null) => Result<string | null, string>,
): readonly FileChange[] {
  const refused: string[] = [];
  const steps = changes.flatMap((change): readonly FileChange[] => {
    const { path } = change;
    const before = readPageText(root, path);
    const after = outOf(change, before);
    if (!after.ok) refused.push(`${path} (${after.error})`);
    return after.ok ? [{ path, before, after: after.value }] : [];
  });
  if (refused.length === 0) return steps;
  const hint = 'nothing was written; undo your own changes of these pages first, or edit the pages yourself';
  return fail('conflict', `the run can't be undone; these pages changed since: ${refused.join(', ')}`, hint);
}
