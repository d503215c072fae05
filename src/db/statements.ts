import type { Database, Statement } from './database.js';

/** The statements of a database, each prepared once. */
export class Statements {
  private readonly prepared = new Map<string, Statement>();

  constructor(private readonly db: Database) {}

  of(sql: string): Statement {
    let statement = this.prepared.get(sql);
    if (statement === undefined) {
      statement = this.db.prepare(sql);
      this.prepared.set(sql, statement);
    }
    return statement;
  }
}
