import { addTo } from '../../base/group.js';
import { type Judged, likenessKeys } from '../../memory/judge/rules.js';

/** Statements by what makes another one like them in words. */
export class Alike<T extends { readonly judged: Judged }> {
  private readonly byKey = new Map<string, T[]>();

  constructor(statements: readonly T[]) {
    for (const statement of statements) this.add(statement);
  }

  add(statement: T): void {
    for (const key of likenessKeys(statement.judged)) addTo(this.byKey, key, statement);
  }

  /** All that are at all like a statement, each once. */
  to(judged: Judged): ReadonlySet<T> {
    return new Set(likenessKeys(judged).flatMap((key) => this.byKey.get(key) ?? []));
  }
}
