import type { DateOrder, Day } from '../../base/clock.js';
import { err, type Failure, ok, type Result } from '../../base/failure.js';
import { addAll } from '../../base/order.js';
import { hasHan } from '../scripts.js';
import { blankRanges, lowerCaseAscii, type RangeInText, toHalfWidth, tokenize } from '../tokens.js';
import { ENGLISH_STOP_WORDS } from '../words/stop.js';
import {
  ALL_TIME,
  type DaySpan,
  earlierDay,
  laterDay,
  type MomentWithCalendar,
  noonOf,
  type Period,
  shiftDay,
  type TimeUnit,
} from './calendar.js';
import { hasTimeCue, mayNameLaterDay } from './cue.js';
import { firstWordOf, type TimeContext, type TimeExpression } from './expression.js';
import { applyModifier, joinTimeRanges, type TimeGrammar, textAroundTime, widenPeriodForAround } from './grammar.js';
import { detectLanguages, detectLineLanguages, type Language } from './languages/detect.js';
import { timeGrammarOf } from './languages/grammar.js';
import { foldAccents } from './languages/words.js';
import { readDigitDates } from './literal.js';
import { QUESTION_POLICY, STATEMENT_POLICY, type TimeMention, type TimePolicy } from './policy.js';
import { findStateWords } from './state-words.js';

interface TimeReadOptions extends MomentWithCalendar {
  readonly policy: TimePolicy;
  /** Whether the whole text is a time, such as the value of an option. */
  readonly lenient?: boolean;
  /** Whether the value of an option is ahead: "Friday" is the next one. */
  readonly isAhead?: boolean;
  /** Whether the text names a known entity at a position. */
  readonly isName?: (position: number) => boolean;
}

/** A reader of times in the languages of a text. */
export interface TimeReader {
  /**
   * A quick test whether a text may name a time. If the test is false for a text, it is also false for every part of the
   * text. Such a part must begin and end between words.
   */
  mayRead(text: string): boolean;
  /** A quick test whether a text may name a day ahead of it. Complete dates such as `2026-12-06` may be blanked before. */
  mayReadLater(text: string): boolean;
  /**
   * The times that a part of the text names, in order. Synchronous, pure, linear in the part. Code spans must be blanked
   * first.
   */
  read(part: string, options: TimeReadOptions): readonly TimeMention[];
}

/**
 * Prepares to read the times of a text and its parts in the languages that the text shows. The grammars of these languages
 * are used before those of English and Chinese. A part that shows one of these languages is not read as English or Chinese.
 * @param dateOrder how 03/04/2026 is read; `auto`: month first in English, day first elsewhere
 */
export function openTimeReader(text: string, dateOrder: DateOrder = 'auto'): TimeReader {
  const shown = [...detectLineLanguages(text)];
  return {
    mayReadLater: (part) => mayNameLaterDay(part) || (shown.length > 0 && mayNameDay(part, shown)),
    mayRead: (part) => shown.length > 0 || hasTimeCue(part),
    read: (part, options) => readTimes(part, shown, dateOrder, options),
  };
}

function mayNameDay(part: string, shown: readonly Language[]): boolean {
  const text = foldAccents(toHalfWidth(part));
  return shown.some((language) => timeGrammarOf(language).mayNameDay(text));
}

function readTimes(
  part: string,
  shown: readonly Language[],
  dateOrder: DateOrder,
  options: TimeReadOptions,
): readonly TimeMention[] {
  const isCued = hasTimeCue(part);
  if (!isCued && shown.length === 0) return [];
  const narrow = toHalfWidth(part);
  const text = shown.length > 0 ? foldAccents(narrow) : lowerCaseAscii(narrow);
  const own = shownIn(part, shown, isCued);
  const [first, then] = own.length > 0 ? [own, []] : [shown, hasHan(text) ? HAN_LANGUAGES : ENGLISH_ALONE];
  const grammars = [...first, ...then].map(timeGrammarOf);
  const today = options.dayOf(options.now);
  const context: TimeContext = {
    ...options,
    today,
    dateOrder: dateOrder === 'auto' ? (shown.length > 0 || hasHan(text) ? 'dmy' : 'mdy') : dateOrder,
    lenient: options.lenient ?? false,
    isName: options.isName ?? (() => false),
    isCapital: (position) => narrow.charAt(position) !== narrow.charAt(position).toLowerCase(),
  };
  const readers: TimeGrammar['read'][] = grammars.map(({ read }) => read);
  readers.splice(first.length, 0, readDigitDates);
  return placeAll(text, namedBy(readers, text, context), grammars, context, options);
}

const ENGLISH_ALONE = ['en'] as const;
const HAN_LANGUAGES = ['zh', 'en'] as const;

/**
 * The languages that a part shows. If the whole text shows only one language and the part has no cue of an English or
 * Chinese time, the part is read in that language.
 */
function shownIn(part: string, shown: readonly Language[], isCued: boolean): readonly Language[] {
  if (shown.length === 0 || (shown.length === 1 && !isCued)) return shown;
  return [...detectLanguages(part)].filter((language) => shown.includes(language));
}

/** The times that the readers find. A reader does not read text in which an earlier one found a time. */
function namedBy(
  readers: readonly TimeGrammar['read'][],
  text: string,
  context: TimeContext,
): readonly TimeExpression[] {
  const found: TimeExpression[] = [];
  let rest = text;
  for (const read of readers) {
    const named = read(rest, context);
    rest = blankRanges(rest, named);
    addAll(found, named);
  }
  return found.sort((a, b) => a.start - b.start);
}

function placeAll(
  text: string,
  named: readonly TimeExpression[],
  grammars: readonly TimeGrammar[],
  { today, lenient }: TimeContext,
  { policy, isAhead }: TimeReadOptions,
): readonly TimeMention[] {
  if (named.length === 0) return [];
  const bends = grammars.flatMap((grammar) => grammar.bends);
  const ranges = grammars.map((grammar) => grammar.ranges);
  const mentions: TimeMention[] = [];
  let from = 0;
  for (const time of joinTimeRanges(text, named, ranges)) {
    const bent = applyModifier(text, applyModifier(text, time, from, bends), from, bends);
    const last = mentions.at(-1);
    const mention = policy({
      named: time,
      bent,
      beside: textAroundTime(text, bent, from),
      today,
      since: last?.isPeriod && last.span.until === null ? last.span.since : null,
      grammars,
      isHabit: () => !lenient && grammars.some(({ habit }) => habit.test(text)),
      saysPast: () => grammars.some(({ saysPast }) => saysPast?.(text)),
      isToldAsPast: () => isToldAsPast(text, time, named, grammars),
      tense: () => (isAhead ? 'ahead' : lenient ? undefined : (grammars[0]?.tense(text, time) ?? 'unsaid')),
    });
    if (mention) mentions.push(mention);
    from = time.end;
  }
  return mentions;
}

/**
 * Whether the clause of a time is in the past tense: "ordered the book, delivery on Thursday" is not. A clause without a verb
 * goes on with what was said of the days before: "ran on Monday, yoga on Wednesday".
 */
function isToldAsPast(
  text: string,
  time: TimeExpression,
  named: readonly TimeExpression[],
  grammars: readonly TimeGrammar[],
): boolean {
  const tenseOf = (one: TimeExpression) => {
    const { start, end } = clauseAround(text, one);
    const clause = text.slice(start, end);
    if (grammars.some(({ saysPast }) => saysPast?.(clause))) return 'past';
    return grammars[0]?.tense(clause, { ...one, start: one.start - start, end: one.end - start }) ?? 'unsaid';
  };
  const own = tenseOf(time);
  if (own !== 'unsaid') return own === 'past';
  return named.some((one) => one.start < time.start && one.recurs !== undefined && tenseOf(one) === 'past');
}

/** The clause of a time, or the whole text if the clause says nothing else. */
function clauseAround(text: string, { start, end }: RangeInText): RangeInText {
  const before = [...text.slice(0, start).matchAll(CLAUSE_END)].at(-1);
  const after = text.slice(end).search(CLAUSE_END);
  const clause = {
    start: before === undefined ? 0 : before.index + before[0].length,
    end: after < 0 ? text.length : end + after,
  };
  const rest = text.slice(clause.start, start) + text.slice(end, clause.end);
  return /\p{L}{4}/u.test(rest) ? clause : { start: 0, end: text.length };
}

const CLAUSE_END = /[,;:.!?]\s|\s[–—-]\s|[，；。]/g;

/**
 * Two days with different weekdays, months and years. A line is read twice: as if it were written on the first day, and
 * on the second. If the two readings give different days, the meaning of the line depends on its day.
 */
const ANY_DAYS = ['2021-03-10', '2024-10-26'] as const;

/**
 * Makes a test for lines that name a time whose meaning depends on the day of the line: "yesterday", "on Friday", "until the
 * 5th of March".
 */
export function makeRelativeTimeTest(text: string, dateOrder?: DateOrder): (line: string) => boolean {
  const times = openTimeReader(text, dateOrder);
  return (line) => {
    if (!times.mayRead(line)) return false;
    const [one, other] = ANY_DAYS.map((day) => spansOn(line, day, times));
    return one !== other;
  };
}

function spansOn(line: string, day: (typeof ANY_DAYS)[number], times: TimeReader): string {
  // The policy for statements ignores a weekday alone, and the policy for questions ignores a duration in the future. The
  // meaning of both depends on the day, so the line is read with both policies.
  const mentions = [QUESTION_POLICY, STATEMENT_POLICY].flatMap((policy) =>
    times.read(line, { ...noonOf(day), policy }),
  );
  return JSON.stringify(mentions.map(({ span }) => span));
}

export interface TimeReading {
  /**
   * The days that the question means: none without a time; two spans, the earlier first, if its times recur and nothing
   * shows which occurrence is meant.
   */
  readonly spans: readonly DaySpan[];
  readonly asOf: Day | null;
  /** The positions of the times, with the words that modify them. */
  readonly ranges: readonly RangeInText[];
  /** Whether all times are days or months without a year, which recur every year. */
  readonly isYearly: boolean;
}

/** Reads the times of a question. Days are in the user's zone; nothing depends on the machine's zone. */
export function readTime(question: string, options: Omit<TimeReadOptions, 'policy'>): TimeReading {
  const times = openTimeReader(question, options.dateOrder);
  const mentions = times.read(question, { ...options, policy: QUESTION_POLICY });
  return merge(lowerCaseAscii(toHalfWidth(question)), mentions, options.dayOf(options.now));
}

/**
 * Merges the times of a question: to the common days of times that overlap ("in November … before the 5th"), else to all days
 * from the first to the last.
 */
function merge(text: string, mentions: readonly TimeMention[], today: Day): TimeReading {
  const span = mentions.map((mention) => mention.span).reduce(both, ALL_TIME);
  // "Before last week or after it" excludes no day, so it counts as no time.
  if (span.since === null && span.until === null) return { spans: [], asOf: null, ranges: mentions, isYearly: false };
  const later = mentions.reduce<DaySpan | undefined>(
    (known, mention) => known && intersect(known, mention.other ?? mention.span),
    ALL_TIME,
  );
  const spans = later === undefined ? [span] : intersect(span, later) ? [hull(span, later)] : [span, later];
  const asked = mentions.some((mention) => mention.asOf) || asksState(text, mentions);
  const isYearly = mentions.every((mention) => mention.isYearly);
  return { spans, asOf: asked ? asOfDay(span, today) : null, ranges: mentions, isYearly };
}

/** "What was true in May" asks for a state; "the true reason" and "a valid licence" do not, because a noun follows. */
function asksState(text: string, mentions: readonly TimeMention[]): boolean {
  return findStateWords(text).some(({ end, isOpen }) => {
    if (!isOpen) return true;
    const next = firstWordOf(text.slice(end, end + 40));
    const isTime = mentions.some(({ start }) => start >= end && start <= end + 3);
    return next === '' || next === 'back' || isTime || ENGLISH_STOP_WORDS.has(next);
  });
}

function both(a: DaySpan, b: DaySpan): DaySpan {
  return intersect(a, b) ?? hull(a, b);
}

/**
 * The day whose state is asked for: the end of the span, but today if the span contains it ("this month", "since March").
 */
function asOfDay({ since, until }: DaySpan, today: Day): Day {
  if (until === null) return today;
  return since !== null && since <= today && until > today ? today : until;
}

function intersect(a: DaySpan, b: DaySpan): DaySpan | undefined {
  const since = a.since === null || (b.since !== null && b.since > a.since) ? b.since : a.since;
  const until = a.until === null || (b.until !== null && b.until < a.until) ? b.until : a.until;
  return since !== null && until !== null && since > until ? undefined : { since, until };
}

/** The smallest span that contains both spans. It is open at an end if one of the spans is open there. */
function hull(a: DaySpan, b: DaySpan): DaySpan {
  return {
    since: a.since === null || b.since === null ? null : earlierDay(a.since, b.since),
    until: a.until === null || b.until === null ? null : laterDay(a.until, b.until),
  };
}

const AGE_UNITS: Readonly<Record<string, TimeUnit>> = { d: 'day', w: 'week', m: 'month', y: 'year' };
const AGE = /^(\d{1,5})\s?(?:([dwmy])|(day|week|month|year)s?)$/i;

/**
 * The days that the value of an option means, both included. A period such as "november" has a first and a last day. A
 * time with "since" or "before" has only one of the two days.
 */
export interface OptionDays {
  readonly since?: Day;
  readonly until?: Day;
}

/**
 * The days of a value of `--since`, `--until`, `--around` or `--as-of`: `30d`, `2w`, `6m`, `1y`, `2 weeks` (that long ago),
 * a day, a month, or any time that a question may name.
 * @returns a `usage` failure if the text, or any word of it, is not a time.
 */
export function parseDayOption(text: string, moment: MomentWithCalendar): Result<OptionDays> {
  const trimmed = text.trim();
  const age = AGE.exec(trimmed);
  const unit = AGE_UNITS[(age?.[2] ?? age?.[3])?.charAt(0).toLowerCase() ?? ''];
  if (age && unit) {
    const day = shiftDay(moment.dayOf(moment.now), -Number(age[1]), unit);
    return ok({ since: day, until: day });
  }
  if (trimmed.length > 100) return err(notADate(`${trimmed.slice(0, 40)}…`));
  const {
    spans: [span],
    ranges,
  } = readTime(trimmed, { ...moment, lenient: true });
  if (span === undefined || tokenize(blankRanges(trimmed, ranges)).length > 0) return err(notADate(trimmed));
  return ok({ ...(span.since !== null && { since: span.since }), ...(span.until !== null && { until: span.until }) });
}

/**
 * The days that a text means for somebody who looks ahead: a recurring name ("Friday", "December") is the one that is not
 * over, and `2w` are the next two weeks. A time without an end ("from Friday") ends on the last day of the calendar.
 * @returns a `usage` failure if the text, or any word of it, is not a time.
 */
export function parsePeriodAhead(text: string, moment: MomentWithCalendar): Result<Period> {
  const today = moment.dayOf(moment.now);
  const age = AGE.exec(text.trim());
  const unit = AGE_UNITS[(age?.[2] ?? age?.[3])?.charAt(0).toLowerCase() ?? ''];
  if (age && unit) return ok({ since: today, until: shiftDay(today, Number(age[1]), unit) });
  const { spans, ranges } = readTime(text, { ...moment, lenient: true, isAhead: true });
  const [asked] = spans;
  if (asked === undefined || tokenize(blankRanges(text, ranges)).length > 0) return err(notADate(text));
  return ok({ since: asked.since ?? today, until: asked.until ?? '9999-12-31' });
}

/** The window of `--around`: the named period, with three days on either side. */
export function windowOfAroundOption(period: Period): Period {
  return widenPeriodForAround(period);
}

function notADate(text: string): Failure {
  return {
    type: 'usage',
    message: `"${text}" is not a date`,
    hint: 'use a day (2025-11-27), a month (2025-11), an age (30d, 2w, 6m, 1y) or words such as "last week" or 上个月',
  };
}
