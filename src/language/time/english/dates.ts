import { dateParts, dayPeriod, latestStartedPeriod, makeDay, type Period } from '../calendar.js';
import {
  endsPhrase,
  firstWordOf,
  meaningOfPeriod,
  NUMBER_MARKER,
  recurringMeaning,
  type TextAroundMatch,
  type TimeContext,
  type TimeMeaning,
  type TimeRule,
  wordBefore,
} from '../expression.js';
import { isStandaloneMatch } from '../literal.js';
import {
  AMBIGUOUS_TIME_WORDS,
  DAY_OF_MONTH_WORDS,
  GROUP_START_WORDS,
  MONTHS,
  RANGE_JOINER,
  timePattern,
  WORDS_BEFORE_TIME,
  YEAR_GROUP,
  yearNumber,
} from './words.js';

const DAY = '\\d{1,2}(?:st|nd|rd|th)?';
const LIST = `(?:, ?${DAY}){0,5},? (?:and|or|&) (?:on )?(?:the )?${DAY}`;
const MORE = `(${RANGE_JOINER}${DAY}|${LIST})`;
/** The beginning of what may follow a day: another day, or a year of two digits. */
const MORE_DAYS = '(?: ?(?:-|–|—|to|through|thru|until|till)| (?:and|or|&)|,? ?(?:and|or|&) |, ?\\d{1,2}(?!\\d))';
const NOT_OF_NEXT = `(?! (?:of )?(?:${GROUP_START_WORDS.month.join('|')}))`;
const IN_YEAR = `,? (?:of )?${YEAR_GROUP}`;

const DATE_WORDS_PATTERN = [...DAY_OF_MONTH_WORDS].reverse().join('|').replaceAll('-', '[ -]');

const OWNERS = new Set('my our your his her its their these those'.split(' '));

/** The range in which a year of two digits is read: from `before` years before this year to `after` years after it. */
const SHORT_YEARS = { before: 30, after: 5 } as const;

/**
 * Days with the name of a month in the two usual orders, and ranges and lists of such days: "Nov 27", "3–9 August 2025".
 * If the text after the day is neither another day nor a year, the day alone is read.
 */
export const DATE_RULES: readonly TimeRule[] = [
  monthFirst(`(?:${MORE}${NOT_OF_NEXT})?`, `(?:${IN_YEAR}|, ?(\\d{2}))?`, MORE_DAYS),
  monthFirst('()', `(?:${IN_YEAR})?`),
  dayFirst(`${MORE}?`, `(?:${IN_YEAR}| (\\d{2}))?`, `(?:${MORE_DAYS}|(?: of)? [a-z]+\\.? \\d{2}(?!\\d))`),
  dayFirst('()', `(?:${IN_YEAR})?`),
  {
    starts: ['the'],
    needs: GROUP_START_WORDS.month,
    opens: /the\s{1,3}[a-z-]+(?:\s{1,3}[a-z]+)?(?:st|nd|rd|th)(?:\s{1,3}day)?\s{1,3}of\s/y,
    pattern: timePattern(`the (${DATE_WORDS_PATTERN})(?: day)? of <month>(?:${IN_YEAR})?`),
    read: ([words = '', month = '', written = ''], context, around) =>
      readDate({ month, first: dateOf(words), rest: '', written }, context, around),
  },
  {
    starts: GROUP_START_WORDS.month,
    opens: /[a-z]+\.?,?\s{1,3}(?:the\s{1,3})?[a-z-]+(?:th|st|nd|rd)/y,
    pattern: timePattern(`<month>,? (?:the )?(${DATE_WORDS_PATTERN})(?:${IN_YEAR})?`),
    read: ([month = '', words = '', written = ''], context, around) =>
      endsPhrase(around) ? readDate({ month, first: dateOf(words), rest: '', written }, context, around) : undefined,
  },
];

function dateOf(words: string): string {
  return String(DAY_OF_MONTH_WORDS.indexOf(words.replace(/\s/g, '-')) + 1);
}

/** @param sign what stands behind the day of a text that it matches */
function monthFirst(more: string, year: string, sign = ''): TimeRule {
  return {
    starts: [...GROUP_START_WORDS.month, ...GROUP_START_WORDS.weekday],
    needs: GROUP_START_WORDS.month,
    opens: opening(`(?:[a-z]+\\.?,? (?:the )?)?[a-z]+\\.?,? (?:the )?\\d{1,2}(?!\\d)`, sign),
    pattern: timePattern(`(?:<weekday>,? (?:the )?)?<month>,? (?:the )?(${DAY})${more}${year}`),
    read: ([, month = '', first = '', rest = '', year = '', short = ''], context, around) =>
      readDate({ month, first, rest, written: year || short }, context, around),
  };
}

/** @param sign what stands behind the day of a text that it matches */
function dayFirst(more: string, year: string, sign = ''): TimeRule {
  return {
    starts: [NUMBER_MARKER, 'the', ...GROUP_START_WORDS.weekday],
    needs: GROUP_START_WORDS.month,
    opens: opening(`(?:[a-z]+\\.?,? )?(?:the )?\\d{1,2}(?!\\d)`, sign),
    pattern: timePattern(`(?:<weekday>,? )?(the )?(${DAY})${more}( of)? <month>${year}`),
    read: ([weekday, the, first = '', rest = '', of, month = '', year = '', short = ''], context, around) => {
      const bare = !weekday && !the && /\d$/.test(first);
      if (bare && !context.lenient && isCount(Boolean(of), around)) return undefined;
      return readDate({ month, first, rest, written: year || short }, context, around);
    },
  };
}

function opening(start: string, sign: string): RegExp {
  const source = sign === '' ? start : `${start}(?:st|nd|rd|th)?${sign}`;
  return new RegExp(source.replaceAll(' ?', '\\s{0,3}').replaceAll(' ', '\\s{1,3}'), 'y');
}

/**
 * Whether a number is not a day. In "the top 10 August releases" it is a count, and in "version 3 of March" it belongs to
 * the word before.
 */
function isCount(of: boolean, { before, after }: Pick<TextAroundMatch, 'before' | 'after'>): boolean {
  const word = wordBefore(before);
  if (word === '' || WORDS_BEFORE_TIME.has(word) || OWNERS.has(word) || word.endsWith("'s")) return false;
  return of || (!endsPhrase({ after }) && /[^s']s$/.test(firstWordOf(after)));
}

/** The parts of a date as written; `rest` holds the other days of a range or list. */
interface Written {
  readonly month: string;
  readonly first: string;
  readonly rest: string;
  readonly written: string;
}

function readDate(
  { month, first, rest, written }: Written,
  context: TimeContext,
  around: TextAroundMatch,
): TimeMeaning | undefined {
  // "Nov 3pm", "nov 12:30" and "You may 5 times …" are no dates.
  if (!isStandaloneMatch(around) || /^\s?(?:[ap]m\b|:\d)/.test(around.after)) return undefined;
  if (AMBIGUOUS_TIME_WORDS.has(month) && !context.isCapital(around.position) && !endsPhrase(around)) return undefined;
  // In "on November 3 and 5 people came" and "Nov 27 to 3 friends", the second number only looks like a day.
  if (rest !== '' && !endsPhrase(around)) return undefined;
  const days = [first, ...(rest.match(/\d+/g) ?? [])].map(Number.parseFloat);
  const isList = /and|or|&/.test(rest) && wordBefore(around.before) !== 'between';
  const make = (year: number) => hullOfDays(year, MONTHS[month] ?? 0, days, isList);
  const shaped = (period: Period | undefined): TimeMeaning | undefined => {
    if (!period || rest === '') return meaningOfPeriod(period);
    return isList ? { period, list: true, core: dayPeriod(period.since) } : { period, range: true };
  };
  if (written === '') {
    return recurringMeaning(context.today, 365, (anchor) => shaped(latestStartedPeriod(anchor, make)));
  }
  const year = yearNumber(written, dateParts(context.today).year);
  if (/^\d\d$/.test(written) && !isShortYear(year, context, around)) return undefined;
  return shaped(make(year));
}

/**
 * Whether two digits after a date are a year, as in "Nov 27, 24" and "27 Nov 24". In "Nov 27, 24 of them came" they are a
 * count.
 */
function isShortYear(year: number, { today }: TimeContext, around: TextAroundMatch): boolean {
  const from = year - dateParts(today).year;
  const near = from >= -SHORT_YEARS.before && from <= SHORT_YEARS.after;
  return near && endsPhrase(around) && firstWordOf(around.after) !== 'of';
}

/**
 * The period from the first to the last of some days of a month. Undefined for a range whose end is before its beginning.
 */
function hullOfDays(year: number, month: number, days: readonly number[], listed: boolean): Period | undefined {
  const found = days.flatMap((date) => makeDay(year, month, date) ?? []);
  const [first, last] = [found[0], found.at(-1)];
  if (found.length < days.length || first === undefined || last === undefined) return undefined;
  const sorted = [...found].sort();
  if (!listed) return first <= last ? { since: first, until: last } : undefined;
  return { since: sorted[0] ?? first, until: sorted.at(-1) ?? last };
}
