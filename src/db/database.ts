import { Cache } from '../base/cache.js';

/** The part of a better-sqlite3 database that we use. Our own interface, so that our declarations need none of its types. */
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
  /** Makes each row the value of its first column. */
  pluck(): this;
  /** Makes each row an array. */
  raw(): this;
}

/** Runs its work in a transaction of the kind that is called; BEGIN DEFERRED when called directly. */
interface Transaction<Result> {
  (): Result;
  immediate(): Result;
}

/** The statements of a database, each prepared once. */
export class Statements {
  /** `never`: a statement for rows of type `never` can stand for a statement of any row type. */
  private readonly prepared = new Cache<string, PreparedStatement<unknown[], never>>();

  constructor(private readonly db: Database) {}

  /**
   * A statement whose rows have the type that the caller gives. The type is not checked at run time: the database is our
   * own, and its schema version was checked when it was opened.
   */
  of<Row = unknown>(sql: string): PreparedStatement<unknown[], Row> {
    return this.prepared.get(sql) ?? this.prepared.add(sql, this.db.prepare<unknown[], never>(sql));
  }
}
