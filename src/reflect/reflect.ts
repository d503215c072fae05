import type { Day } from '../base/clock.js';
import { fail, toFailure } from '../base/failure.js';
import type { Search } from '../index/search.js';
import type { VectorSearch } from '../index/vectors/nearest.js';
import { coreFile } from '../retain/core.js';
import { writeProposals } from '../retain/proposals.js';
import { decodeBytes, encodeBytes } from '../text/bytes.js';
import type { FileChange } from '../workspace/changes.js';
import { nameRun, today } from '../workspace/clock.js';
import { containedPath } from '../workspace/contained.js';
import { type FileVersion, readVersion, replaceFile } from '../workspace/files.js';
import { checkBegun } from '../workspace/locate.js';
import { lock, makeStateFolder, tryLock } from '../workspace/lock.js';
import type { WorkspaceContext } from '../workspace/reads.js';
import { beginWriting, endWriting, rollForward, takeBack } from './journal.js';
import { byRules, type JudgePairs } from './judging.js';
import { type LastRun, readLastRun, writeLastRun } from './last-run.js';
import type { OpinionReport } from './opinions.js';
import type { PageSettings } from './pages/entity-pages.js';
import type { NowChange } from './pages/now-changes.js';
import { forgetPageRecords, readPageRecords, writePageRecords } from './pages/page-records.js';
import { type Plan, planRun } from './plan.js';
import { forgetProgress, type Progress, readProgress, withAnsweredParts, writeProgress } from './progress.js';
import { pageHash } from './scope.js';
import { type JudgeStatements, pairsKey, type SettledLine } from './statements/judging.js';
import { dayOfRun, storedRuns, type UndoneRun, undoRun } from './undo-store.js';

export interface ReflectContext extends WorkspaceContext {
  /** Most characters of the core file. */
  readonly coreBudget: number;
  readonly pageSettings: PageSettings;
  /** Works on an index that is up to date. */
  readonly read: <T>(use: (search: Search) => Promise<T>) => Promise<T>;
  /** The same, of all that is to be read: it fails where something can't be read now. */
  readonly readAll: ReflectContext['read'];
  /** The vectors that are there already, undefined when there are none to use. */
  readonly openVectors: () => OpenVectors | undefined;
}

export interface OpenVectors {
  readonly search: VectorSearch;
  close(): void;
}

/** A checked request, its time read. */
export interface ReflectScope {
  readonly since?: Day | undefined;
  readonly dryRun?: boolean | undefined;
  /** A model is to judge what the rules alone have judged. */
  readonly rejudge?: boolean | undefined;
  /** So many parts of the open pairs the calling agent's model has answered when this run is through; others wait. */
  readonly answeredParts?: number | undefined;
}

/** Who judges and who tells, when it is not the rules. */
export interface ReflectMinds {
  readonly judge: JudgePairs;
  readonly narrate: Parameters<typeof planRun>[0]['narrate'];
  /** Says what later statements do to earlier ones; without it nobody does. */
  readonly settle?: JudgeStatements | undefined;
}

export interface ReflectReport {
  readonly run: string;
  /** Facts that were looked at. */
  readonly facts: number;
  /** Facts that the rules have judged because the model is away: they stay open for it. */
  readonly awaited: number;
  /** Pages of entities that are brought up to date. */
  readonly entities: readonly string[];
  readonly opinions: readonly OpinionReport[];
  readonly promoted: readonly {
    readonly id: string;
    readonly statement: string;
    readonly reason: string;
    readonly source: string;
  }[];
  /** What a person may take over into the core. */
  readonly proposals: readonly string[];
  /** Generated blocks that people have edited, and where their new version went. */
  readonly conflicts: readonly { readonly path: string; readonly block: string; readonly reason: string }[];
  /** Every line that entered or left what holds on a page, and why. */
  readonly now: readonly NowChange[];
  /** What a judge said in this run that ends a statement, all of it or in part. */
  readonly settled: readonly SettledLine[];
  /** Paths. */
  readonly written: readonly string[];
  readonly changes: readonly FileChange[];
  /** A run of a later day has been: what stands here would be done, and nothing is. */
  readonly isOfThePast: boolean;
  readonly warnings: readonly string[];
}

export const RULES_ALONE: ReflectMinds = { judge: byRules, narrate: async () => [] };
const MOST_ATTEMPTS = 5;

/**
 * Turns facts into pages and lets beliefs follow the evidence. Works on all facts that no run has looked at; one run at a
 * time; what a killed run has begun is finished first; how it ended is kept for `schedule --check`.
 * @throws MemoryError `busy` when another run is on, `conflict` when a page keeps being changed meanwhile, `interrupted`
 */
export async function reflect(
  context: ReflectContext,
  request: ReflectScope,
  minds: ReflectMinds = RULES_ALONE,
): Promise<ReflectReport> {
  const { stateFolder, clock } = context;
  checkBegun(context.root, stateFolder);
  const mine = tryLock(makeStateFolder(stateFolder), { command: 'reflect', clock, name: 'reflect' });
  if (mine === undefined) fail('busy', 'another reflect is running', 'wait for it; schedule --check says how it ended');
  try {
    return await runNoted(context, request, minds);
  } finally {
    mine.release();
  }
}

async function runNoted(context: ReflectContext, request: ReflectScope, minds: ReflectMinds): Promise<ReflectReport> {
  const { stateFolder, clock } = context;
  // A run that changed nothing is not among those that are kept.
  const taken = [...storedRuns(stateFolder), readLastRun(stateFolder)].map((kept) => kept?.run ?? '');
  const run = nameRun('r', clock, taken);
  const startedAt = clock.now().toISOString();
  const note = (last: Pick<LastRun, 'result' | 'facts' | 'written'> & { readonly message?: string }): void => {
    if (!request.dryRun) writeLastRun(stateFolder, { run, startedAt, endedAt: clock.now().toISOString(), ...last });
  };
  try {
    const report = await runOnce(context, run, request, minds);
    note({ result: 'done', facts: report.facts, written: report.written.length });
    return report;
  } catch (error) {
    const failure = toFailure(error);
    const result = failure.type === 'interrupted' ? 'interrupted' : 'failed';
    note({ result, facts: 0, written: 0, message: failure.message });
    throw error;
  }
}

/** A run that was taken back, and the last one where that is another, which had changed nothing. */
export interface UndoneReflect extends UndoneRun {
  readonly unchangedBy: { readonly run: string; readonly day: string | null } | null;
}

/** Takes a run back; the next one looks at all facts again. @throws MemoryError as `undoRun` */
export async function undoReflect(context: ReflectContext, run?: string, dryRun = false): Promise<UndoneReflect> {
  const last = run === undefined ? readLastRun(context.stateFolder) : undefined;
  const undone = await undoRun(context, run, dryRun);
  if (!dryRun) {
    forgetProgress(context.stateFolder);
    forgetPageRecords(context.stateFolder);
  }
  const isIdle = last !== undefined && last.result === 'done' && last.written === 0 && last.run !== undone.run;
  return { ...undone, unchangedBy: isIdle ? { run: last.run, day: dayOfRun(last.run) } : null };
}

async function runOnce(
  context: ReflectContext,
  run: string,
  scope: ReflectScope,
  minds: ReflectMinds,
): Promise<ReflectReport> {
  const { root, stateFolder } = context;
  if (!scope.dryRun) await underLock(context, () => rollForward(root, stateFolder));
  const vectors = context.openVectors();
  try {
    return await attempts(context, run, scope, { ...minds, vectors: vectors?.search });
  } finally {
    vectors?.close();
  }
}

async function attempts(
  context: ReflectContext,
  run: string,
  { since, dryRun, rejudge, answeredParts }: ReflectScope,
  minds: ReflectMinds & { readonly vectors: VectorSearch | undefined },
): Promise<ReflectReport> {
  const { root, stateFolder, clock } = context;
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
    const pages = new Pages(root);
    const progress = readProgress(stateFolder);
    const now = { today: today(clock), now: clock.now().toISOString() };
    const core = { core: coreFile(root).path, coreBudget: context.coreBudget };
    const readPage = (path: string): string | null => pages.text(path);
    const entityPages = { pageSettings: context.pageSettings, pageRecords: readPageRecords(stateFolder) };
    const reading = { since, rejudge, onProgress: context.onProgress };
    const plan = await context.readAll((search) =>
      planRun({ ...minds, ...now, ...core, ...entityPages, ...reading, search, progress, readPage }),
    );
    if (dryRun || plan.isOfThePast) return report(run, plan, writeProposals(context, plan.proposals, true));
    const proposed = await underLock(context, () => write(context, run, plan, pages));
    if (proposed === undefined) continue;
    writeProgress(stateFolder, withAnsweredParts(progressAfter(progress, plan), answeredParts));
    writePageRecords(stateFolder, new Map([...entityPages.pageRecords, ...plan.pageRecords]));
    return report(run, plan, proposed);
  }
  return fail('conflict', 'pages are being changed faster than they can be read', 'run reflect again later');
}

/** Pages of which the run has seen all and that it has written have nothing new for the next one. */
function progressAfter(progress: Progress, { seen, away, changes }: Plan): Progress {
  const done = new Map([...progress, ...seen]);
  for (const path of away) {
    done.delete(path);
    done.delete(pairsKey(path));
  }
  for (const { path, before, after } of changes) {
    const isSeen = seen.has(path) || before === null || progress.get(path) === pageHash(before);
    if (after !== null && isSeen && path.endsWith('.md')) done.set(path, pageHash(after));
  }
  for (const [key, value] of done) if (value === '') done.delete(key);
  return done;
}

async function underLock<T>(context: ReflectContext, work: () => T): Promise<T> {
  const held = await lock(context.stateFolder, { ...context, command: 'reflect' });
  try {
    return work();
  } finally {
    held.release();
  }
}

/** Pages as they were when they were first read: what is written replaces these versions and no others. */
class Pages {
  private readonly versions = new Map<string, FileVersion | undefined>();

  constructor(private readonly root: string) {}

  text(path: string): string | null {
    const version = this.version(path);
    return version === undefined ? null : decodeBytes(version.bytes);
  }

  version(path: string): FileVersion | undefined {
    if (!this.versions.has(path)) this.versions.set(path, readVersion(containedPath(this.root, path)));
    return this.versions.get(path);
  }

  isUnchanged(path: string): boolean {
    return readVersion(containedPath(this.root, path))?.hash === this.version(path)?.hash;
  }
}

/**
 * Writes a plan whole, or, when a page is not what was planned on, nothing that matters: undefined, plan again.
 * @returns the change of the page of proposals
 */
function write(
  context: ReflectContext,
  run: string,
  { changes, proposals }: Plan,
  pages: Pages,
): FileChange | undefined {
  const { root, stateFolder } = context;
  if (changes.some(({ path }) => !pages.isUnchanged(path))) return undefined;
  const planned = [writeProposals(context, proposals, true), ...changes].filter(
    ({ before, after }) => before !== after,
  );
  if (planned.length > 0) beginWriting(stateFolder, run, planned);
  // First: once a page has been written, what was new about it is new no more.
  const proposed = writeProposals(context, proposals);
  for (const { path, after } of changes) {
    if (after !== null && !replaceFile(containedPath(root, path), pages.version(path), encodeBytes(after))) {
      takeBack(root, changes);
      endWriting(stateFolder);
      return undefined;
    }
  }
  if (planned.length > 0) endWriting(stateFolder);
  return proposed;
}

function report(run: string, plan: Plan, proposed: FileChange): ReflectReport {
  const changes = [...plan.changes, ...(proposed.before === proposed.after ? [] : [proposed])];
  return {
    run,
    facts: plan.facts,
    awaited: plan.awaited,
    entities: plan.entities,
    opinions: plan.opinions,
    promoted: plan.promoted.map(({ fact, reason }) => ({
      id: fact.id,
      statement: fact.text,
      reason,
      source: fact.source,
    })),
    proposals: proposed.before === proposed.after ? [] : plan.proposals.map(({ text }) => text),
    conflicts: plan.edited.map(({ path, block, state }) => ({
      path,
      block,
      reason: state === 'edited' ? 'a person has edited it' : 'its end is missing',
    })),
    now: plan.nowChanges,
    settled: plan.settled,
    written: changes.map(({ path }) => path),
    changes,
    isOfThePast: plan.isOfThePast,
    warnings: plan.warnings,
  };
}
