import { join } from 'node:path';
import type { Clock } from '../base/clock.js';
import { parseRecord } from '../base/json.js';
import { unifiedDiff } from '../text/changes.js';
import type { FileChange } from '../workspace/changes.js';
import { makeRunName } from '../workspace/clock.js';
import { editFile } from '../workspace/files.js';
import { listRuns, runEntries } from '../workspace/runs.js';
import { readNames } from '../workspace/state.js';
import type { RejectedOperation } from './operations/document.js';
import type { MergedStatement } from './operations/guard.js';

/** The kind of the runs of extract in the store. */
export const EXTRACT = 'extract';
const DIFF_FILE = 'memory_diff.json';
/** Maximum number of stored runs. */
const MOST_RUNS = 50;

/** What a run did. */
interface RunRecord extends RunNote {
  readonly pages: readonly PageRecord[];
  readonly rejected: readonly RejectedOperation[];
  readonly merged: readonly MergedStatement[];
}

type PageRecord = FileChange & { readonly operation: 'add' | 'update' | 'delete'; readonly diff: string };

/** What is stored of a run beside its changes. */
interface RunNote {
  /** Id of the operations document. */
  readonly document: string;
  /** Time of the run, in ISO 8601. */
  readonly at: string;
  /** Source of the extraction, for example `sessions/chat-1/history/archive_001`. */
  readonly source: string | null;
}

/** The name of a new run; null if no page changes, because then there is nothing to revert. */
export function nameRun(stateFolder: string, clock: Clock, { pages }: RunRecord): string | null {
  return pages.length === 0 ? null : makeRunName('x', clock, readNames(stateFolder, EXTRACT));
}

export function entriesOfRun(stateFolder: string, run: string, { document, at, source, pages }: RunRecord) {
  const note: RunNote = { document, at, source };
  return runEntries(stateFolder, EXTRACT, run, { note, changes: pages }, MOST_RUNS);
}

/**
 * Adds a run to the file `memory_diff.json` in the folder of an archived session, before the pages of the run are written.
 * The file has everything that is needed to revert the run, and what it rejected.
 * @param folder absolute path of the folder
 */
export function recordRunBeside(folder: string, run: string | null, record: RunRecord): void {
  editFile(join(folder, DIFF_FILE), (current) => {
    const before = parseRecord(current?.toString('utf8') ?? '') ?? {};
    const lists = Object.entries({ pages: record.pages, rejected: record.rejected, merged: record.merged });
    const all = lists.map(([name, added]) => [name, [...listIn(before[name]), ...added]]);
    const own = run === null ? record : { run, ...record };
    return `${JSON.stringify({ ...own, ...Object.fromEntries(all) }, undefined, 2)}\n`;
  });
}

export function toPageRecord(change: FileChange): PageRecord {
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
