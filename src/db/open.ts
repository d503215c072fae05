import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import Sqlite from 'better-sqlite3';
import { Cache } from '../base/cache.js';
import { fail, MemoryError, systemErrorCode, tryWithFallback } from '../base/failure.js';
import { asRecord } from '../base/json.js';

interface OpenOptions {
  readonly readonly?: boolean;
  /** How long a statement waits for another process, in ms. */
  readonly busyMs?: number;
}

/** Why a database file can't be used: it is not a database, is damaged, or belongs to another program. */
export type UnusableReason = 'corrupt' | 'foreign';

/**
 * Opens a database file. The busy time-out is passed to the constructor of better-sqlite3, so that it applies from the first
 * statement on. Throws SQLite's own errors; see {@link isCorruptError} and {@link isBusyError}.
 */
export function openDatabase(path: string, options: OpenOptions = {}): Database {
  // Check first that the path is a file: for a folder or a pipe, SQLite would report a disk error.
  if (path !== ':memory:' && statSync(path, { throwIfNoEntry: false })?.isFile() === false)
    return fail('refused', `${path} is not a regular file`, 'remove it; it is made again automatically');
  try {
    const { readonly = false, busyMs: timeout = 5_000 } = options;
    const db = new Sqlite(path, { readonly, fileMustExist: readonly, timeout, nativeBinding: nativeBinding() });
    if (path !== ':memory:') addFileToErrors(db, path);
    keepFromCollection(db);
    return db;
  } catch (error) {
    if (systemErrorCode(error) === 'SQLITE_CANTOPEN') {
      const hint = 'check that its folder exists and is writable';
      return fail('permission', `the database ${path} can't be opened`, hint, error);
    }
    if (systemErrorCode(error) === 'ERR_DLOPEN_FAILED') {
      const hint = `run "npm rebuild better-sqlite3" with the Node that you use${compilerHint()}`;
      return fail('internal', 'the compiled part of better-sqlite3 does not fit this version of Node', hint, error);
    }
    throw error;
  }
}

/** The versions of Node for which better-sqlite3 12.11 has compiled files. */
const WITH_COMPILED_FILE: ReadonlySet<string> = new Set(['22', '24', '25', '26']);

/** Sentence for a hint to install SQLite: npm must compile it for some versions of Node, which needs tools. */
function compilerHint(): string {
  const [major = ''] = process.versions.node.split('.');
  if (WITH_COMPILED_FILE.has(major)) return '';
  return `; for Node ${major}, npm must compile it, which needs Python, make and a C++ compiler: Node 22 or 24 needs none`;
}

let addon: string | undefined;

/**
 * Path of the compiled part of better-sqlite3. An explicit path avoids a search by the `bindings` package, and lets our
 * bundle contain the JavaScript of better-sqlite3. This saves 10 ms at every start. The install script of better-sqlite3
 * builds the file. More and more installers run such scripts only with the user's consent, so the file may be missing.
 */
function nativeBinding(): string {
  if (addon !== undefined) return addon;
  const folder = dirname(createRequire(import.meta.url).resolve('better-sqlite3/package.json'));
  const path = join(folder, 'build', 'Release', 'better_sqlite3.node');
  if (!existsSync(path)) {
    const hint =
      'run "npm rebuild better-sqlite3" where it is installed; for a global installation "npm install -g ' +
      '--allow-scripts=better-sqlite3 openclaw-memory"; with pnpm "pnpm approve-builds" (-g for a global one)' +
      compilerHint();
    fail('internal', 'better-sqlite3 was installed without its install script, so its compiled part is missing', hint);
  }
  addon = path;
  return addon;
}

/**
 * Turns on the write-ahead log, so that readers never wait for the writer. With `synchronous = NORMAL`, a power failure may
 * lose the last writes. We can lose them, because the data is derived from the Markdown files.
 */
export function useWriteAheadLog(db: Database): void {
  // Another process may change the journal mode at the same time. SQLite then fails at once and ignores the busy time-out.
  // So wait here and try again.
  for (let attempt = 0; ; attempt++) {
    try {
      db.exec('PRAGMA journal_mode = WAL');
      break;
    } catch (error) {
      if (!isBusyError(error) || attempt >= 50) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10 + 10 * Math.random());
    }
  }
  db.exec('PRAGMA synchronous = NORMAL');
}

export function isBusyError(error: unknown): boolean {
  return /^SQLITE_(BUSY|LOCKED)/.test(systemErrorCode(error) ?? '');
}

/**
 * Whether an error says that a file is not a database, or is a damaged one. Such a file is renamed and built again from the
 * Markdown files.
 */
export function isCorruptError(error: unknown): boolean {
  const code = systemErrorCode(error) ?? '';
  return /^SQLITE_(CORRUPT|NOTADB|FORMAT|IOERR_SHORT_READ)/.test(code) || saysReadOnly(error, code);
}

/**
 * Whether SQLite calls a file read-only although the file system lets us write it. Then a byte of the database header is
 * damaged.
 */
function saysReadOnly(error: unknown, code: string): boolean {
  const path = fileOfError(error)?.path;
  if (code !== 'SQLITE_READONLY' || path === undefined) return false;
  return [path, dirname(path)].every(
    (place) => tryWithFallback(() => accessSync(place, constants.W_OK), false) !== false,
  );
}

/**
 * Whether an error may come from a damaged database although SQLite does not say so. For example, a table is missing, or a
 * value has another type. False for errors of the disk, for a database that another process has locked, and for our own
 * errors.
 */
export function mayMeanDamage(error: unknown): boolean {
  if (isCorruptError(error)) return true;
  if (error instanceof MemoryError || isBusyError(error) || isUnwritableError(error)) return false;
  const code = systemErrorCode(error);
  return error instanceof Error && error.name !== 'AbortError' && (code === undefined || code.startsWith('SQLITE_'));
}

/**
 * Whether SQLite can't write or open the file. For example, the disk or quota is full, the file system is read-only, or the
 * disk fails.
 */
export function isUnwritableError(error: unknown): boolean {
  return /^SQLITE_(READONLY|FULL|CANTOPEN|PERM|IOERR)/.test(systemErrorCode(error) ?? '');
}

/**
 * Whether Node can crash when an object of better-sqlite3 is garbage-collected. The headers of Node 24.17 and later add a
 * check to the destructor of every `node::ObjectWrap`: some JavaScript must be running. But V8 also collects garbage
 * between tasks and during shutdown. better-sqlite3 13 is built differently, but does not run on Node 20.
 */
const IS_FRAGILE = Number(process.versions.node.split('.', 1)[0]) >= 24;
/**
 * Maximum number of database objects that we keep alive. Each takes a few hundred bytes. When this number is reached, we
 * release all of them and run the garbage collector at once. This moment is safe, because some JavaScript is running.
 */
const MOST_KEPT = 20_000;

// Database objects that must not be garbage-collected. All databases share one list, because a crash would end the whole
// process.
const kept: object[] = [];

/** Keeps a database, its statements and their iterators alive. If they were garbage-collected, Node could crash. */
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

/** Adds the path and inode of the file to errors that SQLite throws; SQLite itself does not name the file. */
function addFileToErrors(db: Sqlite.Database, path: string): void {
  const inode = inodeOf(path);
  const named =
    <Values extends unknown[], Result>(call: (...values: Values) => Result) =>
    (...values: Values): Result => {
      try {
        return call(...values);
      } catch (error) {
        throw error instanceof Error ? Object.assign(error, { path, inode }) : error;
      }
    };
  const prepare = named(db.prepare.bind(db));
  const prepareNamed = (sql: string) => {
    const statement = prepare(sql);
    const { get, all, run, iterate } = statement;
    for (const call of [get, all, run, iterate])
      Object.defineProperty(statement, call.name, { value: named(call.bind(statement)), configurable: true });
    return statement;
  };
  Object.defineProperty(db, 'prepare', { value: prepareNamed, configurable: true });
  Object.defineProperty(db, 'exec', { value: named(db.exec.bind(db)), configurable: true });
}

/**
 * Path and inode of the database file that an error is about. The inode is that of the file that was opened: another file
 * may have the same path by now.
 */
export function fileOfError(error: unknown) {
  const { path, inode } = asRecord(error);
  return typeof path === 'string' && typeof inode === 'number' ? { path, inode } : undefined;
}

/** Inode of a file, or 0 if there is no file. Two files that had the same path one after the other have different inodes. */
export function inodeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.ino ?? 0;
}

/**
 * The methods of a better-sqlite3 database that we use. Declared here, so that our published types do not need those of
 * better-sqlite3.
 */
export interface Database {
  /** Path of the file. */
  readonly name: string;
  readonly open: boolean;
  readonly inTransaction: boolean;
  prepare<Parameters extends unknown[] = unknown[], Row = unknown>(sql: string): PreparedStatement<Parameters, Row>;
  exec(sql: string): unknown;
  transaction<Result>(work: () => Result): Transaction<Result>;
  loadExtension(path: string): unknown;
  close(): unknown;
}

export interface PreparedStatement<Parameters extends unknown[] = unknown[], Row = unknown> {
  get(...parameters: Parameters): Row | undefined;
  all(...parameters: Parameters): Row[];
  iterate(...parameters: Parameters): IterableIterator<Row>;
  run(...parameters: Parameters): { readonly changes: number; readonly lastInsertRowid: number | bigint };
  /** Makes the statement return only the value of the first column for each row. */
  pluck(): this;
  /** Makes the statement return each row as an array, not as an object. */
  raw(): this;
}

/**
 * A function that runs inside a transaction. If it is called directly, it begins with BEGIN DEFERRED: SQLite takes the write
 * lock at the first write. If its method `immediate` is called, it begins with BEGIN IMMEDIATE: SQLite takes the write lock
 * at once.
 */
interface Transaction<Result> {
  (): Result;
  immediate(): Result;
}

/** Prepares each SQL text of a database once, and keeps the prepared statement. */
export class PreparedStatementCache {
  /**
   * The statements have rows of different types. TypeScript accepts a statement with rows of type `never` where any other
   * row type is expected. So `of` can return it without a cast.
   */
  private readonly prepared = new Cache<string, PreparedStatement<unknown[], never>>();

  constructor(private readonly db: Database) {}

  /**
   * Returns the statement for a SQL text. The caller names the type of its rows. This type is not checked at run time: the
   * database is our own, and its schema version was checked when it was opened.
   */
  of<Row = unknown>(sql: string): PreparedStatement<unknown[], Row> {
    return this.prepared.get(sql) ?? this.prepared.add(sql, this.db.prepare<unknown[], never>(sql));
  }
}
