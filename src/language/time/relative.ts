import type { Day } from '../../base/clock.js';
import {
  addDays,
  dayPeriod,
  latestOver,
  monthPeriod,
  type Period,
  partsOf,
  quarterPeriod,
  weekPeriod,
  widen,
  yearPeriod,
} from './calendar.js';
import { ago, type Count, shift, type Unit, weekend } from './distance.js';
import type { Meaning, TimeContext } from './expression.js';

/** Days on either side of a day that is counted in whole years. */
const ABOUT_A_YEAR_AGO = 45;

/** A whole week, weekend, month, quarter or year of the calendar, counted from the present one. */
export function whole(today: Day, unit: string, offset: number): Period | undefined {
  switch (unit) {
    case 'week':
      return weekPeriod(today, offset);
    case 'weekend':
      return weekend(today, offset);
    case 'month':
      return monthPeriod(today, offset);
    case 'quarter':
      return quarterPeriod(today, offset);
    case 'year':
      return yearPeriod(partsOf(today).year + offset);
    default:
      return undefined;
  }
}

/** @param weekday 1 = Monday … 7 = Sunday */
export function dayOfWeek(today: Day, offset: number, weekday: number): Period {
  return dayPeriod(addDays(weekPeriod(today, offset).since, weekday - 1));
}

/**
 * "Last Friday" is the latest one before today, "next Friday" the first one after it, "this Friday" the one of this
 * week; with -2 and 2 the Friday before last and after next.
 */
export function weekdayNear(today: Day, offset: number, weekday: number): Period {
  const inThisWeek = dayOfWeek(today, 0, weekday);
  if (offset < 0) return dayOfWeek(today, inThisWeek.since < today ? offset + 1 : offset, weekday);
  return dayOfWeek(today, inThisWeek.since > today && offset > 0 ? offset - 1 : offset, weekday);
}

/** "Last summer" is the latest that is over, "this" the one that runs or the present year's, "next" the first to begin. */
export function ofYearNear(today: Day, offset: number, make: (year: number) => Period | undefined): Period | undefined {
  const { year } = partsOf(today);
  if (offset < 0) return latestOver(today, make);
  if (offset > 0) return [year, year + 1].map(make).find((period) => period && period.since > today);
  const running = make(year - 1);
  return running && running.until >= today ? running : make(year);
}

/** "A year ago" is about a year back; "two years ago" is that year. */
export function countedBack(count: Count, unit: Unit, context: TimeContext): Meaning {
  const period = ago(count, unit, context);
  if (typeof count !== 'number') return { period };
  const core = dayPeriod(shift(context.today, -count, unit));
  return { period: unit === 'year' && count === 1 ? widen(core, ABOUT_A_YEAR_AGO) : period, core, ago: true };
}
