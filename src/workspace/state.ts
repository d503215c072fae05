import { join } from 'node:path';
import { fail } from '../base/failure.js';
import { type Database, isCorruptError, openDatabase } from '../db/open.js';
import { ANOTHER_VERSION_REASON, openOwnDatabase, renameUnusableDatabase, unusableDatabasePath } from '../db/owned.js';
import { removeFile } from './files.js';
import { makeMemoryFolder } from './locate.js';

/**
 * What this machine remembers of the work of the program: the runs of every verb with the text of each file before and
 * after, the changes that are still to be written, and notes, for example how far a session was read. All of it is in one
 * database, `state.sqlite`. It may be deleted: then no earlier run can be undone, and some texts are read again.
 *
 * The store knows no verb. It has entries with a kind, a name and a value that is stored as JSON. The verb that writes a
 * kind of entry knows what the values mean, and names their type when it reads them. The type is not checked: the database
 * is our own, and its version was checked when it was opened.
 */
export interface Entry {
  readonly kind: string;
  /** Default: empty, for a kind that has only one entry. */
  readonly name?: string;
  /** Undefined removes the entry. */
  readonly value: unknown;
}

export function readEntry<Value>(stateFolder: string, kind: string, name = ''): Value | undefined {
  const sql = 'SELECT value FROM entry WHERE kind = ? AND name = ?';
  const [row] = rowsOf<[string]>(stateFolder, sql, kind, name);
  return row && JSON.parse(row[0]);
}

/** The entries of a kind by name, the first stored first. */
export function readEntries<Value>(stateFolder: string, kind: string): ReadonlyMap<string, Value> {
  return new Map(jsonOf(stateFolder, kind).map(([name, value]): [string, Value] => [name, JSON.parse(value)]));
}

/** The names of the entries of a kind, the first stored first. Their values, which may be long, are not read. */
export function readNames(stateFolder: string, kind: string): readonly string[] {
  const sql = 'SELECT name FROM entry WHERE kind = ? ORDER BY number';
  return rowsOf<[string]>(stateFolder, sql, kind).map(([name]) => name);
}

/** Stores entries, all of them or none. An entry with the same kind and name is replaced, and keeps its place. */
export function storeEntries(stateFolder: string, entries: readonly Entry[]): void {
  change(stateFolder, (db) => {
    const put = db.prepare(
      'INSERT INTO entry (kind, name, value) VALUES (?, ?, ?) ON CONFLICT (kind, name) DO UPDATE SET value = excluded.value',
    );
    const remove = db.prepare('DELETE FROM entry WHERE kind = ? AND name = ?');
    for (const { kind, name = '', value } of entries) {
      if (value === undefined) remove.run(kind, name);
      else put.run(kind, name, JSON.stringify(value));
    }
  });
}

/** Replaces all entries of a kind. Only those that differ are written. */
export function replaceEntries(stateFolder: string, kind: string, entries: ReadonlyMap<string, unknown>): void {
  const known = new Map(jsonOf(stateFolder, kind));
  const gone = [...known.keys()].filter((name) => !entries.has(name));
  const all = [...entries, ...gone.map((name) => [name, undefined] as const)];
  const changed = all.filter(([name, value]) => known.get(name) !== JSON.stringify(value));
  const made = changed.map(([name, value]) => ({ kind, name, value }));
  if (made.length > 0) storeEntries(stateFolder, made);
}

/**
 * Removes every entry that contains one of the texts, ignoring white space and case, so that no byte of them is left in the
 * file. A damaged database that was set aside is removed, too, because it can't be searched.
 * @param keep a kind of entries that stay
 */
export function removeTexts(stateFolder: string, texts: readonly string[], keep = ''): void {
  removeFile(damagedStatePath(stateFolder));
  const wanted = texts.map(folded).filter((text) => text !== '');
  const rows = rowsOf<[number, string]>(stateFolder, 'SELECT number, value FROM entry WHERE kind <> ?', keep);
  const gone = rows.filter(([, value]) => {
    const text = folded(textsIn(value).join('\n'));
    return wanted.some((one) => text.includes(one));
  });
  if (gone.length === 0) return;
  change(stateFolder, (db) => {
    for (const [number] of gone) db.prepare('DELETE FROM entry WHERE number = ?').run(number);
  });
  // SQLite overwrites deleted rows with zeros. But when it moves rows to another page, copies may stay in the old one.
  const db = open(stateFolder);
  if (db !== undefined) using(stateFolder, db, () => db.exec('VACUUM'));
}

/** Where a damaged database is set aside. */
export function damagedStatePath(stateFolder: string): string {
  return unusableDatabasePath(statePath(stateFolder));
}

const IDENTITY = { application: 0x4f634d53, version: 1 };
// Entries are numbered and not sorted by time, because a clock may be set back.
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS entry (
    number INTEGER PRIMARY KEY, kind TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL, UNIQUE (kind, name)
  );
  PRAGMA application_id = ${IDENTITY.application};
  PRAGMA user_version = ${IDENTITY.version};
`;

function jsonOf(stateFolder: string, kind: string) {
  const sql = 'SELECT name, value FROM entry WHERE kind = ? ORDER BY number';
  return rowsOf<[name: string, value: string]>(stateFolder, sql, kind);
}

function rowsOf<Row>(stateFolder: string, sql: string, ...values: readonly string[]): readonly Row[] {
  const db = open(stateFolder);
  if (db === undefined) return [];
  return using(stateFolder, db, () =>
    db
      .prepare<unknown[], Row>(sql)
      .raw()
      .all(...values),
  );
}

function change(stateFolder: string, work: (db: Database) => void): void {
  const db = open(stateFolder) ?? create(stateFolder);
  using(stateFolder, db, () => db.transaction(() => work(db)).immediate());
}

/**
 * Opens the database; undefined if there is none. A damaged one is set aside, because without it only undo is lost.
 * @throws MemoryError `settings` if another version of the program made it
 */
function open(stateFolder: string): Database | undefined {
  const path = statePath(stateFolder);
  const opened = openOwnDatabase(path, IDENTITY);
  if (opened.state === 'ready') return configured(opened.db);
  if (opened.state === 'missing') return undefined;
  const hint = 'update openclaw-memory; or delete the file: it has no memories, only what --undo and reflect need';
  if (opened.why === ANOTHER_VERSION_REASON)
    fail('settings', `${path} was made by another version of this program`, hint);
  renameUnusableDatabase(path);
  return undefined;
}

function create(stateFolder: string): Database {
  makeMemoryFolder(stateFolder);
  const db = configured(openDatabase(statePath(stateFolder)));
  db.transaction(() => db.exec(SCHEMA)).immediate();
  return db;
}

/**
 * Makes SQLite delete its journal after each transaction, so that no old text stays there. In a write-ahead log, texts would
 * stay until it is truncated.
 */
function configured(db: Database): Database {
  db.exec('PRAGMA journal_mode = DELETE; PRAGMA secure_delete = ON; PRAGMA temp_store = MEMORY');
  return db;
}

/** Uses the database and closes it. If it turns out to be damaged, it is set aside. */
function using<T>(stateFolder: string, db: Database, use: () => T): T {
  try {
    return use();
  } catch (error) {
    if (!isCorruptError(error)) throw error;
    const path = statePath(stateFolder);
    db.close();
    renameUnusableDatabase(path);
    return fail('index', `${path} was damaged and is set aside; earlier runs can't be undone`, 'run the command again');
  } finally {
    db.close();
  }
}

/** All strings in a JSON text. */
function textsIn(json: string): readonly string[] {
  const found: string[] = [];
  JSON.parse(json, (_, value: unknown) => {
    if (typeof value === 'string') found.push(value);
    return value;
  });
  return found;
}

function folded(text: string): string {
  return text.normalize('NFKC').toLowerCase().replace(/\s+/gu, ' ').trim();
}

function statePath(stateFolder: string): string {
  return join(stateFolder, 'state.sqlite');
}
