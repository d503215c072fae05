import type { SpelledLocale } from './spelled.js';

/** The rows of a table of words, each with its columns; the first column of a row is said first. */
export const ROWS = [
  // From the day before yesterday to the day after tomorrow · last night · what follows a day · what only looks like one.
  ['days', ['named', 'night', 'part', 'none']],
  // From before last to after next · "last" before a number or a plural · and where a unit is counted back from today ·
  // "next" before a number.
  ['which', ['which', 'lasts', 'rolling', 'nexts']],
  // Hour, day, week, weekend, month, half-year, quarter, year · and more than one of them.
  ['units', ['unit', 'plural']],
  // One, two … · a few · first to fourth · the first of a month · one and a half, two and a half · "and a half" behind the
  // unit.
  ['numbers', ['number', 'few', 'ordinal', 'first', 'oneHalf', 'andHalf']],
  // "Ago" before the number · behind it · "in" for what is to come · "about" · "in" behind the number
  // · "in" that is of what is to come only where the text says so.
  ['counted', ['agoBefore', 'agoAfter', 'ahead', 'about', 'aheadAfter', 'maybeAhead']],
  // From Monday · those that are ordinals as well.
  ['weekdays', ['weekday', 'short']],
  // The second column is made of the first, and the others, where a month and its weeks or halves are one word.
  ['months', ['month', 'monthShort', 'monthWeek', 'monthHalf']],
  // Christmas, New Year's Eve, New Year, Easter, the 24th, 25th and 26th of December, Orthodox Christmas and Easter, the
  // first days of January, with what they are carried by.
  ['feasts', ['feast']],
  // From spring · those that are times without a word before them.
  ['seasons', ['season', 'alone']],
  // Before a month or year · before a weekday · what joins a part to its whole · articles · of habits and names · every.
  ['signs', ['in', 'on', 'of', 'the', 'habit', 'every']],
  // After the number of a day · between numbers beside / and . · after a year · before the number of a day, at the end.
  ['dates', ['th', 'joint', 'yearEnd', 'dateSign', 'dayWord']],
  // The last column: what opens a range whose ends are joined by "and".
  ['ranges', ['from', 'to', 'and', 'between']],
  // Early, mid, late, before the time · behind it · first and second half, before it · behind it · half a year of the
  // calendar.
  ['parts', ['third', 'thirdAfter', 'halves', 'halvesAfter', 'halfYear']],
  ['bounds', ['since', 'onward', 'starting', 'until', 'before', 'after', 'around']],
  [
    'boundsAfter',
    ['sinceAfter', 'onwardAfter', 'startingAfter', 'untilAfter', 'beforeAfter', 'afterAfter', 'aroundAfter'],
  ],
  // Of the present or what is to come · of the past, which wins.
  ['tense', ['present', 'past']],
] as const;

type Row = (typeof ROWS)[number][0];
export type Column = (typeof ROWS)[number][1][number];

/**
 * The words for times of one language, folded (see {@link foldLetters}). Columns are divided by ` / `; a column has
 * entries, divided by spaces, each a pattern without groups that are kept; `_` stands for white space within an entry.
 */
export type TimeWords = { readonly [row in Row]?: string } & {
  /** Written without spaces between words. */
  readonly unspaced?: true;
  /** What makes one word of a month and its weeks, and of a month and its halves: "Märzwoche", "Märzhälfte". */
  readonly ofMonth?: readonly [week: string, half: string];
  /** Where days of a month may be in words, or years those of an emperor: chrono-node reads these. */
  readonly spelled?: { readonly locale: SpelledLocale; readonly pattern: string };
};
