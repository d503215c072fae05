import type { Day } from '../../../base/clock.js';
import {
  addDays,
  dateParts,
  dayPeriod,
  daysBetween,
  joinPeriods,
  latestDayWithDate,
  latestStartedPeriod,
  makeDay,
  type Period,
  periodOfWholeMonths,
  weekdayOf,
  widenPeriod,
  yearPeriod,
} from '../calendar.js';
import {
  addHalfToCount,
  adjacentPeriod,
  calendarPeriod,
  countBackFromToday,
  lastOrNextWeekday,
  latestWeekend,
  periodAtDistanceFromToday,
  relativeYearlyPeriod,
  rollingPeriod,
  shiftDay,
  type TimeUnit,
  weekdayInWeek,
} from '../distance.js';
import {
  continuesTimeList,
  endsPhrase,
  firstWordOf,
  meaningOfEveryWeekday,
  meaningOfPeriod,
  NUMBER_MARKER,
  recurringMeaning,
  type TextAroundMatch,
  type TimeContext,
  type TimeMeaning,
  type TimeOccurrence,
  type TimeRule,
  wordBefore,
} from '../expression.js';
import { HOLIDAYS } from '../holidays.js';
import { isoWeek, isPlausibleYear, isStandaloneMatch } from '../literal.js';
import {
  AMBIGUOUS_TIME_WORDS,
  DAY_OF_MONTH_WORDS,
  detectEnglishTense,
  GROUP_START_WORDS,
  MONTHS,
  ORDINALS,
  RANGE_JOINER,
  readAmount,
  readOffset,
  readPartOfPeriod,
  SEASONS,
  timePattern,
  WEEKDAYS,
  WORDS_BEFORE_HABIT,
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

/** A month, season, holiday or other period that has a name and comes every year. */
interface YearlyName {
  readonly starts: readonly string[];
  readonly needs?: readonly string[];
  /** Pattern of the name, with at most one group. */
  readonly name: string;
  in(year: number, group: string): Period | undefined;
  /** The exact day, if the period of the name is wider: 25 December for Christmas. */
  day?(year: number): Day | undefined;
  /** Whether the name is meant as a time although no year stands beside it. */
  isTime(around: TextAroundMatch, context: TimeContext, group: string): boolean;
}

const YEARLY_NAMES: readonly YearlyName[] = [
  monthsNamed(MONTHS, GROUP_START_WORDS.month, '<month>', 1),
  monthsNamed(SEASONS, GROUP_START_WORDS.season, '<season>', 3),
  ...[
    { starts: ['q1', 'q2', 'q3', 'q4'], name: 'q([1-4])' },
    { starts: [NUMBER_MARKER, ...GROUP_START_WORDS.ordinal], needs: ['quarter'], name: '<ordinal> quarter' },
  ].map(
    (quarter): YearlyName => ({
      ...quarter,
      in: (year, group) => periodOfWholeMonths(year, (ORDINALS[group] ?? Number(group)) * 3 - 2, 3),
      isTime: (around) => WORDS_BEFORE_TIME.has(wordBefore(withoutArticle(around))) || continuesTimeList(around),
    }),
  ),
  {
    starts: ['h1', 'h2'],
    name: 'h([12])',
    in: (year, half) => periodOfWholeMonths(year, half === '1' ? 1 : 7, 6),
    isTime: isOfCalendar,
  },
  {
    starts: ['week', 'calendar', 'cw'],
    name: '(?:(?:calendar )?week|cw) (\\d{1,2})',
    in: (year, week) => isoWeek(year, Number(week)),
    isTime: isOfCalendar,
  },
  // A holiday is a topic ("what about Christmas") unless a word before it makes it a time ("over Christmas").
  ...HOLIDAYS.map(
    ({ english, starts, days, day }): YearlyName => ({
      starts,
      name: `(?:${english})`,
      in: days,
      day,
      isTime: (around) =>
        /^(?:over|at|on|during|around|since|until|till|before|after|between|by)$/.test(wordBefore(around.before)) ||
        closesRange(around),
    }),
  ),
];

/** Names of the calendar in English: months, weekdays, seasons, quarters, years, holidays. Earlier rules win. */
export const CALENDAR_RULES: readonly TimeRule[] = [
  {
    starts: GROUP_START_WORDS.month,
    opens: /[a-z]+\.?\s{0,3}(?:-|–|—|&|and|or|to|through|thru|until|till)\s{0,3}[a-z]{3}/y,
    pattern: timePattern(`<month>( (?:and|or|&) |${RANGE_JOINER})<month>(?:,?(?: of)? ${YEAR_GROUP})?`),
    read: readMonths,
  },
  // "Winter 2024/25" is the winter of 2024.
  {
    starts: GROUP_START_WORDS.season,
    pattern: timePattern('<season>(?: of)? (\\d{4}) ?[/–-] ?(\\d{2}(?:\\d{2})?)'),
    read: ([season = '', first, last]) => {
      const year = Number(first);
      const isNext = Number(last) % 100 === (year + 1) % 100;
      return isNext ? meaningOfPeriod(periodOfWholeMonths(year, SEASONS[season] ?? 3, 3)) : undefined;
    },
  },
  ...YEARLY_NAMES.flatMap(yearlyRules),
  {
    starts: [NUMBER_MARKER],
    pattern: timePattern('(\\d{4})[ -]?q([1-4])'),
    read: ([year, quarter], _, around) =>
      isStandaloneMatch(around)
        ? meaningOfPeriod(periodOfWholeMonths(Number(year), Number(quarter) * 3 - 2, 3))
        : undefined,
  },
  {
    starts: GROUP_START_WORDS.weekday,
    pattern: timePattern('<weekday>,?(?: the)? (\\d{1,2})(?:st|nd|rd|th)'),
    read: ([weekday = '', date], { today }) => meaningOfPeriod(dateOnWeekday(today, Number(date), WEEKDAYS[weekday])),
  },
  {
    starts: GROUP_START_WORDS.weekday,
    pattern: timePattern('<weekday>(?: (?:morning|noon|afternoon|evening|night))?'),
    read: readWeekday,
  },
  { starts: ['the'], pattern: timePattern('the (\\d{1,2})(?:st|nd|rd|th)'), read: readDateInMonth },
  { starts: [NUMBER_MARKER], pattern: timePattern('(\\d{4})'), read: readYear },
];

/**
 * The rules for a yearly name: with a year, or with "last", "this" or "next". A name alone counts only if the words
 * around it show that it is a time.
 */
function yearlyRules(yearly: YearlyName): TimeRule[] {
  const { starts, needs, name } = yearly;
  const hasGroup = /<|\((?!\?)/.test(name);
  const make = (group: string) => (year: number) => (year < 1000 ? undefined : yearly.in(year, group));
  const occurrence = (period: Period | undefined): TimeOccurrence | undefined => {
    const day = period && yearly.day?.(dateParts(addDays(period.since, 3)).year);
    return period && { period, ...(day !== undefined && { core: dayPeriod(day) }) };
  };
  const read: TimeRule['read'] = (groups, context, around) => {
    const [group, year = ''] = hasGroup ? [groups[0] ?? '', groups[1]] : ['', groups[0]];
    const { today, lenient } = context;
    if (!isStandaloneMatch({ ...around, before: around.before.replace(/mid-$/, '') })) return undefined;
    if (year !== '') return occurrence(make(group)(yearNumber(year, dateParts(today).year)));
    if (!lenient && !yearly.isTime(around, context, group)) return undefined;
    return recurringMeaning(today, 365, (anchor) => occurrence(latestStartedPeriod(anchor, make(group))));
  };
  return [
    { starts, ...(needs && { needs }), pattern: timePattern(`${name}(?:,?(?: of)? ${YEAR_GROUP})?`), read },
    {
      starts: ['last', 'this', 'next', 'past'],
      needs: needs ?? starts,
      pattern: timePattern(`(last|this|next|past) ${name}`),
      read: ([which = '', group = ''], { today }) =>
        occurrence(relativeYearlyPeriod(today, readOffset(which), make(group))),
    },
  ];
}

/**
 * Makes yearly names for months or seasons. `table` gives the first month of each name, and `months` the number of
 * months.
 */
function monthsNamed(
  table: Readonly<Record<string, number>>,
  starts: readonly string[],
  name: string,
  months: number,
): YearlyName {
  return {
    starts,
    name,
    in: (year, group) => periodOfWholeMonths(year, table[group] ?? 1, months),
    isTime: (around, context, group) => isMeantAsPeriod(group, context, around),
  };
}

/**
 * Reads two months: "from March to May", "Oct–Dec 2025", "in November and December". Beside another month, a word such as
 * "May" means the month.
 */
function readMonths(
  [first = '', between = '', last = '', year = '']: readonly string[],
  { today, lenient, isCapital }: TimeContext,
  around: TextAroundMatch,
): TimeMeaning | undefined {
  const before = wordBefore(around.before);
  const isList = /and|or|&/.test(between) && before !== 'between';
  const expected = lenient || WORDS_BEFORE_TIME.has(before);
  const clear =
    !isList && (isCapital(around.position) || !(AMBIGUOUS_TIME_WORDS.has(first) && AMBIGUOUS_TIME_WORDS.has(last)));
  if (!isStandaloneMatch(around) || !(expected || clear)) return undefined;
  const [from, to] = [MONTHS[first] ?? 1, MONTHS[last] ?? 1];
  const month = (number: number, anchor: Day) =>
    latestStartedPeriod(anchor, (inYear) => periodOfWholeMonths(inYear, number, 1));
  if (isList) {
    const end = year === '' ? today : yearPeriod(yearNumber(year, dateParts(today).year)).until;
    const [a, b] = [month(from, end), month(to, end)];
    return a && b && { period: joinPeriods(a, b), core: a, list: true };
  }
  const count = to - from + (to < from ? 13 : 1);
  const range = (period: Period | undefined): TimeMeaning | undefined => period && { period, range: true };
  const lastYear = yearNumber(year, dateParts(today).year);
  if (year !== '') return range(periodOfWholeMonths(to < from ? lastYear - 1 : lastYear, from, count));
  return recurringMeaning(today, 365, (anchor) =>
    range(latestStartedPeriod(anchor, (inYear) => periodOfWholeMonths(inYear, from, count))),
  );
}

function isMeantAsPeriod(name: string, { isName, isCapital }: TimeContext, around: TextAroundMatch): boolean {
  const before = wordBefore(withoutArticle(around));
  // In "version 3 of March", "March" is not a time.
  if (AMBIGUOUS_TIME_WORDS.has(name) && /\d\s{1,3}of\s{1,3}$/.test(around.before)) return false;
  // A person can be named May, but nobody speaks of things "in" or "during" a person.
  if (isName(around.position) && !/^(?:in|during|throughout|early|mid|late)$/.test(before)) return false;
  if (!expectsTime(before, around) && !closesRange(around) && !continuesTimeList(around)) return false;
  // "Spring Boot" and "march madness" are names of other things. A season or ambiguous word is a time only if the phrase
  // ends after it.
  if (name in SEASONS && before === 'of') return false;
  const mayBeOther = name in SEASONS || (AMBIGUOUS_TIME_WORDS.has(name) && !isCapital(around.position));
  return !mayBeOther || endsPhrase(around);
}

function readWeekday([name = '']: readonly string[], context: TimeContext, around: TextAroundMatch) {
  const weekday = WEEKDAYS[name];
  if (weekday === undefined) return undefined;
  if (context.lenient) return meaningOfEveryWeekday(context.today, weekday);
  if (context.isName(around.position) || !isStandaloneMatch(around) || isInTitle(around, context)) return undefined;
  const before = wordBefore(around.before);
  // In "the first Monday of December", the rule of the month reads the weekday.
  if ((Object.hasOwn(ORDINALS, before) || before === 'final') && /^(?:of|in)$/.test(firstWordOf(around.after)))
    return undefined;
  // In "in Sunday Times", Sunday is not a day: no weekday follows "in".
  const signalled =
    (WORDS_BEFORE_TIME.has(before) && before !== 'in') || closesRange(around) || continuesTimeList(around);
  // "On Sunday mornings" is a habit.
  if (/^\s{1,3}(?:mornings|noons|afternoons|evenings|nights)\b/.test(around.after)) return undefined;
  const bare = !WORDS_BEFORE_HABIT.has(before) && endsPhrase(around);
  if (AMBIGUOUS_TIME_WORDS.has(name) && !(signalled && endsPhrase(around))) return undefined;
  return (signalled && before !== 'of') || bare ? meaningOfEveryWeekday(context.today, weekday) : undefined;
}

/**
 * Whether a weekday is part of a title, as in "Who likes Blue Monday?". Before it stands a word with a capital that is
 * not a known name and does not begin the sentence.
 */
function isInTitle({ before, position }: TextAroundMatch, { isCapital, isName }: TimeContext): boolean {
  const [{ length } = '', word = ''] = /(?<=\S\s)([a-z'’]{2,})\s$/.exec(before) ?? [];
  const at = position - length;
  return length > 0 && isCapital(position) && isCapital(at) && !isName(at) && !WORDS_BEFORE_TIME.has(word);
}

/** Reads "on the 27th": the latest 27th, in this month or an earlier one. */
function readDateInMonth([date]: readonly string[], { today }: TimeContext, around: TextAroundMatch) {
  if (!/^(?:on|since|until|till|before|after|around|from)$/.test(wordBefore(around.before)) || !endsPhrase(around))
    return undefined;
  if (/^\s{1,3}of (?:the )?(?:last|previous|past|this|next)\s/.test(around.after)) return undefined;
  return recurringMeaning(today, 31, (anchor) => meaningOfPeriod(latestDayWithDate(anchor, Number(date))));
}

/** Reads "Tuesday the 4th": the nearest 4th that is a Tuesday. */
function dateOnWeekday(today: Day, date: number, weekday: number | undefined): Period | undefined {
  const { year, month } = dateParts(today);
  const days = Array.from({ length: 23 }, (_, i) => year * 12 + month - 12 + i).flatMap(
    (index) => makeDay(Math.floor(index / 12), (index % 12) + 1, date) ?? [],
  );
  const [nearest] = days
    .filter((day) => weekdayOf(day) === weekday)
    .sort((a, b) => Math.abs(daysBetween(a, today)) - Math.abs(daysBetween(b, today)));
  return nearest === undefined ? undefined : dayPeriod(nearest);
}

/** A number is a year only where a time is expected: "in 2025", never "port 2025" or "in 2025 files". */
function readYear([digits]: readonly string[], { lenient }: TimeContext, around: TextAroundMatch) {
  const year = Number(digits);
  if (!isPlausibleYear(year) || !isStandaloneMatch(around) || /^\s{1,3}or so\b/.test(around.after)) return undefined;
  const before = wordBefore(withoutArticle(around));
  const expected =
    (expectsTime(before, around) || closesRange(around) || continuesTimeList(around)) &&
    endsPhrase(around) &&
    !opensQuantity(around);
  return lenient || expected ? meaningOfPeriod(yearPeriod(year)) : undefined;
}

function withoutArticle({ before }: TextAroundMatch): string {
  return before.replace(/\bthe\s{1,3}$/, '');
}

/** Whether a time is expected after this word, such as "in", "by" or "later than". */
function expectsTime(word: string, { before }: TextAroundMatch): boolean {
  return WORDS_BEFORE_TIME.has(word) || word === 'by' || /(?:later|earlier)\s{1,3}than\s{1,3}$/.test(before);
}

/**
 * Whether a number begins a range of quantities, as in "from 2024 to 4096 bytes": the number at the other end is no year.
 */
function opensQuantity({ before, after }: TextAroundMatch): boolean {
  const other = /^\s{1,3}(to|until|till|through|and)\s{1,3}(\d+)/.exec(after);
  if (!other || (other[1] === 'and' && wordBefore(before) !== 'between')) return false;
  return !isPlausibleYear(Number(other[2])) || !endsPhrase({ after: after.slice(other[0].length) });
}

/** Whether a half or week is one of the calendar: "in H1" and "in week 48", but not "an h1" or "week 3 of the course". */
function isOfCalendar(around: TextAroundMatch): boolean {
  return WORDS_BEFORE_TIME.has(wordBefore(around.before)) && endsPhrase(around) && firstWordOf(around.after) !== 'of';
}

/**
 * Whether a name is the right end of a range: "from … to", "between … and". Then the words of the range show that it is a
 * time.
 */
function closesRange({ before }: TextAroundMatch): boolean {
  return (
    /\b(?:from|between)\s.{1,40}\s(?:to|and|until|till|through)\s(?:the\s)?$/.test(before) ||
    /[\w\u00c0-\u1fff]\s?[-–—]\s?$/.test(before)
  );
}

/** Days on either side of what is named by the present day: "this day last year", "this time last year". */
const THIS_DAY = 3;
const THIS_TIME = 15;

// "The weekend before Nov 27" is counted from that day, not from today. Dates already read are blank by then.
const HOLIDAY = HOLIDAYS.map(({ english }) => english).join('|');
const NOT_BESIDE_DATE = `(?!\\s{1,3}(?:before|after)(?:\\s{4}|\\s{1,3}(?:\\d|${HOLIDAY})))`;
const NOT_OF_PERIOD = '(?!\\s{1,3}of\\s)';

/** Verbs whose present tense tells of the future, such as "expires" and "comes back". */
const COMING_VERBS =
  /\b(?:(?:expire|return|start|begin|end|leave|arrive|open|close|renew|retire|launche?|land|finishe?)s|(?:come|run|goe|move)s (?:back|out|in|live))\s{1,3}$/;

/** The first and last day of a word or phrase, as distances from today in days. */
const FIXED: Readonly<Record<string, readonly [from: number, to: number]>> = {
  'day before yesterday': [-2, -2],
  'night before last': [-2, -1],
  'day after tomorrow': [2, 2],
  // The text may have been written before or after midnight, so today is included.
  'last night': [-1, 0],
  yesterday: [-1, -1],
  tomorrow: [1, 1],
  today: [0, 0],
  tonight: [0, 0],
  'this morning': [0, 0],
  'this afternoon': [0, 0],
  'this evening': [0, 0],
  'the other day': [-7, 0],
};

/** Times that are counted from today, in English. Earlier rules win. */
export const RELATIVE_RULES: readonly TimeRule[] = [
  {
    starts: ['this', 'today'],
    needs: ['last'],
    pattern: timePattern('(today|this day|this time) last (week|month|year)'),
    read: ([what, unit = ''], { today }) => {
      const read = readAmount('one', unit);
      const days = what === 'this time' && unit === 'year' ? THIS_TIME : THIS_DAY;
      return read && meaningOfPeriod(widenPeriod(dayPeriod(shiftDay(today, -1, read.unit)), days));
    },
  },
  {
    starts: GROUP_START_WORDS.count,
    needs: ['ago', 'back', 'from'],
    opens: /(?:\S+\s{1,3}){1,9}?(?:ago|back|from\s{1,3}(?:now|today))/y,
    pattern: timePattern(
      '<count>(?:(?: or | to | ?(?:-|–|—) ?)<count>)? <unit>(?: or (two|so))? (ago|back|from now|from today)( today| to the day)?',
    ),
    read: ([first = '', second = '', unit = '', or = '', side = '', toDay = ''], context) =>
      readAway([first, second || (or === 'so' ? '' : or)], unit, side.startsWith('from') ? 1 : -1, toDay, context),
  },
  {
    starts: GROUP_START_WORDS.count,
    needs: ['half'],
    opens: /(?:\S+\s{1,3}){1,3}?and\s{1,3}a\s{1,3}half/y,
    pattern: timePattern('<count> (?:(year|month|week) and a half|and a half (year|month|week)s) ago'),
    read: ([count = '', one = '', more = ''], context) => {
      const read = readAmount(count, one || more);
      if (typeof read?.count !== 'number') return undefined;
      const half = addHalfToCount(read.count, read.unit);
      return countBackFromToday(half.count, half.unit, context);
    },
  },
  {
    starts: ['in'],
    needs: GROUP_START_WORDS.unit,
    opens: /in\s{1,3}(?:[a-z\d-]+\s{1,3}){1,6}?(?:minute|hour|day|week|fortnight|month|quarter|year)/y,
    pattern: timePattern("in(?: about)? <count> <unit>(?:'? time)?"),
    // In "migrated it in two weeks", the words tell how long it took.
    read: ([count = '', unit = ''], context, { before, after }) =>
      endsPhrase({ after }) &&
      (COMING_VERBS.test(before) || detectEnglishTense(before + after) !== 'past') &&
      /[a-z]/.test(before + after)
        ? readAway([count, ''], unit, 1, '', context)
        : undefined,
  },
  {
    starts: GROUP_START_WORDS.count,
    needs: ['ago'],
    pattern: timePattern('<count> <weekday>s ago'),
    read: ([count = '', weekday = ''], { today }) => {
      const read = readAmount(count, 'week');
      if (!read || typeof read.count !== 'number') return undefined;
      return meaningOfPeriod(
        dayPeriod(
          addDays(meaningOfEveryWeekday(addDays(today, -1), numberOf(weekday)).period.since, 7 - 7 * read.count),
        ),
      );
    },
  },
  {
    starts: ['the', 'day', 'last', 'yesterday', 'tomorrow', 'today', 'tonight', 'this'],
    needs: 'yesterday tomorrow today tonight night morning afternoon evening other'.split(' '),
    pattern: timePattern(
      `(${Object.keys(FIXED)
        .join('|')
        .replace(/(?=day b|night b)/g, '(?:the )?')})(?: (?:morning|afternoon|evening|night))?`,
    ),
    read: ([name = ''], { today }) => {
      const [from, to] = FIXED[name.replace(/\s+/g, ' ').replace(/^the (?=day|night)/, '')] ?? [0, 0];
      return meaningOfPeriod({ since: addDays(today, from), until: addDays(today, to) });
    },
  },
  {
    // In "last week or the week before", the second time is counted from the first.
    starts: ['the'],
    needs: ['before', 'after'],
    pattern: timePattern('the (day|week|weekend|month) (before|after)'),
    read: ([unit = '', side], _, around) =>
      around.previous && continuesTimeList(around) && endsPhrase(around)
        ? meaningOfPeriod(adjacentPeriod(around.previous.period, readPartOfPeriod(unit), side === 'after' ? 1 : -1))
        : undefined,
  },
  {
    starts: ['the', ...GROUP_START_WORDS.period],
    needs: ['last', 'next'],
    pattern: timePattern('(?:the )?<period> (before last|after next)'),
    read: ([unit = '', side = ''], { today }) =>
      meaningOfPeriod(calendarPeriod(today, unit, side === 'after next' ? 2 : -2)),
  },
  {
    starts: ['the', ...GROUP_START_WORDS.weekday],
    needs: ['last', 'next'],
    pattern: timePattern('(?:the )?<weekday> (before last|after next)'),
    read: ([weekday = '', side = ''], { today }) =>
      meaningOfPeriod(lastOrNextWeekday(today, side === 'after next' ? 2 : -2, numberOf(weekday))),
  },
  {
    starts: GROUP_START_WORDS.last,
    needs: GROUP_START_WORDS.weekday,
    opens: /[a-z]+\s{1,3}(?:same\s{1,3})?week/y,
    pattern: timePattern("<last> week(?:'?s)?(?: on)? <weekday>"),
    read: ([which = '', weekday = ''], { today }) =>
      meaningOfPeriod(weekdayInWeek(today, readOffset(which), numberOf(weekday))),
  },
  {
    starts: GROUP_START_WORDS.weekday,
    needs: ['week'],
    pattern: timePattern(`<weekday>(?:(?: and | or |${RANGE_JOINER})<weekday>)?(?: of)?(?: the)? <last> week`),
    read: ([first = '', last = '', which = ''], { today }) => {
      const [a, b] = [first, last || first].map((day) => weekdayInWeek(today, readOffset(which), numberOf(day)));
      return a && b && meaningOfPeriod(joinPeriods(a, b));
    },
  },
  {
    starts: GROUP_START_WORDS.last,
    needs: GROUP_START_WORDS.unit,
    opens:
      /(?:the\s{1,3})?(?:last|previous|past|this|current|the\s{1,3}same|next|coming|upcoming)\s{1,3}(?:\S+\s{1,3}){0,4}?(?:minute|hour|day|week|fortnight|month|quarter|year)/y,
    // "The last two weeks of August" are counted from the end of August and not from today.
    pattern: timePattern(`(the )?(?:<last> <count>|(?:<last>)) <unit>${NOT_OF_PERIOD}`),
    read: readAround,
  },
  {
    starts: GROUP_START_WORDS.last,
    needs: GROUP_START_WORDS.weekday,
    // "The last Friday of November" is counted from the end of November and not from today.
    pattern: timePattern(`(?:this )?<last> <weekday>${NOT_OF_PERIOD}`),
    read: ([which = '', weekday = ''], { today }) =>
      meaningOfPeriod(lastOrNextWeekday(today, readOffset(which), numberOf(weekday))),
  },
  {
    starts: ['the'],
    needs: ['weekend'],
    pattern: timePattern(`the weekend${NOT_BESIDE_DATE}(?!\\s{1,3}of\\s{4})`),
    read: (_, { today }, { before }) =>
      /^(?:over|on|at|during|since|before|after|until)$/.test(wordBefore(before))
        ? recurringMeaning(today, 7, (anchor) => ({ period: latestWeekend(anchor) }))
        : undefined,
  },
  {
    starts: ['the', ...GROUP_START_WORDS.period],
    pattern: timePattern('(?:the )?(week|month|year|quarter)'),
    read: ([unit = ''], { today }, { before }) =>
      /\b(?:beginning|start|middle|end) of $/.test(before)
        ? meaningOfPeriod(calendarPeriod(today, unit, 0))
        : undefined,
  },
];

/**
 * The period of "in three days" or "two or three weeks ago". Two counts give one period that contains the times of both.
 */
function readAway(
  counts: readonly string[],
  unit: string,
  side: 1 | -1,
  toDay: string,
  context: TimeContext,
): TimeMeaning | undefined {
  const read = counts.filter((count) => count !== '').flatMap((count) => readAmount(count, unit) ?? []);
  const [first, last] = read;
  if (!first || (counts[1] !== '' && !last)) return undefined;
  if (toDay !== '' && typeof first.count === 'number')
    return meaningOfPeriod(
      widenPeriod(dayPeriod(shiftDay(context.today, side * first.count, first.unit)), exactness(first.unit)),
    );
  if (side === -1 && !last) return countBackFromToday(first.count, first.unit, context);
  return meaningOfPeriod(
    read.map(({ count, unit: of }) => periodAtDistanceFromToday(count, of, context, side)).reduce(joinPeriods),
  );
}

/**
 * The number of days by which a time may be off. "Two weeks ago today" is exactly that day. "A year ago today" is about
 * that day.
 */
function exactness(unit: TimeUnit): number {
  return unit === 'day' || unit === 'week' ? 0 : THIS_DAY;
}

/**
 * "Last week" is the calendar week before this one. "In the last week", "the past week" and "the last two weeks" are
 * counted back from today.
 */
function readAround(
  [the = '', counted = '', count = '', alone = '', unit = '']: readonly string[],
  context: TimeContext,
  { before, after }: { readonly before: string; readonly after: string },
): TimeMeaning | undefined {
  const which = counted || alone;
  const offset = readOffset(which);
  const read = readAmount(count || 'one', unit);
  if (!read || which === 'the same') return undefined;
  const isRolling =
    which === 'past' || (the !== '' && offset < 0 && /^(?:in|over|during|within|for)$/.test(wordBefore(before)));
  if (count === '' && !isRolling) {
    if (new RegExp(`^${NOT_BESIDE_DATE}`).test(after))
      return meaningOfPeriod(calendarPeriod(context.today, unit, offset));
    return undefined;
  }
  if (offset === 0) return undefined;
  return meaningOfPeriod(rollingPeriod(read.count, read.unit, context, offset));
}

function numberOf(weekday: string): number {
  return WEEKDAYS[weekday] ?? 1;
}
