import { type Database, isBusyError, isCorruptError, isUnwritableError } from '../db/open.js';
import { AwayFiles } from '../memory/away.js';
import { requireMemory } from '../workspace/locate.js';
import { type Lock, waitForLock, waitForLockUntilTimeout } from '../workspace/lock.js';
import type { WorkspaceContext } from '../workspace/read-scope.js';
import { findChanges, isIndexUpToDate, type SyncSource } from './changes.js';
import { createIndex, openIndex, renameUnusableIndex } from './open.js';
import { readAwayFiles } from './read/away.js';
import type { IndexSegment } from './search.js';
import { type FileTree, readFileTree } from './tree.js';

/** Milliseconds that a reader waits for the writer lock before it reads changed files itself. */
const READER_WAIT_MS = 100;
/**
 * Maximum number of changed files that are read into memory for one answer. If more have changed, the answer is stale and
 * says so.
 */
const MAX_SCANNED_FILES = 200;
/**
 * Maximum number of lines that get a vector of the built-in model before an answer: of changed files, and after the index
 * was built. The command `index` makes the others.
 */
const CODED_AT_ONCE = { changed: 200, first: 20_000 } as const;

/** The place of an index, and the workspace that it covers. */
export interface IndexContext extends WorkspaceContext {
  /** Name of the running command. Other processes that wait for the lock show it. */
  readonly command: string;
  /** Whether lines get vectors of the model that comes with the package. Default: no. */
  readonly withCodes?: boolean;
}

/** Opens an index that answers from the current files. */
export type OpenIndex = (context: IndexContext) => Promise<FreshIndex>;

/** An index that answers from the current files. If it could not be updated, `stale` is set. */
export interface FreshIndex {
  readonly segments: readonly IndexSegment[];
  readonly stale: boolean;
  readonly warnings: readonly string[];
  readonly tree: FileTree;
  readonly away: AwayFiles;
  close(): void;
}

/**
 * Updates the index and opens it for reading. Usually no file has changed, and no lock is taken. Never waits longer
 * than 100 ms for another writer, unless there is no index yet.
 * @param known the list of files, if it was read already
 * @throws SQLite's error for a damaged index; `withIndexRepair` handles it
 */
export async function openFreshIndex(context: IndexContext, known?: FileTree): Promise<FreshIndex> {
  requireMemory(context.root, context.stateFolder);
  const tree = known ?? readFileTree(context.root, context.reads);
  const source: SyncSource = { ...context, tree };
  const warnings: string[] = [];
  const answer = (segments: readonly IndexSegment[], stale = false): FreshIndex => ({
    segments,
    stale,
    warnings,
    tree,
    away: segments[0] === undefined ? AwayFiles.NONE : readAwayFiles(segments[0].db, tree.away),
    close: () => {
      for (const { db } of segments) db.close();
    },
  });
  const { db, problem } = usableIndex(context.stateFolder);
  if (db === undefined) {
    const built = await buildFirst(context, source, problem, warnings);
    return answer([{ db: built, masked: new Set() }]);
  }
  try {
    const whole = [{ db, masked: new Set<number>() }];
    if (isIndexUpToDate(db, source) || (await applyUnlessBusy(db, context, source))) return answer(whole);
    const changes = findChanges(db, source);
    if (changes.stale.length <= MAX_SCANNED_FILES) {
      const { buildOverlaySegments } = await import('./read/overlay.js');
      return answer(await buildOverlaySegments(db, source, changes));
    }
    warnings.push(
      `another process is writing the index, so ${changes.stale.length} changed files are not in this answer`,
    );
    return answer(whole, true);
  } catch (error) {
    db.close();
    throw error;
  }
}

function usableIndex(stateFolder: string): { db?: Database; problem?: string } {
  const opened = openIndex(stateFolder);
  if (opened.state === 'ready') return { db: opened.db };
  return opened.state === 'missing' ? {} : { problem: opened.why };
}

async function applyUnlessBusy(db: Database, context: IndexContext, source: SyncSource): Promise<boolean> {
  let held: Lock | undefined;
  try {
    held = await waitForLockUntilTimeout(context.stateFolder, context, READER_WAIT_MS);
    if (held === undefined) return false;
    await apply(db, source);
    if (context.withCodes) await addCodes(db, CODED_AT_ONCE.changed, context);
    return true;
  } catch (error) {
    if (!isCorruptError(error) && (isBusyError(error) || isUnwritableError(error))) return false;
    throw error;
  } finally {
    held?.release();
  }
}

/** Updates the index. The code that reads files is loaded only here, because usually no file has changed. */
async function apply(db: Database, source: SyncSource): Promise<void> {
  const { applyChanges } = await import('./sync.js');
  await applyChanges(db, source, findChanges(db, source));
}

async function buildFirst(
  context: IndexContext,
  source: SyncSource,
  problem: string | undefined,
  warnings: string[],
): Promise<Database> {
  const held = await waitForLock(context.stateFolder, context);
  try {
    const { db, problem: still } = usableIndex(context.stateFolder);
    if (db !== undefined) return await filled(db, source, context);
    if (still !== undefined) {
      warnings.push(renameUnusableIndex(context.stateFolder, problem ?? still));
    }
    return await filled(createIndex(context.stateFolder), source, context);
  } finally {
    held.release();
  }
}

async function filled(db: Database, source: SyncSource, context: IndexContext): Promise<Database> {
  try {
    await apply(db, source);
    if (context.withCodes) await addCodes(db, CODED_AT_ONCE.first, context);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

async function addCodes(db: Database, most: number, { signal }: IndexContext): Promise<void> {
  const { fillCodes } = await import('./meaning/fill.js');
  await fillCodes(db, { most, signal });
}
