import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type Sqlite from 'better-sqlite3';

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
export function keepFromCollection(db: Sqlite.Database): void {
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
