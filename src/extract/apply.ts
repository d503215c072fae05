import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fail, toFailure } from '../base/failure.js';
import { parseRecord } from '../base/json.js';
import { list, maybe, nullable, type ReportFields, type ReportOf, text } from '../base/report.js';
import { readForgotten } from '../index/forgotten-page.js';
import { APPLIED_PATH } from '../memory/pages.js';
import { proposalId } from '../memory/proposals.js';
import { formatUnsupportedCount, type UnsupportedLine } from '../memory/supported.js';
import { writeProposals } from '../retain/proposals.js';
import { revertChange, unifiedDiff } from '../text/changes.js';
import { type FileChange, writeAllChanges } from '../workspace/changes.js';
import { makeRunName } from '../workspace/clock.js';
import { editFile } from '../workspace/files.js';
import { runWithLock } from '../workspace/lock.js';
import type { WorkspaceContext } from '../workspace/read-scope.js';
import { listRuns, planRevert, runEntries, undoRun } from '../workspace/runs.js';
import { readNames } from '../workspace/state.js';
import { BankDraft } from './bank.js';
import type { OperationsDocument, RejectedOperation } from './operations/document.js';
import type { MergedStatement } from './operations/guard.js';
import { OperationsPlanner, type PlanInput } from './operations/plan.js';
import { folderOverviewPath, folderSummaryChanges } from './sidecars.js';
import { MemoryTypes } from './types.js';

interface ApplyOptions extends Pick<PlanInput, 'sourceOf' | 'whole' | 'messages' | 'mayWrite' | 'entityPath'> {
  /**
   * The conversation or file from which the facts were extracted, for example `sessions/chat-1`. Stored in the record of the
   * run.
   */
  readonly source?: string | null;
  /** Absolute path of a second folder for the record of the run, for example the folder of an archived session. */
  readonly beside?: string | undefined;
  readonly dryRun?: boolean | undefined;
}

/** The result of applying a document. `extract apply --json` prints it. */
export const APPLY_REPORT = {
  /** Id of the run; null if no page was written. */
  run: nullable<string>(),
  document: text(),
  pages: list<{ readonly path: string; readonly operation: 'add' | 'update' | 'delete' }>(),
  /** Pages that were changed when the same document was applied earlier. These pages are not changed again. */
  already: list(),
  rejected: list<RejectedOperation>(),
  merged: list<MergedStatement>(),
  /** Lines of our own model that no message carries, if any. They are not written. */
  refused: maybe(list<UnsupportedLine>()),
  /** Ids of proposals in `bank/proposals/`, for changes of lines that a person wrote. */
  proposed: list(),
  changes: list<FileChange>(),
} satisfies ReportFields;

export type ApplyReport = ReportOf<typeof APPLY_REPORT>;

const MOST_ATTEMPTS = 5;

/**
 * Applies an operations document under the writer lock. Before a page is written, the log records that the document was
 * applied to this page. So nothing is applied twice. The next writer completes an interrupted run.
 * @throws MemoryError `busy`, `conflict` if pages keep changing meanwhile, and errors of the file system
 */
export async function applyOperationsDocument(
  context: WorkspaceContext,
  types: MemoryTypes,
  document: OperationsDocument,
  options: ApplyOptions,
): Promise<ApplyReport> {
  const { root, stateFolder, clock } = context;
  const { source = null, beside, dryRun } = options;
  return runWithLock({ ...context, command: 'extract', dryRun }, () => {
    for (let count = 0; count < MOST_ATTEMPTS; count++) {
      const { bank, pages, report } = attempt(context, types, document, options);
      if (dryRun) return report;
      if (!bank.changed.every(({ path }) => bank.isUnchanged(path))) continue;
      const run = pages.length === 0 ? null : makeRunName('x', clock, readNames(stateFolder, EXTRACT));
      const note: RunNote = { document: document.id, at: clock.now().toISOString(), source };
      if (beside !== undefined) recordRunBeside(beside, run, note, { ...report, pages });
      const entries = run === null ? [] : runEntries(stateFolder, EXTRACT, run, { note, changes: pages }, MOST_RUNS);
      writeAllChanges(root, stateFolder, report.changes, entries);
      return { ...report, run };
    }
    return fail('conflict', 'pages are being changed faster than they can be read', 'apply the answer again');
  });
}

function attempt(
  { root, reads, clock }: WorkspaceContext,
  types: MemoryTypes,
  document: OperationsDocument,
  options: ApplyOptions,
): { readonly bank: BankDraft; readonly pages: readonly PageRecord[]; readonly report: ApplyReport } {
  const bank = new BankDraft(root, reads);
  const { id, content } = document;
  if (bank.applied.isOther(id, content)) {
    const reason = `an answer with the id ${id} was applied already, and its text was different: get a new prompt, or leave out the id`;
    const rejected = [...document.rejected, { operation: 'document', reason }];
    const nothing = { pages: [], already: [], rejected, merged: [], proposed: [], changes: [] };
    return { bank, pages: [], report: { run: null, document: id, ...nothing } };
  }
  const plan = new OperationsPlanner({ ...options, document, types, bank, forgotten: readForgotten(root) }).plan();
  const { already, rejected, merged, refused, proposals } = plan;
  const { changed } = bank;
  const pages = changed.map(({ path, before, after }) => ({ path, before: before?.text ?? null, after }));
  const log = {
    path: APPLIED_PATH,
    before: bank.disk(APPLIED_PATH)?.text ?? null,
    after: bank.applied.with(document, changed),
  };
  const proposed = writeProposals({ root, clock }, proposals, true);
  // The files are written in this order. The log of applied documents comes before the pages, so that no page is written
  // without a line in the log. Files that are generated from pages come last.
  const changes = [
    ...(pages.length === 0 ? [] : [log, ...pages]),
    ...(proposed.before === proposed.after ? [] : [proposed]),
    ...folderSummaryChanges(root, types, pages),
  ];
  const records = pages.map(toPageRecord);
  const told = records.map(({ path, operation }) => ({ path, operation }));
  const listed = refused.length === 0 ? {} : { refused };
  const done = { already, rejected, merged, ...listed, proposed: proposals.map(proposalId), changes };
  return { bank, pages: records, report: { run: null, document: id, pages: told, ...done } };
}

/**
 * Messages about deletions, rejected operations and merged statements of a run, one sentence each, so that the user need
 * not look for them. Pure.
 */
export function formatApplyMessages({
  pages,
  rejected,
  merged,
  refused = [],
}: Omit<ApplyReport, 'changes'>): readonly string[] {
  return [
    ...formatUnsupportedCount(refused),
    ...pages.flatMap(({ path, operation }) => (operation === 'delete' ? [`deleted ${path}`] : [])),
    ...rejected.map(
      ({ operation, page, reason }) => `not done: ${operation}${page === undefined ? '' : ` (${page})`}: ${reason}`,
    ),
    ...merged.map(({ page, statement }) => `already in ${page}: ${statement}`),
  ];
}

/**
 * Brings the summaries of folders up to date with changes by people and other commands.
 * @param isComplete whether folders without summaries get them, too
 * @throws MemoryError `busy`
 */
export async function refreshFolderSummaries(
  context: WorkspaceContext,
  isComplete: boolean,
): Promise<readonly FileChange[]> {
  const { root, stateFolder } = context;
  const isDue = (folder: string) => isComplete || existsSync(join(root, folderOverviewPath(folder)));
  return runWithLock({ ...context, command: 'extract' }, () => {
    const changes = folderSummaryChanges(root, MemoryTypes.load(root), [], isDue);
    writeAllChanges(root, stateFolder, changes);
    return changes;
  });
}

/**
 * As {@link refreshFolderSummaries}. If the summaries can't be written, for example because another process writes, they
 * stay as they are.
 */
export async function updateFolderSummaries(
  context: WorkspaceContext,
  isComplete: boolean,
): Promise<readonly FileChange[]> {
  try {
    return await refreshFolderSummaries(context, isComplete);
  } catch (error) {
    if (toFailure(error).type === 'interrupted') throw error;
    return [];
  }
}

/**
 * Reverts a run. A file that nobody has edited since the run gets its old content back. In an edited file, only the changes
 * of the run are removed. If one file can't be reverted, nothing is written.
 * @throws MemoryError `not_found`, `conflict` that names the files, `busy`
 */
export async function undoExtraction(
  context: WorkspaceContext,
  run?: string,
  dryRun = false,
): Promise<{ readonly run: string; readonly changes: readonly FileChange[] }> {
  const { root } = context;
  return undoRun(context, { verb: EXTRACT, run, dryRun }, ({ changes }) => {
    const steps = planRevert(root, changes, revertChange).filter(({ before, after }) => before !== after);
    return { changes: dryRun ? steps : [...steps, ...folderSummaryChanges(root, MemoryTypes.load(root), steps)] };
  });
}

/** The kind of the runs of extract in the store. */
const EXTRACT = 'extract';
/** Maximum number of stored runs. */
const MOST_RUNS = 50;
const DIFF_FILE = 'memory_diff.json';

/** The data that the store keeps of a run, besides its changes. */
interface RunNote {
  /** Id of the operations document. */
  readonly document: string;
  /** Time of the run, in ISO 8601. */
  readonly at: string;
  /** Source of the extraction, for example `sessions/chat-1/history/archive_001`. */
  readonly source: string | null;
}

type PageRecord = FileChange & { readonly operation: 'add' | 'update' | 'delete'; readonly diff: string };

/**
 * Adds a run to the file `memory_diff.json` in the folder of an archived session, before the pages of the run are written.
 * The file has everything that is needed to revert the run, and what it rejected.
 * @param folder absolute path of the folder
 */
function recordRunBeside(
  folder: string,
  run: string | null,
  note: RunNote,
  { pages, rejected, merged }: Pick<ApplyReport, 'rejected' | 'merged'> & { readonly pages: readonly PageRecord[] },
): void {
  editFile(join(folder, DIFF_FILE), (current) => {
    const before = parseRecord(current?.toString('utf8') ?? '') ?? {};
    const lists = Object.entries({ pages, rejected, merged });
    const all = lists.map(([name, added]) => [name, [...listIn(before[name]), ...added]]);
    return `${JSON.stringify({ ...(run !== null && { run }), ...note, ...Object.fromEntries(all) }, undefined, 2)}\n`;
  });
}

function toPageRecord(change: FileChange): PageRecord {
  const operation = change.before === null ? 'add' : change.after === null ? 'delete' : 'update';
  return { ...change, operation, diff: unifiedDiff(change) };
}

/** The change of one page in a run. */
export interface PageRunRecord extends Pick<RunNote, 'at' | 'source'>, Pick<PageRecord, 'operation' | 'diff'> {
  readonly run: string;
  readonly undone?: true;
}

/** The changes of a page in the stored runs, newest first. */
export function runsOfPage(stateFolder: string, page: string): readonly PageRunRecord[] {
  return [...listRuns<RunNote>(stateFolder, EXTRACT)].flatMap(([run, { note, changes, isUndone }]) => {
    const own = changes.find(({ path }) => path === page);
    if (note === undefined || own === undefined) return [];
    const { operation, diff } = toPageRecord(own);
    return [{ run, at: note.at, source: note.source, operation, diff, ...(isUndone && { undone: true }) }];
  });
}

function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
