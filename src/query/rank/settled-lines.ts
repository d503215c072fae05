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
 * What verdicts about log lines say of some results. Threads have only facts, so they know nothing of these verdicts. A
 * verdict has no effect where one of its lines was changed.
 */
export function settledLines(
  search: IndexSearch,
  results: readonly RankedUnit[],
  { verdicts, until }: Pick<ThreadLookup, 'verdicts' | 'until'>,
): ReadonlyMap<FoundUnit, SettledLine> {
  const found = new Map<FoundUnit, SettledLine>();
  if (verdicts.size === 0) return found;
  for (const { unit } of results) {
    for (const verdict of verdicts.get(unitId(unit, search)) ?? []) {
      const mark = verdict.lines === undefined || verdict.day > until ? undefined : markOf(verdict);
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
