import { addAll } from '../../base/order.js';
import type { IndexSearch, UnitFilter, UnitKey } from '../../index/search.js';
import { WEIGHTS } from '../rank/weights.js';
import { joinWithOr } from '../terms/question-terms.js';
import { COMMON_TERM_UNIT_COUNT, type WeightedTerm } from '../terms/weighted-terms.js';

/** Maximum number of common terms that are searched together with other terms. */
const MOST_COMMON = 3;
/** Beside so many others, the rarest. */
const MOST_OTHERS = 4;
/**
 * Maximum number of units with a common term and another one that are sorted by worth. If there are more, BM25 ranks them,
 * which takes several times as long for each unit.
 */
const MOST_BOTH = 8 * COMMON_TERM_UNIT_COUNT;
/** A unit gains by the terms of so many neighbours on each side: enough to tell lines of one matter from single ones. */
const NEIGHBOURS = 2;

interface LexicalResult {
  readonly keys: readonly UnitKey[];
  /** The expressions with which the index was searched. */
  readonly expressions: readonly string[];
}

/**
 * Finds units by words: those with the highest worth of terms, in the unit and, with a share, in the units beside it. A unit
 * need not have all terms. The time for a question depends on the number of rows that it reads, which must not grow with the
 * number of pages. So a common term is searched only together with others. BM25 reads a second row for every match, so it is
 * used only if there are only common terms. The index is read once, for all filters.
 */
export class LexicalChannel {
  private readonly found: readonly WeightedTerm[];
  private brought: Brought | undefined;

  constructor(
    private readonly search: IndexSearch,
    terms: readonly WeightedTerm[],
  ) {
    this.found = terms.filter((term) => term.frequency > 0).sort((a, b) => a.frequency - b.frequency);
  }

  /** The units with the highest worth that pass a filter. */
  find(filter: UnitFilter, limit: number): LexicalResult {
    this.brought ??= this.bring();
    const { scored, crowded, hasRare } = this.brought;
    const expressions = [...this.brought.expressions];
    const ranked: UnitKey[] = [];
    const rankByBm25 = (expression: string): void => {
      for (const { key } of this.search.match(expression, filter, limit)) ranked.push(key);
    };
    for (const expression of crowded) rankByBm25(expression);
    const [commonest] = this.found;
    if (!hasRare && commonest !== undefined && scored.length + ranked.length < limit) {
      expressions.push(commonest.expression);
      rankByBm25(commonest.expression);
    }
    return { keys: [...new Set([...allowed(this.search, scored, filter, limit), ...ranked])], expressions };
  }

  private bring(): Brought {
    const rare = this.found.filter((term) => term.keys !== undefined);
    const common = this.found.slice(rare.length);
    const expressions = rare.length === 0 ? [] : [joinWithOr(rare.map((term) => term.expression))];
    const crowded: string[] = [];
    const worths = new Map<UnitKey, number>();
    for (const { keys, worth } of rare) gain(worths, keys ?? [], worth);
    for (const term of common.slice(0, MOST_COMMON)) {
      const others = this.found.filter((other) => other !== term).slice(0, MOST_OTHERS);
      if (others.length === 0) continue;
      const phrases = others.map((other) => other.expression);
      const both = bothOf(term.expression, widest(phrases));
      expressions.push(both);
      const { keys } = this.search.having(both, MOST_BOTH);
      // Ranked by all that is asked for.
      if (keys === undefined) crowded.push(`${term.expression} AND ${joinWithOr(phrases)}`);
      else gain(worths, keys, term.worth);
    }
    return { scored: scoredOf(worths), crowded, expressions, hasRare: rare.length > 0 };
  }
}

/** An expression for units that have a term and at least one of some others. */
function bothOf(term: string, others: readonly string[]): string {
  return others.some((other) => holds(term, other)) ? term : `${term} AND ${joinWithOr(others)}`;
}

/** Leaves out the phrases with a word that is also searched alone: they find nothing more, and take longest. */
function widest(expressions: readonly string[]): readonly string[] {
  return expressions.filter((one) => !expressions.some((other) => other !== one && holds(one, other)));
}

/** Whether a phrase (`"@Anna-Berg"`) has the word that another expression is (`"berg"`). */
function holds(phrase: string, other: string): boolean {
  const [, word = ''] = /^"([a-z\d]+)"$/.exec(other) ?? [];
  const [, text = ''] = /^"([^"]+)"$/.exec(phrase) ?? [];
  return (
    word !== '' &&
    text
      .toLowerCase()
      .split(/[^\p{L}\p{M}\p{N}]+/u)
      .includes(word)
  );
}

/** The units that the terms find, before any filter. */
interface Brought {
  /** Keys of the units, best first. */
  readonly scored: readonly UnitKey[];
  /** Expressions that find too many units to sort them by worth. */
  readonly crowded: readonly string[];
  readonly expressions: readonly string[];
  readonly hasRare: boolean;
}

function gain(worths: Map<UnitKey, number>, keys: readonly UnitKey[], worth: number): void {
  for (const key of keys) worths.set(key, (worths.get(key) ?? 0) + worth);
}

/** Units by their worth, with a share of those beside them; of equal ones those indexed last. */
function scoredOf(worths: ReadonlyMap<UnitKey, number>): readonly UnitKey[] {
  const at = (key: UnitKey): number => worths.get(key) ?? 0;
  const scored = [...worths].map(([key, worth]) => {
    let score = worth;
    for (let i = 1; i <= NEIGHBOURS; i++) score += WEIGHTS.around * (at(key - i) + at(key + i));
    return { key, score };
  });
  scored.sort((a, b) => b.score - a.score || b.key - a.key);
  return scored.map(({ key }) => key);
}

/** The first of the sorted units that pass a filter. */
function allowed(search: IndexSearch, scored: readonly UnitKey[], filter: UnitFilter, limit: number): UnitKey[] {
  const keys: UnitKey[] = [];
  // In growing steps: most questions are served by the first.
  for (let at = 0, step = 2 * limit; at < scored.length && keys.length < limit; at += step, step *= 4) {
    const some = scored.slice(at, at + step);
    const passing = new Set(search.allowed(some, filter));
    addAll(
      keys,
      some.filter((key) => passing.has(key)),
    );
  }
  return keys.slice(0, limit);
}
