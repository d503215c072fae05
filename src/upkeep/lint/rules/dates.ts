import type { Day } from '../../../base/clock.js';
import { findFirstNotBelow } from '../../../base/order.js';
import { addDays, daysBetween } from '../../../language/time/calendar.js';
import { createProblem, type LintPage, type LintRule, type Problem } from '../problem.js';

/** Reports dates in the future or of a wrong year. That is the most common mistake of models that write logs. */
export const findOddDates: LintRule = function* (view) {
  const days = view.pages.flatMap(({ page }) => (page.role === 'daily' && page.day !== null ? [page.day] : [])).sort();
  for (const page of view.pages) {
    const day = page.page.day;
    if (day === null) continue;
    // Allow one day after today: in another time zone it may be tomorrow already.
    const odd = day > addDays(view.today, 1) ? `${day} is in the future: today is ${view.today}` : yearOff(day, days);
    if (odd !== undefined) yield createProblem('odd-date', 'warning', page.path, null, odd, 'rename the file');
    yield* oddFacts(page, day);
  }
};

/**
 * Returns a message if a log seems to have the wrong year: no other log is near its day, but some are near the same day
 * of the next or last year. In January, writers often use the old year.
 */
function yearOff(day: Day, days: readonly Day[]): string | undefined {
  if (distanceTo(days, day) <= 20) return undefined;
  const meant = [addDays(day, 365), addDays(day, -365)].find((at) => distanceTo(days, at) <= 3);
  return meant === undefined
    ? undefined
    : `no other log has a date near ${day}, but some have one a year earlier or later`;
}

/**
 * Number of days to the nearest other day.
 * @param days sorted
 */
function distanceTo(days: readonly Day[], at: Day): number {
  const from = findFirstNotBelow(days.length, (place) => (days[place] ?? '') < at);
  const around = [days[from - 1], days[from] === at ? days[from + 1] : days[from]];
  return Math.min(...around.map((other) => (other === undefined ? Infinity : Math.abs(daysBetween(at, other)))));
}

/** Reports facts whose date is about one year before or after the day of their log (within ten days). */
function* oddFacts({ path, facts }: LintPage, day: Day): Generator<Problem> {
  for (const { line, validFrom, isPeriod } of facts) {
    if (validFrom === null || !isPeriod) continue;
    const distance = Math.abs(daysBetween(day, validFrom));
    if (distance < 355 || distance > 375) continue;
    const message = `${validFrom} is a year away from the day of this log; check the year`;
    yield createProblem('odd-date', 'info', path, line, message);
  }
}
