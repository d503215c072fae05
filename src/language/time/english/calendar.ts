import type { Day } from '../../../base/clock.js';
import {
  addDays,
  dayPeriod,
  hullOf,
  latestBegun,
  latestDate,
  latestOver,
  monthsPeriod,
  type Period,
  partsOf,
  yearPeriod,
} from '../calendar.js';
import {
  continuesList,
  DIGIT,
  endsPhrase,
  type Meaning,
  meaning,
  type Occurrence,
  recurring,
  type Surroundings,
  type TimeContext,
  type TimeRule,
  weekly,
  wordAfter,
  wordBefore,
  yearly,
} from '../expression.js';
import { HOLIDAYS, type Holiday } from '../holidays.js';
import { isoWeek, plausibleYear, standsAlone } from '../literal.js';
import { STARTS, say, TO, yearNumber } from './pattern.js';
import { AMBIGUOUS, BEFORE_HABIT, BEFORE_TIME, MONTHS, ORDINALS, SEASONS, WEEKDAYS } from './words.js';

/** Names of the calendar in English: months, weekdays, seasons, quarters, years, holidays. Earlier rules win. */
export const CALENDAR_RULES: readonly TimeRule[] = [
  {
    starts: STARTS.month,
    pattern: say('<month>,?(?: of)? (\\d{4})'),
    read: ([month = '', year]) => meaning(inYear(MONTHS[month], 1, Number(year))),
  },
  {
    starts: STARTS.month,
    pattern: say(`<month>( (?:and|or|&) |${TO})<month>(?:,?(?: of)? (\\d{4}|(?:last|this|next) year))?`),
    read: readMonths,
  },
  ...named('<month>', MONTHS, 1),
  ...named('<season>', SEASONS, 3),
  {
    starts: ['q1', 'q2', 'q3', 'q4'],
    pattern: say('q([1-4]),?(?:(?: of)? (\\d{4}))?'),
    read: ([quarter, year], context, around) => quarterOf(Number(quarter), year, context, around),
  },
  {
    starts: [DIGIT],
    pattern: say('(\\d{4})[ -]?q([1-4])'),
    read: ([year, quarter], context, around) => quarterOf(Number(quarter), year, context, around),
  },
  {
    starts: [DIGIT, ...STARTS.ordinal],
    needs: ['quarter'],
    pattern: say('<ordinal> quarter(?:(?: of)? (\\d{4}))?'),
    read: ([ordinal = '', year], context, around) => quarterOf(ORDINALS[ordinal], year, context, around),
  },
  {
    starts: ['h1', 'h2'],
    pattern: say('h([12]),?(?:(?: of)? (\\d{4}))?'),
    read: ([half, year = ''], context, around) => {
      const make = (inYear: number) => monthsPeriod(inYear, half === '1' ? 1 : 7, 6);
      return inCalendar(year, make, context, around);
    },
  },
  {
    starts: ['week', 'calendar', 'cw'],
    pattern: say('(?:(?:calendar )?week|cw) (\\d{1,2})(?:,?(?: of)? (\\d{4}))?'),
    read: ([week, year = ''], context, around) => inCalendar(year, (of) => isoWeek(of, Number(week)), context, around),
  },
  { starts: STARTS.weekday, pattern: say('<weekday>'), read: readWeekday },
  { starts: ['the'], pattern: say('the (\\d{1,2})(?:st|nd|rd|th)'), read: readDate },
  { starts: [DIGIT], pattern: say('(\\d{4})'), read: readYear },
  ...HOLIDAYS.flatMap(holidayRules),
];

/** A period named for its first month: with a year, with last/this/next, or by itself where the words around say so. */
function named(group: string, table: Readonly<Record<string, number>>, months: number): TimeRule[] {
  const first = (name: string): number | undefined => table[name];
  const names = Object.keys(table);
  return [
    {
      starts: names,
      pattern: say(`${group},?(?: of)? (\\d{4}|last year|this year|next year)`),
      read: ([name = '', year = ''], { today }) =>
        meaning(inYear(first(name), months, yearNumber(year, partsOf(today).year))),
    },
    {
      starts: ['last', 'this', 'next', 'past'],
      needs: names,
      pattern: say(`(last|this|next|past) ${group}`),
      read: ([which = '', name = ''], { today }) => {
        const make = (year: number) => inYear(first(name), months, year);
        const { year } = partsOf(today);
        if (which === 'next')
          return meaning([year, year + 1].map(make).find((period) => period && period.since > today));
        if (which !== 'this') return meaning(latestOver(today, make));
        const running = make(year - 1);
        return meaning(running && running.until >= today ? running : make(year));
      },
    },
    {
      starts: names,
      pattern: say(group),
      read: ([name = ''], context, around) =>
        isMeantAsPeriod(name, context, around)
          ? yearly(context.today, (year) => inYear(first(name), months, year))
          : undefined,
    },
  ];
}

/** "From March to May", "Oct–Dec 2025", "in November and December": between months, a name is a month's. */
function readMonths(
  [first = '', between = '', last = '', year = '']: readonly string[],
  { today, lenient, isCapital }: TimeContext,
  around: Surroundings,
): Meaning | undefined {
  const before = wordBefore(around.before);
  const listed = /and|or|&/.test(between) && before !== 'between';
  const expected = lenient || BEFORE_TIME.has(before);
  const clear = !listed && (isCapital(around.position) || !(AMBIGUOUS.has(first) && AMBIGUOUS.has(last)));
  if (!standsAlone(around) || !(expected || clear)) return undefined;
  const period = monthsBetween(MONTHS[first] ?? 1, MONTHS[last] ?? 1, listed, year, today);
  return period && { period, range: true };
}

function monthsBetween(from: number, to: number, listed: boolean, year: string, today: Day): Period | undefined {
  const one = (month: number, inYear: number): Period => monthsPeriod(inYear, month, 1);
  const lastYear = yearNumber(year, partsOf(today).year);
  if (listed) {
    const [a, b] = [from, to].map((month) => (year ? one(month, lastYear) : latestBegun(today, (y) => one(month, y))));
    return a && b && hullOf(a, b);
  }
  const months = to - from + (to < from ? 13 : 1);
  if (year === '') return latestBegun(today, (inYear) => monthsPeriod(inYear, from, months));
  return monthsPeriod(to < from ? lastYear - 1 : lastYear, from, months);
}

function isMeantAsPeriod(name: string, { lenient, isName, isCapital }: TimeContext, around: Surroundings): boolean {
  if (lenient) return true;
  const before = wordBefore(around.before.replace(/\bthe\s{1,3}$/, ''));
  // "Version 3 of March"
  if (AMBIGUOUS.has(name) && /\d\s{1,3}of\s{1,3}$/.test(around.before)) return false;
  // A person can be named May, but nobody speaks of things "in" or "during" a person.
  if (
    (isName(around.position) && !/^(?:in|during|throughout|early|mid|late)$/.test(before)) ||
    !standsAlone({ ...around, before: around.before.replace(/mid-$/, '') })
  )
    return false;
  if (!expectsTime(before, around) && !closesRange(around) && !continuesList(around)) return false;
  // "In Spring Boot", "in march madness": the name of something else, unless the sentence ends or goes on after it.
  if (name in SEASONS && before === 'of') return false;
  const mayBeOther = name in SEASONS || (AMBIGUOUS.has(name) && !isCapital(around.position));
  return !mayBeOther || endsPhrase(around);
}

function readWeekday([name = '']: readonly string[], context: TimeContext, around: Surroundings) {
  const weekday = WEEKDAYS[name];
  if (weekday === undefined) return undefined;
  if (context.lenient) return weekly(context.today, weekday);
  if (context.isName(around.position) || !standsAlone(around)) return undefined;
  const before = wordBefore(around.before);
  // "The first Monday of December": the month says which.
  if ((Object.hasOwn(ORDINALS, before) || before === 'final') && /^(?:of|in)$/.test(wordAfter(around.after)))
    return undefined;
  // "In Sunday Times": a day is never "in".
  const signalled = (BEFORE_TIME.has(before) && before !== 'in') || closesRange(around) || continuesList(around);
  // "On Sunday mornings": a habit.
  if (/^\s{1,3}(?:mornings|noons|afternoons|evenings|nights)\b/.test(around.after)) return undefined;
  const bare = !BEFORE_HABIT.has(before) && endsPhrase(around);
  if (AMBIGUOUS.has(name) && !(signalled && endsPhrase(around))) return undefined;
  return (signalled && before !== 'of') || bare ? weekly(context.today, weekday) : undefined;
}

/** "On the 27th": of this month, or of the last one that has that day. */
function readDate([date]: readonly string[], { today }: TimeContext, around: Surroundings) {
  if (!/^(?:on|since|until|till|before|after|around|from)$/.test(wordBefore(around.before)) || !endsPhrase(around))
    return undefined;
  if (/^\s{1,3}of (?:the )?(?:last|previous|past|this|next)\s/.test(around.after)) return undefined;
  return recurring(today, 31, (anchor) => meaning(latestDate(anchor, Number(date))));
}

/** A number is a year only where a time is expected: "in 2025", never "port 2025" or "in 2025 files". */
function readYear([digits]: readonly string[], { lenient }: TimeContext, around: Surroundings) {
  const year = Number(digits);
  if (!plausibleYear(year) || !standsAlone(around) || /^\s{1,3}or so\b/.test(around.after)) return undefined;
  const before = wordBefore(around.before.replace(/\bthe\s{1,3}$/, ''));
  const expected =
    (expectsTime(before, around) || closesRange(around) || continuesList(around)) &&
    endsPhrase(around) &&
    !opensQuantity(around);
  return lenient || expected ? meaning(yearPeriod(year)) : undefined;
}

/** Whether a month or year after this word is one: "in", and "by" or "later than". */
function expectsTime(word: string, { before }: Surroundings): boolean {
  return BEFORE_TIME.has(word) || word === 'by' || /(?:later|earlier)\s{1,3}than\s{1,3}$/.test(before);
}

/** "From 2024 to 4096 bytes": the other end is no year. */
function opensQuantity({ before, after }: Surroundings): boolean {
  const other = /^\s{1,3}(to|until|till|through|and)\s{1,3}(\d+)/.exec(after);
  if (!other || (other[1] === 'and' && wordBefore(before) !== 'between')) return false;
  return !plausibleYear(Number(other[2])) || !endsPhrase({ after: after.slice(other[0].length) });
}

function quarterOf(quarter: number | undefined, year: string | undefined, context: TimeContext, around: Surroundings) {
  if (quarter === undefined || !standsAlone(around)) return undefined;
  const first = quarter * 3 - 2;
  if (year) return meaning(inYear(first, 3, Number(year)));
  const before = wordBefore(around.before.replace(/\bthe\s{1,3}$/, ''));
  if (!context.lenient && !BEFORE_TIME.has(before) && !continuesList(around)) return undefined;
  return yearly(context.today, (candidate) => inYear(first, 3, candidate));
}

/** What has a year, or stands where a time is expected: "in H1" and "in week 48", not "an h1" or "week 3 of the course". */
function inCalendar(
  year: string,
  make: (year: number) => Period | undefined,
  { today, lenient }: TimeContext,
  around: Surroundings,
): Meaning | undefined {
  if (!standsAlone(around)) return undefined;
  if (year !== '') return meaning(make(Number(year)));
  const expected = BEFORE_TIME.has(wordBefore(around.before)) && endsPhrase(around) && wordAfter(around.after) !== 'of';
  return lenient || expected ? yearly(today, make) : undefined;
}

/** A holiday is a topic ("what about Christmas") unless a word before it makes it a time ("over Christmas", "last Christmas"). */
function holidayRules({ english, days, day, starts }: Holiday): TimeRule[] {
  const withDay = (period: Period | undefined): Occurrence | undefined => {
    const itself = period && day(partsOf(addDays(period.since, 3)).year);
    return period && { period, ...(itself !== undefined && { core: dayPeriod(itself) }) };
  };
  return [
    {
      starts: starts,
      pattern: say(`(?:${english}),?(?: of)? (\\d{4}|last year|this year)`),
      read: ([year = ''], { today }) => withDay(days(yearNumber(year, partsOf(today).year))),
    },
    {
      starts: ['last', 'past'],
      pattern: say(`(?:last|past) (?:${english})`),
      read: (_, { today }) => withDay(latestOver(today, days)),
    },
    {
      starts: ['this'],
      pattern: say(`this (?:${english})`),
      read: (_, { today }) => withDay(days(partsOf(today).year)),
    },
    {
      starts: starts,
      pattern: say(`(?:${english})`),
      read: (_, { today, lenient }, around) =>
        lenient ||
        /^(?:over|at|on|during|around|since|until|till|before|after|between|by)$/.test(wordBefore(around.before)) ||
        closesRange(around)
          ? recurring(today, 365, (anchor) => withDay(latestBegun(anchor, days)))
          : undefined,
    },
  ];
}

/** The right end of "from … to", "between … and": the left one was the sign. */
function closesRange({ before }: Surroundings): boolean {
  return (
    /\b(?:from|between)\s.{1,40}\s(?:to|and|until|till|through)\s(?:the\s)?$/.test(before) ||
    /[\w\u00c0-\u1fff]\s?[-–—]\s?$/.test(before)
  );
}

function inYear(first: number | undefined, months: number, year: number): Period | undefined {
  return first === undefined || year < 1000 ? undefined : monthsPeriod(year, first, months);
}
