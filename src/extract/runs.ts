import { join } from 'node:path';
import type { Clock } from '../base/clock.js';
import { fail } from '../base/failure.js';
import { asText, parseRecord } from '../base/json.js';
import { unifiedDiff } from '../text/changes.js';
import { type FileChange, isAnyTextInChanges, isFileChange } from '../workspace/changes.js';
import { makeRunName } from '../workspace/clock.js';
import { editFile, readVersion, removeFolder } from '../workspace/files.js';
import { listRuns, storeRun } from '../workspace/runs.js';
import type { RejectedOperation } from './operations/document.js';
import type { MergedStatement } from './operations/guard.js';

const DIFF_FILE = 'memory_diff.json';
/** Maximum number of stored runs. */
const MOST_RUNS = 50;

/** Content of `memory_diff.json`: the changes of a run, with everything that is needed to revert it. */
interface RunRecord {
  readonly run: string;
  /** Id of the operations document. */
  readonly document: string;
  /** Time of the run, in ISO 8601. */
  readonly at: string;
  /** Source of the extraction, for example `sessions/chat-1/history/archive_001`. */
  readonly source: string | null;
  readonly pages: readonly (FileChange & { readonly operation: 'add' | 'update' | 'delete'; readonly diff: string })[];
  readonly rejected: readonly RejectedOperation[];
  readonly merged: readonly MergedStatement[];
  readonly undone?: true;
}

/**
 * Writes the record of a run, before the pages of the run are written. With `beside`, the pages and rejections are also
 * added to the record in the folder of an archived session.
 * @param beside absolute path of that folder
 * @returns the name of the run; null if no page changes
 */
export function recordRun(
  stateFolder: string,
  clock: Clock,
  beside: string | undefined,
  record: Omit<RunRecord, 'run'>,
): string | null {
  const folder = runsFolder(stateFolder);
  // If no page changes, there is nothing to revert.
  const run = record.pages.length === 0 ? null : makeRunName('x', clock, listRuns(folder));
  const own = run === null ? record : { run, ...record };
  if (run !== null) storeRun(folder, run, { [DIFF_FILE]: asFile(own) }, MOST_RUNS);
  if (beside === undefined) return run;
  editFile(join(beside, DIFF_FILE), (current) => {
    const before = parseRecord(current?.toString('utf8') ?? '') ?? {};
    const lists = Object.entries({ pages: record.pages, rejected: record.rejected, merged: record.merged });
    const all = lists.map(([name, added]) => [name, [...listIn(before[name]), ...added]]);
    return asFile({ ...own, ...Object.fromEntries(all) });
  });
  return run;
}

function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function asFile(value: object): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

export function toPageRecord(change: FileChange): RunRecord['pages'][number] {
  const operation = change.before === null ? 'add' : change.after === null ? 'delete' : 'update';
  return { ...change, operation, diff: unifiedDiff(change) };
}

/**
 * Finds the record of a run. Without a name: the newest run that was not reverted.
 * @throws MemoryError `not_found`, `usage`
 */
export function findRunRecord(stateFolder: string, run?: string): RunRecord {
  if (run !== undefined && !/^[\w-][\w.-]*$/u.test(run))
    fail('usage', `"${run}" is not the id of a run`, 'find the id with: openclaw memory extract --json');
  const names = listRuns(runsFolder(stateFolder));
  for (const name of run === undefined ? names : [run]) {
    const record = readRecord(stateFolder, name);
    if (record !== undefined && (run !== undefined || !record.undone)) return record;
  }
  const hint =
    names.length === 0 ? 'extract has not written anything on this machine yet' : `stored runs: ${names.join(', ')}`;
  return fail(
    'not_found',
    run === undefined ? 'there is no run to undo' : `the run ${run} is not stored on this machine`,
    hint,
  );
}

function readRecord(stateFolder: string, run: string): RunRecord | undefined {
  const value = parseRecord(readVersion(recordPath(stateFolder, run))?.bytes.toString('utf8') ?? '');
  if (value === undefined || typeof value.document !== 'string' || !Array.isArray(value.pages)) return undefined;
  const pages = value.pages
    .filter(isFileChange)
    .map(({ path, before, after }) => toPageRecord({ path, before, after }));
  const { document, at, source, undone } = value;
  const told = { run, document, at: String(at), source: asText(source) ?? null, pages, rejected: [], merged: [] };
  return undone === true ? { ...told, undone } : told;
}

/** Marks a run as reverted. */
export function markRunUndone(stateFolder: string, run: string): void {
  editFile(recordPath(stateFolder, run), (current) => {
    const value = parseRecord(current?.toString('utf8') ?? '');
    return value && asFile({ ...value, undone: true });
  });
}

/** The change of one page in a run. */
export type PageRunRecord = Pick<RunRecord, 'run' | 'at' | 'source' | 'undone'> &
  Pick<RunRecord['pages'][number], 'operation' | 'diff'>;

/** The changes of a page in the stored runs, newest first. */
export function runsOfPage(stateFolder: string, page: string): readonly PageRunRecord[] {
  return listRuns(runsFolder(stateFolder)).flatMap((name) => {
    const record = readRecord(stateFolder, name);
    const own = record?.pages.find(({ path }) => path === page);
    if (record === undefined || own === undefined) return [];
    const { run, at, source, undone } = record;
    return [{ run, at, source, operation: own.operation, diff: own.diff, ...(undone && { undone }) }];
  });
}

/** Removes the record of every run whose pages contain one of the texts, so that no record keeps a forgotten text. */
export function removeExtractRunsWithTexts(stateFolder: string, texts: readonly string[]): void {
  for (const run of listRuns(runsFolder(stateFolder))) {
    const pages = readRecord(stateFolder, run)?.pages ?? [];
    if (isAnyTextInChanges(pages, texts)) removeFolder(join(runsFolder(stateFolder), run));
  }
}

function runsFolder(stateFolder: string): string {
  return join(stateFolder, 'runs');
}

function recordPath(stateFolder: string, run: string): string {
  return join(runsFolder(stateFolder), run, DIFF_FILE);
}
