import { readForgotten } from '../index/forgotten-page.js';
import type { IndexSearch } from '../index/search.js';
import { logLineId } from '../memory/fact.js';
import type { Forgettable, ForgottenStatements } from '../memory/forgotten.js';
import { pageOfPath } from '../memory/pages.js';
import type { Unit } from '../memory/unit.js';
import { readUnits } from '../memory/units.js';
import { readPageText } from '../workspace/changes.js';
import { readForgettableStatement } from './erase.js';

/** A forgotten statement whose text still stands in a page. Answers never show it. */
export interface LeftoverStatement {
  readonly id: string;
  readonly content: string;
  readonly path: string;
  readonly line: number;
  /** Nonce of the tombstone that covers the statement. */
  readonly nonce: string;
  readonly statement: Forgettable;
}

/** All forgotten statements that still stand in a page. Reads all pages. */
export function findLeftovers(root: string, search: IndexSearch): readonly LeftoverStatement[] {
  const forgotten = readForgotten(root);
  if (forgotten.size === 0) return [];
  return search.files().flatMap(({ path }) => {
    const page = pageOfPath(path);
    const text = readPageText(root, path);
    return page === undefined || text === null ? [] : leftoversIn(path, readUnits(path, page, text).units, forgotten);
  });
}

/**
 * The forgotten statements among the units of a page. The caller must pass all units, also those of forgotten statements.
 */
export function leftoversIn(
  path: string,
  units: readonly Unit[],
  forgotten: ForgottenStatements,
): readonly LeftoverStatement[] {
  const seen = new Map<string, number>();
  return units.flatMap((unit) => {
    const before = seen.get(unit.text) ?? 0;
    seen.set(unit.text, before + 1);
    const statement = readForgettableStatement(unit);
    const nonce = forgotten.nonceOf(statement);
    if (nonce === undefined) return [];
    const id = unit.fact ?? logLineId(path, unit.text, before);
    return [{ id, content: unit.text, path, line: unit.line, nonce, statement }];
  });
}
