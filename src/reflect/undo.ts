import type { Day } from '../base/clock.js';
import { toFailure } from '../base/failure.js';
import { EVIDENCE_PATH, parseVerdicts, VerdictStore } from '../memory/evidence.js';
import { type PairVerdict, PairVerdictStore, parsePairVerdicts } from '../memory/threads/verdicts.js';
import { revertChange } from '../text/changes.js';
import { type FileChange, joinChanges } from '../workspace/changes.js';
import type { WorkspaceContext } from '../workspace/read-scope.js';
import { listRuns, planRevert, runEntries, undoRun } from '../workspace/runs.js';
import { addLinesToText } from './run.js';

/** The kind of the runs and notes of reflect in the store. */
export const REFLECT = 'reflect';
/** Maximum number of runs to keep. */
const MOST_RUNS = 20;

/** The entries that store a run, and remove the oldest runs. */
export function reflectRunEntries(stateFolder: string, run: string, changes: readonly FileChange[]) {
  return runEntries(stateFolder, REFLECT, run, { changes }, MOST_RUNS);
}

export interface UndoneRun {
  readonly run: string;
  /** Day of the run. */
  readonly day: string | null;
  readonly changes: readonly FileChange[];
}

/** The day of a run, from its name; null for a name in another format. */
export function parseDayOfRunId(run: string): string | null {
  const [, year, month, day] = /^r-(\d{4})(\d\d)(\d\d)T/.exec(run) ?? [];
  return year === undefined ? null : `${year}-${month}-${day}`;
}

/**
 * Undoes a run. Restores files that were not changed since; in other files reverts the run's edits by a three-way merge.
 * @param run its id; default: the last run that is not undone
 * @throws MemoryError `not_found`, `conflict` that names the files, `busy`
 */
export async function undoReflectRun(context: WorkspaceContext, run?: string, dryRun = false): Promise<UndoneRun> {
  const at = context.clock.now().toISOString();
  const undone = await undoRun(context, { verb: REFLECT, run, dryRun }, ({ changes }) => ({
    changes: planRevert(context.root, changes, (change, now) =>
      change.path === EVIDENCE_PATH ? takeBackEvidence(change, now, at) : revertChange(change, now),
    ),
  }));
  return { ...undone, day: parseDayOfRunId(undone.run) };
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
  for (const [name, { isUndone }] of listRuns(context.stateFolder, REFLECT)) {
    if (isUndone || (parseDayOfRunId(name) ?? '') <= day) continue;
    try {
      changes = joinChanges(changes, (await undoReflectRun(context, name)).changes);
    } catch (error) {
      const { type, message } = toFailure(error);
      if (type !== 'conflict') throw error;
      warnings.push(message);
    }
  }
  return { changes, warnings };
}

/**
 * Reverts a run's change of the evidence file. Verdicts about two statements are not deleted, because another clone may
 * have the same lines, and a merge would bring them back. Instead, a new line revokes each of these verdicts. For the same
 * reason a verdict that the run revoked is given again.
 */
function takeBackEvidence(change: FileChange, now: string | null, at: string): ReturnType<typeof revertChange> {
  const { path, before, after } = change;
  const old = new Set(before?.split('\n'));
  const made = (after?.split('\n') ?? []).filter((line) => !old.has(line));
  const lasting = made.filter((line) => parsePairVerdicts(line).length > 0 || parseVerdicts(line).revoked.length > 0);
  if (lasting.length === 0) return revertChange(change, now);
  const kept = revertChange({ path, before: addLinesToText(before ?? '', `${lasting.join('\n')}\n`), after }, now);
  if (!kept.ok) return kept;
  const text = kept.value ?? '';
  const [book, pairs] = [new VerdictStore(text), new PairVerdictStore(text)];
  const all = text.split('\n').flatMap(parsePairVerdicts);
  for (const { fact, of, by, day, relation, at: end } of lasting.flatMap(parsePairVerdicts)) {
    const revoked = relation === 'undone' ? latestOf(all, (one) => isOfPair(one, fact, of, by) && one.at <= end) : null;
    if (revoked != null) pairs.add(revoked, at);
    else if (revoked === null && pairs.of(fact, of) !== undefined)
      pairs.add({ fact, of, relation: 'undone', by, day }, at);
  }
  for (const { fact, opinion, by, at: end } of parseVerdicts(lasting.join('\n')).revoked) {
    const revoked = latestOf(
      book.given,
      (one) => one.fact === fact && one.opinion === opinion && one.by === by && (one.at ?? '') <= end,
    );
    if (revoked !== undefined) book.add({ ...revoked, at });
  }
  return { ok: true, value: addLinesToText(text, book.lines() + pairs.lines()) };
}

function isOfPair(verdict: PairVerdict, fact: string, of: string, by: PairVerdict['by']): boolean {
  return verdict.fact === fact && verdict.of === of && verdict.by === by && verdict.relation !== 'undone';
}

/** The latest of the verdicts that pass a test. */
function latestOf<T extends { readonly at: string | null }>(
  verdicts: readonly T[],
  isWanted: (verdict: T) => boolean,
): T | undefined {
  return verdicts
    .filter(isWanted)
    .reduce<T | undefined>(
      (best, one) => (best !== undefined && (best.at ?? '') > (one.at ?? '') ? best : one),
      undefined,
    );
}
