import type { Day } from '../../base/clock.js';
import { dayNumber, utcDay } from './calendar.js';

/** Now, and the calendar: which day an instant is in the user's zone. */
export interface Moment {
  readonly now: Date;
  dayOf(instant: Date): Day;
}

/** Noon of a day, for what was written on it at an hour that nobody knows. */
export function noonOf(day: Day): Moment {
  return { now: new Date((dayNumber(day) + 0.5) * 86_400_000), dayOf: (instant) => utcDay(instant.getTime()) };
}
