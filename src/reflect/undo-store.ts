import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Day } from '../base/clock.js';
import { fail, toFailure } from '../base/failure.js';
import { parseJson } from '../base/json.js';
import { PairVerdictStore, parsePairVerdicts } from '../memory/threads/verdicts.js';
import { revertChange } from '../text/changes.js';
import {
  type FileChange,
  isAnyTextInChanges,
  isFileChange,
  planRevert,
  writeAllChanges,
} from '../workspace/changes.js';
import { editFile, readVersion, removeFolder } from '../workspace/files.js';
import { runWithLock } from '../workspace/lock.js';
import type { WorkspaceContext } from '../workspace/read-scope.js';
import { listRuns, storeRun } from '../workspace/runs.js';
import { addLinesToText, EVIDENCE_PATH } from './scope.js';

/** Maximum number of runs to keep. */
const MOST_RUNS = 20;
const CHANGES = 'changes.jsonl';
const UNDONE = 'undone';

export interface UndoneRun {
  readonly run: string;
  /** Day of the run. */
  readonly day: string | null;
  readonly changes: readonly FileChange[];
}

/**
 * Stores the changes that a run is about to write: by path, the text before and after, so that the same bytes can be
 * restored. May be called several times for one run. Drops the oldest runs beyond {@link MOST_RUNS}.
 * @param run its id, which names a folder
 */
export function storeChanges(stateFolder: string, run: string, changes: readonly FileChange[]): void {
  const made = changes.filter(({ before, after }) => before !== after);
  if (made.length === 0) return;
  const text = made.map((change) => `${JSON.stringify(change)}\n`).join('');
  const path = join(runFolder(stateFolder, run), CHANGES);
  // End a line that a crash cut off, so that it does not damage the next one.
  const isKept = editFile(path, (current) => current && addLinesToText(current.toString('utf8'), text));
  if (!isKept) storeRun(runsFolder(stateFolder), run, { [CHANGES]: text }, MOST_RUNS);
}

/** The stored runs, newest first. */
export function listStoredRuns(stateFolder: string): readonly { readonly run: string; readonly isUndone: boolean }[] {
  const isUndone = (run: string) => existsSync(join(runFolder(stateFolder, run), UNDONE));
  return listRuns(runsFolder(stateFolder)).map((run) => ({ run, isUndone: isUndone(run) }));
}

/** The day of a run, from its name; null for a name in another format. */
export function parseDayOfRunId(run: string): string | null {
  const [, year, month, day] = /^r-(\d{4})(\d\d)(\d\d)T/.exec(run) ?? [];
  return year === undefined ? null : `${year}-${month}-${day}`;
}

/** Removes the runs that contain one of the texts, ignoring white space and case. Call it under the writer lock. */
export function removeRunsWithTexts(stateFolder: string, texts: readonly string[]): void {
  for (const { run } of listStoredRuns(stateFolder))
    if (isAnyTextInChanges(readRunChanges(stateFolder, run), texts)) removeFolder(runFolder(stateFolder, run));
}

/**
 * Undoes a run, under the writer lock. Restores files that were not changed since; in other files reverts the run's
 * edits by a three-way merge. If one merge fails, writes nothing.
 * @param run its id; default: the last run that is not undone
 * @throws MemoryError `not_found`, `conflict` that names the files, `busy`
 */
export async function undoRun(context: WorkspaceContext, run?: string, dryRun = false): Promise<UndoneRun> {
  const { root, stateFolder, clock } = context;
  return runWithLock({ ...context, command: 'reflect', dryRun }, () => {
    const wanted = findRun(stateFolder, run);
    const at = clock.now().toISOString();
    const changes = planRevert(root, readRunChanges(stateFolder, wanted), (change, now) =>
      change.path === EVIDENCE_PATH ? takeBackEvidence(change, now, at) : revertChange(change, now),
    );
    if (!dryRun) {
      const [left] = writeAllChanges(
        root,
        stateFolder,
        changes.filter(({ before, after }) => before !== after),
      );
      const hint = 'run reflect --undo again; it continues from there';
      if (left !== undefined)
        fail('conflict', `another program changed ${left.path} while the run was being undone`, hint);
      editFile(join(runFolder(stateFolder, wanted), UNDONE), () => '');
    }
    return { run: wanted, day: parseDayOfRunId(wanted), changes };
  });
}

/**
 * Undoes the runs after a day, newest first. If a person has changed a page of a run since, and the change can't be
 * merged, the run stays, with a warning.
 * @throws MemoryError `busy`, `interrupted`
 */
export async function undoRunsAfter(
  context: WorkspaceContext,
  day: Day,
): Promise<{ readonly changes: readonly FileChange[]; readonly warnings: readonly string[] }> {
  let changes: readonly FileChange[] = [];
  const warnings: string[] = [];
  const runs = listStoredRuns(context.stateFolder).filter(
    ({ run, isUndone }) => !isUndone && (parseDayOfRunId(run) ?? '') > day,
  );
  for (const { run } of runs) {
    try {
      changes = joinChanges(changes, (await undoRun(context, run)).changes);
    } catch (error) {
      const { type, message } = toFailure(error);
      if (type !== 'conflict') throw error;
      warnings.push(message);
    }
  }
  return { changes, warnings };
}

/**
 * Joins two sets of changes, of which `then` was made after `first`. For each path, keeps the text before the first
 * change and the text after the last.
 */
export function joinChanges(first: readonly FileChange[], then: readonly FileChange[]): readonly FileChange[] {
  const all = new Map(first.map((change) => [change.path, change]));
  for (const change of then) all.set(change.path, { ...change, before: (all.get(change.path) ?? change).before });
  return [...all.values()].filter(({ before, after }) => before !== after);
}

function findRun(stateFolder: string, run: string | undefined): string {
  const runs = listStoredRuns(stateFolder);
  const found = runs.find((stored) => (run === undefined ? !stored.isUndone : stored.run === run));
  if (found === undefined) {
    const known = runs.map((stored) => (stored.isUndone ? `${stored.run} (undone)` : stored.run)).join(', ');
    const message = run === undefined ? 'there is no run to undo' : `the run ${run} is not stored on this machine`;
    const hint = known === '' ? 'reflect has not written anything on this machine yet' : `stored runs: ${known}`;
    return fail('not_found', message, hint);
  }
  if (found.isUndone) return fail('not_found', `the run ${found.run} is already undone`, 'nothing to do');
  return found.run;
}

/**
 * Reverts a run's change of the evidence file. Verdicts about two statements are not deleted, because another clone may
 * have the same lines, and a merge would bring them back. Instead, a new line revokes each of these verdicts.
 */
function takeBackEvidence(change: FileChange, now: string | null, at: string): ReturnType<typeof revertChange> {
  const { path, before, after } = change;
  const old = new Set(before?.split('\n'));
  const made = (after?.split('\n') ?? []).filter((line) => !old.has(line));
  const pairs = made.filter((line) => parsePairVerdicts(line).length > 0);
  if (pairs.length === 0) return revertChange(change, now);
  const kept = revertChange({ path, before: addLinesToText(before ?? '', `${pairs.join('\n')}\n`), after }, now);
  if (!kept.ok) return kept;
  const book = new PairVerdictStore(kept.value ?? '');
  for (const { fact, of, by, day } of pairs.flatMap(parsePairVerdicts))
    if (book.of(fact, of) !== undefined) book.add({ fact, of, relation: 'undone', by, day }, at);
  return { ok: true, value: addLinesToText(kept.value ?? '', book.lines()) };
}

/**
 * Changes of a run, one per path: the text before the first write and after the last. A run may have stored two changes
 * of a file. If the second does not start from the result of the first, a person edited the file in between, and the run
 * was planned again. Then the first change is ignored.
 */
export function readRunChanges(stateFolder: string, run: string): readonly FileChange[] {
  const text = readVersion(join(runFolder(stateFolder, run), CHANGES))?.bytes.toString('utf8') ?? '';
  const found = new Map<string, FileChange>();
  for (const line of text.split('\n')) {
    const change = parseJson(line);
    // A crash cut the line off before its change was written: skip it.
    if (!isFileChange(change)) continue;
    const earlier = found.get(change.path);
    found.set(change.path, earlier?.after === change.before ? { ...change, before: earlier.before } : change);
  }
  return [...found.values()];
}

function runFolder(stateFolder: string, run: string): string {
  if (!/^[\w-][\w.-]*$/.test(run))
    return fail('usage', `"${run}" is not the id of a run`, 'find the id with: openclaw memory reflect --json');
  return join(runsFolder(stateFolder), run);
}

function runsFolder(stateFolder: string): string {
  return join(stateFolder, 'reflect', 'runs');
}
