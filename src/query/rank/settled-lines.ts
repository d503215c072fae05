import { groupBy } from '../../base/order.js';
import { findLogLine, unitId } from '../../index/query/ids.js';
import type { FoundUnit, IndexSearch } from '../../index/search.js';
import type { PairVerdict } from '../../memory/threads/verdicts.js';
import type { RankedUnit } from './ranked.js';
import type { ThreadLookup, ThreadStatus } from './thread-status.js';

/** The later statement of a verdict, and how it changes the earlier one. */
interface SettledLine {
  readonly mark: ThreadStatus;
  readonly by: FoundUnit;
}

/**
 * Finds the results that a verdict about a log line ends or replaces. Threads contain only facts, so these verdicts are
 * applied here. A verdict has no effect if one of its two lines was changed.
 */
export function settledLines(
  search: IndexSearch,
  results: readonly RankedUnit[],
  { verdicts, until }: Pick<ThreadLookup, 'verdicts' | 'until'>,
): ReadonlyMap<FoundUnit, SettledLine> {
  const found = new Map<FoundUnit, SettledLine>();
  const ofLines = [...verdicts.values()].flat().filter(({ lines, day }) => lines !== undefined && day <= until);
  if (ofLines.length === 0) return found;
  const byEarlier = groupBy(ofLines, ({ of }) => of);
  // The id of a log line is only computed on these pages: it needs a query.
  const paths = new Set(ofLines.map(({ lines }) => lines?.of.path));
  for (const { unit } of results) {
    if (unit.fact === null && !paths.has(unit.file.path)) continue;
    for (const verdict of byEarlier.get(unitId(unit, search)) ?? []) {
      const mark = markOf(verdict);
      const by = mark && laterOf(verdict, search);
      if (mark !== undefined && by !== undefined && found.get(unit)?.mark.superseded === undefined)
        found.set(unit, { mark, by });
    }
  }
  return found;
}

function markOf({ fact, relation, over }: PairVerdict): ThreadStatus | undefined {
  if (relation === 'replaces' || relation === 'ends') return { superseded: fact };
  if (relation === 'partly') return { newer: fact, ...(over === undefined ? {} : { over }) };
  return relation === 'same' ? { newer: fact } : undefined;
}

function laterOf({ fact, lines }: PairVerdict, search: IndexSearch): FoundUnit | undefined {
  if (!fact.startsWith('l-')) return search.statements(fact)[0];
  return lines && findLogLine(search, fact, lines.fact);
}
