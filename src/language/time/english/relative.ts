import { addDays, dayPeriod, joinPeriods, widenPeriod } from '../calendar.js';
import {
  addHalfToCount,
  adjacentPeriod,
  calendarPeriod,
  countBackFromToday,
  lastOrNextWeekday,
  latestWeekend,
  periodAtDistanceFromToday,
  rollingPeriod,
  shiftDay,
  type TimeUnit,
  weekdayInWeek,
} from '../distance.js';
import {
  continuesTimeList,
  endsPhrase,
  meaningOfEveryWeekday,
  meaningOfPeriod,
  recurringMeaning,
  type TimeContext,
  type TimeMeaning,
  type TimeRule,
  wordBefore,
} from '../expression.js';
import { HOLIDAYS } from '../holidays.js';
import { detectEnglishTense } from './tense.js';
import {
  GROUP_START_WORDS,
  RANGE_JOINER,
  readAmount,
  readOffset,
  readPartOfPeriod,
  timePattern,
  WEEKDAYS,
} from './words.js';

/** Days on either side of what is named by the present day: "this day last year", "this time last year". */
const THIS_DAY = 3;
const THIS_TIME = 15;

// "The weekend before Nov 27" is counted from that day, not from today. Dates already read are blank by then.
const HOLIDAY = HOLIDAYS.map(({ english }) => english).join('|');
const NOT_BESIDE_DATE = `(?!\\s{1,3}(?:before|after)(?:\\s{4}|\\s{1,3}(?:\\d|${HOLIDAY})))`;
const NOT_OF_PERIOD = '(?!\\s{1,3}of\\s)';

/** Verbs whose present tense tells of the future, such as "expires" and "comes back". */
const DUE =
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
      (DUE.test(before) || detectEnglishTense(before + after) !== 'past') &&
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
