import type { Database } from '../../db/open.js';
import type { IndexChanges, SyncSource } from '../changes.js';
import { openScratchIndex } from '../open.js';
import { readFile } from '../read-file.js';
import type { IndexSegment } from '../search.js';
import { IndexWriter } from '../writer.js';

/**
 * Reads the changed files into a second database in memory, and marks their rows in the index as outdated. Used when the
 * index can't be written now.
 */
export async function buildOverlaySegments(
  db: Database,
  { root, clock, tree }: SyncSource,
  changes: IndexChanges,
): Promise<readonly IndexSegment[]> {
  const scratch = openScratchIndex();
  const writer = new IndexWriter(scratch);
  const paths = [...changes.removed];
  for (const file of changes.stale) {
    const read = await readFile(root, file, clock, tree.forgotten);
    if (read.units === null) continue;
    writer.add(read);
    paths.push(file.path);
  }
  const idOf = db.prepare<[string], number>('SELECT id FROM file WHERE path = ?').pluck();
  const masked = new Set(paths.map((path) => idOf.get(path)).filter((id) => id !== undefined));
  return [
    { db, masked },
    { db: scratch, masked: new Set() },
  ];
}
