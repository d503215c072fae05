import type { Day } from '../../base/clock.js';
import { dayOfUnit } from '../../index/found.js';
import type { FoundUnit, IndexSearch } from '../../index/search.js';
import { parseDay } from '../../language/time/calendar.js';
import { type EvidenceStep, finalConfidence } from '../../memory/confidence.js';
import { CITATION_AT_END } from '../../memory/fact.js';
import type { BeliefLookup } from '../beliefs.js';
import type { RankedUnit } from './ranked.js';

/** The information about other lines that an answer for a day needs. */
export interface AsOfContext {
  readonly day: Day;
  readonly beliefs: Pick<BeliefLookup, 'byId' | 'verdictsAbout'>;
  /** The day on which a fact was stated; null when it has none or is gone. */
  readonly statedOn: (fact: string) => Day | null;
}

interface AsOfSource {
  readonly search: IndexSearch;
  readonly beliefs: BeliefLookup;
}

/** The information about other lines that an answer for a day needs, from the index. */
export function asOfContext({ search, beliefs }: AsOfSource, day: Day): AsOfContext {
  const statedOn = (fact: string): Day | null =>
    search.statements(fact).find(({ file }) => file.day !== null)?.file.day ?? null;
  return { day, beliefs, statedOn };
}

/**
 * Makes an answer for a day of one for now: opinions have the confidence that the evidence up to that day gives. Statements
 * without a day count as outside of the time, because nobody knows whether they held. Nothing is shown that was believed, or
 * made from facts, only later.
 */
export function rankAsOfDay(ranked: readonly RankedUnit[], context: AsOfContext): readonly RankedUnit[] {
  return ranked
    .filter(({ unit }) => !isLater(unit, context))
    .map((entry) => {
      const unit = opinionAsOf(entry.unit, context);
      const isDated = dayOfUnit(unit) !== null || (unit.detail?.prior?.day ?? '9999') <= context.day;
      return { ...entry, unit, isInside: entry.isInside && isDated };
    });
}

/** Whether a belief has begun only after a day, or a line cites what was said after it. */
export function isLater(unit: FoundUnit, { day, beliefs, statedOn }: AsOfContext): boolean {
  const { file, kind, detail, fact } = unit;
  if (file.role === 'opinions') return ((kind === 'opinion' ? detail?.prior?.day : detail?.latest) ?? day) > day;
  if (dayOfUnit(unit) !== null) return false;
  const cited = fact === null ? undefined : CITATION_AT_END.exec(unit.text)?.[1];
  if (cited !== undefined && (sourceDay(cited) ?? day) > day) return true;
  if (detail?.view === true && fact !== null && (statedOn(fact) ?? day) > day) return true;
  const belief = detail?.shows?.startsWith('o-') ? detail.shows : undefined;
  if (belief !== undefined && (beliefs.byId(belief)?.detail?.prior?.day ?? day) > day) return true;
  return (detail?.latest ?? day) > day;
}

/**
 * The opinion with the evidence of the days up to then: what the page says holds from the day that it names on, and
 * without a prior there is nothing to count from.
 */
export function opinionAsOf(unit: FoundUnit, context: AsOfContext): FoundUnit {
  const { day } = context;
  const { detail } = unit;
  if (unit.kind !== 'opinion' || detail?.evidence === undefined || detail.prior === undefined) return unit;
  if (detail.updated !== undefined && detail.updated <= day) return unit;
  const before = ({ source }: { source: string }): boolean => (sourceDay(source) ?? '9999') <= day;
  const listed = { for: detail.evidence.for.filter(before), against: detail.evidence.against.filter(before) };
  const onPage = [
    ...listed.for.map(({ source, weight }) => ({ day: sourceDay(source) ?? day, supports: true, weight })),
    ...listed.against.map(({ source, weight }) => ({ day: sourceDay(source) ?? day, supports: false, weight })),
  ];
  // Evidence lines that the page does not list are read from `evidence.jsonl`.
  const steps = detail.evidence.more === undefined ? onPage : stepsUntil(unit.fact ?? '', context);
  const more = steps.length - onPage.length;
  const confidence = Math.round(finalConfidence(detail.prior, steps) * 100) / 100;
  const evidence = more > 0 ? { ...listed, more } : listed;
  return { ...unit, detail: { ...detail, evidence, confidence } };
}

function stepsUntil(opinion: string, { day, beliefs, statedOn }: AsOfContext): readonly EvidenceStep[] {
  return beliefs
    .verdictsAbout(opinion)
    .filter((verdict) => verdict.direction !== 'none' && verdict.day <= day && statedOn(verdict.fact) !== null)
    .map(({ direction, weight, day: said }) => ({ day: said, supports: direction === 'supports', weight }));
}

function sourceDay(source: string): Day | null {
  return parseDay(/^memory\/(\d{4}-\d{2}-\d{2})\.md/.exec(source)?.[1]);
}
