import type { Database } from '../db/open.js';
import { LINE_FORM } from '../line/form.js';

/** The letters "OCMI". They distinguish our index from other SQLite files. */
export const INDEX_APPLICATION_ID = 0x4f434d49;

/**
 * Must be raised whenever the schema or the meaning of its values changes. A new form of a line changes the version by
 * itself. An index of another version is rebuilt.
 */
export const INDEX_SCHEMA_VERSION = 100 * 55 + Object.keys(LINE_FORM).length;

/**
 * The tables of the index, which is derived from the Markdown files. The units of a file have consecutive ids in the order
 * of its lines. So the neighbours of a line have the next ids, and the rows of a file are one range. Log text has no column
 * for its id: the id is a hash, which is computed only for the few rows that are shown.
 */
const SCHEMA = `
CREATE TABLE meta (
  key   TEXT PRIMARY KEY,
  value NOT NULL
) WITHOUT ROWID;

CREATE TABLE file (
  id         INTEGER PRIMARY KEY,
  path       TEXT NOT NULL UNIQUE,
  state      TEXT NOT NULL,
  hash       TEXT NOT NULL,
  racy       INTEGER NOT NULL,
  day        TEXT,
  role       TEXT NOT NULL,
  page_type  TEXT,
  first_unit INTEGER NOT NULL,
  last_unit  INTEGER NOT NULL,
  notice     TEXT,
  forgotten  INTEGER NOT NULL,
  sum        INTEGER NOT NULL,
  coded      INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX file_day ON file (day) WHERE day IS NOT NULL;
CREATE INDEX file_resource ON file (id) WHERE role = 'resource';
CREATE INDEX file_racy ON file (id) WHERE racy = 1;
CREATE INDEX file_uncoded ON file (id) WHERE coded = 0;
CREATE INDEX file_unread ON file (id) WHERE hash = '';

CREATE TABLE unit (
  line       INTEGER NOT NULL,
  end_line   INTEGER NOT NULL,
  kind       TEXT NOT NULL,
  section    INTEGER NOT NULL,
  text       TEXT NOT NULL,
  fact       TEXT,
  valid_from TEXT,
  valid_to   TEXT,
  period     INTEGER NOT NULL,
  day        TEXT,
  speaker    TEXT,
  form       INTEGER NOT NULL,
  head       INTEGER NOT NULL,
  series     INTEGER,
  detail     TEXT,
  id         INTEGER PRIMARY KEY,
  file       INTEGER NOT NULL,
  sum        INTEGER NOT NULL
);
CREATE INDEX unit_fact ON unit (fact) WHERE fact IS NOT NULL;
CREATE INDEX unit_opinion ON unit (id) WHERE kind = 'opinion';
CREATE INDEX unit_validity ON unit (valid_from, valid_to) WHERE valid_from IS NOT NULL OR valid_to IS NOT NULL;
CREATE INDEX unit_day ON unit (day) WHERE day IS NOT NULL;

-- What joins units: entities by their slugs; and by what no slug begins with, names, tags and
-- links of notes, what a line defines, names of several words, and the days that a line announces. By the days of their files, so that the latest of a
-- subject are those whenever they were indexed; without a day a unit is older than all.
CREATE TABLE link (
  slug TEXT NOT NULL,
  day  INTEGER NOT NULL,
  unit INTEGER NOT NULL,
  PRIMARY KEY (slug, day, unit)
) WITHOUT ROWID;
CREATE INDEX link_unit ON link (unit);

CREATE TABLE entity (
  file INTEGER NOT NULL,
  slug TEXT NOT NULL,
  name TEXT NOT NULL,
  type TEXT,
  PRIMARY KEY (slug, file)
) WITHOUT ROWID;

CREATE TABLE alias (
  alias TEXT NOT NULL,
  slug  TEXT NOT NULL,
  file  INTEGER NOT NULL,
  PRIMARY KEY (alias, slug, file)
) WITHOUT ROWID;

-- The codes of the vectors of units, of the model that comes with the package, in blocks of units with consecutive ids. The
-- units of a file have codes if its column "coded" is 1.
CREATE TABLE meaning (
  block INTEGER PRIMARY KEY,
  codes BLOB NOT NULL
);

CREATE VIRTUAL TABLE fts USING fts5 (text, content = '', contentless_delete = 1, tokenize = 'porter unicode61');
-- In memory, before it is written: of pieces of this size fewer are to be merged, and fewer stay beside each other.
INSERT INTO fts (fts, rank) VALUES ('hashsize', 16777216);
CREATE VIRTUAL TABLE fts_instance USING fts5vocab (fts, 'instance');
`;

/** Creates the tables in an empty database. */
export function createIndexSchema(db: Database): void {
  db.exec(SCHEMA);
  db.exec(`PRAGMA application_id = ${INDEX_APPLICATION_ID}`);
  db.exec(`PRAGMA user_version = ${INDEX_SCHEMA_VERSION}`);
}
