import { Cache } from '../base/cache.js';

/** What we use of a better-sqlite3 database. An interface of our own, so that our declarations need none of its types. */
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
  /** Rows become their first column. */
  pluck(): this;
  /** Rows become arrays. */
  raw(): this;
}

/** Runs its work in a transaction of the kind that it is called by; BEGIN DEFERRED when called itself. */
interface Transaction<Result> {
  (): Result;
  immediate(): Result;
}

/** The statements of a database, each prepared once. */
export class Statements {
  /** Rows of no type can stand for rows of any. */
  private readonly prepared = new Cache<string, PreparedStatement<unknown[], never>>();

  constructor(private readonly db: Database) {}

  /**
   * A statement whose rows are what the caller says. Nobody looks whether they are: the database is our own, and the
   * version of its schema was checked when it was opened.
   */
  of<Row = unknown>(sql: string): PreparedStatement<unknown[], Row> {
    return this.prepared.get(sql) ?? this.prepared.add(sql, this.db.prepare<unknown[], never>(sql));
  }
}
