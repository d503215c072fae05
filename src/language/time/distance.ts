import type { Day } from '../../base/clock.js';
import {
  addDays,
  addMonths,
  dayPeriod,
  type Period,
  partsOf,
  quarterPeriod,
  weekdayOf,
  weekPeriod,
  widen,
  yearPeriod,
} from './calendar.js';
import type { TimeContext } from './expression.js';

export type Unit = 'minute' | 'hour' | 'day' | 'weekend' | 'week' | 'month' | 'quarter' | 'year';

/** A number, or an open one such as "two or three". */
export type Count = number | { readonly from: number; readonly to: number };

/** "A few", "several", 几. */
export const VAGUE = { from: 2, to: 7 } as const;

/** The day `count` units from a day; negative is back. */
export function shift(day: Day, count: number, unit: Unit): Day {
  if (unit === 'week' || unit === 'weekend') return addDays(day, 7 * count);
  if (unit === 'month') return addMonths(day, count);
  if (unit === 'quarter') return addMonths(day, 3 * count);
  if (unit === 'year') return addMonths(day, 12 * count);
  return addDays(day, unit === 'day' ? count : 0);
}

/**
 * A day that was counted in some unit. People are as exact as their unit: days are meant to the day, weeks within three
 * days, months within half a month, quarters and years as those of the calendar.
 */
export function asExactAs(unit: Unit, day: Day): Period {
  if (unit === 'week') return widen(dayPeriod(day), 3);
  if (unit === 'month') return widen(dayPeriod(day), 15);
  if (unit === 'quarter') return quarterPeriod(day);
  if (unit === 'year') return yearPeriod(partsOf(day).year);
  return dayPeriod(day);
}

/** "N units ago", "a few units ago". */
export function ago(count: Count, unit: Unit, context: TimeContext): Period {
  const { today } = context;
  if (typeof count !== 'number') {
    if (unit === 'minute' || unit === 'hour') return dayPeriod(today);
    return { since: shift(today, -count.to, unit), until: shift(today, -count.from, unit) };
  }
  if (unit === 'minute' || unit === 'hour') return { since: hoursAgo(count, unit, context), until: today };
  return unit === 'weekend' ? weekend(today, -count) : asExactAs(unit, shift(today, -count, unit));
}

/** "The last N units": rolling, today and the day N units ago included. */
export function lastFew(count: Count, unit: Unit, context: TimeContext): Period {
  const number = typeof count === 'number' ? count : count.to;
  if (unit === 'minute' || unit === 'hour') return { since: hoursAgo(number, unit, context), until: context.today };
  if (unit === 'weekend') return { since: weekend(context.today, -number).since, until: context.today };
  return { since: shift(context.today, -number, unit), until: context.today };
}

/** Saturday and Sunday of the week of `day`, moved by `offset` weeks. */
export function weekend(day: Day, offset: number): Period {
  const week = weekPeriod(day, offset);
  return { since: addDays(week.since, 5), until: week.until };
}

/** The weekend that has begun last. */
export function latestWeekend(day: Day): Period {
  return weekend(day, weekdayOf(day) < 6 ? -1 : 0);
}

function hoursAgo(count: number, unit: 'minute' | 'hour', { now, dayOf, today }: TimeContext): Day {
  const then = new Date(now.getTime() - count * (unit === 'hour' ? 3_600_000 : 60_000));
  return Number.isNaN(then.getTime()) ? today : dayOf(then);
}
