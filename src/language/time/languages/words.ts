import type { SpelledLocale } from './spelled.js';

/**
 * The words for times of one language, as pattern text over folded text (see {@link foldLetters}): entries of a list are
 * divided by spaces, `_` stands for white space within one, and no entry has a capturing group.
 */
export interface TimeWords {
  readonly language: string;
  /** Written without spaces between words. */
  readonly unspaced?: true;
  /** Five: from the day before yesterday to the day after tomorrow. */
  readonly days: string;
  /** Last night, of which people write before or after midnight. */
  readonly night: string;
  /** What may follow a day ("evening"), with the space before it. */
  readonly dayPart: string;
  /** Five: before last, last, this, next, after next. */
  readonly which: string;
  /** "Last" before a number or a plural: these days are counted back from today. */
  readonly lasts: string;
  /** "Last" before one unit, where that means so many days back ("en la última semana"). */
  readonly rolling?: string;
  /** Eight: hour, day, week, weekend, month, half-year, quarter, year. */
  readonly units: string;
  readonly plurals: string;
  /** One, two, three … */
  readonly numbers: string;
  readonly few: string;
  /** First to fourth. */
  readonly ordinals: string;
  /** Phrases with `<n>` and `<units>`. */
  readonly ago: string;
  readonly ahead: string;
  /** From Monday. */
  readonly weekdays: string;
  readonly months: string;
  /** From spring. */
  readonly seasons: string;
  /** Before a month, a season, a year. */
  readonly in: string;
  /** Before a weekday or "weekend". */
  readonly on: string;
  /** What makes the name of a season a time without a word before it. */
  readonly alone?: string;
  /** Before a weekday that is a habit or a name. */
  readonly habit: string;
  readonly of: string;
  readonly the: string;
  /** The first day of a month, in words. */
  readonly first: string;
  /** Where days of a month may be in other words, or the years those of an emperor: chrono-node reads these. */
  readonly spelled?: { readonly locale: SpelledLocale; readonly pattern: string };
  /** After the number of a day. */
  readonly th: string;
  /** Signs between day, month and year in digits. */
  readonly between: string;
  /** Dates, where they are not said as day, month, year. */
  readonly dates?: string;
  /** "On the 3rd", with `<d>`. */
  readonly date: string;
  /** After the number of a year. */
  readonly yearEnd?: string;
  readonly from: string;
  readonly to: string;
  readonly and: string;
  /** Three: early, mid, late. */
  readonly parts: string;
  /** Three, where they stand behind the time. */
  readonly partsAfter?: string;
  readonly before: Bounds;
  readonly after?: Partial<Bounds>;
  /** Signs that a question asks of the present or of what is to come, and of the past, which win. */
  readonly present: string;
  readonly past: string;
}

/** Words that bound a time. */
export interface Bounds {
  readonly since: string;
  /** As `since`, also of what is announced ("ab Freitag"). */
  readonly starting: string;
  readonly until: string;
  readonly before: string;
  readonly after: string;
  readonly around: string;
}
