import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { moveDatabase } from '../db/files.js';
import { type Database, isCorrupt, openDatabase, type Unusable, useWriteAheadLog } from '../db/open.js';
import { APPLICATION_ID, createSchema, SCHEMA_VERSION } from './schema.js';

export type IndexState =
  | { readonly state: 'ready'; readonly db: Database }
  | { readonly state: 'missing' }
  | { readonly state: 'unusable'; readonly why: Unusable | 'old schema' };

export function indexPath(stateFolder: string): string {
  return join(stateFolder, 'index.sqlite');
}

/** Opens the index as it is; whoever holds the writer lock may {@link createIndex} when it is not ready. */
export function openIndex(stateFolder: string): IndexState {
  const path = indexPath(stateFolder);
  if (!existsSync(path)) return { state: 'missing' };
  let db: Database | undefined;
  try {
    db = openDatabase(path);
    const application = db.prepare('PRAGMA application_id').pluck().get();
    const version = db.prepare('PRAGMA user_version').pluck().get();
    if (application === APPLICATION_ID && version === SCHEMA_VERSION) return { state: 'ready', db };
    // A crash between creating the file and its tables leaves an empty one.
    const isEmpty =
      application === 0 && version === 0 && db.prepare('SELECT count(*) FROM sqlite_schema').pluck().get() === 0;
    db.close();
    if (isEmpty) return { state: 'missing' };
    return { state: 'unusable', why: application === APPLICATION_ID ? 'old schema' : 'foreign' };
  } catch (error) {
    db?.close();
    if (isCorrupt(error)) return { state: 'unusable', why: 'corrupt' };
    throw error;
  }
}

/** Makes an empty index. Only under the writer lock. */
export function createIndex(stateFolder: string): Database {
  const db = openDatabase(indexPath(stateFolder));
  useWriteAheadLog(db);
  db.transaction(() => createSchema(db)).immediate();
  return db;
}

/**
 * Moves an index that can't be used out of the way, for whoever wants to look at it; only the latest is kept. Only
 * under the writer lock.
 */
export function setAsideIndex(stateFolder: string): void {
  const path = indexPath(stateFolder);
  moveDatabase(path, `${path}.unusable`);
}

/** An index in memory, for changed files that can't be written into the real one right now, and for verifying it. */
export function openScratchIndex(path = ':memory:'): Database {
  const db = openDatabase(path);
  if (path !== ':memory:') db.exec('PRAGMA journal_mode = OFF');
  createSchema(db);
  return db;
}
