import { addDays, dayPeriod, makeDay, monthsPeriod, type Period, partsOf, weekPeriod } from './calendar.js';
import { BEFORE_TIME } from './english/words.js';
import {
  DIGIT,
  endsPhrase,
  indexRules,
  meaning,
  type RuleIndex,
  type Surroundings,
  scan,
  type TimeContext,
  type TimeRule,
  wordAfter,
  wordBefore,
  yearly,
} from './expression.js';
import type { Grammar } from './grammar.js';

/** Dates in digits, the same in every language. */
const LITERAL_RULES: readonly TimeRule[] = [
  {
    starts: [DIGIT],
    pattern: /(\d{4})-(\d\d)-(\d\d)(?:\/|\.{2,3}|--?)(\d{4})-(\d\d)-(\d\d)/y,
    read: ([y, m, d, toYear, toMonth, toDate], _context, around) => {
      const [first, last] = [day(y, m, d), day(toYear, toMonth, toDate)];
      if (!first || !last || last.until < first.since || !standsAlone(around)) return undefined;
      return { period: { since: first.since, until: last.until }, range: true };
    },
  },
  // An ISO date may carry a time of day, which is not needed: a window is made of days.
  rule(
    /(\d{4})-(\d{1,2})-(\d{1,2})(?:(?:t\d{2}(?::?\d{2}){0,2}|\s\d{1,2}(?::\d{2}){1,2})(?:\.\d{1,9})?(?:z|[+-]\d{2}:?\d{2})?)?/y,
    ([y, m, d]) => day(y, m, d),
  ),
  rule(/(\d{4})\/(\d{1,2})\/(\d{1,2})/y, ([y, m, d]) => day(y, m, d)),
  rule(/(\d{4})\.(\d{1,2})\.(\d{1,2})/y, ([y, m, d]) => day(y, m, d)),
  rule(/(\d{4})-?w(\d{2})/y, ([y, w]) => isoWeek(Number(y), Number(w))),
  {
    starts: [DIGIT],
    pattern: /(\d{4})[-/](\d{2})/y,
    read: ([y, m], _context, around) => {
      // A telephone number is written in such groups.
      const isDate = plausibleYear(Number(y)) && standsAlone(around) && !/\d\s$/.test(around.before);
      return isDate ? meaning(month(Number(y), Number(m))) : undefined;
    },
  },
  rule(/(\d{1,2})\.(\d{1,2})\.(\d{4})/y, ([d, m, y]) => day(y, m, d)),
  {
    starts: [DIGIT],
    pattern: /(\d{1,2})\/(\d{1,2})\/(\d{4})/y,
    read: ([a, b, y], { dateOrder }, around) =>
      standsAlone(around) ? meaning(inOrder(dateOrder, y, a, b)) : undefined,
  },
  {
    starts: [DIGIT],
    pattern: /(\d{1,2})\/(\d{1,2})/y,
    read: ([a, b], { today, lenient, dateOrder }, around) => {
      if (!standsAlone(around) || !(lenient || saysDate(`${a}/${b}`, around))) return undefined;
      return yearly(today, (y) => inOrder(dateOrder, String(y), a, b));
    },
  },
];

/** How dates in digits are read. */
export const LITERALS: Grammar = {
  read(text, context) {
    index ??= indexRules(LITERAL_RULES);
    return scan(text, index, context);
  },
  bounds: [],
};

let index: RuleIndex | undefined;

/** A date of two numbers, in the order that is usual, else in the one that gives a day. */
function inOrder(order: TimeContext['dateOrder'], year = '', first = '', second = ''): Period | undefined {
  const [month, date] = order === 'mdy' ? [first, second] : [second, first];
  return day(year, month, date) ?? day(year, date, month);
}

export function plausibleYear(year: number): boolean {
  return year >= 1900 && year <= 2099;
}

/** "11/27" is a date where a word beside it says so; elsewhere it is a fraction, a ratio or a path, and "24/7" is always. */
function saysDate(written: string, around: Surroundings): boolean {
  const { before, after } = around;
  const word = wordBefore(before);
  const expected = BEFORE_TIME.has(word) && word !== 'in' && word !== 'of' && written !== '24/7';
  return (
    (expected && endsPhrase(around) && wordAfter(after) !== 'of') ||
    /^\s?(?:前后|左右|之前|以前|之后|以后|那天|当天)/.test(after)
  );
}

/** Not part of a path, version, identifier or larger number. */
export function standsAlone({ before, after }: Surroundings): boolean {
  return (
    !/[\w\u00c0-\u1fff./:\\#@+$-]$/.test(before.replace(/\d\.{2,3}$/, ' ')) &&
    !/^(?:[\w\u00c0-\u1fff/\\%]|[.:,-][\w\u00c0-\u1fff])/.test(after)
  );
}

function rule(pattern: RegExp, read: (groups: readonly string[]) => Period | undefined): TimeRule {
  return {
    starts: [DIGIT],
    pattern,
    read: (groups, _context, around) => (standsAlone(around) ? meaning(read(groups)) : undefined),
  };
}

function day(year = '', month = '', date = ''): Period | undefined {
  const found = makeDay(Number(year), Number(month), Number(date));
  return found === undefined ? undefined : dayPeriod(found);
}

function month(year: number, number: number): Period | undefined {
  return number >= 1 && number <= 12 ? monthsPeriod(year, number, 1) : undefined;
}

/** A week from Monday to Sunday, the first of which holds 4 January. */
export function isoWeek(year: number, week: number): Period | undefined {
  const inFirstWeek = makeDay(year, 1, 4);
  if (inFirstWeek === undefined || week < 1 || week > 53) return undefined;
  const period = weekPeriod(inFirstWeek, week - 1);
  return partsOf(addDays(period.since, 3)).year === year ? period : undefined;
}
