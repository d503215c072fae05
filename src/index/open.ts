import { join } from 'node:path';
import { type Database, inodeOf, openDatabase, useWriteAheadLog } from '../db/open.js';
import {
  ANOTHER_VERSION_REASON,
  type OpenDatabaseResult,
  openOwnDatabase,
  removeDatabase,
  renameUnusableDatabase,
  replaceDatabase,
  unusableDatabasePath,
} from '../db/owned.js';
import { removeFolder } from '../workspace/files.js';
import { createIndexSchema, INDEX_APPLICATION_ID, INDEX_SCHEMA_VERSION } from './schema.js';

export function indexPath(stateFolder: string): string {
  return join(stateFolder, 'index.sqlite');
}

/** The inode of the index file. A rebuilt index has another inode. */
export function indexInode(stateFolder: string): number {
  return inodeOf(indexPath(stateFolder));
}

/**
 * Opens the index without changing it. If the index is missing or unusable, the holder of the writer lock may call
 * {@link createIndex}.
 */
export function openIndex(stateFolder: string): OpenDatabaseResult {
  return openOwnDatabase(indexPath(stateFolder), { application: INDEX_APPLICATION_ID, version: INDEX_SCHEMA_VERSION });
}

/** Creates an empty index. Only under the writer lock. */
export function createIndex(stateFolder: string): Database {
  const path = indexPath(stateFolder);
  removeDatabase(path);
  const db = openDatabase(path);
  useWriteAheadLog(db);
  db.transaction(() => createIndexSchema(db)).immediate();
  return db;
}

/**
 * Renames an unusable index so that a person can inspect it. Removes it if another version of this program made it. Only
 * under the writer lock.
 * @returns the warning
 */
export function renameUnusableIndex(stateFolder: string, why: string): string {
  if (why === ANOTHER_VERSION_REASON) removeDatabase(indexPath(stateFolder));
  else renameUnusableDatabase(indexPath(stateFolder));
  return unusableWarning(why);
}

export function unusableWarning(why: string): string {
  const aside = why === ANOTHER_VERSION_REASON ? 'is' : 'was moved to index.sqlite.unusable and';
  return `the index was ${why}; it ${aside} rebuilt from the files`;
}

export function removeUnusableIndex(stateFolder: string): void {
  removeFolder(unusableDatabasePath(indexPath(stateFolder)));
}

/**
 * Fills a new index in a file beside the current index. When it is complete, it replaces the current one. Until then,
 * readers use the current index. Nothing is copied from it. Only under the writer lock.
 * @param keepOld whether to keep the old index under another name
 */
export async function replaceIndex<T>(
  stateFolder: string,
  keepOld: boolean,
  fill: (db: Database) => Promise<T>,
): Promise<T> {
  const path = join(stateFolder, 'index.next.sqlite');
  removeDatabase(path);
  try {
    const db = openScratchIndex(path);
    let filled: T;
    try {
      filled = await fill(db);
      useWriteAheadLog(db);
    } finally {
      db.close();
    }
    if (keepOld) renameUnusableDatabase(indexPath(stateFolder));
    replaceDatabase(indexPath(stateFolder), path);
    return filled;
  } finally {
    removeDatabase(path);
  }
}

/**
 * Creates an index that is used only once. It is in memory if it holds the changed files while another process is
 * writing the real index. It is in a file if it is made for a rebuild or a check.
 */
export function openScratchIndex(path = ':memory:'): Database {
  const db = openDatabase(path);
  if (path !== ':memory:') db.exec('PRAGMA journal_mode = OFF');
  createIndexSchema(db);
  return db;
}
