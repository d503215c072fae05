/** A calendar day in the user's zone, `YYYY-MM-DD`. Days compare as strings. */
export type Day = string;

/** The only source of time. Pure functions take one, or a day computed from one. */
export interface Clock {
  /** The current instant. */
  now(): Date;
  /** IANA name of the user's time zone, for example `Europe/Vienna`. */
  readonly zone: string;
}
