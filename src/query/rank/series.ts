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
  const shown = new Map<number, number>();
  const waiting: FoldedResult[] = [];
  const placed: FoldedResult[] = [];
  for (const item of ordered) {
    const { series } = item.unit;
    const before = series === null ? 0 : (shown.get(series) ?? 0);
    if (series !== null) shown.set(series, before + 1);
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
  for (const [series, readings] of groupBy(dated, ({ unit }) => unit.series)) {
    if (series === null) continue;
    const newestFirst = readings.toSorted(byNewest);
    for (const [at, older] of newestFirst.entries()) {
      const newer = newestFirst[at - 1];
      if (newer !== undefined) above.set(older.unit, newer.unit);
    }
  }
  return above;
}

function byNewest({ unit: a }: FoldedResult, { unit: b }: FoldedResult): number {
  return compareText(dayOfUnit(b) ?? '', dayOfUnit(a) ?? '') || (a.file.path === b.file.path ? b.line - a.line : 0);
}
