import type { FoundUnit } from '../../index/search.js';
import type { Beliefs } from '../beliefs.js';
import type { Folded } from '../rank/fold.js';
import { compareRanked } from '../rank/order.js';
import type { Ranked } from '../rank/ranked.js';

/** Only results that may be shown are looked at. */
const MOST_RESULTS = 60;

/** Adds the beliefs that stated opinions were taken into, each as good an answer as the best of these. */
export function bringBeliefs(
  ranked: readonly Ranked[],
  beliefs: Beliefs,
  allowed: (units: readonly FoundUnit[]) => readonly FoundUnit[],
): readonly Ranked[] {
  const known = new Set(ranked.map(({ unit }) => unit.key));
  const brought = new Map<FoundUnit, Ranked>();
  for (const entry of ranked.slice(0, MOST_RESULTS)) {
    const belief = beliefs.of(entry.unit);
    if (belief === undefined || known.has(belief.key)) continue;
    known.add(belief.key);
    brought.set(belief, { ...entry, unit: belief });
  }
  if (brought.size === 0) return ranked;
  const shown = allowed([...brought.keys()]).flatMap((unit) => brought.get(unit) ?? []);
  return [...ranked, ...shown].sort(compareRanked);
}

/** A stated opinion that is shown without its belief has that one's confidence, and none when a person took it off. */
export function withOneConfidence(item: Folded, beliefs: Beliefs): Folded {
  const { unit } = item;
  if (unit.kind !== 'opinion' || unit.file.role === 'opinions') return item;
  const belief = beliefs.of(unit);
  if (belief === undefined && !beliefs.isJudged(unit)) return item;
  const { confidence: _, ...detail } = unit.detail ?? {};
  const confidence = belief?.detail?.confidence;
  return { ...item, unit: { ...unit, detail: confidence === undefined ? detail : { ...detail, confidence } } };
}
