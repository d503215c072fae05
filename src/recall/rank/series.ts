import type { Folded } from './fold.js';
import { compareRanked } from './ranked.js';

/** So many readings of a series keep their place. */
const SHOWN = 2;
/** The others rank with this share of their score. */
const OTHERS_SHARE = 0.6;

/**
 * Keeps a series from filling an answer: log lines that differ only in their numbers ("Disk at 64 %", "Disk at 53 %")
 * are readings of one thing, and after the best ones of it something else is worth more. Pure.
 */
export function thinSeries(folded: readonly Folded[]): readonly Folded[] {
  const shown = new Map<string, number>();
  const thinned = folded.map((item) => {
    if (item.unit.fact !== null || !/\d/.test(item.unit.text)) return item;
    const series = item.unit.text.replace(/\d+/g, '#');
    const before = shown.get(series) ?? 0;
    shown.set(series, before + 1);
    return before < SHOWN ? item : { ...item, isWhole: false, score: item.score * OTHERS_SHARE };
  });
  return thinned.sort(compareRanked);
}
