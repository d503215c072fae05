import { fail } from '../base/failure.js';
import { type Database, mayMeanDamage } from '../db/open.js';
import { ANOTHER_VERSION_REASON } from '../db/owned.js';
import type { AwayFiles } from '../memory/away.js';
import { requireMemory } from '../workspace/locate.js';
import { tryLock, waitForLock } from '../workspace/lock.js';
import { findChanges, isIndexUpToDate, type SyncSource } from './changes.js';
import type { IndexContext } from './fresh.js';
import { fillCodes } from './meaning/fill.js';
import { hasAllCodes } from './meaning/line-codes.js';
import {
  createIndex,
  openIndex,
  removeUnusableIndex,
  renameUnusableIndex,
  replaceIndex,
  unusableWarning,
} from './open.js';
import { readAwayFiles, readAwayRecord, storeAwayRecord } from './read/away.js';
import type { SyncReport } from './sync.js';
import { countUnreadPages, type FileTree, type Notice, readFileTree } from './tree.js';
import { type VerifyReport, verifyIndex } from './verify.js';

export interface IndexReport extends SyncReport {
  /** Files that are skipped or only partly read, and folders that can't be read. Each with the reason. */
  readonly notices: readonly Notice[];
  readonly warnings: readonly string[];
  /** Result of the check of the index. `away` lists files that are temporarily unavailable, which can't be checked. */
  readonly verify: (VerifyReport & { readonly away: readonly string[] }) | null;
}

type RunSource = SyncSource & Pick<IndexContext, 'reads'>;

interface IndexRun {
  readonly force?: boolean | undefined;
  readonly verify?: boolean | undefined;
  /** With `force`: keeps the old index so that a person can inspect it. */
  readonly keepOld?: boolean;
  /** Removes the remains of deleted rows from the disk, and also a damaged index that was kept. */
  readonly purge?: boolean;
}

/**
 * The command `index`: updates the index, or rebuilds it with `force`. With `verify`, also checks that it matches the files.
 * An unusable or damaged index is renamed and rebuilt. An index of another version of this program is removed and rebuilt.
 * Holds the writer lock; readers see the old rows until it is done.
 * @throws MemoryError `busy`, `interrupted`
 */
export async function runIndex(context: IndexContext, run: IndexRun): Promise<IndexReport> {
  requireMemory(context.root, context.stateFolder);
  const seen =
    run.force || run.verify || run.purge ? undefined : { ...context, tree: readFileTree(context.root, context.reads) };
  const unchanged = seen && reportIfUnchanged(context, seen);
  if (unchanged !== undefined) return unchanged;
  const atOnce = seen && tryLock(context.stateFolder, context);
  const held = atOnce ?? (await waitForLock(context.stateFolder, context));
  try {
    // If we had to wait for the lock, its last holder has changed files. So read the list of files again.
    const source: RunSource = atOnce && seen ? seen : { ...context, tree: readFileTree(context.root, context.reads) };
    const warnings: string[] = [];
    try {
      return await runUnderLock(context, source, run, warnings);
    } catch (error) {
      if (!mayMeanDamage(error)) throw error;
      warnings.push(renameUnusableIndex(context.stateFolder, 'corrupt'));
      return await runUnderLock(context, source, run, warnings);
    }
  } finally {
    held.release();
  }
}

async function runUnderLock(
  { stateFolder, withCodes, signal }: IndexContext,
  source: RunSource,
  { force, verify, purge, keepOld = false }: IndexRun,
  warnings: string[],
): Promise<IndexReport> {
  const built = force || purge ? await buildAnew(stateFolder, source, keepOld, warnings) : undefined;
  if (purge) removeUnusableIndex(stateFolder);
  const db = openOrCreate(stateFolder, source.tree, warnings);
  try {
    const report = built ?? (await bringUpToDate(db, source));
    const away = readAwayFiles(db, source.tree.away).paths;
    if (withCodes) await fillCodes(db, { signal });
    if (signal?.aborted)
      fail('interrupted', 'some lines have no codes for search by meaning yet', 'run it again; it continues');
    const verified = verify ? { ...(await verifyIndex(db, stateFolder, source)), away } : null;
    return { ...report, notices: allNotices(db, source), warnings, verify: verified };
  } finally {
    db.close();
  }
}

async function buildAnew(
  stateFolder: string,
  source: SyncSource,
  keepOld: boolean,
  warnings: string[],
): Promise<SyncReport> {
  const opened = openIndex(stateFolder);
  const away = opened.state === 'ready' ? readAwayRecord(opened.db, source.tree.away) : {};
  if (opened.state === 'ready') opened.db.close();
  if (opened.state === 'unusable') warnings.push(unusableWarning(opened.why));
  const isBroken = opened.state === 'unusable' && opened.why !== ANOTHER_VERSION_REASON;
  const { fillIndex } = await import('./sync.js');
  return replaceIndex(stateFolder, keepOld || isBroken, async (db) => {
    const report = await fillIndex(db, source);
    storeAwayRecord(db, away);
    return report;
  });
}

/** Returns a report if the index is already up to date. Takes no lock, so it never waits. */
function reportIfUnchanged({ stateFolder, withCodes }: IndexContext, source: RunSource): IndexReport | undefined {
  const opened = openIndex(stateFolder);
  if (opened.state !== 'ready') return undefined;
  const { db } = opened;
  try {
    if (!isIndexUpToDate(db, source) || (withCodes && !hasAllCodes(db))) return undefined;
    const notices = allNotices(db, source);
    return { ...nothing(source.tree.files.length), notices, warnings: [], verify: null };
  } catch (error) {
    // A damaged index is renamed later, under the lock.
    if (mayMeanDamage(error)) return undefined;
    throw error;
  } finally {
    db.close();
  }
}

function openOrCreate(stateFolder: string, tree: FileTree, warnings: string[]): Database {
  const opened = openIndex(stateFolder);
  if (opened.state === 'ready') return opened.db;
  if (opened.state === 'unusable') {
    warnings.push(renameUnusableIndex(stateFolder, opened.why));
  }
  const logs = [...tree.files].filter(({ path, page }) => page.role === 'daily' && !PLAIN_LOG.test(path)).length;
  if (logs > 0)
    warnings.push(
      `${logs} files were read as daily logs because of their names; the ids of their facts depend on the day`,
    );
  return createIndex(stateFolder);
}

/**
 * Matches the usual path of a daily log, such as `memory/2026-03-01.md`. All versions of this program read such a file as a
 * log. Earlier versions read other files with a date in their names as notes without a day. So the ids of facts in those
 * other files may change, and a warning tells the user.
 */
const PLAIN_LOG = /^memory\/\d{4}-\d{2}-\d{2}\.md$/;

async function bringUpToDate(db: Database, source: SyncSource): Promise<SyncReport> {
  const changes = findChanges(db, source);
  if (changes.isNone) return nothing(source.tree.files.length);
  const { applyChanges } = await import('./sync.js');
  return applyChanges(db, source, changes);
}

function nothing(files: number): SyncReport {
  return { added: 0, changed: 0, removed: 0, files, changes: [] };
}

function allNotices(db: Database, source: RunSource): readonly Notice[] {
  const ofAway = buildAwayNotices(readAwayFiles(db, source.tree.away), source.tree);
  const ofFiles = 'SELECT path, notice AS reason FROM file WHERE notice IS NOT NULL ORDER BY path';
  return [
    ...source.tree.notices,
    ...ofAway,
    ...db.prepare<[], Notice>(ofFiles).all(),
    ...findUnreadNotices(source, source.tree),
  ];
}

/**
 * Reports each file that is unavailable because its whole folder is unavailable, for example on a disk that is not
 * mounted. Files of which only a placeholder is there are left out, because {@link readFileTree} has reported them already.
 */
export function buildAwayNotices(away: AwayFiles, { away: { files } }: FileTree): readonly Notice[] {
  const reason = 'is away, because its folder (extraFolders) is missing';
  return away.paths.flatMap((path) => (files.includes(path) ? [] : { path, reason }));
}

/**
 * Reports how many notes in the workspace are not read, because no setting includes them. This happens, for example, if the
 * memory is part of an Obsidian vault. To count the notes, it lists all files of the workspace, except in the folders of
 * the memory itself.
 * @param tree the files that are read
 */
export function findUnreadNotices(
  { root, reads }: Pick<IndexContext, 'root' | 'reads'>,
  tree: FileTree,
): readonly Notice[] {
  if (reads === undefined || reads.extraFolders.includes(root)) return [];
  const unread = countUnreadPages(root, reads, tree);
  if (unread === 0) return [];
  const notes = unread === 1 ? '1 more note' : `${unread} more notes`;
  return [
    {
      path: root,
      reason: `has ${notes} that recall does not read; to read them, set extraFolders: ['.'] in memory.config.json5`,
    },
  ];
}
