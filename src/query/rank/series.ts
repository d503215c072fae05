import { compareText, groupBy } from '../../base/order.js';
import { dayOfUnit } from '../../index/found.js';
import type { FoundUnit } from '../../index/search.js';
import type { FoldedResult } from './fold.js';

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
