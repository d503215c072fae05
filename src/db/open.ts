import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import Sqlite from 'better-sqlite3';
import { fail, MemoryError, systemCode } from '../base/failure.js';
import { attempt } from '../base/result.js';
import type { Database } from './database.js';
import { fileOfError, nameFile } from './naming.js';

export type { Database, PreparedStatement } from './database.js';

export interface OpenOptions {
  readonly readonly?: boolean;
  /** How long a statement waits for another process, in ms. */
  readonly busyMs?: number;
}

/** What is wrong with a database file that can't be used: it is not one, is damaged, or of another program. */
export type Unusable = 'corrupt' | 'foreign';

/**
 * Opens a database file. The busy time-out is set by the constructor, so that not even the first statement runs
 * without one. Throws what SQLite throws; see {@link isCorrupt} and {@link isBusy}.
 */
export function openDatabase(path: string, options: OpenOptions = {}): Database {
  // SQLite calls a folder or a pipe a disk that fails.
  if (path !== ':memory:' && statSync(path, { throwIfNoEntry: false })?.isFile() === false)
    return fail('refused', `${path} is no regular file`, 'remove it: it is made again by itself');
  try {
    const { readonly = false, busyMs: timeout = 5_000 } = options;
    const db = new Sqlite(path, { readonly, fileMustExist: readonly, timeout, nativeBinding: nativeBinding() });
    if (path !== ':memory:') nameFile(db, path);
    keepFromCollection(db);
    return db;
  } catch (error) {
    if (systemCode(error) === 'SQLITE_CANTOPEN') {
      const hint = 'check that its folder exists and may be written';
      return fail('permission', `the database ${path} can't be opened`, hint, error);
    }
    if (systemCode(error) === 'ERR_DLOPEN_FAILED') {
      const hint = 'run "npm rebuild better-sqlite3" with the Node that you use';
      return fail('internal', 'the compiled half of better-sqlite3 does not fit this Node', hint, error);
    }
    throw error;
  }
}

let addon: string | undefined;

/**
 * Where the compiled half of better-sqlite3 is. Naming it spares the search by its `bindings` package, and lets its
 * JavaScript be part of our bundle: 10 ms of every start. Its install script makes it, and more and more installers run
 * none that was not asked for.
 */
function nativeBinding(): string {
  if (addon !== undefined) return addon;
  const folder = dirname(createRequire(import.meta.url).resolve('better-sqlite3/package.json'));
  const path = join(folder, 'build', 'Release', 'better_sqlite3.node');
  if (!existsSync(path)) {
    const hint =
      'run "npm rebuild better-sqlite3" where it is installed; for a global installation "npm install -g ' +
      '--allow-scripts=better-sqlite3 openclaw-memory"; with pnpm "pnpm approve-builds" (-g for a global one)';
    fail('internal', 'better-sqlite3 was installed without its install script, so its compiled half is missing', hint);
  }
  addon = path;
  return addon;
}

/** Write-ahead log, so that readers never wait for the writer; synchronous NORMAL is durable enough for derived data. */
export function useWriteAheadLog(db: Database): void {
  // Switching the mode does not obey the busy time-out, and another process may be doing the same.
  for (let attempt = 0; ; attempt++) {
    try {
      db.exec('PRAGMA journal_mode = WAL');
      break;
    } catch (error) {
      if (!isBusy(error) || attempt >= 50) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10 + 10 * Math.random());
    }
  }
  db.exec('PRAGMA synchronous = NORMAL');
}

export function isBusy(error: unknown): boolean {
  return /^SQLITE_(BUSY|LOCKED)/.test(systemCode(error) ?? '');
}

/** The file is no database or a damaged one: derived data, to be set aside and rebuilt. */
export function isCorrupt(error: unknown): boolean {
  const code = systemCode(error) ?? '';
  return /^SQLITE_(CORRUPT|NOTADB|FORMAT|IOERR_SHORT_READ)/.test(code) || saysReadOnly(error, code);
}

/** A byte in a database's head says that nobody may write it, whatever the file system says. */
function saysReadOnly(error: unknown, code: string): boolean {
  const path = fileOfError(error)?.path;
  if (code !== 'SQLITE_READONLY' || path === undefined) return false;
  return [path, dirname(path)].every((place) => attempt(() => accessSync(place, constants.W_OK), false) !== false);
}

/**
 * Whether an error may come of a damaged database that says so in other words, as a table that is missing or a value of
 * another type: not where it speaks of the disk, of other processes or in our own words.
 */
export function mayBeDamage(error: unknown): boolean {
  if (isCorrupt(error)) return true;
  if (error instanceof MemoryError || isBusy(error) || isUnwritable(error)) return false;
  const code = systemCode(error);
  return error instanceof Error && error.name !== 'AbortError' && (code === undefined || code.startsWith('SQLITE_'));
}

/** The disk or quota is full, or the file system read-only. */
export function isUnwritable(error: unknown): boolean {
  return /^SQLITE_(READONLY|FULL|CANTOPEN|PERM|IOERR)/.test(systemCode(error) ?? '');
}

/**
 * Whether Node dies when one of better-sqlite3's objects is collected at the wrong moment. With the headers of Node 24.17
 * and later, the destructor of every `node::ObjectWrap` asserts that some JavaScript is running; V8 also collects between
 * tasks and while it shuts down. better-sqlite3 13 is built otherwise, but does not run on Node 20.
 */
const IS_FRAGILE = Number(process.versions.node.split('.', 1)[0]) >= 24;
/** So many objects are kept, at a few hundred bytes each, before they are collected at a moment of our choosing. */
const MOST_KEPT = 20_000;

// Of the process, because that is what would die.
const kept: object[] = [];

/** Keeps a database, its statements and their iterators from being collected at a moment when that would be fatal. */
function keepFromCollection(db: Sqlite.Database): void {
  if (!IS_FRAGILE) return;
  keep(db);
  const prepare = db.prepare.bind(db);
  const prepareKept = (sql: string) => {
    const statement = keep(prepare(sql));
    const iterate = statement.iterate.bind(statement);
    Object.defineProperty(statement, 'iterate', { value: (...values: unknown[]) => keep(iterate(...values)) });
    return statement;
  };
  Object.defineProperty(db, 'prepare', { value: prepareKept });
}

function keep<T extends object>(made: T): T {
  if (kept.length >= MOST_KEPT) collectNow();
  kept.push(made);
  return made;
}

function collectNow(): void {
  kept.length = 0;
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect === 'function') collect();
}
