import type { Database } from '../../db/open.js';

/** "OCMV": tells our vectors from any other SQLite file. */
export const VECTORS_ID = 0x4f434d56;

/** Raised with every change of the schema or of what a hash is taken of; vectors of another version are made again. */
export const VECTORS_VERSION = 4;

/** Pages that hold several vectors of the usual dimensions without an overflow chain. */
const PAGE_SIZE = 16_384;

/**
 * Vectors, kept apart from the index: they are dear to make, so they survive a rebuild of it and its every change of
 * schema. A vector belongs to a text, named by its hash, whatever file the text stands in; `place` says where that
 * was when the file was last looked at, and is checked against the index whenever it is used. An embedding of NULL is
 * a text that the model refuses. `known` says how far each model knows a tongue; lines in one that it does not know get no
 * vector. `probe` has what the model makes of texts that are nobody's, to compare with while there are few others. `bits`
 * has the signs of the vectors of one model, once there are many.
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

/** Makes the tables in an empty database. */
export function createVectorSchema(db: Database): void {
  db.exec(SCHEMA);
  db.exec(`PRAGMA application_id = ${VECTORS_ID}`);
  db.exec(`PRAGMA user_version = ${VECTORS_VERSION}`);
}

/** Only in a database without tables. The room of vectors that are dropped is given back. */
export function layOutPages(db: Database): void {
  db.exec(`PRAGMA page_size = ${PAGE_SIZE}`);
  db.exec('PRAGMA auto_vacuum = INCREMENTAL');
}
