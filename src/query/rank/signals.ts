import type { Day } from '../../base/clock.js';
import { addToGroup, findFirstNotBelow } from '../../base/order.js';
import { dayOfUnit, isHeading, isOfDays } from '../../index/found.js';
import type { FoundUnit } from '../../index/search.js';
import { daysBetween } from '../../language/time/calendar.js';
import { hasForm } from '../../line/form.js';
import { namesNumber, namesTime, namesTitle, statesDecision } from '../../line/said.js';
import type { QuestionReading } from '../parse/reading.js';
import type { CandidateSet } from '../retrieve/gather.js';
import { RECENCY_HALF_LIFE_DAYS } from './weights.js';

/**
 * Whether no word or name of the question is in a line, and only its meaning is near.
 * @param hasNoWord whether the line has no word of the question. It may still have one of nearly the same meaning
 */
export function isByMeaningAlone(
  { lexical, exact, entity, vector }: Readonly<Record<'lexical' | 'exact' | 'entity' | 'vector', number>>,
  hasNoWord = lexical === 0,
): boolean {
  return hasNoWord && exact + entity === 0 && vector > 0;
}

/** Signal for the kind of a line: lines that were written to be found come first. */
export function kindSignal(unit: FoundUnit): number {
  if (isHeading(unit) || hasForm(unit, 'header') || hasForm(unit, 'bold') || unit.detail?.field || unit.detail?.cells)
    return 0;
  if (unit.fact !== null) return unit.detail?.retired ? 0.2 : 1;
  switch (unit.file.role) {
    case 'dump':
    case 'resource':
      return 0.2;
    case 'summary':
      return 0.4;
    default:
      return 0.6;
  }
}

/**
 * Whether a line is of the kind that the question wishes for.
 * @param isTelling whether the line has a content word of the question. Without one, its number is that of something else.
 */
export function intentSignal(unit: FoundUnit, { wishes, cues }: QuestionReading, isTelling: boolean): number {
  if (wishes.opinion && unit.kind === 'opinion') return 1;
  if (cues.decision && statesDecision(unit.text)) return 1;
  // "What did we decide" asks for no experience, though it says "did we".
  if (wishes.experience && !cues.decision && unit.kind === 'experience') return 1;
  const isCued =
    (cues.when && namesTime(unit)) ||
    (cues.title && namesTitle(unit)) ||
    (cues.howMany && isTelling && namesNumber(unit));
  return Number(isCued);
}

/** How much a line belongs to the time of the question, 0..1. */
export function timeSignal(unit: FoundUnit, { window, told }: Pick<CandidateSet, 'window' | 'told'>): number {
  if (window === null) return 0;
  const { key, validFrom, validTo } = unit;
  const share = told.get(key);
  if (share !== undefined) return share;
  const [since, until] = [window.since ?? '0000', window.until ?? '9999'];
  if (isOfDays(unit, since, until)) return 1;
  // An open end overlaps every later window: it says little about this one.
  return validFrom !== null && validTo !== null && validFrom <= until && validTo >= since ? 0.7 : 0;
}

/**
 * Computes how new a line is. For a fact, it depends on how many newer candidates are about the same subject, and not on the
 * number of days. Completed actions, past states and plans do not count as newer: they say nothing about the current state.
 */
export class RecencyScore {
  private readonly days = new Map<string, Day[]>();

  /** @param units the candidates */
  constructor(
    units: readonly FoundUnit[],
    private readonly today: Day,
  ) {
    for (const unit of units)
      if (unit.file.day !== null && isNews(unit)) addToGroup(this.days, subjectOf(unit), unit.file.day);
    for (const days of this.days.values()) days.sort().reverse();
  }

  /** How new a line is, 0..1. A middle value if its day is unknown. */
  of(unit: FoundUnit): number {
    const day = dayOfUnit(unit);
    if (unit.fact === null) return OF_A_LINE * (day === null ? 0.5 : fadedAfter(daysBetween(day, this.today)));
    if (day === null) return 0.5;
    const days = this.days.get(subjectOf(unit)) ?? [];
    const newer = findFirstNotBelow(days.length, (place) => (days[place] ?? '') > day);
    return 1 - Math.max(newer, isNews(unit) ? 0 : 1) / Math.max(1, days.length);
  }
}

/**
 * Share for lines that are not facts. They may be about any topic, so a newer line is hardly more likely to be the answer.
 */
const OF_A_LINE = 0.175;

function fadedAfter(days: number): number {
  return 0.5 ** (Math.max(0, days) / RECENCY_HALF_LIFE_DAYS);
}

function isNews({ fact, kind, detail }: FoundUnit): boolean {
  const says = detail?.statement?.some(({ isPlan, isPast, isUnsure }) => isPlan || isPast || isUnsure);
  return fact !== null && kind !== 'experience' && !says;
}

function subjectOf({ detail }: FoundUnit): string {
  return detail?.entities?.[0]?.toLowerCase() ?? '';
}
