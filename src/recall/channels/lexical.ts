import type { Filter, Search, UnitKey } from '../../index/search.js';
import { anyOf, type Term } from '../terms.js';

/** A term with how rare it is. */
export interface WeighedTerm extends Term {
  readonly frequency: number;
  /** Inverse document frequency as BM25 has it, always above 0. */
  readonly idf: number;
}

/** Counting stops here: a term of more units than this is common, whatever its exact number. */
const COUNT_CAP = 1_500;
/** As many rows as one full-text expression may have to rank, about: ranking is what costs. */
const RANKED_ROWS = 2_000;

/** Looks up how rare each term is. */
export function weighTerms(search: Search, terms: readonly Term[]): readonly WeighedTerm[] {
  const size = Math.max(1, search.size());
  return terms.map((term) => {
    const frequency = Math.min(size, search.count(term.expression, COUNT_CAP));
    return { ...term, frequency, idf: Math.log(1 + (size - frequency + 0.5) / (frequency + 0.5)) };
  });
}

/**
 * Finds units by words, the best by BM25 first. Terms are OR-ed: none has to match. A common term does not bring
 * candidates of its own while rarer ones can, only together with another one: the price of a query is the number of
 * rows that it ranks, and that must not grow with the corpus.
 */
export function lexicalChannel(
  search: Search,
  terms: readonly WeighedTerm[],
  filter: Filter,
  limit: number,
): { readonly keys: readonly UnitKey[]; readonly expressions: readonly string[] } {
  const found = terms.filter((term) => term.frequency > 0).sort((a, b) => a.frequency - b.frequency);
  if (found.length === 0) return { keys: [], expressions: [] };
  const rare: WeighedTerm[] = [];
  let rows = 0;
  for (const term of found) {
    if (rare.length > 0 && rows + term.frequency > Math.max(RANKED_ROWS, limit)) break;
    rare.push(term);
    rows += term.frequency;
  }
  const common = found.slice(rare.length);
  const expressions = [anyOf(rare.map((term) => term.expression))];
  // A common term counts where it stands beside another: `NEAR` is not needed, a unit is a line.
  const partners = [...rare, ...common];
  for (const term of common.slice(0, 3)) {
    const others = partners.filter((other) => other !== term).slice(0, 4);
    if (others.length > 0) expressions.push(`${term.expression} AND ${anyOf(others.map((other) => other.expression))}`);
  }
  const keys = new Set<UnitKey>();
  for (const expression of expressions) for (const hit of search.match(expression, filter, limit)) keys.add(hit.key);
  return { keys: [...keys], expressions };
}
