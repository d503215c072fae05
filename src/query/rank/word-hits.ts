import type { FoldedResult } from './fold.js';

/** Share of the results that is reserved for the best results by words, whatever their vectors. */
const KEPT_SHARE = 0.5;

/** Says how a result was found, apart from vectors. */
interface WordHitTests {
  /** Whether the result was found by words, an entity or a time, so that it would be found without vectors, too. */
  byWords(item: FoldedResult): boolean;
  /** Whether the result has every term of the question, or an exact token of it. */
  literally(item: FoldedResult): boolean;
}

/**
 * Keeps vectors from taking a place of the first `k` from what was found literally, or from the better half of what
 * was found by words. Only who is among the first `k` is decided here; their order stays. Pure.
 * @param items the best first
 */
export function keepWordHits(items: readonly FoldedResult[], k: number, how: WordHitTests): readonly FoldedResult[] {
  if (items.length <= k) return items;
  const wordScore = ({ score, byWords }: FoldedResult): number => score * byWords;
  const found = items.filter((item) => how.byWords(item)).sort((a, b) => wordScore(b) - wordScore(a));
  const chosen = new Set<FoldedResult>();
  for (const item of found) if (chosen.size < k && how.literally(item)) chosen.add(item);
  for (const item of found.slice(0, Math.ceil(k * KEPT_SHARE))) if (chosen.size < k) chosen.add(item);
  for (const item of items) if (chosen.size < k) chosen.add(item);
  return [...items.filter((item) => chosen.has(item)), ...items.filter((item) => !chosen.has(item))];
}
