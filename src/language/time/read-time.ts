import type { Day } from '../../base/clock.js';
import type { Failure } from '../../base/failure.js';
import { err, ok, type Result } from '../../base/failure.js';
import { blankRanges, lowerCaseAscii, type RangeInText, toHalfWidth, tokenize } from '../tokens.js';
import { ENGLISH_STOP_WORDS } from '../words/stop.js';
import { ALL_TIME, type DaySpan, earlierDay, laterDay, type MomentWithCalendar, type Period } from './calendar.js';
import { shiftDay, type TimeUnit } from './distance.js';
import { firstWordOf } from './expression.js';
import { widenPeriodForAround } from './grammar.js';
import { QUESTION_POLICY, type TimeMention } from './policy.js';
import { openTimeReader, type TimeReadOptions } from './times.js';

export interface TimeReading {
  /** All times in the question as one span; null without a time. */
  readonly span: DaySpan | null;
  readonly asOf: Day | null;
  /** The positions of the times, with the words that modify them. */
  readonly ranges: readonly RangeInText[];
  /** Whether all times are days or months without a year, which recur every year. */
  readonly isYearly: boolean;
}

// Words by which a question asks for the state at a time: "what was true in May", "was still valid". Without such words,
// a question asks for text of that time.
const STATE =
  /\b(?:was|were|been|held)\s(?:[\w\u00c0-\u1fff']{1,20}\s){0,4}?(?:true|valid|in effect|in force|the case)\b|(?<![我咱]们?[^，。？]{0,8})(?:当时|那时)|(?:是|还|还是|仍|仍然|依然)(?:有效|成立|属实)/g;

/** Reads the times of a question. Days are in the user's zone; nothing depends on the machine's zone. */
export function readTime(question: string, options: Omit<TimeReadOptions, 'policy'>): TimeReading {
  const times = openTimeReader(question, options.dateOrder);
  const mentions = times.read(question, { ...options, policy: QUESTION_POLICY });
  return merge(lowerCaseAscii(toHalfWidth(question)), mentions, options.dayOf(options.now));
}

/**
 * Merges the times of a question into one span: the common days of times that overlap ("in November … before the 5th"), else
 * all days from the first to the last.
 */
function merge(text: string, mentions: readonly TimeMention[], today: Day): TimeReading {
  const span = mentions.map((mention) => mention.span).reduce(both, ALL_TIME);
  // "Before last week or after it" excludes no day, so it counts as no time.
  if (span.since === null && span.until === null) return { span: null, asOf: null, ranges: mentions, isYearly: false };
  const asked = mentions.some((mention) => mention.asOf) || asksState(text, mentions);
  const isYearly = mentions.every((mention) => mention.isYearly);
  return { span, asOf: asked ? asOfDay(span, today) : null, ranges: mentions, isYearly };
}

/** "What was true in May" asks for a state; "the true reason" and "a valid licence" do not, because a noun follows. */
function asksState(text: string, mentions: readonly TimeMention[]): boolean {
  return [...text.matchAll(STATE)].some((match) => {
    const end = match.index + match[0].length;
    const next = firstWordOf(text.slice(end, end + 40));
    const isTime = mentions.some(({ start }) => start >= end && start <= end + 3);
    return next === '' || isTime || ENGLISH_STOP_WORDS.has(next);
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
  const { span, ranges } = readTime(trimmed, { ...moment, lenient: true });
  if (span === null || tokenize(blankRanges(trimmed, ranges)).length > 0) return err(notADate(trimmed));
  return ok({ ...(span.since !== null && { since: span.since }), ...(span.until !== null && { until: span.until }) });
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
