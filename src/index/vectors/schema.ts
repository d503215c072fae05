import type { Database } from '../../db/open.js';

/** "OCMV": tells our vectors from any other SQLite file. */
export const VECTORS_ID = 0x4f434d56;

/** Raise it with every change of the schema or of the hashed text; vectors of another version are made again. */
export const VECTORS_VERSION = 4;

/** Page size that holds several vectors of the usual dimensions without an overflow chain. */
const PAGE_SIZE = 16_384;

/**
 * Vectors are stored apart from the index: they are expensive, so they survive each rebuild and schema change of the index.
 * A vector belongs to a text, identified by its hash, in whatever file it is. `place` has the last known places of a text
 * and is checked against the index at each use. An embedding of NULL is a text that the model refused. `known` has how well
 * each model knows a language group; lines of an unknown group get no vector. `probe` has the vectors of built-in texts, for
 * comparison while there are few others. `bits` has the signs of the vectors of one model, once there are many.
 */
const SCHEMA = `
CREATE TABLE model (
  id        INTEGER PRIMARY KEY,
  name      TEXT NOT NULL,
  digest    TEXT NOT NULL,
  dimension INTEGER NOT NULL,
  scheme    TEXT NOT NULL,
  has_bits  INTEGER NOT NULL DEFAULT 0,
  UNIQUE (name, digest, dimension, scheme)
);

CREATE TABLE known (
  model  INTEGER NOT NULL,
  tongue TEXT NOT NULL,
  share  REAL NOT NULL,
  PRIMARY KEY (model, tongue)
) WITHOUT ROWID;

CREATE TABLE probe (
  model     INTEGER NOT NULL,
  tongue    TEXT NOT NULL,
  embedding BLOB NOT NULL
);

CREATE TABLE vector (
  id        INTEGER PRIMARY KEY AUTOINCREMENT,
  model     INTEGER NOT NULL,
  hash      BLOB NOT NULL,
  tongue    TEXT NOT NULL,
  embedding BLOB,
  UNIQUE (model, hash)
);

CREATE TABLE bits (
  id   INTEGER PRIMARY KEY,
  bits BLOB NOT NULL
);

CREATE TABLE source (
  id   INTEGER PRIMARY KEY,
  path TEXT NOT NULL UNIQUE,
  hash TEXT NOT NULL
);

CREATE TABLE place (
  source   INTEGER NOT NULL,
  position INTEGER NOT NULL,
  hash     BLOB NOT NULL,
  tongue   TEXT NOT NULL,
  is_fact  INTEGER NOT NULL,
  PRIMARY KEY (source, position)
) WITHOUT ROWID;
CREATE INDEX place_hash ON place (hash);
`;

/** Creates the tables in an empty database. */
export function createVectorSchema(db: Database): void {
  db.exec(SCHEMA);
  db.exec(`PRAGMA application_id = ${VECTORS_ID}`);
  db.exec(`PRAGMA user_version = ${VECTORS_VERSION}`);
}

/** Only in a database without tables. Lets SQLite release the space of deleted vectors. */
export function layOutPages(db: Database): void {
  db.exec(`PRAGMA page_size = ${PAGE_SIZE}`);
  db.exec('PRAGMA auto_vacuum = INCREMENTAL');
}
