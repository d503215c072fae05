import { memoize } from '../../base/cache.js';
import { unitId } from '../../index/query/ids.js';
import type { FoundUnit, UnitKey } from '../../index/search.js';
import type { DaySpan } from '../../language/time/calendar.js';
import { explainReading } from '../parse/explain.js';
import type { FoldedResult } from '../rank/fold.js';
import type { StateAt } from '../rank/state-at.js';
import type { RecallAnswer } from '../request.js';
import type { Meaning } from '../retrieve/vector.js';
import { type PassContext, type PassResult, rankCandidates, type SearchPass } from '../search-pass.js';
import {
  ANSWERED_WHOLE,
  coverageOfResults,
  FOUND_BY_MEANING_WARNING,
  NOTHING_ANSWERED,
  timeOnlyWarning,
} from './answered.js';
import { withBeliefConfidence } from './attach-beliefs.js';
import { childItems, childLines, withChildItems } from './list-children.js';
import { packResults } from './pack.js';
import { citationOf, toResult } from './result.js';

/** Number of the first results that say how much of the question is answered. */
const MOST_CHECKED = 10;

/** A question with its candidates, from which answers are made. */
export interface RecallRun extends PassContext {
  readonly source: PassContext['source'] & { readonly stale: boolean; readonly warnings: readonly string[] };
  readonly k: number;
  readonly steps: readonly SearchPass[];
}

/**
 * Ranks, groups and packs: makes the answer from the candidates found by words and, if `byMeaning` is set, from those found
 * by vectors.
 */
export function makeAnswer(run: RecallRun, byMeaning?: Meaning): RecallAnswer {
  const { source, request, reading, state, k, steps } = run;
  const { search, beliefs } = source;
  const leads = memoize((unit: FoundUnit) => childItems(unit, search));
  const found = new Map<FoldedResult, PassResult>();
  const childrenOf = (unit: FoundUnit): readonly UnitKey[] => leads(unit).units.map(({ key }) => key);
  for (const step of steps) takeStep(rankCandidates(step, run, byMeaning), step.limit, found, childrenOf);
  const isHit = (item: FoldedResult): boolean => found.get(item)?.isBeside === false;
  const chosen = [...found.keys()];
  const packed = packResults(chosen.slice(0, k), request.budget, (unit) => childLines(leads(unit)));
  const hits = packed.items.filter(isHit).map(({ unit }) => unit);
  const until = request.asOf ?? reading.asOf;
  const results = packed.items.flatMap((item) => {
    const result = found.get(item);
    if (result === undefined) return [];
    const { mark, isBeside, isAway, candidates } = result;
    const hit = isBeside ? nearest(item.unit, hits) : undefined;
    return toResult(
      until === null ? withBeliefConfidence(item, beliefs) : item,
      { search, beliefs, until: until ?? undefined },
      {
        ...mark,
        ...withChildItems(leads(item.unit)),
        ...(isAway ? { sourceAway: true as const } : {}),
        ...(hit === undefined ? {} : { beside: unitId(hit, search) }),
        ...(request.explain ? { why: why(result) } : {}),
      },
      (key) => candidates.unit(key),
    );
  });
  const { gathered } = steps[0] ?? {};
  const { isFoundByMeaning, ...coverage } = coverageOf(run, chosen.slice(0, MOST_CHECKED), byMeaning);
  return {
    query: request.query,
    ...(byMeaning === undefined ? { mode: 'lexical' } : { mode: 'hybrid', model: byMeaning.model }),
    ...windowsOf(gathered?.windows ?? []),
    results,
    ...coverage,
    tokens: packed.tokens,
    dropped: packed.dropped + stateBeyond(state, chosen.slice(0, k)),
    stale: source.stale,
    warnings: [
      ...source.warnings,
      ...(gathered?.warnings ?? []),
      ...(gathered === undefined ? [] : timeOnlyWarning(gathered, reading, packed.items)),
      ...(isFoundByMeaning && byMeaning?.weights.mayMislead && hits.length > 0 ? [FOUND_BY_MEANING_WARNING] : []),
    ],
    ...(request.explain
      ? {
          explain: [
            ...explainReading(reading),
            ...(gathered?.notes ?? []),
            `candidates: ${steps.at(-1)?.gathered.candidates.size ?? 0}`,
          ],
        }
      : {}),
  };
}

function coverageOf(
  { steps: [step], state, reading, source }: RecallRun,
  first: readonly FoldedResult[],
  byMeaning: Meaning | undefined,
): ReturnType<typeof coverageOfResults> {
  if (state !== undefined && state.listed.length > 0) return ANSWERED_WHOLE;
  if (step === undefined) return NOTHING_ANSWERED;
  return coverageOfResults(step.gathered, reading, source.search, first, byMeaning);
}

/** Number of statements that were true at the asked time and are not among the first `k` results. */
function stateBeyond(state: StateAt | undefined, chosen: readonly FoldedResult[]): number {
  const shown = new Set(chosen.flatMap(keysOf));
  return state === undefined ? 0 : state.listed.filter(({ key }) => !shown.has(key)).length;
}

function windowsOf(windows: readonly DaySpan[]): Pick<RecallAnswer, 'window' | 'windows'> {
  return { window: windows[0] ?? null, ...(windows.length > 1 ? { windows } : {}) };
}

/**
 * Adds the results of a search to those found, until there are `limit`. A list child that was found only beside another
 * result is not added, or is removed if it came from the same search: it is shown in the result of its parent. So the first
 * results do not depend on how many are asked for.
 */
function takeStep(
  results: readonly PassResult[],
  limit: number,
  found: Map<FoldedResult, PassResult>,
  childrenOf: (unit: FoundUnit) => readonly UnitKey[],
): void {
  const shown = new Set([...found.keys()].flatMap(keysOf));
  const hits = [...found.values()].filter(({ isBeside }) => !isBeside);
  const below = new Set(hits.flatMap(({ item }) => childrenOf(item.unit)));
  const beside = new Map<UnitKey, FoldedResult>();
  for (const result of results) {
    const { item, isBeside } = result;
    if (found.size >= limit) return;
    const keys = keysOf(item);
    if (keys.some((key) => shown.has(key)) || (isBeside && below.has(item.unit.key))) continue;
    for (const key of keys) shown.add(key);
    found.set(item, result);
    if (isBeside) beside.set(item.unit.key, item);
    for (const child of isBeside ? [] : childrenOf(item.unit)) {
      below.add(child);
      const known = beside.get(child);
      if (known !== undefined) found.delete(known);
    }
  }
}

function keysOf({ unit, standsFor }: FoldedResult): readonly UnitKey[] {
  return [unit, ...standsFor].map(({ key }) => key);
}

/** The result to which a neighbour line belongs: the nearest one on its page. */
function nearest({ key, file }: FoundUnit, hits: readonly FoundUnit[]): FoundUnit | undefined {
  const away = (hit: FoundUnit): number => Math.abs(hit.key - key);
  return hits.filter((hit) => hit.file.path === file.path).sort((a, b) => away(a) - away(b))[0];
}

/** Why a result was found, and what decides its place, in the order of {@link compareRanked}. */
function why({ item, before, candidates }: PassResult): string {
  const { unit, signals, isInside, named, isWhole } = item;
  const place = [
    ...(isInside ? [] : ['not of the time']),
    ...(named > 0 ? [`page named ${named}`] : []),
    ...(signals.exact > 0 ? [`exact ${signals.exact.toFixed(2)}`] : []),
    ...(isWhole ? ['all words'] : []),
    ...(before === undefined ? [] : [`before ${citationOf(before)}`]),
  ];
  const parts = Object.entries(signals).filter(([name, value]) => value > 0 && name !== 'exact');
  const shown = parts.map(([name, value]) => `${name} ${value.toFixed(2)}`);
  return `${candidates.channelsOf(unit.key).join('+')}: ${[...place, ...shown].join(', ')}`;
}
