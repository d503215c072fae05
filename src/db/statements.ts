import type { Database, Statement } from './database.js';

/** The statements of a database, each prepared once. */
export class Statements {
  /** Rows of no type can stand for rows of any. */
  private readonly prepared = new Map<string, Statement<unknown[], never>>();

  constructor(private readonly db: Database) {}

  /**
   * A statement whose rows are what the caller says. Nobody looks whether they are: the database is our own, and the
   * version of its schema was checked when it was opened.
   */
  of<Row = unknown>(sql: string): Statement<unknown[], Row> {
    let statement = this.prepared.get(sql);
    if (statement === undefined) {
      statement = this.db.prepare<unknown[], never>(sql);
      this.prepared.set(sql, statement);
    }
    return statement;
  }
}
