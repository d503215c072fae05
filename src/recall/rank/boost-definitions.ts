import type { FoundUnit, UnitKey } from '../../index/search.js';
import { isAlwaysRead } from '../../memory/pages.js';
import { JUST_BEHIND_FACTOR } from '../answer/expand-headings.js';
import type { RankedUnit } from './ranked.js';

/** Orders lines that define the same: those of the core and the persona first. */
const ORDERS = 0.01;

/**
 * Puts the lines that define what a question asks about before the others that are no facts, which only mention it. A fact
 * that says all that is asked keeps its place before them: it has a day, and they may be older. Pure.
 * @param defining how much each of them does
 * @param says whether a unit says anything that is asked, whomever it is about
 */
export function boostDefinitions(
  ranked: RankedUnit[],
  defining: ReadonlyMap<UnitKey, number>,
  says: (unit: FoundUnit) => boolean,
): RankedUnit[] {
  if (defining.size === 0) return ranked;
  const lines = ranked.filter(({ unit }) => unit.fact === null);
  const best = Math.max(...lines.map(({ score }) => score));
  const exact = Math.max(...lines.map(({ signals }) => signals.exact));
  const facts = ranked.filter(({ unit, isWhole }) => unit.fact !== null && isWhole && says(unit));
  return ranked.map((entry) => {
    const much = defining.get(entry.unit.key);
    if (much === undefined) return entry;
    const before = facts.filter(({ score }) => score > entry.score).map(({ score }) => score * JUST_BEHIND_FACTOR);
    const raised = best + ORDERS * (entry.score + much + Number(isAlwaysRead(entry.unit.file.role)));
    const score = Math.min(raised, ...before);
    return { ...entry, isWhole: true, score, signals: { ...entry.signals, exact } };
  });
}
