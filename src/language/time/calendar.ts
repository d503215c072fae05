import type { DateOrder, Day } from '../../base/clock.js';

/** A span of calendar days, both ends included. An end that is `null` is open. */
export interface DaySpan {
  readonly since: Day | null;
  readonly until: Day | null;
}

/**
 * A span with both ends, such as the days that "last week" or "November" names. A word such as "since" may then remove an
 * end.
 */
export interface Period extends DaySpan {
  readonly since: Day;
  readonly until: Day;
}

/** The span of all days: it has no start and no end. */
export const ALL_TIME: DaySpan = { since: null, until: null };

const DAY_MS = 86_400_000;
const YEAR_0 = Date.parse('0000-01-01');
const WRITTEN_DAY = /^\d{4}-\d\d-\d\d$/;
const LOG_PATH = /^memory\/(\d{4}-\d\d-\d\d)(?:-[^/]*)?\.md$/i;

/** True for a day of the calendar written `YYYY-MM-DD`. */
export function isDay(text: string): text is Day {
  if (!WRITTEN_DAY.test(text)) return false;
  const [year, month, date] = [Number(text.slice(0, 4)), Number(text.slice(5, 7)), Number(text.slice(8))];
  return month >= 1 && month <= 12 && date >= 1 && date <= daysInMonth(year, month);
}

/** Parses a day; null if the calendar has no such day, or the text has another form. */
export function parseDay(text: string | undefined): Day | null {
  return text !== undefined && isDay(text) ? text : null;
}

/** The day of an instant (Unix ms) in UTC, within the years 0000 to 9999. */
export function utcDay(ms: number): Day {
  const text = new Date(Math.min(LAST * DAY_MS, Math.max(YEAR_0, ms))).toISOString().slice(0, 10);
  if (!isDay(text)) throw new RangeError(`no day: ${text}`);
  return text;
}

/** The day of a daily log (`memory/YYYY-MM-DD.md`) or of a session dump of that day (`memory/YYYY-MM-DD-slug.md`). */
export function dayOfPath(path: string): Day | null {
  return parseDay(LOG_PATH.exec(path)?.[1]);
}

/** The number of days from `from` to `to`; negative if `to` is earlier. */
export function daysBetween(from: Day, to: Day): number {
  return dayNumber(to) - dayNumber(from);
}

/** The day `year-month-date`, or undefined when the calendar has no such day. Months count from 1. */
export function makeDay(year: number, month: number, date: number): Day | undefined {
  if (!(year >= 1000 && year <= 9999) || month < 1 || month > 12 || date < 1 || date > daysInMonth(year, month))
    return undefined;
  return format(year, month, date);
}

/** Days since 1970-01-01. Arithmetic runs in UTC, which has no clock changes, so it is the same on every machine. */
export function dayNumber(day: Day): number {
  return Math.round(Date.parse(`${day}T00:00:00Z`) / DAY_MS);
}

/** The day `count` days after `day`, or before it if `count` is negative. Kept within the years 1000 to 9999. */
export function addDays(day: Day, count: number): Day {
  return fromNumber(dayNumber(day) + count);
}

/**
 * The same date `count` months later; the last day of the month if it has no such date (31 March - 1 month = 28 February).
 */
export function addMonths(day: Day, count: number): Day {
  const { year, month, date } = dateParts(day);
  const index = year * 12 + month - 1 + count;
  if (index >= 10_000 * 12) return fromNumber(LAST);
  const toYear = clampYear(Math.floor(index / 12));
  const toMonth = (((index % 12) + 12) % 12) + 1;
  return format(toYear, toMonth, Math.min(date, daysInMonth(toYear, toMonth)));
}

export function dateParts(day: Day): { year: number; month: number; date: number } {
  const [year = 1970, month = 1, date = 1] = day.split('-').map(Number);
  return { year, month, date };
}

/** The number of a day's weekday: 1 for Monday, 7 for Sunday. */
export function weekdayOf(day: Day): number {
  return ((((dayNumber(day) + 3) % 7) + 7) % 7) + 1;
}

export function dayPeriod(day: Day): Period {
  return { since: day, until: day };
}

/** The week (Monday to Sunday) of `day`, moved by `offset` weeks. */
export function weekPeriod(day: Day, offset = 0): Period {
  const monday = addDays(day, 1 - weekdayOf(day) + 7 * offset);
  return { since: monday, until: addDays(monday, 6) };
}

/** The calendar month of `day`, moved by `offset` months. */
export function monthPeriod(day: Day, offset = 0): Period {
  const { year, month } = dateParts(addMonths(day, offset));
  return periodOfWholeMonths(year, month, 1);
}

/** `count` whole months, beginning with `month` of `year`. Months beyond 12 are in later years. */
export function periodOfWholeMonths(year: number, month: number, count: number): Period {
  const since = addMonths(format(clampYear(year), 1, 1), month - 1);
  return { since, until: addDays(addMonths(since, count), -1) };
}

/** The calendar quarter of `day`, moved by `offset` quarters. */
export function quarterPeriod(day: Day, offset = 0): Period {
  const { year, month } = dateParts(addMonths(day, offset * 3));
  return periodOfWholeMonths(year, month - ((month - 1) % 3), 3);
}

export function yearPeriod(year: number): Period {
  const kept = clampYear(year);
  return { since: format(kept, 1, 1), until: format(kept, 12, 31) };
}

/** The first, middle or last third of a period, in whole days. The last third takes the remainder. */
export function thirdOf(period: Period, which: 'early' | 'mid' | 'late'): Period {
  const first = dayNumber(period.since);
  const length = dayNumber(period.until) - first + 1;
  const third = Math.max(1, Math.floor(length / 3));
  if (which === 'early') return { since: period.since, until: fromNumber(first + third - 1) };
  if (which === 'late') return { since: fromNumber(first + 2 * third), until: period.until };
  return { since: fromNumber(first + third), until: fromNumber(first + 2 * third - 1) };
}

/** The period from the earlier start of two periods to the later end. */
export function joinPeriods(a: Period, b: Period): Period {
  return { since: earlierDay(a.since, b.since), until: laterDay(a.until, b.until) };
}

export function earlierDay(a: Day, b: Day): Day {
  return a <= b ? a : b;
}

export function laterDay(a: Day, b: Day): Day {
  return a <= b ? b : a;
}

/** A period extended by `days` on either side. */
export function widenPeriod(period: Period, days: number): Period {
  return { since: addDays(period.since, -days), until: addDays(period.until, days) };
}

/**
 * The latest of several periods that has begun on or before `today`.
 * @param make returns the period of a year. It is called for next year, this year and earlier years
 */
export function latestStartedPeriod(today: Day, make: (year: number) => Period | undefined): Period | undefined {
  return latest(today, make, (period) => period.since <= today);
}

/** The latest day with a date such as the 3rd, in this month or an earlier one. */
export function latestDayWithDate(today: Day, date: number): Period | undefined {
  const { year, month } = dateParts(today);
  // The loop tries this month and the two months before. In this month the date may still be ahead. If one of the two
  // months before lacks the date (30 February), the other month has it.
  for (let index = year * 12 + month - 1, back = 0; back < 3; index--, back++) {
    const day = makeDay(Math.floor(index / 12), (index % 12) + 1, date);
    if (day !== undefined && day <= today) return dayPeriod(day);
  }
  return undefined;
}

/**
 * Like {@link latestStartedPeriod}, but for periods that are over: "last summer" in a question of July is the summer of last year.
 */
export function latestEndedPeriod(today: Day, make: (year: number) => Period | undefined): Period | undefined {
  return latest(today, make, (period) => period.until < today);
}

function latest(today: Day, make: (year: number) => Period | undefined, fits: (period: Period) => boolean) {
  const { year } = dateParts(today);
  // Eight years back are enough to find the last 29 February. It is usually at most four years back, but years such as
  // 1900 and 2100 have no 29 February.
  for (let candidate = year + 1; candidate >= year - 8; candidate--) {
    const period = make(candidate);
    if (period && fits(period)) return period;
  }
  return undefined;
}

/**
 * The number of days of a month.
 * @param month from 1 to 12
 */
function daysInMonth(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

function fromNumber(number: number): Day {
  const kept = Math.min(Math.max(number, FIRST), LAST);
  return utcDay(kept * DAY_MS);
}

function clampYear(year: number): number {
  return Math.min(Math.max(year, 1000), 9999);
}

function format(year: number, month: number, date: number): Day {
  return utcDay(Date.UTC(year, month - 1, date));
}

const FIRST = dayNumber('1000-01-01');
const LAST = dayNumber('9999-12-31');

/**
 * The current instant, and the user's calendar: `dayOf` gives the day in the user's time zone, and `dateOrder` how the user
 * writes dates.
 */
export interface MomentWithCalendar {
  readonly now: Date;
  dayOf(instant: Date): Day;
  readonly dateOrder?: DateOrder | undefined;
}

/** Noon of a day, for text that was written at an unknown hour of that day. */
export function noonOf(day: Day): MomentWithCalendar {
  const now = new Date((dayNumber(day) + 0.5) * DAY_MS);
  return { now, dayOf: (instant) => (instant === now ? day : utcDay(instant.getTime())) };
}
