import type { Database } from '../../db/open.js';

/** The letters "OCMV". They distinguish our database of vectors from other SQLite files. */
export const VECTORS_APPLICATION_ID = 0x4f434d56;

/** Must be raised whenever the schema or the text that is hashed changes. Vectors of another version are made again. */
export const VECTORS_SCHEMA_VERSION = 4;

/**
 * Page size of the database in bytes. A page holds several vectors of the usual dimensions, so that SQLite needs no extra
 * pages for one.
 */
const PAGE_SIZE = 16_384;

/**
 * The tables for vectors. They are not in the index, because making vectors is slow: they must survive when the index is
 * rebuilt. A vector belongs to a text, identified by its hash, in whatever file the text is. `place` says where a text was
 * last seen; this is checked against the index at each use. `embedding` is NULL if the model refused the text. `known` says
 * how well each model knows a language group; lines of a group that it does not know get no vector. `probe` has the vectors
 * of built-in texts, for comparison while there are few others. `bits` has the signs of the vectors of one model, if there
 * are many.
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
  db.exec(`PRAGMA application_id = ${VECTORS_APPLICATION_ID}`);
  db.exec(`PRAGMA user_version = ${VECTORS_SCHEMA_VERSION}`);
}

/** Sets the page size, and lets SQLite release the space of deleted vectors. Works only in a database without tables. */
export function setVectorPageSize(db: Database): void {
  db.exec(`PRAGMA page_size = ${PAGE_SIZE}`);
  db.exec('PRAGMA auto_vacuum = INCREMENTAL');
}
