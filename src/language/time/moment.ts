import type { Day } from '../../base/clock.js';

/** Now, and the calendar: which day an instant is in the user's zone. */
export interface Moment {
  readonly now: Date;
  dayOf(instant: Date): Day;
}
