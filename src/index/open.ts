import { join } from 'node:path';
import { type Database, openDatabase, useWriteAheadLog } from '../db/open.js';
import { type Opened, openOwned, setAside } from '../db/owned.js';
import { APPLICATION_ID, createSchema, SCHEMA_VERSION } from './schema.js';

function indexPath(stateFolder: string): string {
  return join(stateFolder, 'index.sqlite');
}

/** Opens the index as it is; whoever holds the writer lock may {@link createIndex} when it is not ready. */
export function openIndex(stateFolder: string): Opened {
  return openOwned(indexPath(stateFolder), { application: APPLICATION_ID, version: SCHEMA_VERSION });
}

/** Makes an empty index. Only under the writer lock. */
export function createIndex(stateFolder: string): Database {
  const db = openDatabase(indexPath(stateFolder));
  useWriteAheadLog(db);
  db.transaction(() => createSchema(db)).immediate();
  return db;
}

/** Moves an index that can't be used out of the way. Only under the writer lock. */
export function setAsideIndex(stateFolder: string): void {
  setAside(indexPath(stateFolder));
}

/** An index in memory, for changed files that can't be written into the real one right now, and for verifying it. */
export function openScratchIndex(path = ':memory:'): Database {
  const db = openDatabase(path);
  if (path !== ':memory:') db.exec('PRAGMA journal_mode = OFF');
  createSchema(db);
  return db;
}
