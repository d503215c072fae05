import { Cache } from '../base/cache.js';

/**
 * The methods of a better-sqlite3 database that we use. Declared here, so that our published types do not need those of
 * better-sqlite3.
 */
export interface Database {
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
