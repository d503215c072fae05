import { wordSet } from '../words/word-set.js';
import { daysBetween, type Period, partsOf } from './calendar.js';
import { MONTHS } from './english/words.js';
import { HOLIDAYS } from './holidays.js';
import { shownLanguages } from './languages/shown.js';

/** Words of which one is in every English time that is counted from the day of the line, or comes every year. */
const RELATIVE = wordSet(`
  yesterday tomorrow ago last next past previous coming upcoming earlier later following eve fortnight weekend weekends
  week weeks days month months quarter quarters half year years spring summer autumn fall winter day
  ${HOLIDAYS.flatMap(({ starts }) => starts).join(' ')}`);
const DAY = /\d{4}-\d{2}-\d{2}/g;
const DIGITS = /\d[-./]\d|q[1-4]|h[12]/;
const CHINESE = /[昨前去上下明后今年月日号周天季早晚春夏秋冬]|节/;

/**
 * Whether a text may name a day of a window: a look that costs far less than reading its times. A month that is named
 * must be one of the window, unless that is so long that it may lie between two.
 */
export function mayNameDayOf({ since, until }: Period, text: string): boolean {
  let isIso = false;
  const rest = text
    .replace(DAY, (day) => {
      isIso ||= day >= since && day <= until;
      return ' ';
    })
    .toLowerCase();
  if (isIso || DIGITS.test(rest) || CHINESE.test(rest)) return true;
  const isLong = daysBetween(since, until) > LONG_DAYS;
  const [first, last] = [partsOf(since).month, partsOf(until).month];
  const isNear = (month: number): boolean =>
    isLong || (first <= last ? month >= first && month <= last : month >= first || month <= last);
  const words = rest.match(/[a-z]+/g) ?? [];
  if (words.some((word) => RELATIVE.has(word) || isNear(MONTHS[word] ?? 0))) return true;
  return shownLanguages(text).size > 0;
}

/** Times of two months and more that only pass over a window of so many days say little of it. */
const LONG_DAYS = 45;
