import { statSync } from 'node:fs';
import type Sqlite from 'better-sqlite3';

/** The file that an error of SQLite is about, as it was when it was opened: another one may have taken its name since. */
export interface DatabaseFile {
  readonly path: string;
  readonly inode: number;
}

/** Lets what SQLite throws say which file it is about, which it does not by itself. */
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
    return Object.defineProperties(statement, {
      get: { value: named(statement.get.bind(statement)), configurable: true },
      all: { value: named(statement.all.bind(statement)), configurable: true },
      run: { value: named(statement.run.bind(statement)), configurable: true },
      iterate: { value: named(statement.iterate.bind(statement)), configurable: true },
    });
  };
  Object.defineProperties(db, {
    prepare: { value: prepareNamed, configurable: true },
    exec: { value: named(db.exec.bind(db)), configurable: true },
  });
}

/** The file that an error is about, when it came from a database. */
export function fileOfError(error: unknown): DatabaseFile | undefined {
  return error instanceof Error &&
    'path' in error &&
    typeof error.path === 'string' &&
    'inode' in error &&
    typeof error.inode === 'number'
    ? { path: error.path, inode: error.inode }
    : undefined;
}

/** By which a file is told from others that had its name; 0 when there is none. */
export function inodeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.ino ?? 0;
}
