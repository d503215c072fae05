import type { DateOrder, Day } from '../../base/clock.js';
import { dayNumber, utcDay } from './calendar.js';

/** Now, and the user's calendar: which day an instant is in their zone, and how they write dates. */
export interface Moment {
  readonly now: Date;
  dayOf(instant: Date): Day;
  readonly dateOrder?: DateOrder | undefined;
}

/** Noon of a day, for what was written on it at an hour that nobody knows. */
export function noonOf(day: Day): Moment {
  return { now: new Date((dayNumber(day) + 0.5) * 86_400_000), dayOf: (instant) => utcDay(instant.getTime()) };
}
