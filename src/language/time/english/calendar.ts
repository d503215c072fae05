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
  yearPeriod,
} from '../calendar.js';
import { relativeYearlyPeriod } from '../distance.js';
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
  GROUP_START_WORDS,
  MONTHS,
  ORDINALS,
  RANGE_JOINER,
  readOffset,
  SEASONS,
  timePattern,
  WEEKDAYS,
  WORDS_BEFORE_HABIT,
  WORDS_BEFORE_TIME,
  YEAR_GROUP,
  yearNumber,
} from './words.js';

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
  { starts: ['the'], pattern: timePattern('the (\\d{1,2})(?:st|nd|rd|th)'), read: readDate },
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
function readDate([date]: readonly string[], { today }: TimeContext, around: TextAroundMatch) {
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
