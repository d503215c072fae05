/** A calendar day in the user's zone, `YYYY-MM-DD`. Days compare as strings. Text becomes one in `language/time/days.ts` only. */
export type Day = `${number}-${number}-${number}`;

/** How 03/04/2026 is meant: month or day first; `auto` is month first in English text and day first elsewhere. */
export type DateOrder = 'auto' | 'mdy' | 'dmy';

/** The only source of time. Pure functions take one, or a day computed from one. */
export interface Clock {
  /** The current instant. */
  now(): Date;
  /** What the machine's clock says, in Unix ms, also where `now` stands still: to compare with the times of files. */
  machineMs(): number;
  /** IANA name of the user's time zone, for example `Europe/Vienna`. */
  readonly zone: string;
  /** How the user writes dates in digits; `auto` when left out. */
  readonly dateOrder?: DateOrder | undefined;
}
