import { addAll, compareText } from '../../base/order.js';
import type { FoundUnit } from '../../index/search.js';
import { textAfterLeadingEntities } from '../../markdown/bullet.js';
import { normaliseText } from '../../memory/fact.js';
import type { PageRole } from '../../memory/pages.js';
import { type BeliefLookup, slugsOf } from '../beliefs.js';
import type { RankedUnit, Signals } from './ranked.js';
import { WEIGHTS } from './weights.js';

/** A statement, with all other places where it stands. */
export interface FoldedResult extends RankedUnit {
  readonly standsFor: readonly FoundUnit[];
}

/**
 * Makes one result of units that say the same. Views of one fact fold into it whatever their kind: the same id, a line
 * of ours that ends with the id, a log line that a fact cites or repeats, and the lines that a belief came from. All
 * else folds only when kind, entities and words are the same. What has most right to stand for the others does so, at
 * the place of the best of them.
 */
export function fold(ranked: readonly RankedUnit[], beliefs: BeliefLookup): readonly FoldedResult[] {
  const groups: RankedUnit[][] = [];
  const byKey = new Map<string, RankedUnit[]>();
  for (const entry of ranked) {
    const keys = keysOf(entry.unit, beliefs);
    const known = keys.flatMap((key) => {
      const group = byKey.get(key);
      return group === undefined || (key.startsWith(IN_FILE) && !isToldIn(group, entry.unit)) ? [] : [group];
    });
    const group = joined(known, groups, byKey);
    if (known.length === 0) groups.push(group);
    group.push(entry);
    for (const key of keys) if (!byKey.has(key)) byKey.set(key, group);
  }
  return groups.flatMap((group) => {
    const [best] = group;
    const [stands] = group.length === 1 ? group : group.toSorted(byRight);
    if (best === undefined || stands === undefined) return [];
    const standsFor = group.filter((entry) => entry !== stands).map(({ unit }) => unit);
    return [{ ...best, unit: stands.unit, standsFor }];
  });
}

function byRight(a: RankedUnit, b: RankedUnit): number {
  return b.named - a.named || rightOf(a.unit) - rightOf(b.unit) || byLastStated(a.unit, b.unit);
}

/** Makes one group of those with which a unit has something in common: the first of them, or a new one. */
function joined(
  known: readonly RankedUnit[][],
  groups: readonly RankedUnit[][],
  byKey: Map<string, RankedUnit[]>,
): RankedUnit[] {
  const different = new Set(known);
  const [only = []] = known;
  if (different.size <= 1) return only;
  const group = groups.find((one) => different.has(one)) ?? only;
  for (const other of different) {
    if (other === group) continue;
    addAll(group, other.splice(0));
    for (const [key, one] of byKey) if (one === other) byKey.set(key, group);
  }
  return group;
}

/** Without a question, all statements have the same signals. */
const SAME_SIGNALS: Signals = { ...WEIGHTS, nearby: 0, exact: 0 };

/** A statement as a result without a question. */
export function toFoldedResult(unit: FoundUnit): FoldedResult {
  const ranked = { unit, score: 1, isInside: true, named: 0, isWhole: false, byWords: 1, signals: SAME_SIGNALS };
  return { ...ranked, standsFor: [] };
}

/** The belief before the logs, what was stated before what was made of it, a fact before the line around it. */
function rightOf({ fact, file }: FoundUnit): number {
  const rights: Partial<Record<PageRole, number>> = { opinions: 0, daily: 1, topic: 2, bank: 3, core: 3 };
  return (rights[file.role] ?? 4) + (fact === null ? 10 : 0);
}

/** A person who states an opinion again says how sure they are now, so the latest line counts. */
function byLastStated(a: FoundUnit, b: FoundUnit): number {
  if (a.kind !== 'opinion' || b.kind !== 'opinion') return 0;
  return compareText(b.file.day ?? '', a.file.day ?? '');
}

const MOST_CITED = 40;

/** A log line and a fact of one file say the same in the same words, unless the line names somebody else. */
const IN_FILE = 'in ';

function isToldIn(group: readonly RankedUnit[], unit: FoundUnit): boolean {
  const named = (one: FoundUnit): readonly string[] => slugsOf(one.detail?.entities);
  return group.some(({ unit: other }) => {
    const [line, fact] = unit.fact === null ? [unit, other] : [other, unit];
    return line.fact === null && named(line).every((slug) => named(fact).includes(slug));
  });
}

/** Units with a key in common say the same. */
function keysOf(unit: FoundUnit, beliefs: BeliefLookup): readonly string[] {
  const { file, fact, kind, text, detail, line } = unit;
  const said = normaliseText(textAfterLeadingEntities(text));
  const words = [`${IN_FILE}${file.path} ${said}`, `${kind} ${slugsOf(detail?.entities).join()}: ${said}`];
  if (fact === null) {
    return [...(detail?.shows === undefined ? [] : [detail.shows]), `${file.path}#L${line}`, ...words];
  }
  const belief = beliefs.of(unit)?.fact;
  const ids = belief == null ? [fact] : [fact, belief];
  const [from, to] = detail?.from ?? [1, 0];
  const cited = Array.from({ length: Math.min(MOST_CITED, to - from + 1) }, (_, i) => `${file.path}#L${from + i}`);
  return [...ids, ...words, ...cited];
}
