import type { Day } from '../../base/clock.js';
import type { RangeInText } from '../tokens.js';
import { type DaySpan, daysBetween, type Period } from './calendar.js';
import { chooseOccurrence, periodsInTense, type Tense, type TimeExpression } from './expression.js';
import {
  matchBound,
  type TextAroundTime,
  type TimeBoundRule,
  type TimeGrammar,
  type ValidityBound,
} from './grammar.js';

/**
 * A time that a text names, and the days that it means. Words around the time ("early", "since") have already changed
 * these days.
 */
export interface TimeMention extends RangeInText {
  readonly span: DaySpan;
  /** The same time once more, later: the question does not show which one it means. */
  readonly other?: DaySpan | undefined;
  /** Whether the time asks for the state on a day ("as of March"). */
  readonly asOf: boolean;
  /** Whether the text states a period (a range, "since", "until"); otherwise it only mentions the days. */
  readonly isPeriod: boolean;
  /** Whether the time is a day or month without a year, which recurs every year. */
  readonly isYearly?: boolean;
}

/** A time in a text, with everything that a policy needs to decide its meaning. */
interface TimeInText {
  /** The time as named, without the modifiers beside it. */
  readonly named: TimeExpression;
  /** The time after the words beside it ("early", "the week before") have narrowed or moved it. */
  readonly bent: TimeExpression;
  readonly beside: TextAroundTime;
  readonly today: Day;
  /**
   * The start of a period that the text names directly before this time, if that period has no end yet. In "since May,
   * until August", it is 1 May when "August" is read.
   */
  readonly since: Day | null;
  readonly grammars: readonly TimeGrammar[];
  readonly isHabit: () => boolean;
  /** Undefined for the value of an option, which means the latest occurrence. */
  readonly tense: () => Tense | undefined;
  /** Whether a verb of the text is in the past. */
  readonly saysPast: () => boolean;
  /** Whether the clause of the time is in the past. */
  readonly isToldAsPast: () => boolean;
}

/**
 * Decides which days a time means. Questions and statements have different policies. In a question, the tense says which
 * occurrence of a recurring name ("November") is meant. In a statement it is the one nearest to the statement's day.
 */
export type TimePolicy = (time: TimeInText) => TimeMention | undefined;

/** The policy for a question, and for the value of an option such as `--since`. */
export const QUESTION_POLICY: TimePolicy = (time) => {
  const { bent, named, today } = time;
  if (named.recurs?.cycle === 7 && time.isHabit()) return undefined;
  const found = findBound(time, ({ apply }) => apply !== undefined);
  const meant = (): readonly Period[] => {
    const tense = bent.recurs || bent.isThisWeekend ? time.tense() : undefined;
    return tense === undefined ? [bent.period] : periodsInTense(bent, named, tense, today);
  };
  const isPeriod = found !== undefined || bent.range === true;
  const isYearly = named.recurs?.cycle === YEAR;
  if (found?.rule.apply) {
    const { ahead, ago, apply, asOf = false, told } = found.rule;
    const counted = (ago && bent.core) || startOf(told?.bounds, bent, bent.period);
    const [span = apply(counted), later] = ahead ? meant().map(apply) : [];
    // "Until May" would contain the earlier one.
    const other = span.since === null ? undefined : later;
    return { ...found.range, span, other, asOf, isPeriod, isYearly };
  }
  const looksBack = time.grammars.some((grammar) => grammar.looksBack?.test(time.beside.before));
  const [span = bent.period, other] = looksBack ? [] : meant();
  return { ...rangeOf(time), span, other, asOf: false, isPeriod, isYearly };
};

/**
 * The policy for a statement of a known day. A weekday, a weekend or a date without a month is ignored, unless a word such
 * as "since", "until" or "by" stands before it.
 */
export const STATEMENT_POLICY: TimePolicy = (time) => {
  const { bent, today } = time;
  const found = findBound(time, ({ told, opens }) => {
    if (told?.ahead) return !bent.range && (chooseOccurrence(bent, told.which, today)?.period.since ?? today) > today;
    if (told?.past && !(bent.recurs?.cycle === 7 && time.saysPast())) return false;
    return told !== undefined || opens !== true;
  });
  const told = found?.rule.told;
  if (bent.recurs && !told && (bent.recurs.cycle < MONTH || time.isHabit())) return undefined;
  const from = told?.bounds === 'until' && time.since !== null ? time.since : today;
  const meant = chooseOccurrence(bent, told?.which ?? 'nearest', from);
  if (!meant) return undefined;
  const range = found?.range ?? rangeOf(time);
  const period = (bent.list && meant.core) || meant.period;
  if (bent.range) return { ...range, span: period, asOf: false, isPeriod: true };
  const span = told ? boundedBy(told.bounds, startOf(told.bounds, bent, period)) : mentioned(found?.rule, period);
  return span && { ...range, span, asOf: false, isPeriod: told?.bounds !== undefined };
};

/**
 * The policy for what a statement announces. Like {@link STATEMENT_POLICY}, but it also accepts a weekday, a weekend or a date
 * without a month, and reads it as its next occurrence. A habit announces nothing.
 * @param isPast whether such a time may stand beside a verb in the past: "Yoga on Friday was cancelled", not "was on Friday"
 */
export function announcedPolicy(isPast: boolean): TimePolicy {
  return (time) => {
    const told = STATEMENT_POLICY(time);
    const { bent, today } = time;
    if (told !== undefined || bent.recurs === undefined || bent.recurs.cycle >= MONTH || time.isHabit()) return told;
    if (!isPast && time.isToldAsPast()) return undefined;
    const meant = chooseOccurrence(bent, 'coming', today);
    return meant && { ...rangeOf(time), span: meant.period, asOf: false, isPeriod: false };
  };
}

/**
 * The policy for a statement about something yearly, such as a birthday. It accepts only days and months without a year,
 * and reads each as its latest occurrence.
 */
export const YEARLESS_DATE_POLICY: TimePolicy = (time) =>
  time.named.recurs?.cycle === YEAR
    ? { ...rangeOf(time), span: time.bent.period, asOf: false, isPeriod: false }
    : undefined;

const YEAR = 365;
/** A time that recurs after fewer days has no month: a weekday, a weekend, a day of the month. */
const MONTH = 100;

/**
 * The period to which a word such as "since" applies. After "since", a distance in days, weeks or months means the exact
 * day: "since two weeks ago". A longer distance means a whole calendar period: "since two years ago" begins with the
 * calendar year.
 */
function startOf(bounds: ValidityBound['bounds'], { ago, core }: TimeExpression, period: Period): Period {
  return bounds === 'since' && ago && core && daysBetween(period.since, period.until) <= 31 ? core : period;
}

function boundedBy(bounds: 'since' | 'until' | undefined, { since, until }: Period): DaySpan {
  return { since: bounds === 'until' ? null : since, until: bounds === 'since' ? null : until };
}

/**
 * The days that a statement only mentions. "Around Nov 27" mentions the days around that day. "After Nov 27" mentions
 * that day. "Not in November" mentions no day.
 */
function mentioned(rule: TimeBoundRule | undefined, period: Period): DaySpan | undefined {
  const span = rule?.apply?.(period) ?? period;
  if (span.since === null && span.until === null) return undefined;
  return span.since === null || span.until === null ? period : span;
}

/**
 * The first rule that the policy accepts and whose words stand beside the time, with the range of the time and these words.
 */
function findBound(
  time: TimeInText,
  takes: (rule: TimeBoundRule) => boolean,
): { rule: TimeBoundRule; range: RangeInText } | undefined {
  const { bent, beside } = time;
  for (const { bounds } of time.grammars)
    for (const rule of bounds) {
      if ((rule.ago && !bent.ago) || (rule.opens && bent.range) || !takes(rule)) continue;
      const match = matchBound(rule, beside);
      if (!match) continue;
      const { left = 0, right = trailing(time) } = match;
      return { rule, range: { start: bent.start - left, end: bent.end + right } };
    }
  return undefined;
}

/** The range of a time including the words that introduce it. */
function rangeOf(time: TimeInText): RangeInText {
  const { bent, beside, grammars } = time;
  const carrier = longest(
    grammars,
    ({ carriers, ranges }) =>
      carriers.before.exec(beside.before) ?? (bent.range ? ranges.opens.exec(beside.before) : null),
  );
  return { start: bent.start - carrier, end: bent.end + trailing(time) };
}

function trailing({ grammars, beside }: TimeInText): number {
  return longest(grammars, ({ carriers }) => carriers.after?.exec(beside.after));
}

function longest(
  grammars: readonly TimeGrammar[],
  match: (grammar: TimeGrammar) => RegExpExecArray | null | undefined,
): number {
  return Math.max(0, ...grammars.map((grammar) => match(grammar)?.[0].length ?? 0));
}
