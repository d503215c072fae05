import type { FoundUnit } from '../../index/search.js';
import { normaliseText } from '../../memory/fact.js';
import type { Ranked } from './rank.js';

/** A statement with every place it stands at. */
export interface Folded extends Ranked {
  readonly also: readonly FoundUnit[];
}

/**
 * Makes one result of units that say the same: a fact and its promoted views, and lines with the same text. The first,
 * which ranks best, stands for all; the others are kept as further sources. Order stays.
 */
export function fold(ranked: readonly Ranked[]): readonly Folded[] {
  type Folding = Ranked & { readonly also: FoundUnit[] };
  const first = new Map<string, Folding>();
  const folded: Folding[] = [];
  for (const entry of ranked) {
    const keys = statementKeys(entry.unit);
    const same = keys.map((key) => first.get(key)).find((found) => found !== undefined);
    const target = same ?? { ...entry, also: [] };
    if (same === undefined) folded.push(target);
    else same.also.push(entry.unit);
    for (const key of keys) if (!first.has(key)) first.set(key, target);
  }
  return folded;
}

function statementKeys(unit: FoundUnit): readonly string[] {
  const text = `= ${normaliseText(unit.text.replace(/^(?:@\S+[\s,:：]*)+/u, ''))}`;
  return unit.fact === null ? [text] : [unit.fact, text];
}
