import { type Database, mayMeanDamage, openDatabase, useWriteAheadLog } from '../../db/open.js';
import { type OpenDatabaseResult, openOwnDatabase, renameUnusableDatabase } from '../../db/owned.js';
import { vectorsPath } from './path.js';
import { createVectorSchema, setVectorPageSize, VECTORS_APPLICATION_ID, VECTORS_SCHEMA_VERSION } from './schema.js';

/** Opens the database of vectors without changing it, and without the search functions. */
export function openVectors(stateFolder: string): OpenDatabaseResult {
  return openOwnDatabase(vectorsPath(stateFolder), {
    application: VECTORS_APPLICATION_ID,
    version: VECTORS_SCHEMA_VERSION,
  });
}

/** Whether the database of vectors is undamaged or missing. SQLite reads all of it to find out. */
export function areVectorsWhole(stateFolder: string): boolean {
  const opened = openVectors(stateFolder);
  if (opened.state !== 'ready') return opened.state === 'missing';
  try {
    return opened.db.prepare('PRAGMA integrity_check(1)').pluck().get() === 'ok';
  } catch (error) {
    if (mayMeanDamage(error)) return false;
    throw error;
  } finally {
    opened.db.close();
  }
}

/** Opens the database of vectors for writing, and creates it if there is no usable one. Only under the lock for vectors. */
export function openOrCreateVectors(stateFolder: string, warnings: string[]): Database {
  const opened = openVectors(stateFolder);
  if (opened.state === 'ready') return opened.db;
  const path = vectorsPath(stateFolder);
  if (opened.state === 'unusable') {
    renameUnusableDatabase(path);
    warnings.push(`the vectors were ${opened.why}; they were moved to vectors.sqlite.unusable and are made again`);
  }
  const db = openDatabase(path);
  setVectorPageSize(db);
  useWriteAheadLog(db);
  db.transaction(() => createVectorSchema(db)).immediate();
  return db;
}
