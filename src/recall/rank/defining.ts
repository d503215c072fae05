import type { UnitKey } from '../../index/search.js';
import type { Ranked } from './ranked.js';

/** Orders lines that define the same: those of the core first, which somebody keeps short and right. */
const ORDERS = 0.01;

/** Puts the lines that define what a question asks about before the others that are no facts, which only mention it. Pure. */
export function definingFirst(ranked: Ranked[], defining: ReadonlyMap<UnitKey, number>): Ranked[] {
  if (defining.size === 0) return ranked;
  const lines = ranked.filter(({ unit }) => unit.fact === null);
  const best = Math.max(...lines.map(({ score }) => score));
  const exact = Math.max(...lines.map(({ signals }) => signals.exact));
  return ranked.map((entry) => {
    const much = defining.get(entry.unit.key);
    if (much === undefined) return entry;
    const order = entry.score + much + Number(entry.unit.file.role === 'core');
    return { ...entry, isWhole: true, score: best + ORDERS * order, signals: { ...entry.signals, exact } };
  });
}
