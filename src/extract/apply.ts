import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fail, toFailure } from '../base/failure.js';
import { list, nullable, type ReportFields, type ReportOf, text } from '../base/report.js';
import { readForgotten } from '../index/forgotten-page.js';
import { APPLIED_PATH } from '../memory/pages.js';
import { proposalId } from '../memory/proposals.js';
import { writeProposals } from '../retain/proposals.js';
import { revertChange } from '../text/changes.js';
import { type FileChange, writeAllChanges } from '../workspace/changes.js';
import { runWithLock } from '../workspace/lock.js';
import type { WorkspaceContext } from '../workspace/read-scope.js';
import { planRevert, undoRun } from '../workspace/runs.js';
import { BankDraft } from './bank.js';
import type { OperationsDocument, RejectedOperation } from './operations/document.js';
import type { MergedStatement } from './operations/guard.js';
import { type OperationsPlan, OperationsPlanner, type PlanInput } from './operations/plan.js';
import { EXTRACT, entriesOfRun, nameRun, recordRunBeside, toPageRecord } from './runs.js';
import { folderOverviewPath, folderSummaryChanges } from './sidecars.js';
import { MemoryTypes } from './types.js';

interface ApplyOptions extends Pick<PlanInput, 'sourceOf' | 'whole' | 'entityPath'> {
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
  const { stateFolder, clock } = context;
  const { source = null, beside, dryRun } = options;
  return runWithLock({ ...context, command: 'extract', dryRun }, () => {
    for (let count = 0; count < MOST_ATTEMPTS; count++) {
      const made = attempt(context, types, document, options);
      const { bank, pages, changes } = made;
      const { rejected, merged } = made.plan;
      if (dryRun) return reportOf(null, document, made);
      if (!bank.changed.every(({ path }) => bank.isUnchanged(path))) continue;
      const record = { document: document.id, at: clock.now().toISOString(), source, pages, rejected, merged };
      const run = nameRun(stateFolder, clock, record);
      if (beside !== undefined) recordRunBeside(beside, run, record);
      const entries = run === null ? [] : entriesOfRun(stateFolder, run, record);
      if (changes.length > 0) writeAllChanges(context.root, stateFolder, changes, entries);
      return reportOf(run, document, made);
    }
    return fail('conflict', 'pages are being changed faster than they can be read', 'apply the answer again');
  });
}

function attempt(
  { root, reads, clock }: WorkspaceContext,
  types: MemoryTypes,
  document: OperationsDocument,
  options: ApplyOptions,
) {
  const bank = new BankDraft(root, reads);
  const { applied } = bank;
  if (applied.isOther(document.id, document.content)) {
    const reason = `an answer with the id ${document.id} was applied already, and its text was different: get a new prompt, or leave out the id`;
    const rejected = [...document.rejected, { operation: 'document', reason }];
    const plan: OperationsPlan = { rejected, merged: [], already: [], proposals: [] };
    return { bank, plan, changes: [], pages: [] };
  }
  const plan = new OperationsPlanner({ ...options, document, types, bank, forgotten: readForgotten(root) }).plan();
  const { changed } = bank;
  const pages = changed.map(({ path, before, after }) => ({ path, before: before?.text ?? null, after }));
  const log = {
    path: APPLIED_PATH,
    before: bank.disk(APPLIED_PATH)?.text ?? null,
    after: applied.with(document, changed),
  };
  const proposed = writeProposals({ root, clock }, plan.proposals, true);
  // The files are written in this order. The log of applied documents comes before the pages, so that no page is written
  // without a line in the log. Files that are generated from pages come last.
  const changes = [
    ...(pages.length === 0 ? [] : [log, ...pages]),
    ...(proposed.before === proposed.after ? [] : [proposed]),
    ...folderSummaryChanges(root, types, pages),
  ];
  return { bank, plan, changes, pages: pages.map(toPageRecord) };
}

function reportOf(
  run: string | null,
  { id: document }: OperationsDocument,
  { plan, pages, changes }: ReturnType<typeof attempt>,
): ApplyReport {
  const { rejected, merged, already } = plan;
  const told = pages.map(({ path, operation }) => ({ path, operation }));
  return { run, document, pages: told, already, rejected, merged, proposed: plan.proposals.map(proposalId), changes };
}

/**
 * Messages about deletions, rejected operations and merged statements of a run, one sentence each, so that the user need
 * not look for them. Pure.
 */
export function formatApplyMessages({ pages, rejected, merged }: Omit<ApplyReport, 'changes'>): readonly string[] {
  return [
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
