import { fail } from '../base/failure.js';
import type { Database } from '../db/open.js';
import { dateOrderOf, fileStates, type IndexChanges, type StaleFile, type SyncSource } from './changes.js';
import { readAwayRecord, storeAwayRecord } from './read/away.js';
import { readFilesInOrder } from './read/parallel-reader.js';
import { sortByPath } from './tree-files.js';
import { IndexWriter } from './writer.js';

export interface SyncReport {
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
  readonly files: number;
  /** The files that changed. Empty after a rebuild. */
  readonly changes: readonly FileEvent[];
}

/** The change of a file since the last sync. */
export interface FileEvent {
  readonly path: string;
  readonly event: 'added' | 'changed' | 'removed';
}

/**
 * Updates the index in one transaction: readers see the old rows until it ends. Only under the writer lock. If it is
 * interrupted, the files that were already indexed are kept, and the next sync continues.
 * @throws MemoryError `interrupted`
 */
export async function applyChanges(db: Database, source: SyncSource, changes: IndexChanges): Promise<SyncReport> {
  return inTransaction(db, async () => {
    const writer = new IndexWriter(db);
    // Clear the digests first. If the sync stops half-way, the next one must compare the rows and not trust the digests.
    for (const key of ['tree', 'paths']) writer.setMeta(key, '');
    storeAwayRecord(db, readAwayRecord(db, source.tree.away));
    writer.remove(changes.removed);
    for (const file of changes.same) writer.touch(file, false);
    const events: FileEvent[] = [];
    const done = await addFiles(writer, source, changes.stale, (paths) => {
      const known = writer.remove(paths);
      for (const path of paths) events.push({ path, event: known.has(path) ? 'changed' : 'added' });
    });
    if (done === changes.stale.length) setTree(writer, source);
    const changed = events.filter(({ event }) => event === 'changed').length;
    return {
      interrupted: done < changes.stale.length,
      report: {
        added: events.length - changed,
        changed,
        removed: changes.removed.length,
        files: source.tree.files.length,
        changes: [...events, ...changes.removed.map((path): FileEvent => ({ path, event: 'removed' }))],
      },
    };
  });
}

/** Fills an empty index in one transaction. */
export async function fillIndex(db: Database, source: SyncSource): Promise<SyncReport> {
  const { files } = source.tree;
  return inTransaction(db, async () => {
    const writer = new IndexWriter(db);
    if ((await addFiles(writer, source, sortByPath(files), () => {})) < files.length) return interrupted();
    setTree(writer, source);
    return {
      interrupted: false,
      report: { added: files.length, changed: 0, removed: 0, files: files.length, changes: [] },
    };
  });
}

function setTree(writer: IndexWriter, { clock, tree: { files, digest, forgotten } }: SyncSource): void {
  for (const [key, value] of fileStates(files)) writer.setMeta(key, value);
  writer.setMeta('tree', digest);
  writer.setMeta('dates', dateOrderOf(clock));
  writer.setMeta('forgotten', forgotten.digest);
}

/**
 * Number of files in a batch: all are read before their rows are written. An update uses large batches, because FTS5 writes
 * its pending text whenever a deletion follows an insertion. A new index uses small batches, because it has no deletions.
 * The objects of a large batch live so long that V8 moves them to memory that it rarely cleans. The same happens to messages
 * of 100 KB or more from other threads.
 */
const AT_ONCE = { changed: 64, first: 8 } as const;

async function addFiles(
  writer: IndexWriter,
  source: SyncSource,
  files: readonly StaleFile[],
  before: (paths: readonly string[]) => void,
): Promise<number> {
  let done = 0;
  for await (const batch of readFilesInOrder(source, files, writer.isEmpty ? AT_ONCE.first : AT_ONCE.changed)) {
    if (source.signal?.aborted) break;
    before(batch.flatMap(({ file, units }) => (units === null ? [] : file.path)));
    for (const prepared of batch) writer.add(prepared);
    done += batch.length;
    source.onProgress?.(done, files.length, 'files');
  }
  return done;
}

// Written by hand, because the transactions of better-sqlite3 can't wait for a promise.
async function inTransaction(
  db: Database,
  work: () => Promise<{ interrupted: boolean; report: SyncReport }>,
): Promise<SyncReport> {
  db.exec('BEGIN IMMEDIATE');
  try {
    const { interrupted: stopped, report } = await work();
    db.exec('COMMIT');
    return stopped ? interrupted() : report;
  } catch (error) {
    if (db.inTransaction) db.exec('ROLLBACK');
    throw error;
  }
}

function interrupted(): never {
  return fail('interrupted', 'indexing was interrupted', 'run it again; it continues where it stopped');
}
