import { fail } from '../base/failure.js';
import { readForgotten } from '../index/forgotten-page.js';
import { proposalId } from '../memory/proposals.js';
import { writeProposals } from '../retain/proposals.js';
import { takeOut } from '../text/changes.js';
import { type FileChange, planTakingBack, writeAll } from '../workspace/changes.js';
import { locked } from '../workspace/lock.js';
import type { WorkspaceContext } from '../workspace/reads.js';
import type { OperationsDocument, Rejected } from './operations/document.js';
import type { MergedStatement } from './operations/guard.js';
import { type OperationsPlan, planOperations } from './operations/plan.js';
import type { Source } from './page/sources.js';
import { APPLIED_PATH, AppliedLog, Bank, hashOfText } from './run/bank.js';
import { findRecord, markUndone, newRun, pageRecord, type RunRecord, writeBeside, writeRecord } from './runs.js';
import { Abstracts, sidecarChanges } from './sidecars.js';
import { noteSidecars } from './stale.js';
import { MemoryTypes } from './types.js';

export interface ApplyOptions {
  /** What is extracted from, for the record. */
  readonly source?: string | null;
  /** What a source that an operation names is. */
  readonly sourceOf?: (name: string) => Source | undefined;
  /** Of what says not where it is from. */
  readonly whole?: Source | undefined;
  /** The page of an entity by any of its names. */
  readonly entityPath?: (name: string) => string | undefined;
  /** Absolute path of a folder that gets the record, too. */
  readonly beside?: string | undefined;
  readonly dryRun?: boolean | undefined;
}

/** `extract apply --json` */
export interface ApplyReport {
  /** Id of the run; null when nothing was written. */
  readonly run: string | null;
  readonly document: string;
  readonly pages: readonly { readonly path: string; readonly operation: 'add' | 'update' | 'delete' }[];
  /** Pages that had what the document does to them. */
  readonly already: readonly string[];
  readonly rejected: readonly Rejected[];
  readonly merged: readonly MergedStatement[];
  /** Ids of what waits in `bank/proposals/`, since it would change what a person wrote. */
  readonly proposed: readonly string[];
  readonly changes: readonly FileChange[];
}

const MOST_ATTEMPTS = 5;

/**
 * Carries out an operations document, under the writer lock: what was applied is noted before its page is written, so
 * that nothing is applied twice; a killed run is finished by whoever writes next.
 * @throws MemoryError `busy`, `conflict` when pages keep being changed meanwhile, and what the file system says
 */
export async function applyDocument(
  context: WorkspaceContext,
  types: MemoryTypes,
  document: OperationsDocument,
  options: ApplyOptions = {},
): Promise<ApplyReport> {
  if (options.dryRun) return reportOf(document, null, attempt(context, types, document, options));
  return locked({ ...context, command: 'extract' }, () => {
    for (let count = 0; count < MOST_ATTEMPTS; count++) {
      const made = attempt(context, types, document, options);
      if (!made.bank.changed.every(({ path }) => made.bank.isUnchanged(path))) continue;
      // Where only summaries were stale, there is nothing to be taken back.
      const run = made.pages.length === 0 ? null : newRun(context.stateFolder, context.clock);
      const record = recordOf(context, document, made, options);
      if (run !== null) writeRecord(context.stateFolder, { run, ...record });
      if (options.beside !== undefined) writeBeside(options.beside, { ...(run !== null && { run }), ...record });
      if (made.changes.length === 0) return reportOf(document, null, made);
      writeAll(context.root, context.stateFolder, made.changes);
      made.abstracts.save();
      noteSidecars(context.root, context.stateFolder);
      return reportOf(document, run, made);
    }
    return fail('conflict', 'pages are being changed faster than they can be read', 'apply the document again');
  });
}

/** Whether a document of this id was applied, on this machine or in another clone. */
export function wasApplied({ root }: Pick<WorkspaceContext, 'root'>, document: string): boolean {
  return new AppliedLog(new Bank(root).disk(APPLIED_PATH)?.text ?? null).has(document);
}

interface Attempt {
  readonly bank: Bank;
  readonly plan: OperationsPlan;
  /** The log of what was applied first, the pages, then what is made of them. */
  readonly changes: readonly FileChange[];
  readonly pages: readonly FileChange[];
  readonly abstracts: Abstracts;
}

function attempt(
  { root, stateFolder, clock }: WorkspaceContext,
  types: MemoryTypes,
  document: OperationsDocument,
  options: ApplyOptions,
): Attempt {
  const bank = new Bank(root);
  const log = bank.disk(APPLIED_PATH)?.text ?? null;
  const applied = new AppliedLog(log);
  const abstracts = new Abstracts(root, stateFolder);
  if (applied.isOther(document.id, document.content)) {
    const reason = `the document ${document.id} was applied already, and said something else: ask for a new prompt, or leave its id out`;
    const rejected = [...document.rejected, { operation: 'document', reason }];
    const plan = { rejected, merged: [], already: [], proposals: [] };
    return { bank, plan, changes: [], pages: [], abstracts };
  }
  const { sourceOf = () => undefined, entityPath = () => undefined, whole } = options;
  const forgotten = readForgotten(root);
  const plan = planOperations({ document, types, bank, applied, forgotten, sourceOf, entityPath, whole });
  const pages = bank.changed.map(({ path, before, after }) => ({ path, before: before?.text ?? null, after }));
  const lines = bank.changed.map(({ path, before, after, added }) => ({
    document: document.id,
    content: document.content,
    page: path,
    before: before?.hash ?? null,
    after: hashOfText(after),
    lines: added,
    ...(document.isCut && { cut: true as const }),
  }));
  const noted = lines.length === 0 ? [] : [{ path: APPLIED_PATH, before: log, after: applied.with(lines) }];
  const planned = new Map(pages.map(({ path, after }) => [path, after]));
  const sidecars = sidecarChanges(root, types, abstracts, planned);
  const proposed = writeProposals({ root, clock }, plan.proposals, true);
  const asked = proposed.before === proposed.after ? [] : [proposed];
  return { bank, plan, changes: [...noted, ...pages, ...asked, ...sidecars], pages, abstracts };
}

function recordOf(
  { clock }: WorkspaceContext,
  document: OperationsDocument,
  { pages, plan }: Attempt,
  { source = null }: ApplyOptions,
): Omit<RunRecord, 'run'> {
  const { rejected, merged } = plan;
  return {
    document: document.id,
    at: clock.now().toISOString(),
    source,
    pages: pages.map(pageRecord),
    rejected,
    merged,
  };
}

function reportOf(document: OperationsDocument, run: string | null, { plan, pages, changes }: Attempt): ApplyReport {
  const { rejected, merged, already } = plan;
  const told = pages.map(pageRecord).map(({ path, operation }) => ({ path, operation }));
  const proposed = plan.proposals.map(proposalId);
  return { run, document: document.id, pages: told, already, rejected, merged, proposed, changes };
}

/** What a run took away, joined or did not do, one sentence each: nobody should have to look for that. Pure. */
export function notesOf({ pages, rejected, merged }: Omit<ApplyReport, 'changes'>): readonly string[] {
  return [
    ...pages.flatMap(({ path, operation }) => (operation === 'delete' ? [`deleted ${path}`] : [])),
    ...rejected.map(
      ({ operation, page, reason }) => `not done: ${operation}${page === undefined ? '' : ` (${page})`}: ${reason}`,
    ),
    ...merged.map(({ page, statement }) => `said already in ${page}: ${statement}`),
  ];
}

/** Brings the sidecars up to date with what people and other commands have written. @throws MemoryError `busy` */
export async function refreshSidecars(context: WorkspaceContext): Promise<readonly FileChange[]> {
  return locked({ ...context, command: 'extract' }, () => writeSidecars(context));
}

/** Writes pages and the sidecars that fit them, all or none. */
function writeSidecars(
  { root, stateFolder }: WorkspaceContext,
  pages: readonly FileChange[] = [],
): readonly FileChange[] {
  const abstracts = new Abstracts(root, stateFolder);
  const planned = new Map(pages.map(({ path, after }) => [path, after]));
  const changes = [...pages, ...sidecarChanges(root, MemoryTypes.load(root), abstracts, planned)];
  writeAll(root, stateFolder, changes);
  abstracts.save();
  noteSidecars(root, stateFolder);
  return changes;
}

export interface UndoneExtraction {
  readonly run: string;
  readonly changes: readonly FileChange[];
}

/**
 * Takes a run back: files that nobody has changed since are as they were; in others what the run did is taken out. When
 * one can't be, nothing is written.
 * @throws MemoryError `not_found`, `conflict` that names the files, `busy`
 */
export async function undoExtraction(
  context: WorkspaceContext,
  run?: string,
  dryRun = false,
): Promise<UndoneExtraction> {
  const { root, stateFolder } = context;
  return locked({ ...context, command: 'extract', dryRun }, () => {
    const record = findRecord(stateFolder, run);
    if (record.undone) fail('not_found', `the run ${record.run} is taken back already`, 'nothing to do');
    const steps = planTakingBack(root, record.pages, takeOut).map(({ change }) => change);
    const changes = steps.filter(({ before, after }) => before !== after);
    if (dryRun) return { run: record.run, changes };
    const written = writeSidecars(context, changes);
    markUndone(stateFolder, record.run);
    return { run: record.run, changes: written };
  });
}
