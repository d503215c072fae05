import type { Filter, Search, UnitKey } from '../../index/search.js';
import { anyOf } from '../terms/question-terms.js';
import { COMMON, type WeighedTerm } from '../terms/weighed-terms.js';

/** So many common terms are looked for beside others. */
const MOST_COMMON = 3;
/** Beside so many others, the rarest. */
const MOST_OTHERS = 4;
/** So many units that have a common term and another one are told apart by worth; BM25 ranks more, at several times the price a unit. */
const MOST_BOTH = 8 * COMMON;
/** Which of its neighbours' terms a unit gains by: enough to tell lines of one matter from single ones. */
const BESIDE = [0.3, 0.2, 0.08] as const;

/**
 * Finds units by words: those whose terms, with a share of those beside them, are worth most. None of the terms has to
 * stand there. The price of a question is the number of rows that it reads, and that must not grow with the corpus: so
 * a common term is only looked for beside other ones, and BM25, which reads a second row for every hit, ranks only
 * where there is nothing but common terms.
 */
export function lexicalChannel(
  search: Search,
  terms: readonly WeighedTerm[],
  filter: Filter,
  limit: number,
): { readonly keys: readonly UnitKey[]; readonly expressions: readonly string[] } {
  const found = terms.filter((term) => term.frequency > 0).sort((a, b) => a.frequency - b.frequency);
  const rare = found.filter((term) => term.keys !== undefined);
  const common = found.slice(rare.length);
  const expressions = rare.length === 0 ? [] : [anyOf(rare.map((term) => term.expression))];
  const worths = new Map<UnitKey, number>();
  for (const { keys, worth } of rare) gain(worths, keys ?? [], worth);
  const ranked: UnitKey[] = [];
  const rankByBm25 = (expression: string): void => {
    for (const { key } of search.match(expression, filter, limit)) ranked.push(key);
  };
  for (const term of common.slice(0, MOST_COMMON)) {
    const others = found.filter((other) => other !== term).slice(0, MOST_OTHERS);
    if (others.length === 0) continue;
    const both = `${term.expression} AND ${anyOf(others.map((other) => other.expression))}`;
    expressions.push(both);
    const { keys } = search.having(both, MOST_BOTH);
    if (keys === undefined) rankByBm25(both);
    else gain(worths, keys, term.worth);
  }
  const [commonest] = common;
  if (rare.length === 0 && commonest !== undefined && worths.size + ranked.length < limit) {
    expressions.push(commonest.expression);
    rankByBm25(commonest.expression);
  }
  return { keys: [...new Set([...best(search, worths, filter, limit), ...ranked])], expressions };
}

function gain(worths: Map<UnitKey, number>, keys: readonly UnitKey[], worth: number): void {
  for (const key of keys) worths.set(key, (worths.get(key) ?? 0) + worth);
}

/** The units that are worth most and that the filter lets through; of equal ones those indexed last. */
function best(search: Search, worths: ReadonlyMap<UnitKey, number>, filter: Filter, limit: number): UnitKey[] {
  const at = (key: UnitKey): number => worths.get(key) ?? 0;
  const scored = [...worths].map(([key, worth]) => {
    let score = worth;
    for (const [i, share] of BESIDE.entries()) score += share * (at(key - i - 1) + at(key + i + 1));
    return { key, score };
  });
  scored.sort((a, b) => b.score - a.score || b.key - a.key);
  const keys: UnitKey[] = [];
  // In growing steps: most questions are served by the first.
  for (let at = 0, step = 2 * limit; at < scored.length && keys.length < limit; at += step, step *= 4) {
    const some = scored.slice(at, at + step).map(({ key }) => key);
    const allowed = new Set(search.allowed(some, filter));
    keys.push(...some.filter((key) => allowed.has(key)));
  }
  return keys.slice(0, limit);
}
