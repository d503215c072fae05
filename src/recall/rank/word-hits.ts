import type { Folded } from './fold.js';

/** Of the results, the share that the best by words keep whatever vectors say. */
const KEPT_SHARE = 0.5;

/** How a result was found, apart from vectors. */
export interface MatchSource {
  /** By words, an entity or a time: it would be there without vectors. */
  byWords(item: Folded): boolean;
  /** It has every term of the question, or an exact token: who asked for that wants it. */
  literally(item: Folded): boolean;
}

/**
 * Keeps vectors from taking a place of the first `k` from what was found literally, or from the better half of what
 * was found by words. Only who is among the first `k` is decided here; their order stays. Pure.
 * @param items the best first
 */
export function keepWordHits(items: readonly Folded[], k: number, how: MatchSource): readonly Folded[] {
  if (items.length <= k) return items;
  const wordScore = ({ score, byWords }: Folded): number => score * byWords;
  const found = items.filter((item) => how.byWords(item)).sort((a, b) => wordScore(b) - wordScore(a));
  const chosen = new Set<Folded>();
  for (const item of found) if (chosen.size < k && how.literally(item)) chosen.add(item);
  for (const item of found.slice(0, Math.ceil(k * KEPT_SHARE))) if (chosen.size < k) chosen.add(item);
  for (const item of items) if (chosen.size < k) chosen.add(item);
  return [...items.filter((item) => chosen.has(item)), ...items.filter((item) => !chosen.has(item))];
}
