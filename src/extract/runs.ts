import { join } from 'node:path';
import type { Clock } from '../base/clock.js';
import { fail } from '../base/failure.js';
import { isRecord, parseJson, parseRecord } from '../base/json.js';
import { unifiedDiff } from '../text/changes.js';
import { type FileChange, holdOneOf, isChange } from '../workspace/changes.js';
import { nameRun } from '../workspace/clock.js';
import { editFile, readVersion, removeFolder } from '../workspace/files.js';
import { keepRun, runsIn } from '../workspace/runs.js';
import type { Rejected } from './operations/document.js';
import type { MergedStatement } from './operations/guard.js';

const DIFF_FILE = 'memory_diff.json';
/** So many runs are kept. */
const MOST_RUNS = 50;

/** `memory_diff.json`: what a run did, from which it can be taken back. */
export interface RunRecord {
  readonly run: string;
  /** Id of the operations document. */
  readonly document: string;
  /** ISO 8601. */
  readonly at: string;
  /** What was extracted from, for example `sessions/chat-1/history/archive_001`. */
  readonly source: string | null;
  readonly pages: readonly (FileChange & { readonly operation: 'add' | 'update' | 'delete'; readonly diff: string })[];
  readonly rejected: readonly Rejected[];
  readonly merged: readonly MergedStatement[];
  readonly undone?: true;
}

/** A name for a run that begins. */
export function newRun(stateFolder: string, clock: Clock): string {
  return nameRun('x', clock, runsIn(runsFolder(stateFolder)));
}

/** Writes the record of a run before its pages. */
export function writeRecord(stateFolder: string, record: RunRecord): void {
  const text = `${JSON.stringify(record, undefined, 2)}\n`;
  keepRun(runsFolder(stateFolder), record.run, { [DIFF_FILE]: text }, MOST_RUNS);
}

/** Writes what a document did, and what was refused of it, beside an archive, below what others did for it. */
export function writeBeside(folder: string, { pages, rejected, merged, ...record }: Omit<RunRecord, 'run'>): void {
  editFile(join(folder, DIFF_FILE), (current) => {
    const before = parseRecord(current?.toString('utf8') ?? '') ?? {};
    const all = (name: string, own: readonly unknown[]): readonly unknown[] => {
      const earlier = before[name];
      return [...(Array.isArray(earlier) ? earlier : []), ...own];
    };
    const lists = { pages: all('pages', pages), rejected: all('rejected', rejected), merged: all('merged', merged) };
    return `${JSON.stringify({ ...record, ...lists }, undefined, 2)}\n`;
  });
}

export function pageRecord(change: FileChange): RunRecord['pages'][number] {
  const operation = change.before === null ? 'add' : change.after === null ? 'delete' : 'update';
  return { ...change, operation, diff: unifiedDiff(change) };
}

/**
 * The record of a run; of the last one that is not taken back when none is named.
 * @throws MemoryError `not_found`, `usage`
 */
export function findRecord(stateFolder: string, run?: string): RunRecord {
  if (run !== undefined && !/^[\w-][\w.-]*$/u.test(run))
    fail('usage', `"${run}" is no id of a run`, 'extract prints it with --json');
  const names = runsIn(runsFolder(stateFolder));
  for (const name of run === undefined ? names : [run]) {
    const record = readRecord(stateFolder, name);
    if (record !== undefined && (run !== undefined || !record.undone)) return record;
  }
  const hint = names.length === 0 ? 'extract has written nothing on this machine yet' : `kept: ${names.join(', ')}`;
  return fail(
    'not_found',
    run === undefined ? 'there is no run to take back' : `the run ${run} is not kept here`,
    hint,
  );
}

function readRecord(stateFolder: string, run: string): RunRecord | undefined {
  const value = parseRecord(readVersion(recordPath(stateFolder, run))?.bytes.toString('utf8') ?? '');
  if (value === undefined || typeof value.document !== 'string' || !Array.isArray(value.pages)) return undefined;
  const pages = value.pages.filter(isChange).map(({ path, before, after }) => pageRecord({ path, before, after }));
  const { document, at, source } = value;
  const kept = {
    run,
    document,
    at: String(at),
    source: typeof source === 'string' ? source : null,
    pages,
    rejected: [],
    merged: [],
  };
  return value.undone === true ? { ...kept, undone: true } : kept;
}

/** Notes that a run was taken back. */
export function markUndone(stateFolder: string, run: string): void {
  editFile(recordPath(stateFolder, run), (current) => {
    const value = parseJson(current?.toString('utf8') ?? '');
    return isRecord(value) ? `${JSON.stringify({ ...value, undone: true }, undefined, 2)}\n` : undefined;
  });
}

/** What a run did to one page. */
export interface PageRun {
  readonly run: string;
  /** ISO 8601. */
  readonly at: string;
  /** What was extracted from. */
  readonly source: string | null;
  readonly undone?: true;
  readonly operation: 'add' | 'update' | 'delete';
  readonly diff: string;
}

/** What the runs that are kept did to a page, the newest first. */
export function runsOfPage(stateFolder: string, page: string): readonly PageRun[] {
  return runsIn(runsFolder(stateFolder)).flatMap((name) => {
    const { run, at, source, undone, pages = [] } = readRecord(stateFolder, name) ?? {};
    const own = pages.find(({ path }) => path === page);
    if (own === undefined || run === undefined || at === undefined || source === undefined) return [];
    return [{ run, at, source, operation: own.operation, diff: own.diff, ...(undone && { undone }) }];
  });
}

/** Removes the runs that hold one of some texts: what is forgotten must not stay in them. */
export function dropRecords(stateFolder: string, texts: readonly string[]): void {
  for (const run of runsIn(runsFolder(stateFolder))) {
    const pages = readRecord(stateFolder, run)?.pages ?? [];
    if (holdOneOf(pages, texts)) removeFolder(join(runsFolder(stateFolder), run));
  }
}

function runsFolder(stateFolder: string): string {
  return join(stateFolder, 'runs');
}

function recordPath(stateFolder: string, run: string): string {
  return join(runsFolder(stateFolder), run, DIFF_FILE);
}
