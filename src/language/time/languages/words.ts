import type { SpelledLocale } from './spelled.js';

/**
 * The words for times of one language, folded (see {@link foldLetters}). A row has columns, divided by ` / `; a column has
 * entries, divided by spaces, each a pattern without groups that are kept; `_` stands for white space within an entry.
 * {@link COLUMNS} names the columns.
 */
export interface TimeWords {
  /** Written without spaces between words; day and month come in that order of size. */
  readonly unspaced?: true;
  readonly days: string;
  readonly which: string;
  readonly units: string;
  readonly numbers: string;
  readonly counted: string;
  readonly weekdays: string;
  readonly months: string;
  readonly seasons: string;
  readonly signs: string;
  readonly dates: string;
  readonly ranges: string;
  readonly parts: string;
  readonly bounds: string;
  readonly boundsAfter?: string;
  readonly tense: string;
  /** Where days of a month may be in words, or years those of an emperor: chrono-node reads these. */
  readonly spelled?: { readonly locale: SpelledLocale; readonly pattern: string };
}

export type Row = Exclude<keyof TimeWords, 'unspaced' | 'spelled'>;

/** The columns of each row. */
export const COLUMNS = {
  /** From the day before yesterday to the day after tomorrow · last night · what follows a day · what only looks like one. */
  days: ['named', 'night', 'part', 'none'],
  /** From before last to after next · "last" before a number or a plural · and where one unit is counted back from today. */
  which: ['which', 'lasts', 'rolling'],
  /** Hour, day, week, weekend, month, half-year, quarter, year · and more than one of them. */
  units: ['unit', 'plural'],
  /** One, two … · a few · first to fourth · the first of a month. */
  numbers: ['number', 'few', 'ordinal', 'first'],
  /** "Ago" before the number · behind it · "in" for what is to come · "about". */
  counted: ['agoBefore', 'agoAfter', 'ahead', 'about'],
  /** From Monday · those that are ordinals as well. */
  weekdays: ['weekday', 'short'],
  /** The second is made of the first: short forms. */
  months: ['month', 'monthShort'],
  /** From spring · those that are times without a word before them. */
  seasons: ['season', 'alone'],
  /** Before a month or year · before a weekday · what joins a part to its whole · articles · of habits and names. */
  signs: ['in', 'on', 'of', 'the', 'habit'],
  /** After the number of a day · between numbers beside / and . · after a year · before the number of a day, at the end. */
  dates: ['th', 'between', 'yearEnd', 'dateSign', 'dayWord'],
  ranges: ['from', 'to', 'and'],
  /** Before the time · behind it. */
  parts: ['third', 'thirdAfter'],
  bounds: ['since', 'starting', 'until', 'before', 'after', 'around'],
  boundsAfter: ['sinceAfter', 'startingAfter', 'untilAfter', 'beforeAfter', 'afterAfter', 'aroundAfter'],
  /** Of the present or what is to come · of the past, which wins. */
  tense: ['present', 'past'],
} as const satisfies Readonly<Record<Row, readonly string[]>>;

export type Column = (typeof COLUMNS)[Row][number];
