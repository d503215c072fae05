import type { Day } from '../../base/clock.js';
import {
  addDays,
  addMonths,
  dateParts,
  dayNumber,
  dayPeriod,
  joinPeriods,
  latestEndedPeriod,
  monthPeriod,
  type Period,
  quarterPeriod,
  weekdayOf,
  weekPeriod,
  widenPeriod,
  yearPeriod,
} from './calendar.js';
import type { TimeContext, TimeMeaning } from './expression.js';
import { meaningOfEveryWeekday } from './expression.js';

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
  context: TimeContext,
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
export function rollingPeriod(count: CountOrRange, unit: TimeUnit, context: TimeContext, side: 1 | -1 = -1): Period {
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

function hoursAway(count: number, unit: 'minute' | 'hour', { now, dayOf, today }: TimeContext): Day {
  const then = new Date(now.getTime() + count * (unit === 'hour' ? 3_600_000 : 60_000));
  return Number.isNaN(then.getTime()) ? today : dayOf(then);
}

/** "A year ago" means the day one year back, and this many days on either side of it. */
const ABOUT_A_YEAR_AGO = 45;

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

/**
 * The meaning of "N units ago" in a text. "A year ago" is about one year back; "two years ago" is the whole calendar year.
 */
export function countBackFromToday(count: CountOrRange, unit: TimeUnit, context: TimeContext): TimeMeaning {
  const period = periodAtDistanceFromToday(count, unit, context);
  if (typeof count !== 'number') return { period };
  const core = dayPeriod(shiftDay(context.today, -count, unit));
  return { period: unit === 'year' && count === 1 ? widenPeriod(core, ABOUT_A_YEAR_AGO) : period, core, ago: true };
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
  const day = nth < 0 ? latest(until, weekday) : addDays(latest(addDays(since, 6), weekday), 7 * (nth - 1));
  if (part === 'weekend') return weekendPeriod(day, 0);
  return day <= until ? dayPeriod(day) : undefined;
}

function latest(day: Day, weekday: number): Day {
  return meaningOfEveryWeekday(day, weekday).period.since;
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
  if (unit !== 'weekend') return meaningOfEveryWeekday(side === 1 ? addDays(edge, 6) : edge, unit).period;
  const near = weekendPeriod(edge, 0);
  return side === 1 || near.until <= edge ? near : weekendPeriod(edge, -1);
}
