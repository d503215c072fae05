import type { Day } from '../../base/clock.js';
import type { FoundUnit } from '../../index/search.js';
import { toDay } from '../../language/time/calendar.js';
import { foldConfidence } from '../../memory/confidence.js';
import type { QuestionWindow } from '../question/reading.js';
import type { Ranked } from './rank.js';

/** Undated statements come last in an answer for a day: nobody knows whether they held. */
const UNDATED_SHARE = 0.4;
/** What was written in the time that was asked about goes before what may still have held then. */
const SAID_THEN_BONUS = 0.2;

/**
 * Makes an answer for a day of one for now: opinions as the evidence up to that day had them, undated statements last,
 * and, when a whole time was named ("in November 2025"), what was said in it first. Pure.
 */
export function asOfDay(ranked: readonly Ranked[], day: Day, said: QuestionWindow | null): readonly Ranked[] {
  return ranked
    .map((entry) => {
      const unit = opinionAsOf(entry.unit, day);
      const isDated = unit.file.day !== null || (unit.detail?.prior?.day ?? '9999') <= day;
      const score = isDated ? entry.score : entry.score * UNDATED_SHARE;
      return { ...entry, unit, score: saidIn(unit, said) ? score + SAID_THEN_BONUS : score };
    })
    .sort((a, b) => b.score - a.score);
}

function saidIn({ file, validFrom, validTo }: FoundUnit, said: QuestionWindow | null): boolean {
  if (said === null) return false;
  const [since, until] = [said.since ?? '0000', said.until ?? '9999'];
  if (file.day !== null && file.day >= since && file.day <= until) return true;
  return (validFrom ?? validTo) !== null && (validFrom ?? '0000') <= until && (validTo ?? '9999') >= since;
}

/** The opinion with the evidence of the days up to then; without a prior there is nothing to count from. */
function opinionAsOf(unit: FoundUnit, day: Day): FoundUnit {
  const { detail } = unit;
  if (unit.kind !== 'opinion' || detail?.evidence === undefined || detail.prior === undefined) return unit;
  const before = ({ source }: { source: string }): boolean => (sourceDay(source) ?? '9999') <= day;
  const evidence = { for: detail.evidence.for.filter(before), against: detail.evidence.against.filter(before) };
  const steps = [
    ...evidence.for.map(({ source, weight }) => ({ day: sourceDay(source) ?? day, supports: true, weight })),
    ...evidence.against.map(({ source, weight }) => ({ day: sourceDay(source) ?? day, supports: false, weight })),
  ];
  const confidence = Math.round(foldConfidence(detail.prior, steps) * 100) / 100;
  return { ...unit, detail: { ...detail, evidence, confidence } };
}

function sourceDay(source: string): Day | null {
  return toDay(/^memory\/(\d{4}-\d{2}-\d{2})\.md/.exec(source)?.[1]);
}
