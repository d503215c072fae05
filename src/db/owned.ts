import { existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { type Database, isCorrupt, openDatabase, type Unusable } from './open.js';

/** How a file of ours is known: SQLite keeps both numbers in its head. */
export type Ownership = { readonly application: number; readonly version: number };

/** Of what another version of this program has made. */
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
    // A crash between creating the file and its tables leaves an empty one.
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
 * Moves a database that can't be used out of the way, for whoever wants to look at it; only the latest is kept. Without
 * its logs: left behind they would bring old rows into whatever is put in its place. They go after it, so that nobody
 * opens a database whose log is gone.
 */
export function setAside(path: string): void {
  if (existsSync(path)) {
    // A folder makes room for nothing else.
    rmSync(asidePath(path), { recursive: true, force: true });
    renameSync(path, asidePath(path));
  }
  removeLogs(path);
}

export function asidePath(path: string): string {
  return `${path}.unusable`;
}

/** Removes a database with everything that SQLite keeps beside it. */
export function removeDatabase(path: string): void {
  rmSync(path, { force: true });
  removeLogs(path);
}

/** Puts a database that nobody has open in the place of another one, which whoever has it open goes on reading. */
export function replaceDatabase(path: string, next: string): void {
  removeDatabase(path);
  renameSync(next, path);
}

function removeLogs(path: string): void {
  for (const suffix of ['-wal', '-shm', '-journal']) rmSync(path + suffix, { force: true });
}
