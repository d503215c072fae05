import { compareText, groupBy } from '../../base/order.js';
import { dayOfUnit } from '../../index/found.js';
import type { FoundUnit } from '../../index/search.js';
import type { FoldedResult } from './fold.js';

/** Number of lines of a series that keep their place. */
const SHOWN = 2;
/** Share of their score that the other lines of a series keep. */
const OTHERS_SHARE = 0.6;

/**
 * Keeps a series from filling an answer: log lines that differ only in their numbers ("Disk at 64 %", "Disk at 53 %") are
 * readings of one thing. After the best ones of it, lines with a higher share of the score come first. Pure.
 * @param ordered the best first
 */
export function limitSeries(ordered: readonly FoldedResult[]): readonly FoldedResult[] {
  const shown = new Map<string, number>();
  const waiting: FoldedResult[] = [];
  const placed: FoldedResult[] = [];
  for (const item of ordered) {
    const series = seriesOf(item);
    const before = series === undefined ? 0 : (shown.get(series) ?? 0);
    if (series !== undefined) shown.set(series, before + 1);
    if (before >= SHOWN) {
      waiting.push(item);
      continue;
    }
    while (waiting[0] !== undefined && !item.isWhole && OTHERS_SHARE * waiting[0].score > item.score)
      placed.push(...waiting.splice(0, 1));
    placed.push(item);
  }
  return [...placed, ...waiting];
}

/** Of the same readings with a day, each stands directly before the next older one. Pure. */
export function newestReadings(folded: readonly FoldedResult[]): Map<FoundUnit, FoundUnit> {
  const above = new Map<FoundUnit, FoundUnit>();
  const dated = folded.filter(({ unit }) => dayOfUnit(unit) !== null);
  for (const [series, readings] of groupBy(dated, seriesOf)) {
    if (series === undefined) continue;
    const newestFirst = readings.toSorted(byNewest);
    for (const [at, older] of newestFirst.entries()) {
      const newer = newestFirst[at - 1];
      if (newer !== undefined) above.set(older.unit, newer.unit);
    }
  }
  return above;
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
