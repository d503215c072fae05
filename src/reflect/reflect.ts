import type { Day } from '../base/clock.js';
import { fail, toFailure } from '../base/failure.js';
import { readForgotten } from '../index/forgotten-page.js';
import type { IndexSearch } from '../index/search.js';
import type { VectorSearch } from '../index/vectors/nearest.js';
import type { Bullet } from '../markdown/bullet.js';
import type { AwayFiles } from '../memory/away.js';
import { EVIDENCE_PATH, type Judge } from '../memory/evidence.js';
import { pageOfPath } from '../memory/pages.js';
import { findCoreFile } from '../retain/core.js';
import { readAllProposals, writeProposals } from '../retain/proposals.js';
import { encodeBytes } from '../text/bytes.js';
import { type FileChange, inverseChange, joinChanges, PageSnapshot, writeAllChanges } from '../workspace/changes.js';
import { machineToday, makeRunName, today } from '../workspace/clock.js';
import { requireMemory } from '../workspace/locate.js';
import { makeLockFolder, runWithLock, takeOverOldState, tryLock } from '../workspace/lock.js';
import type { WorkspaceContext } from '../workspace/read-scope.js';
import { whyNotRead } from '../workspace/readable.js';
import { readNames } from '../workspace/state.js';
import { judgePairsByRules, judgeWithoutModel } from './judge-facts.js';
import { buildJudgedPairsKey } from './judge-statements.js';
import type { Judges } from './judges.js';
import { weekOfPath } from './observations.js';
import { planRun, type ReflectPlan, type ReflectReport } from './plan.js';
import {
  ANSWERED_PARTS_KEY,
  type LastRun,
  NEWEST_RUN_DAY_KEY,
  pageHash,
  type ReflectProgress,
  readLastRun,
  readObservationWeeks,
  readPageRecords,
  readProgress,
  storeObservationWeeks,
  storeProgress,
  writeLastRun,
} from './progress.js';
import { OPINIONS_PATH } from './run.js';
import { parseDayOfRunId, REFLECT, reflectRunEntries, type UndoneRun, undoReflectRun, undoRunsAfter } from './undo.js';

export interface ReflectContext extends WorkspaceContext {
  /** Maximum length of the core file in characters. */
  readonly coreBudget: number;
  /** Calls a function with an up-to-date index. */
  readonly read: <T>(use: (search: IndexSearch, away: AwayFiles) => Promise<T>) => Promise<T>;
  /** As `read`, but fails if a page can't be read now. */
  readonly readAll: ReflectContext['read'];
  /** Opens the existing vectors; undefined if there are none to use. */
  readonly openVectors: () => OpenVectorSearch | undefined;
}

export interface OpenVectorSearch {
  readonly search: VectorSearch;
  close(): void;
}

/** Limits and options of a run, from a checked request. */
export interface ReflectScope {
  readonly since?: Day | undefined;
  readonly dryRun?: boolean | undefined;
  /** Ask the model again about pairs that only the rules, or other models, have judged. */
  readonly rejudge?: boolean | undefined;
  /** Ask again what this judge has judged. */
  readonly rejudgedJudge?: Judge | undefined;
  /** Revoke the verdicts of this judge. */
  readonly revokedJudge?: Judge | undefined;
  /** Judge again the pairs of a fact and a belief that have no verdict, because the rules found nothing in them. */
  readonly withOpenPairs?: boolean | undefined;
  /** Whether to write observations of the weeks that have ended. */
  readonly observe?: boolean | undefined;
  /** Number of parts that the calling agent's model has answered after this run; 0 if no part waits then. */
  readonly answeredParts?: number | undefined;
}

export const RULE_JUDGES: Judges = { judge: judgePairsByRules, narrate: async () => [] };
const MOST_ATTEMPTS = 5;

/**
 * Turns facts into pages and updates beliefs from the evidence. Processes all facts that no run has read. Only one run at
 * a time; work of a killed run is finished first. Stores the result of the run for `schedule --check`.
 * @throws MemoryError `busy` if another run is active, `conflict` if a page changes again and again meanwhile,
 * `interrupted`
 */
export async function reflect(
  context: ReflectContext,
  request: ReflectScope,
  minds: Judges = RULE_JUDGES,
): Promise<ReflectReport> {
  const { stateFolder, clock } = context;
  requireMemory(context.root, stateFolder);
  await takeOverOldState(context);
  const mine = tryLock(makeLockFolder(stateFolder), { command: 'reflect', clock, name: 'reflect' });
  if (mine === undefined)
    fail('busy', 'another reflect is running', 'wait for it; see its result with: openclaw memory schedule --check');
  try {
    return await runNoted(context, request, minds);
  } finally {
    mine.release();
  }
}

async function runNoted(context: ReflectContext, request: ReflectScope, minds: Judges): Promise<ReflectReport> {
  const { stateFolder, clock } = context;
  // Avoid the names of earlier runs. The undo store lacks runs that changed nothing, so also read the name of the last
  // run.
  const taken = readNames(stateFolder, REFLECT);
  const run = makeRunName('r', clock, [...taken, readLastRun(stateFolder)?.run ?? '']);
  const startedAt = clock.now().toISOString();
  const note = (last: Pick<LastRun, 'result' | 'facts' | 'written'> & { readonly message?: string }): void => {
    if (!request.dryRun) writeLastRun(stateFolder, { run, startedAt, endedAt: clock.now().toISOString(), ...last });
  };
  try {
    const report = await runOnce(context, run, request, minds);
    const message = report.isOfThePast
      ? { message: 'nothing was written, because reflect already ran for a later day' }
      : {};
    note({ result: 'done', facts: report.facts, written: report.written.length, ...message });
    return report;
  } catch (error) {
    const failure = toFailure(error);
    const result = failure.type === 'interrupted' ? 'interrupted' : 'failed';
    note({ result, facts: 0, written: 0, message: failure.message });
    throw error;
  }
}

/**
 * Result of undoing a run. If the last run changed nothing, an earlier run was undone, and `unchangedBy` names the last
 * run.
 */
export interface UndoneReflect extends UndoneRun {
  readonly unchangedBy: { readonly run: string; readonly day: string | null } | null;
}

/** Undoes a run; the next run reads all facts again. @throws MemoryError as `undoReflectRun` */
export async function undoReflect(context: ReflectContext, run?: string, dryRun = false): Promise<UndoneReflect> {
  await takeOverOldState(context);
  const last = run === undefined ? readLastRun(context.stateFolder) : undefined;
  const undone = await undoReflectRun(context, run, dryRun);
  // Without progress, the next run reads everything again.
  if (!dryRun) {
    storeProgress(context.stateFolder, new Map(), new Map());
    // The next run may write the observations again that were taken back now.
    const weeks = new Map(readObservationWeeks(context.stateFolder));
    for (const { path } of undone.changes) weeks.delete(weekOfPath(path) ?? '');
    storeObservationWeeks(context.stateFolder, weeks);
  }
  const isIdle = last !== undefined && last.result === 'done' && last.written === 0 && last.run !== undone.run;
  return { ...undone, unchangedBy: isIdle ? { run: last.run, day: parseDayOfRunId(last.run) } : null };
}

/**
 * Revokes all verdicts of a judge, and brings the pages up to date by rules. This is a run, which can be undone itself. A
 * model is asked again later about what the judge had judged.
 * @throws MemoryError as {@link reflect}
 */
export async function revokeJudge(
  context: ReflectContext,
  revokedJudge: Judge,
  dryRun = false,
): Promise<UndoneReflect> {
  const judges = { ...RULE_JUDGES, judge: judgeWithoutModel };
  const { run, changes } = await reflect(context, { revokedJudge, dryRun }, judges);
  return { run, day: parseDayOfRunId(run), unchangedBy: null, changes };
}

async function runOnce(
  context: ReflectContext,
  run: string,
  { dryRun, answeredParts, observe, ...scope }: ReflectScope,
  minds: Judges,
): Promise<ReflectReport> {
  const { root, stateFolder, clock, coreBudget, onProgress } = context;
  // Taking the lock finishes the work of a killed run.
  if (!dryRun) await runWithLock({ ...context, command: 'reflect' }, () => undefined);
  const ahead = await runsAhead(context, dryRun === true);
  const vectors = context.openVectors();
  try {
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
      // Read the digest of the forgotten statements before anything else. If the digest is different at the end of the
      // run, a statement was forgotten during the run.
      const forgotten = readForgotten(root);
      const pages = new PageSnapshot(root);
      const progress: ReflectProgress = ahead.isAny ? new Map() : readProgress(stateFolder);
      const kept = { progress, pageRecords: readPageRecords(stateFolder) };
      const now = { today: today(clock), now: clock.now().toISOString(), core: findCoreFile(root).path };
      const readPage = (path: string): string | null => pages.disk(path)?.text ?? null;
      const whyUnread = (path: string, before: string | null) =>
        pageOfPath(path) && whyNotRead(context, path, before === null ? undefined : encodeBytes(before));
      const read = { readPage, whyUnread, vectors: vectors?.search };
      const given = {
        ...minds,
        ...scope,
        ...kept,
        ...now,
        ...read,
        coreBudget,
        onProgress,
        observe: observe
          ? { known: readObservationWeeks(stateFolder), isForgotten: (bullet: Bullet) => forgotten.has(bullet) }
          : undefined,
        proposed: readAllProposals(root),
      };
      const plan = await context.readAll((search, elsewhere) => planRun({ ...given, search, elsewhere }));
      const made = (proposed: FileChange) => report(run, plan, proposed, ahead);
      if (dryRun || plan.report.isOfThePast) return made(writeProposals(context, plan.proposals, true));
      const proposed = await runWithLock({ ...context, command: 'reflect' }, () =>
        readForgotten(root).digest === forgotten.digest ? write(context, run, plan, pages) : undefined,
      );
      if (proposed === undefined) continue;
      plan.seen.set(ANSWERED_PARTS_KEY, answeredParts ? String(answeredParts) : '');
      const done = progressAfter(kept.progress, plan);
      if (plan.observed !== undefined) storeObservationWeeks(stateFolder, plan.observed);
      storeProgress(stateFolder, done, new Map([...kept.pageRecords, ...plan.pageRecords]));
      return made(proposed);
    }
  } finally {
    vectors?.close();
  }
  return fail('conflict', 'other programs change the pages faster than they can be read', 'run reflect again later');
}

/**
 * Undoes runs whose day is after today on this machine, because of a wrong clock or `--now`. Reflect then reads
 * everything again and rebuilds the pages of these runs.
 */
async function runsAhead(context: ReflectContext, dryRun: boolean) {
  const { clock, stateFolder } = context;
  const [day, machine] = [today(clock), machineToday(clock)];
  const newest = readProgress(stateFolder).get(NEWEST_RUN_DAY_KEY) ?? '';
  const [, reached = day] = [day, machine].toSorted();
  const after = `which is after the time of this machine's clock (${machine})`;
  const own = day > machine ? [`this run has the date ${day}, ${after}; the next run writes its pages again`] : [];
  if (newest <= reached) return { isAny: false, changes: [], warnings: own };
  const named = `an earlier run has the date ${newest}, ${after}; everything is read and written again`;
  const undone = dryRun ? { changes: [], warnings: [] } : await undoRunsAfter(context, reached);
  return { isAny: true, changes: undone.changes, warnings: [...own, named, ...undone.warnings] };
}

/**
 * Progress after the run. If the run read all facts of a page and then wrote the page, the written text counts as read,
 * so that the next run does not read the page again.
 */
function progressAfter(progress: ReflectProgress, { seen, gone, report: { changes } }: ReflectPlan): ReflectProgress {
  const done = new Map([...progress, ...seen]);
  for (const path of gone) {
    done.delete(path);
    done.delete(buildJudgedPairsKey(path));
  }
  for (const { path, before, after } of changes) {
    const isSeen = seen.has(path) || before === null || progress.get(path) === pageHash(before);
    if (after !== null && isSeen && path.endsWith('.md')) done.set(path, pageHash(after));
  }
  for (const [key, value] of done) if (value === '') done.delete(key);
  return done;
}

/**
 * Writes all files of a plan. If a page has changed since the plan was made, leaves the pages as they were and returns
 * undefined: the caller must plan again.
 * @returns the change of the page of proposals
 */
function write(
  { root, stateFolder, clock }: ReflectContext,
  run: string,
  { proposals, report: planned }: ReflectPlan,
  pages: PageSnapshot,
): FileChange | undefined {
  if (planned.changes.some(({ path }) => !pages.isUnchanged(path))) return undefined;
  // Write proposals first: once a page is written, the next run no longer sees its facts as new.
  const proposed = writeProposals({ root, clock }, proposals, true);
  const changes = [proposed, ...planned.changes].filter(({ before, after }) => before !== after);
  const joint = changes.map((change) => ({ ...change, isJoint: JOINT.has(change.path) }));
  const left = writeAllChanges(root, stateFolder, joint, reflectRunEntries(stateFolder, run, changes));
  if (left.length === 0) return proposed;
  // Undo the changes that were written. Write the inverse changes as one batch, too: if only half of them were written,
  // the other half would look like edits of a person.
  writeAllChanges(root, stateFolder, changes.map(inverseChange));
  return undefined;
}

/** Beliefs and their evidence must be written together: a change of one alone would look like an edit of a person. */
const JOINT: ReadonlySet<string> = new Set([EVIDENCE_PATH, OPINIONS_PATH]);

function report(
  run: string,
  { report: planned }: ReflectPlan,
  proposed: FileChange,
  ahead: Awaited<ReturnType<typeof runsAhead>>,
): ReflectReport {
  const isNew = proposed.before !== proposed.after;
  const changes = joinChanges(ahead.changes, [...planned.changes, ...(isNew ? [proposed] : [])]);
  const proposals = isNew ? planned.proposals : [];
  const written = planned.isOfThePast ? [] : changes.map(({ path }) => path);
  return { run, ...planned, proposals, written, changes, warnings: [...ahead.warnings, ...planned.warnings] };
}
