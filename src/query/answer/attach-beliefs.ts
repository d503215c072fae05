import type { FoundUnit } from '../../index/search.js';
import type { BeliefLookup } from '../beliefs.js';
import type { FoldedResult } from '../rank/fold.js';
import { compareRanked, type RankedUnit, type ResultLookup } from '../rank/ranked.js';

/**
 * Adds the beliefs that stated opinions were taken into, each as good an answer as the best of these. Lines of a belief
 * that a person took off the page are no answer.
 */
export function attachBeliefs(
  ranked: readonly RankedUnit[],
  beliefs: BeliefLookup,
  { allowed }: ResultLookup,
): readonly RankedUnit[] {
  const held = ranked.filter(({ unit }) => !isTakenOff(unit, beliefs));
  const known = new Set(held.map(({ unit }) => unit.key));
  const brought = new Map<FoundUnit, RankedUnit>();
  for (const entry of held) {
    const belief = beliefs.of(entry.unit);
    const had = belief && brought.get(belief);
    if (belief === undefined || known.has(belief.key) || (had !== undefined && compareRanked(had, entry) <= 0))
      continue;
    brought.set(belief, { ...entry, unit: belief });
  }
  if (brought.size === 0) return held;
  const shown = allowed([...brought.keys()]).flatMap((unit) => brought.get(unit) ?? []);
  return [...held, ...shown];
}

/**
 * Adds the facts that generated lines of pages show, as good an answer as these: a fact has its day, and stands where it was said.
 */
export function attachCitedFacts(
  ranked: readonly RankedUnit[],
  { search, allowed }: ResultLookup,
): readonly RankedUnit[] {
  const known = new Set(ranked.map(({ unit }) => unit.fact));
  const views = new Map<string, RankedUnit>();
  for (const entry of ranked) {
    const fact = shownOnPage(entry.unit, 'f-');
    const had = fact === undefined ? undefined : views.get(fact);
    if (fact === undefined || known.has(fact) || (had !== undefined && compareRanked(had, entry) <= 0)) continue;
    views.set(fact, entry);
  }
  if (views.size === 0) return ranked;
  const stated = search.statementsOf([...views.keys()]).filter(({ file }) => file.role === 'daily');
  const brought = allowed(stated).flatMap((unit): RankedUnit[] => {
    const view = views.get(unit.fact ?? '');
    return view === undefined ? [] : [{ ...view, unit }];
  });
  return [...ranked, ...brought];
}

/** Id of the one fact, or the one belief, that a line of an entity's page shows. */
function shownOnPage({ file, detail }: FoundUnit, beginning: 'f-' | 'o-'): string | undefined {
  return file.role === 'entity' && detail?.shows?.startsWith(beginning) ? detail.shows : undefined;
}

/** Whether a line states an opinion, or shows a belief, that was on the page and is not there. */
function isTakenOff(unit: FoundUnit, beliefs: BeliefLookup): boolean {
  if (unit.file.role === 'entity') {
    const shown = shownOnPage(unit, 'o-');
    return shown !== undefined && beliefs.byId(shown) === undefined;
  }
  return unit.kind === 'opinion' && beliefs.of(unit) === undefined && beliefs.isJudged(unit);
}

/** A stated opinion that is shown without its belief has that one's confidence. */
export function withBeliefConfidence(item: FoldedResult, beliefs: BeliefLookup): FoldedResult {
  const { unit } = item;
  if (unit.kind !== 'opinion' || unit.file.role === 'opinions') return item;
  const confidence = beliefs.of(unit)?.detail?.confidence;
  return confidence === undefined ? item : { ...item, unit: { ...unit, detail: { ...unit.detail, confidence } } };
}
