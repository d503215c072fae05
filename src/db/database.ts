/** What we use of a better-sqlite3 database. An interface of our own, so that our declarations need none of its types. */
export interface Database {
  readonly open: boolean;
  readonly inTransaction: boolean;
  prepare<Parameters extends unknown[] = unknown[], Row = unknown>(sql: string): Statement<Parameters, Row>;
  exec(sql: string): unknown;
  transaction<Result>(work: () => Result): Transaction<Result>;
  loadExtension(path: string): unknown;
  close(): unknown;
}

export interface Statement<Parameters extends unknown[] = unknown[], Row = unknown> {
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
