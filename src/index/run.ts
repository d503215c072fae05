import { type Database, isCorrupt } from '../db/open.js';
import { lock, tryLock } from '../workspace/lock.js';
import { findChanges, isUpToDate, type SyncSource } from './changes.js';
import { type IndexContext, unusableWarning } from './fresh.js';
import { createIndex, openIndex, setAsideIndex } from './open.js';
import { purgeRows } from './schema.js';
import type { SyncReport } from './sync.js';
import { type Notice, readTree, type Tree } from './tree.js';
import { type VerifyReport, verifyIndex } from './verify.js';

export interface IndexReport extends SyncReport {
  /** Files that are skipped or read with reservations, and folders that can't be read. */
  readonly notices: readonly Notice[];
  readonly warnings: readonly string[];
  readonly verify: VerifyReport | null;
}

/**
 * `index`: brings the index up to date (`force`: builds all of it anew), and with `verify` proves that it equals the
 * files; with `purge` nothing is left in its file of rows that are gone. One that can't be used is set aside first. Holds
 * the writer lock; readers see the old rows until it is done.
 * @throws MemoryError `busy`, `interrupted`
 */
export async function runIndex(
  context: IndexContext,
  options: { force?: boolean | undefined; verify?: boolean | undefined; purge?: boolean },
): Promise<IndexReport> {
  const seen =
    options.force || options.verify || options.purge
      ? undefined
      : { ...context, tree: readTree(context.root, context.reads) };
  const unchanged = seen && reportIfUnchanged(context.stateFolder, seen);
  if (unchanged !== undefined) return unchanged;
  const atOnce = seen && tryLock(context.stateFolder, context);
  const held = atOnce ?? (await lock(context.stateFolder, context));
  try {
    // Whoever made us wait has changed files.
    const source: SyncSource = atOnce && seen ? seen : { ...context, tree: readTree(context.root, context.reads) };
    const warnings: string[] = [];
    const db = openOrCreate(context.stateFolder, source.tree, warnings);
    try {
      const report = await bringUpToDate(db, source, options.force === true);
      if (options.purge) purgeRows(db);
      const verify = options.verify ? await verifyIndex(db, context.stateFolder, source) : null;
      return { ...report, notices: [...source.tree.notices, ...fileNotices(db)], warnings, verify };
    } finally {
      db.close();
    }
  } finally {
    held.release();
  }
}

/** The report on an index that is up to date already: found out without the lock, so it never waits. */
function reportIfUnchanged(stateFolder: string, source: SyncSource): IndexReport | undefined {
  const opened = openIndex(stateFolder);
  if (opened.state !== 'ready') return undefined;
  const { db } = opened;
  try {
    const { files, notices } = source.tree;
    if (!isUpToDate(db, source)) return undefined;
    const all = [...notices, ...fileNotices(db)];
    return { ...nothing(files.length), notices: all, warnings: [], verify: null };
  } catch (error) {
    // It is set aside under the lock.
    if (isCorrupt(error)) return undefined;
    throw error;
  } finally {
    db.close();
  }
}

function openOrCreate(stateFolder: string, tree: Tree, warnings: string[]): Database {
  const opened = openIndex(stateFolder);
  if (opened.state === 'ready') return opened.db;
  if (opened.state === 'unusable') {
    setAsideIndex(stateFolder);
    warnings.push(unusableWarning(opened.why));
  }
  const logs = tree.files.filter(({ path, page }) => page.role === 'daily' && !PLAIN_LOG.test(path)).length;
  if (logs > 0)
    warnings.push(
      `${logs} files are logs of the days that they are named after; the ids of their facts depend on the day`,
    );
  return createIndex(stateFolder);
}

/** What is a log by its name wherever it is read; others once were notes without a day. */
const PLAIN_LOG = /^memory\/\d{4}-\d{2}-\d{2}\.md$/;

async function bringUpToDate(db: Database, source: SyncSource, force: boolean): Promise<SyncReport> {
  if (force) {
    const { rebuild } = await import('./sync.js');
    const report = await rebuild(db, source);
    // The log has grown by the whole index.
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    return report;
  }
  const changes = findChanges(db, source);
  if (changes.isNone) return nothing(source.tree.files.length);
  const { applyChanges } = await import('./sync.js');
  return applyChanges(db, source, changes);
}

function nothing(files: number): SyncReport {
  return { added: 0, changed: 0, removed: 0, files, changes: [] };
}

function fileNotices(db: Database): readonly Notice[] {
  return db.prepare<[], Notice>('SELECT path, notice AS reason FROM file WHERE notice IS NOT NULL ORDER BY path').all();
}
