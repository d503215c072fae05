import {
  addDays,
  dateParts,
  dayPeriod,
  joinPeriods,
  makeDay,
  type Period,
  periodOfWholeMonths,
  weekPeriod,
} from './calendar.js';
import {
  endsPhrase,
  firstWordOf,
  isPlausibleYear,
  isStandaloneMatch,
  meaningOfPeriod,
  type TextAroundMatch,
  type TimeContext,
  type TimeExpression,
  type TimeMeaning,
  textAroundMatch,
  wordBefore,
  yearlyMeaning,
} from './expression.js';
import { WORDS_BEFORE_TIME } from './languages/english.js';

/** A place where a date in digits can begin. */
const NUMBER_START = /(?<![\w\u00c0-\u1fff])\d/g;

/** Reads dates in digits from left to right, without overlaps. At each number the first rule that matches is used. */
export function readDigitDates(text: string, context: TimeContext): TimeExpression[] {
  const found: TimeExpression[] = [];
  let free = 0;
  for (const { index } of text.matchAll(NUMBER_START)) {
    const expression = index < free ? undefined : readAt(text, index, context);
    if (!expression) continue;
    found.push(expression);
    free = expression.end;
  }
  return found;
}

function readAt(text: string, start: number, context: TimeContext): TimeExpression | undefined {
  for (const [pattern, read] of RULES) {
    pattern.lastIndex = start;
    const [found, ...groups] = pattern.exec(text) ?? [];
    if (found === undefined) continue;
    const around = textAroundMatch(text, start, start + found.length);
    const meaning = isStandaloneMatch(around) ? read(groups, context, around) : undefined;
    if (meaning) return { ...meaning, start, end: start + found.length };
  }
  return undefined;
}

/** One way to write a date in digits: a pattern with the flag `y`, and the meaning of its groups. */
type DigitRule = readonly [
  pattern: RegExp,
  read: (groups: readonly string[], context: TimeContext, around: TextAroundMatch) => TimeMeaning | undefined,
];

/** Rules for dates in digits, which are the same in every language. */
const RULES: readonly DigitRule[] = [
  [
    /(\d{4})-(\d\d)-(\d\d)(?:\/|\.{2,3}|--?)(\d{4})-(\d\d)-(\d\d)/y,
    ([y, m, d, toYear, toMonth, toDate]) => {
      const [first, last] = [day(y, m, d), day(toYear, toMonth, toDate)];
      return first && last && last.until >= first.since ? { period: joinPeriods(first, last), range: true } : undefined;
    },
  ],
  // A time of day after an ISO date is ignored, because times are read as whole days.
  [
    /(\d{4})-(\d{1,2})-(\d{1,2})(?:(?:t\d{2}(?::?\d{2}){0,2}|\s\d{1,2}(?::\d{2}){1,2})(?:\.\d{1,9})?(?:z|[+-]\d{2}:?\d{2})?)?/y,
    ([y, m, d]) => meaningOfPeriod(day(y, m, d)),
  ],
  [/(\d{4})([/.])(\d{1,2})\2(\d{1,2})/y, ([y, , m, d]) => meaningOfPeriod(day(y, m, d))],
  [/(\d{4})-?w(\d{2})/y, ([y, w]) => meaningOfPeriod(isoWeek(Number(y), Number(w)))],
  // After a digit and a space, these digits are more likely a part of a telephone number: `0049 3012-12`.
  [/(?<!\d\s)(\d{4})[-/](\d{2})/y, ([y, m]) => meaningOfPeriod(monthOf(y, m))],
  [/(\d{1,2})\.(\d{1,2})\.(\d{4})/y, ([d, m, y]) => meaningOfPeriod(day(y, m, d))],
  [/(\d{1,2})\/(\d{1,2})\/(\d{4})/y, ([a, b, y], { dateOrder }) => meaningOfPeriod(inOrder(dateOrder, y, a, b))],
  [/(\d{1,2})[/.](\d{4})/y, ([m, y]) => meaningOfPeriod(monthOf(y, m))],
  [
    /(\d{1,2})\/(\d{1,2})/y,
    ([a, b], { today, lenient, dateOrder }, around) => {
      if (!lenient && !saysDate(`${a}/${b}`, around)) return undefined;
      // Chinese dates are in the order year, month, day. Without a year, the month comes first.
      const order = HAN_BEHIND.test(around.after) ? 'mdy' : dateOrder;
      return yearlyMeaning(today, (y) => inOrder(order, String(y), a, b));
    },
  ],
];

const HAN_BEHIND = /^\s?(?:前后|左右|之前|以前|之后|以后|那天|当天)/;

/** A date of two numbers in the given order; if this is no valid day, in the other order. */
function inOrder(order: TimeContext['dateOrder'], year = '', first = '', second = ''): Period | undefined {
  const [month, date] = order === 'mdy' ? [first, second] : [second, first];
  return day(year, month, date) ?? day(year, date, month);
}

/** "11/27" is a date if a word beside it says so; otherwise it is a fraction, a ratio or a path. "24/7" is never a date. */
function saysDate(written: string, around: TextAroundMatch): boolean {
  const { before, after } = around;
  const word = wordBefore(before);
  const expected = WORDS_BEFORE_TIME.has(word) && word !== 'in' && word !== 'of' && written !== '24/7';
  return (expected && endsPhrase(around) && firstWordOf(after) !== 'of') || HAN_BEHIND.test(after);
}

function day(year = '', month = '', date = ''): Period | undefined {
  const found = makeDay(Number(year), Number(month), Number(date));
  return found === undefined ? undefined : dayPeriod(found);
}

function monthOf(year = '', month = ''): Period | undefined {
  const isMonth = Number(month) >= 1 && Number(month) <= 12;
  return isMonth && isPlausibleYear(Number(year)) ? periodOfWholeMonths(Number(year), Number(month), 1) : undefined;
}

/** A week from Monday to Sunday; week 1 contains 4 January. */
export function isoWeek(year: number, week: number): Period | undefined {
  const inFirstWeek = makeDay(year, 1, 4);
  if (inFirstWeek === undefined || week < 1 || week > 53) return undefined;
  const period = weekPeriod(inFirstWeek, week - 1);
  return dateParts(addDays(period.since, 3)).year === year ? period : undefined;
}
