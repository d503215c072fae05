import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fail } from '../base/failure.js';
import { parseJson } from '../base/json.js';
import { PairBook, parsePairVerdicts } from '../memory/threads/verdicts.js';
import { encodeBytes } from '../text/bytes.js';
import { takeOut } from '../text/changes.js';
import { type FileChange, holdOneOf, isChange, planTakingBack, type TakingBack } from '../workspace/changes.js';
import { appendAtSize, readVersion, removeFile, removeFolder, replaceFile } from '../workspace/files.js';
import { locked } from '../workspace/lock.js';
import type { WorkspaceContext } from '../workspace/reads.js';
import { keepRun, runsIn } from '../workspace/runs.js';
import { EVIDENCE_PATH, withLines } from './scope.js';

/** So many runs are kept. */
const MOST_RUNS = 20;
const CHANGES = 'changes.jsonl';
const UNDONE = 'undone';

export interface UndoneRun {
  readonly run: string;
  /** Of the run. */
  readonly day: string | null;
  readonly changes: readonly FileChange[];
}

/**
 * Keeps what a run is about to write, before it does: by path the text before and after, from which the same bytes can be
 * made. May be called several times for one run. The oldest runs beyond {@link MOST_RUNS} are dropped.
 * @param run its id, which names a folder
 */
export function storeChanges(stateFolder: string, run: string, changes: readonly FileChange[]): void {
  const made = changes.filter(({ before, after }) => before !== after);
  if (made.length === 0) return;
  const path = join(runFolder(stateFolder, run), CHANGES);
  const text = made.map((change) => `${JSON.stringify(change)}\n`).join('');
  const kept = readVersion(path);
  if (kept === undefined) keepRun(runsFolder(stateFolder), run, { [CHANGES]: text }, MOST_RUNS);
  // What a crash left half-written is ended, so that it costs no other line.
  else appendAtSize(path, kept.bytes.length, `${kept.bytes.at(-1) === LINE_FEED ? '' : '\n'}${text}`);
}

const LINE_FEED = 10;

/** The runs that are kept, the one stored last first. */
export function storedRuns(stateFolder: string): readonly { readonly run: string; readonly isUndone: boolean }[] {
  const isUndone = (run: string) => existsSync(join(runFolder(stateFolder, run), UNDONE));
  return runsIn(runsFolder(stateFolder)).map((run) => ({ run, isUndone: isUndone(run) }));
}

/** The day of a run, which its name begins with; null for a name of another kind. */
export function dayOfRun(run: string): string | null {
  const [, year, month, day] = /^r-(\d{4})(\d\d)(\d\d)T/.exec(run) ?? [];
  return year === undefined ? null : `${year}-${month}-${day}`;
}

/** Removes the runs that hold one of some texts, however it is spaced and cased. Under the writer lock. */
export function dropRuns(stateFolder: string, texts: readonly string[]): void {
  for (const { run } of storedRuns(stateFolder))
    if (holdOneOf(readChanges(stateFolder, run), texts)) removeFolder(runFolder(stateFolder, run));
}

/**
 * Takes a run back, under the writer lock: files that nobody has changed since are as they were before it; in others
 * what the run did is taken out by a three-way merge. When one can't be, nothing is written at all.
 * @param run its id; the last one that is not undone when it is not given
 * @throws MemoryError `not_found`, `conflict` that names the files, `busy`
 */
export async function undoRun(context: WorkspaceContext, run?: string, dryRun = false): Promise<UndoneRun> {
  const { root, stateFolder, clock } = context;
  return locked({ ...context, command: 'reflect', dryRun }, () => {
    const wanted = findRun(stateFolder, run);
    const at = clock.now().toISOString();
    const steps = planTakingBack(root, readChanges(stateFolder, wanted), (change, now) =>
      change.path === EVIDENCE_PATH ? takeBackEvidence(change, now, at) : takeOut(change, now),
    );
    if (!dryRun) {
      for (const step of steps) write(step);
      replaceFile(join(runFolder(stateFolder, wanted), UNDONE), undefined, '');
    }
    return { run: wanted, day: dayOfRun(wanted), changes: steps.map(({ change }) => change) };
  });
}

function findRun(stateFolder: string, run: string | undefined): string {
  const runs = storedRuns(stateFolder);
  const found = runs.find((stored) => (run === undefined ? !stored.isUndone : stored.run === run));
  if (found === undefined) {
    const known = runs.map((stored) => (stored.isUndone ? `${stored.run} (undone)` : stored.run)).join(', ');
    const message = run === undefined ? 'there is no run to take back' : `the run ${run} is not kept here`;
    const hint = known === '' ? 'reflect has written nothing on this machine yet' : `kept: ${known}`;
    return fail('not_found', message, hint);
  }
  if (found.isUndone) return fail('not_found', `the run ${found.run} is taken back already`, 'nothing to do');
  return found.run;
}

/**
 * Verdicts about two statements stay where they are, and lines of their own take them back: clones that have them already
 * would bring back what is only deleted.
 */
function takeBackEvidence(change: FileChange, now: string | null, at: string): ReturnType<typeof takeOut> {
  const { path, before, after } = change;
  const old = new Set(before?.split('\n'));
  const made = (after?.split('\n') ?? []).filter((line) => !old.has(line));
  const pairs = made.filter((line) => parsePairVerdicts(line).length > 0);
  if (pairs.length === 0) return takeOut(change, now);
  const kept = takeOut({ path, before: withLines(before ?? '', `${pairs.join('\n')}\n`), after }, now);
  if (!kept.ok) return kept;
  const book = new PairBook(kept.value ?? '');
  for (const { fact, of, by, day } of pairs.flatMap(parsePairVerdicts))
    if (book.of(fact, of) !== undefined) book.add({ fact, of, relation: 'undone', by, day }, at);
  return { ok: true, value: withLines(kept.value ?? '', book.lines()) };
}

function write({ full, version, change: { path, before, after } }: TakingBack): void {
  if (before === after) return;
  const isSame =
    after === null ? readVersion(full)?.hash === version?.hash : replaceFile(full, version, encodeBytes(after));
  const hint = 'run reflect --undo again: it goes on from there';
  if (!isSame) fail('conflict', `${path} was changed while the run was taken back`, hint);
  if (after === null) removeFile(full);
}

/**
 * A run's changes, one a path: before its first one and after its last. One that does not start from what the one before
 * it made was made anew, because somebody had edited the file: what that found is what there was before.
 */
export function readChanges(stateFolder: string, run: string): readonly FileChange[] {
  const text = readVersion(join(runFolder(stateFolder, run), CHANGES))?.bytes.toString('utf8') ?? '';
  const found = new Map<string, FileChange>();
  for (const line of text.split('\n')) {
    const change = parseChange(line);
    if (change === undefined) continue;
    const earlier = found.get(change.path);
    found.set(change.path, earlier?.after === change.before ? { ...change, before: earlier.before } : change);
  }
  return [...found.values()];
}

/** Undefined for a line that a crash cut off: what it was about was never written. */
export function parseChange(line: string): FileChange | undefined {
  const value = parseJson(line);
  return isChange(value) ? value : undefined;
}

function runFolder(stateFolder: string, run: string): string {
  if (!/^[\w-][\w.-]*$/.test(run)) return fail('usage', `"${run}" is no id of a run`, 'reflect prints it with --json');
  return join(runsFolder(stateFolder), run);
}

function runsFolder(stateFolder: string): string {
  return join(stateFolder, 'reflect', 'runs');
}
