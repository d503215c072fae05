import { moveDatabase } from '../../db/files.js';
import { type Database, isCorrupt, openDatabase, type Unusable, useWriteAheadLog } from '../../db/open.js';
import { hasVectors, vectorsPath } from './path.js';
import { createVectorSchema, layOutPages, VECTORS_ID, VECTORS_VERSION } from './schema.js';

export type VectorsState =
  | { readonly state: 'ready'; readonly db: Database }
  | { readonly state: 'missing' }
  | { readonly state: 'unusable'; readonly why: Unusable | 'old schema' };

/** Opens the vectors as they are, without the functions to search them. */
export function openVectors(stateFolder: string): VectorsState {
  if (!hasVectors(stateFolder)) return { state: 'missing' };
  let db: Database | undefined;
  try {
    db = openDatabase(vectorsPath(stateFolder));
    const application = db.prepare('PRAGMA application_id').pluck().get();
    const version = db.prepare('PRAGMA user_version').pluck().get();
    if (application === VECTORS_ID && version === VECTORS_VERSION) return { state: 'ready', db };
    // A crash between creating the file and its tables leaves an empty one.
    const isEmpty = db.prepare('SELECT count(*) FROM sqlite_schema').pluck().get() === 0;
    db.close();
    if (application === 0 && isEmpty) return { state: 'missing' };
    return { state: 'unusable', why: application === VECTORS_ID ? 'old schema' : 'foreign' };
  } catch (error) {
    db?.close();
    if (isCorrupt(error)) return { state: 'unusable', why: 'corrupt' };
    throw error;
  }
}

/** Opens the vectors for filling them, made anew when there are none that can be used. Only under the vectors' lock. */
export function openOrCreateVectors(stateFolder: string, warnings: string[]): Database {
  const opened = openVectors(stateFolder);
  if (opened.state === 'ready') return opened.db;
  const path = vectorsPath(stateFolder);
  if (opened.state === 'unusable') {
    moveDatabase(path, `${path}.unusable`);
    warnings.push(`the vectors were ${opened.why}; they were set aside (vectors.sqlite.unusable) and are made again`);
  }
  const db = openDatabase(path);
  layOutPages(db);
  useWriteAheadLog(db);
  db.transaction(() => createVectorSchema(db)).immediate();
  return db;
}
