import { existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { type Database, isCorruptError, openDatabase, type UnusableReason } from './open.js';

/**
 * Two numbers that mark a database file as ours: the id of our program and the version of our schema. SQLite stores both in
 * the file header.
 */
type DatabaseIdentity = { readonly application: number; readonly version: number };

/** A reason why a database can't be used: another version of this program made it. */
export const ANOTHER_VERSION_REASON = 'of another version';

export type OpenDatabaseResult =
  | { readonly state: 'ready'; readonly db: Database }
  | { readonly state: 'missing' }
  | { readonly state: 'unusable'; readonly why: UnusableReason | typeof ANOTHER_VERSION_REASON };

/** Opens one of our databases if it has the expected id and version. Never creates, changes or repairs it. */
export function openOwnDatabase(path: string, own: DatabaseIdentity): OpenDatabaseResult {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return { state: 'missing' };
  if (!stat.isFile()) return { state: 'unusable', why: 'foreign' };
  let db: Database | undefined;
  try {
    db = openDatabase(path);
    const application = db.prepare('PRAGMA application_id').pluck().get();
    const version = db.prepare('PRAGMA user_version').pluck().get();
    if (application === own.application && version === own.version) return { state: 'ready', db };
    // A database without tables counts as missing. A process leaves such a file if it crashes after it created the file and
    // before it created the tables.
    const isEmpty =
      application === 0 && version === 0 && db.prepare('SELECT count(*) FROM sqlite_schema').pluck().get() === 0;
    db.close();
    if (isEmpty) return { state: 'missing' };
    return { state: 'unusable', why: application === own.application ? ANOTHER_VERSION_REASON : 'foreign' };
  } catch (error) {
    db?.close();
    if (isCorruptError(error)) return { state: 'unusable', why: 'corrupt' };
    throw error;
  }
}

/**
 * Renames an unusable database, so that a person can inspect it. Only the latest unusable database is kept. SQLite
 * keeps log files beside a database. These files are removed, because SQLite would copy their old rows into the next
 * database of the same name. They are removed after the rename, so that no process opens the database without its log.
 */
export function renameUnusableDatabase(path: string): void {
  if (existsSync(path)) {
    // Something may have the new name already. Remove it: if it is a folder, the rename would fail.
    rmSync(unusableDatabasePath(path), { recursive: true, force: true });
    renameSync(path, unusableDatabasePath(path));
  }
  removeLogs(path);
}

export function unusableDatabasePath(path: string): string {
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
