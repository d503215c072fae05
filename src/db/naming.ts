import { statSync } from 'node:fs';
import type Sqlite from 'better-sqlite3';
import { asRecord } from '../base/json.js';

/** Adds the path and inode of the file to errors that SQLite throws; SQLite itself does not name the file. */
export function addFileToErrors(db: Sqlite.Database, path: string): void {
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
