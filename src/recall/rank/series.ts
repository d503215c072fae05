import { compareText, groupBy } from '../../base/order.js';
import { dayOfUnit } from '../../index/found.js';
import type { FoldedResult } from './fold.js';
import { compareRanked } from './ranked.js';

/** Number of lines of a series that keep their place. */
const SHOWN = 2;
/** Share of their score that the other lines of a series keep. */
const OTHERS_SHARE = 0.6;

/**
 * Keeps a series from filling an answer: log lines that differ only in their numbers ("Disk at 64 %", "Disk at 53 %")
 * are readings of one thing, and after the best ones of it something else is worth more. Pure.
 */
export function limitSeries(folded: readonly FoldedResult[]): readonly FoldedResult[] {
  const shown = new Map<string, number>();
  const thinned = folded.map((item) => {
    const series = seriesOf(item);
    if (series === undefined) return item;
    const before = shown.get(series) ?? 0;
    shown.set(series, before + 1);
    return before < SHOWN ? item : { ...item, isWhole: false, score: item.score * OTHERS_SHARE };
  });
  return thinned.sort(compareRanked);
}

/** Gives the places that readings of a series have to the same readings, the newest first; what has no day keeps its own. Pure. */
export function newestReadingFirst(folded: readonly FoldedResult[]): readonly FoldedResult[] {
  const ordered = [...folded];
  const isDated = (place: number): boolean => folded[place] !== undefined && dayOfUnit(folded[place].unit) !== null;
  const places = groupBy([...folded.keys()].filter(isDated), (place) => seriesOf(folded[place]));
  for (const [series, own] of places) {
    if (series === undefined || own.length < 2) continue;
    const newest = own.flatMap((place) => folded[place] ?? []).sort(byNewest);
    own.forEach((place, i) => {
      const [item, had] = [newest[i], folded[place]];
      if (item !== undefined && had !== undefined) ordered[place] = { ...item, isWhole: had.isWhole, score: had.score };
    });
  }
  return ordered;
}

/** Maximum length of a line of a series, in characters. A longer line says something of its own. */
const LONGEST = 1_000;

/** The words of a line without its numbers; undefined where it has not both, and for a fact, whose readings are threads. */
function seriesOf(item: FoldedResult | undefined): string | undefined {
  if (item === undefined || item.unit.fact !== null || item.unit.text.length > LONGEST || !/\d/.test(item.unit.text))
    return undefined;
  const words = item.unit.text.replace(/\d+/g, '#').replace(/[^\p{L}\p{M}#]+/gu, ' ');
  return /\p{L}/u.test(words) ? words.trim() : undefined;
}

function byNewest({ unit: a }: FoldedResult, { unit: b }: FoldedResult): number {
  return compareText(dayOfUnit(b) ?? '', dayOfUnit(a) ?? '') || (a.file.path === b.file.path ? b.line - a.line : 0);
}
