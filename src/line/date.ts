import type { DateOrder, Day } from '../base/clock.js';
import { makeDay } from '../language/time/calendar.js';

/** A date at the beginning of a text. */
interface LeadingDate {
  /** The day; null if the calendar has none, or the order of day and month is not known. */
  readonly day: Day | null;
  /** Number of characters of the date. */
  readonly length: number;
  /** Whether the year has only two digits. Then a version or a number may look the same. */
  readonly isShort: boolean;
}

const YEAR_FIRST = /^(\d{4})([-./_])(\d{1,2})\2(\d{1,2})(?!\d)/;
const UNSPACED = /^(\d{4})年(\d{1,2})月(\d{1,2})日/;
const WITH_DOTS = /^(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4}|\d{2})(?![\d.]\d)/;
const WITH_SLASHES = /^(\d{1,2})\/(\d{1,2})\/(\d{4}|\d{2})(?![\d/])/;
/** The form in which programs write the month: `14-Mar-26`, `14 Mar 2026`. */
const WITH_NAME =
  /^(\d{1,2})[- ](jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.?[- ](\d{4}|\d{2})(?!\d)/i;
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/**
 * Reads the complete date in digits with which a text begins. Undefined if it begins in another way. Pure.
 * @param order of day and month in a date with slashes; `auto`: not known
 */
export function readLeadingDate(text: string, order: DateOrder = 'auto'): LeadingDate | undefined {
  const yearFirst = YEAR_FIRST.exec(text);
  if (yearFirst !== null) return dated(yearFirst[0], yearFirst[1], yearFirst[3], yearFirst[4]);
  const unspaced = UNSPACED.exec(text);
  if (unspaced !== null) return dated(unspaced[0], unspaced[1], unspaced[2], unspaced[3]);
  const dots = WITH_DOTS.exec(text);
  if (dots !== null) return dated(dots[0], dots[3], dots[2], dots[1]);
  const named = WITH_NAME.exec(text);
  if (named !== null)
    return dated(named[0], named[3], String(MONTHS.indexOf((named[2] ?? '').toLowerCase()) + 1), named[1]);
  const slashes = WITH_SLASHES.exec(text);
  if (slashes === null) return undefined;
  const [whole, first, second, year] = slashes;
  if (order === 'auto') return { day: null, length: whole.length, isShort: year?.length === 2 };
  return order === 'dmy' ? dated(whole, year, second, first) : dated(whole, year, first, second);
}

function dated(whole: string, year = '', month = '', date = ''): LeadingDate {
  const isShort = year.length === 2;
  const day = makeDay(Number(isShort ? `20${year}` : year), Number(month), Number(date)) ?? null;
  return { day, length: whole.length, isShort };
}

/**
 * The order of day and month that the dates with slashes of one page show: by a part above 12, else by the order in which
 * the lines never go back in time. `auto` if they show none, or both. Pure.
 * @param dates the beginnings of lines, in their order
 */
export function findDateOrder(dates: readonly string[]): DateOrder {
  const read = dates.flatMap((text) => {
    const [, first, second, year] = WITH_SLASHES.exec(text) ?? [];
    return first === undefined ? [] : [{ first: Number(first), second: Number(second), year: Number(year) }];
  });
  const isDayFirst = read.some(({ first }) => first > 12);
  const isMonthFirst = read.some(({ second }) => second > 12);
  if (isDayFirst !== isMonthFirst) return isDayFirst ? 'dmy' : 'mdy';
  if (isDayFirst) return 'auto';
  const rises = (days: readonly number[]): boolean => days.every((day, at) => at === 0 || day >= (days[at - 1] ?? 0));
  const [byDay, byMonth] = [
    rises(read.map(({ first, second, year }) => year * 10_000 + second * 100 + first)),
    rises(read.map(({ first, second, year }) => year * 10_000 + first * 100 + second)),
  ];
  if (byDay === byMonth) return 'auto';
  return byDay ? 'dmy' : 'mdy';
}
