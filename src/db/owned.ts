import { existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { type Database, isCorrupt, openDatabase, type Unusable } from './open.js';

/** Identifies a file of ours: SQLite stores both numbers in the file header. */
export type Ownership = { readonly application: number; readonly version: number };

/** Reason for a file that another version of this program made. */
export const ANOTHER_VERSION = 'of another version';

export type OpenedDatabase =
  | { readonly state: 'ready'; readonly db: Database }
  | { readonly state: 'missing' }
  | { readonly state: 'unusable'; readonly why: Unusable | typeof ANOTHER_VERSION };

/** Opens a database of derived data as it is. Changes nothing. */
export function openOwned(path: string, own: Ownership): OpenedDatabase {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return { state: 'missing' };
  if (!stat.isFile()) return { state: 'unusable', why: 'foreign' };
  let db: Database | undefined;
  try {
    db = openDatabase(path);
    const application = db.prepare('PRAGMA application_id').pluck().get();
    const version = db.prepare('PRAGMA user_version').pluck().get();
    if (application === own.application && version === own.version) return { state: 'ready', db };
    // A crash between creating the file and its tables leaves an empty database.
    const isEmpty =
      application === 0 && version === 0 && db.prepare('SELECT count(*) FROM sqlite_schema').pluck().get() === 0;
    db.close();
    if (isEmpty) return { state: 'missing' };
    return { state: 'unusable', why: application === own.application ? ANOTHER_VERSION : 'foreign' };
  } catch (error) {
    db?.close();
    if (isCorrupt(error)) return { state: 'unusable', why: 'corrupt' };
    throw error;
  }
}

/**
 * Renames an unusable database so that a person can inspect it; only the latest is kept. Its logs are removed: they would
 * bring old rows into the next file of that name. They are removed after the rename, so that no process opens a database
 * without its log.
 */
export function setAside(path: string): void {
  if (existsSync(path)) {
    // A folder of that name would make the rename fail.
    rmSync(asidePath(path), { recursive: true, force: true });
    renameSync(path, asidePath(path));
  }
  removeLogs(path);
}

export function asidePath(path: string): string {
  return `${path}.unusable`;
}

/** Removes a database with every file that SQLite keeps beside it. */
export function removeDatabase(path: string): void {
  rmSync(path, { force: true });
  removeLogs(path);
}

/** Replaces a database by another one that is not open anywhere. Processes that have the old one open go on reading it. */
export function replaceDatabase(path: string, next: string): void {
  removeDatabase(path);
  renameSync(next, path);
}

function removeLogs(path: string): void {
  for (const suffix of ['-wal', '-shm', '-journal']) rmSync(path + suffix, { force: true });
}
