import type { Day } from '../../base/clock.js';
import { addDays, addMonths, dayNumber, dayPeriod, type Period, weekdayOf } from './calendar.js';
import { type CountOrRange, periodAroundDay, shiftDay, type TimeUnit, weekendPeriod } from './distance.js';
import { meaningOfEveryWeekday } from './expression.js';

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
