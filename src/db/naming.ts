import { statSync } from 'node:fs';
import type Sqlite from 'better-sqlite3';
import { asRecord } from '../base/json.js';

/** Adds the path and inode of the file to errors that SQLite throws; SQLite itself does not name the file. */
export function nameFile(db: Sqlite.Database, path: string): void {
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

/** The file that a database error is about, as it was when it was opened: another file may have its name by now. */
export function fileOfError(error: unknown) {
  const { path, inode } = asRecord(error);
  return typeof path === 'string' && typeof inode === 'number' ? { path, inode } : undefined;
}

/** The inode, which tells a file from others that had the same name; 0 when there is no file. */
export function inodeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.ino ?? 0;
}
