import { Cache } from '../../base/cache.js';
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
/** The times of a text are counted from its day, again and again from the same days. */
const NUMBERS = new Cache<Day, number>(20_000);
const DAYS = new Cache<number, Day>(20_000);
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
  return NUMBERS.of(day, () => Math.round(Date.parse(`${day}T00:00:00Z`) / DAY_MS));
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

/** The latest day with a weekday, which may be `day` itself. */
export function latestWeekday(day: Day, weekday: number): Day {
  return addDays(day, -((weekdayOf(day) - weekday + 7) % 7));
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
function quarterPeriod(day: Day, offset = 0): Period {
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
function latestEndedPeriod(today: Day, make: (year: number) => Period | undefined): Period | undefined {
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
  return DAYS.of(kept, () => utcDay(kept * DAY_MS));
}

function clampYear(year: number): number {
  return Math.min(Math.max(year, 1000), 9999);
}

function format(year: number, month: number, date: number): Day {
  return fromNumber(Date.UTC(year, month - 1, date) / DAY_MS);
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

/** An instant with the day on which it is. */
export interface MomentOfDay extends MomentWithCalendar {
  readonly today: Day;
}

/** Noon of a day, for text that was written at an unknown hour of that day. */
export function noonOf(day: Day): MomentWithCalendar {
  const now = new Date((dayNumber(day) + 0.5) * DAY_MS);
  return { now, dayOf: (instant) => (instant === now ? day : utcDay(instant.getTime())) };
}

export type TimeUnit = 'minute' | 'hour' | 'day' | 'weekend' | 'week' | 'month' | 'quarter' | 'year';

/** A number, or a vague one such as "two or three". */
export type CountOrRange = number | { readonly from: number; readonly to: number };

/** The count that "a few", "several" and 几 stand for. */
export const VAGUE_COUNT_RANGE = { from: 2, to: 7 } as const;

/**
 * The distance "`count` and a half" units, such as "two and a half weeks". Years are converted to months. Weeks and months
 * become a range of days, because people are not exact about them: "three and a half months" includes 15 days on either side.
 */
export function addHalfToCount(
  count: number,
  unit: TimeUnit,
): { readonly count: CountOrRange; readonly unit: TimeUnit } {
  if (unit === 'year') return { count: 12 * count + 6, unit: 'month' };
  if (unit !== 'week' && unit !== 'month') return { count, unit };
  const [days, around] = unit === 'week' ? [7 * (count + 0.5), 1.75] : [30.4 * (count + 0.5), 15];
  return { count: { from: Math.round(days - around), to: Math.round(days + around) }, unit: 'day' };
}

/** The day `count` units after a day; negative counts go back. */
export function shiftDay(day: Day, count: number, unit: TimeUnit): Day {
  if (unit === 'week' || unit === 'weekend') return addDays(day, 7 * count);
  if (unit === 'month') return addMonths(day, count);
  if (unit === 'quarter') return addMonths(day, 3 * count);
  if (unit === 'year') return addMonths(day, 12 * count);
  return addDays(day, unit === 'day' ? count : 0);
}

/**
 * Widens the day that is exactly N units away to the period that people mean. "Two weeks ago" includes three days on either
 * side, "two months ago" 15 days. Quarters and years are whole calendar periods. Days stay exact.
 */
function periodAroundDay(unit: TimeUnit, day: Day): Period {
  if (unit === 'week') return widenPeriod(dayPeriod(day), 3);
  if (unit === 'month') return widenPeriod(dayPeriod(day), 15);
  if (unit === 'quarter') return quarterPeriod(day);
  if (unit === 'year') return yearPeriod(dateParts(day).year);
  return dayPeriod(day);
}

/**
 * The days of "N units ago" and "a few units ago".
 * @param side -1: in the past; 1: in the future, as in "in N units"
 */
export function periodAtDistanceFromToday(
  count: CountOrRange,
  unit: TimeUnit,
  context: MomentOfDay,
  side: 1 | -1 = -1,
): Period {
  const { today } = context;
  if (typeof count !== 'number') {
    if (unit === 'minute' || unit === 'hour') return dayPeriod(today);
    return between(shiftDay(today, side * count.to, unit), shiftDay(today, side * count.from, unit));
  }
  if (unit === 'minute' || unit === 'hour') return between(hoursAway(side * count, unit, context), today);
  return unit === 'weekend'
    ? weekendPeriod(today, side * count)
    : periodAroundDay(unit, shiftDay(today, side * count, unit));
}

/**
 * The days of "the last N units", from the day N units away to today. Both of these days are included.
 * @param side -1: in the past; 1: in the future, as in "the next N units"
 */
export function rollingPeriod(count: CountOrRange, unit: TimeUnit, context: MomentOfDay, side: 1 | -1 = -1): Period {
  const number = side * (typeof count === 'number' ? count : count.to);
  if (unit === 'minute' || unit === 'hour') return between(hoursAway(number, unit, context), context.today);
  const far =
    unit === 'weekend' ? weekendPeriod(context.today, number) : dayPeriod(shiftDay(context.today, number, unit));
  return joinPeriods(far, dayPeriod(context.today));
}

function between(a: Day, b: Day): Period {
  return joinPeriods(dayPeriod(a), dayPeriod(b));
}

/** Saturday and Sunday of the week of `day`, moved by `offset` weeks. */
function weekendPeriod(day: Day, offset: number): Period {
  const week = weekPeriod(day, offset);
  return { since: addDays(week.since, 5), until: week.until };
}

/** The latest weekend that has begun on or before `day`. */
export function latestWeekend(day: Day): Period {
  return weekendPeriod(day, weekdayOf(day) < 6 ? -1 : 0);
}

function hoursAway(count: number, unit: 'minute' | 'hour', { now, dayOf, today }: MomentOfDay): Day {
  const then = new Date(now.getTime() + count * (unit === 'hour' ? 3_600_000 : 60_000));
  return Number.isNaN(then.getTime()) ? today : dayOf(then);
}

/** The calendar periods that contain a day, moved by a number of periods. */
const CALENDAR_PERIODS: Readonly<Record<string, (day: Day, offset: number) => Period>> = {
  week: weekPeriod,
  weekend: weekendPeriod,
  month: monthPeriod,
  quarter: quarterPeriod,
  year: (day, offset) => yearPeriod(dateParts(day).year + offset),
};

/** The whole calendar week, weekend, month, quarter or year of today, moved by `offset`. Undefined for another unit. */
export function calendarPeriod(today: Day, unit: string, offset: number): Period | undefined {
  return CALENDAR_PERIODS[unit]?.(today, offset);
}

/**
 * The day with this weekday in the week of `today` (Monday to Sunday), moved by `offset` weeks.
 * @param weekday 1 for Monday to 7 for Sunday
 */
export function weekdayInWeek(today: Day, offset: number, weekday: number): Period {
  return dayPeriod(addDays(weekPeriod(today, offset).since, weekday - 1));
}

/**
 * The day of "last Friday" (offset -1: the latest before today), "this Friday" (0: the one of this week) or "next Friday"
 * (1: the first after today). -2 and 2 are the Friday before last and the Friday after next.
 */
export function lastOrNextWeekday(today: Day, offset: number, weekday: number): Period {
  const inThisWeek = weekdayInWeek(today, 0, weekday);
  if (offset < 0) return weekdayInWeek(today, inThisWeek.since < today ? offset + 1 : offset, weekday);
  return weekdayInWeek(today, inThisWeek.since > today && offset > 0 ? offset - 1 : offset, weekday);
}

/**
 * The period of "last summer" (offset -1: the latest that is over), "this summer" (0: the current one, or the one of this
 * year) or "next summer" (1: the first that begins after today).
 */
export function relativeYearlyPeriod(
  today: Day,
  offset: number,
  make: (year: number) => Period | undefined,
): Period | undefined {
  const { year } = dateParts(today);
  if (offset < 0) return latestEndedPeriod(today, make);
  if (offset > 0) return [year, year + 1].map(make).find((period) => period && period.since > today);
  const running = make(year - 1);
  return running && running.until >= today ? running : make(year);
}

/** A day, week or weekend, or a weekday by its number (1 = Monday). */
export type PartOfPeriod = 'day' | 'week' | 'weekend' | number;

/**
 * The nth part of a period. "The second week of October" is days 8 to 14; "the last weekend of October" is its last Saturday
 * and the Sunday after. Undefined if the period has no such part.
 * @param nth from 1 on, or -1 for the last
 */
export function nthPart(period: Period, nth: number, part: PartOfPeriod): Period | undefined {
  const { since, until } = period;
  if (part === 'day' || part === 'week') {
    const length = part === 'week' ? 7 : 1;
    const first = nth < 0 ? addDays(until, 1 - length) : addDays(since, (nth - 1) * length);
    return { since: first, until: addDays(first, length - 1) };
  }
  if (since === until) return undefined;
  const weekday = part === 'weekend' ? 6 : part;
  const day =
    nth < 0 ? latestWeekday(until, weekday) : addDays(latestWeekday(addDays(since, 6), weekday), 7 * (nth - 1));
  if (part === 'weekend') return weekendPeriod(day, 0);
  return day <= until ? dayPeriod(day) : undefined;
}

/** The day with this date in a month: "the 3rd of last month". Undefined if the period is not a month. */
export function dateInMonth(period: Period, date: number): Period | undefined {
  const day = addDays(period.since, date - 1);
  const isMonth = period.since.endsWith('-01') && period.until.slice(0, 7) === period.since.slice(0, 7);
  return isMonth && date > 0 && day <= period.until ? dayPeriod(day) : undefined;
}

/**
 * The first or second half of a period. The halves of a year have six months, the first half of a month ends with the 15th,
 * and other periods are halved by days.
 */
export function halfOf({ since, until }: Period, isFirst: boolean): Period {
  const isYear = since.endsWith('-01-01') && until === `${since.slice(0, 4)}-12-31`;
  const isMonth = since.endsWith('-01') && until === addDays(addMonths(since, 1), -1);
  const days = isMonth ? 15 : Math.ceil((dayNumber(until) - dayNumber(since) + 1) / 2);
  const second = isYear ? addMonths(since, 6) : addDays(since, days);
  return isFirst ? { since, until: addDays(second, -1) } : { since: second, until };
}

/**
 * The weekend that people mean by "the weekend of Nov 28". If the day is a Monday or Tuesday, it is the weekend before
 * that day. Otherwise it is the weekend in the same week.
 */
export function weekendOfDay(day: Day): Period {
  return weekendPeriod(day, weekdayOf(day) <= 2 ? -1 : 0);
}

/** The first or last days of a period: "the last two weeks of August", "the first three days of May". */
export function firstOrLastDays({ since, until }: Period, isLast: boolean, days: number): Period {
  return isLast ? { since: addDays(until, 1 - days), until } : { since, until: addDays(since, days - 1) };
}

/**
 * The day `count` units before (`side` -1) or after (1) a period: "three days before Nov 27". Undefined for a vague count.
 */
export function periodAtDistanceFrom(
  { since, until }: Period,
  count: CountOrRange,
  unit: TimeUnit,
  side: 1 | -1,
): Period | undefined {
  if (typeof count !== 'number') return undefined;
  return periodAroundDay(unit, shiftDay(side === 1 ? until : since, side * count, unit));
}

/**
 * The unit directly before (`side` -1) or after (1) a period. "The week before Nov 27" is the seven days before that day.
 * "The Friday after" is the next Friday, and "the weekend before" is the last weekend before the period.
 */
export function adjacentPeriod(period: Period, unit: PartOfPeriod | 'month', side: 1 | -1): Period {
  const edge = addDays(side === 1 ? period.until : period.since, side);
  const towards = (day: Day): Period => (side === 1 ? { since: edge, until: day } : { since: day, until: edge });
  if (unit === 'day') return dayPeriod(edge);
  if (unit === 'week') return towards(addDays(edge, 6 * side));
  if (unit === 'month') return towards(shiftDay(edge, side, 'month'));
  if (unit !== 'weekend') return dayPeriod(latestWeekday(side === 1 ? addDays(edge, 6) : edge, unit));
  const near = weekendPeriod(edge, 0);
  return side === 1 || near.until <= edge ? near : weekendPeriod(edge, -1);
}
