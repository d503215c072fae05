import type { Day } from '../../../base/clock.js';
import { addDays, addMonths, dayNumber, dayPeriod, type Period, weekdayOf } from '../calendar.js';
import { asExactAs, shift, weekend } from '../distance.js';
import { weekly } from '../expression.js';
import { amount } from './pattern.js';
import { ORDINALS, WEEKDAYS } from './words.js';

/** "The second week of October": days 8 to 14; "the last weekend of October": the last Saturday in it, and Sunday. */
export function nthOf(period: Period, which: string, unit: string): Period | undefined {
  const isLast = isLastOf(which);
  const before = isLast ? 0 : (ORDINALS[which] ?? 1) - 1;
  if (unit !== 'weekend') {
    const length = unit === 'week' ? 7 : 1;
    const first = isLast ? addDays(period.until, 1 - length) : addDays(period.since, before * length);
    return { since: first, until: addDays(first, length - 1) };
  }
  const saturday = isLast ? weekly(period.until, 6).period.since : weekly(addDays(period.since, 6), 6).period.since;
  return weekend(addDays(saturday, 7 * before), 0);
}

function isLastOf(which: string): boolean {
  return which === 'last' || which === 'final';
}

/** "The first Monday of December", "the last Friday in November"; undefined when there is no such day. */
export function nthWeekday(period: Period, which: string, weekday: string): Period | undefined {
  const number = WEEKDAYS[weekday];
  if (number === undefined || period.since === period.until) return undefined;
  if (isLastOf(which)) return weekly(period.until, number).period;
  const first = weekly(addDays(period.since, 6), number).period.since;
  const day = addDays(first, 7 * ((ORDINALS[which] ?? 1) - 1));
  return day <= period.until ? dayPeriod(day) : undefined;
}

/** "The 3rd of last month": only a month has dates. */
export function dateIn(period: Period, date: number): Period | undefined {
  const day = addDays(period.since, date - 1);
  const isMonth = period.since.endsWith('-01') && period.until.slice(0, 7) === period.since.slice(0, 7);
  return isMonth && date > 0 && day <= period.until ? dayPeriod(day) : undefined;
}

/** Halves of a year are of six months, those of anything else are counted in days. */
export function halfOf(period: Period, isFirst: boolean): Period {
  const { since, until } = period;
  const isYear = since.endsWith('-01-01') && until === `${since.slice(0, 4)}-12-31`;
  const second = isYear
    ? addMonths(since, 6)
    : addDays(since, Math.ceil((dayNumber(until) - dayNumber(since) + 1) / 2));
  return isFirst ? { since, until: addDays(second, -1) } : { since: second, until };
}

/** "The weekend of Nov 28": of that week, or the one that has just been when it is a Monday or Tuesday. */
export function weekendNear(day: Day): Period {
  return weekend(day, weekdayOf(day) <= 2 ? -1 : 0);
}

/** "The last two weeks of August", "the first three days of May". */
export function endOf(period: Period, isLast: boolean, count: string, unit: string): Period | undefined {
  const read = amount(count, unit);
  if (!read) return undefined;
  const number = typeof read.count === 'number' ? read.count : read.count.to;
  const length = number * (read.unit === 'week' ? 7 : 1);
  return isLast
    ? { since: addDays(period.until, 1 - length), until: period.until }
    : { since: period.since, until: addDays(period.since, length - 1) };
}

/** "Three days before the release of Nov 27": so many units from the period's near end. */
export function awayFrom(period: Period, [count = '', unit = '', side = '']: readonly string[]): Period | undefined {
  const read = amount(count, unit);
  if (!read || typeof read.count !== 'number') return undefined;
  const day =
    side === 'after' ? shift(period.until, read.count, read.unit) : shift(period.since, -read.count, read.unit);
  return asExactAs(read.unit, day);
}

/** "The week before Nov 27": the seven days; "the Friday after", "the weekend before": the nearest one on that side. */
export function nextTo(period: Period, unit: string, side: 1 | -1): Period | undefined {
  const name = unit;
  const edge = addDays(side === 1 ? period.until : period.since, side);
  if (name === 'day') return dayPeriod(edge);
  if (name === 'week')
    return side === 1 ? { since: edge, until: addDays(edge, 6) } : { since: addDays(edge, -6), until: edge };
  if (name === 'month')
    return side === 1
      ? { since: edge, until: shift(edge, 1, 'month') }
      : { since: shift(edge, -1, 'month'), until: edge };
  if (name === 'weekend') {
    const near = weekend(edge, 0);
    if (side === 1) return near;
    return near.until <= edge ? near : weekend(edge, -1);
  }
  const weekday = WEEKDAYS[name];
  return weekday === undefined ? undefined : weekly(side === 1 ? addDays(edge, 6) : edge, weekday).period;
}

export function thirdNamed(which: string | undefined): 'early' | 'mid' | 'late' {
  if (which === undefined || which === 'middle') return 'mid';
  return which === 'early' || which === 'beginning' || which === 'start' ? 'early' : 'late';
}
