/**
 * A calendar day in the user's zone, `YYYY-MM-DD`. Days compare as strings. Only `language/time/calendar.ts` parses text to a
 * day.
 */
export type Day = `${number}-${number}-${number}`;

/**
 * How a date such as 03/04/2026 is read: month first or day first. `auto`: month first in an English text, else day first.
 */
export type DateOrder = 'auto' | 'mdy' | 'dmy';

/** The only source of time. Pure functions receive a clock, or a day that was computed from a clock. */
export interface Clock {
  /** The current instant. */
  now(): Date;
  /**
   * The time of the machine's clock in Unix ms, to compare with the times of files. This time goes on even if `now`
   * always returns the same instant, as with the option `--now`.
   */
  machineMs(): number;
  /** IANA name of the user's time zone, for example `Europe/Vienna`. */
  readonly zone: string;
  /** How the user writes dates in digits; `auto` if missing. */
  readonly dateOrder?: DateOrder | undefined;
}
