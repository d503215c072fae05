import type { Day } from '../../../base/clock.js';
import {
  addDays,
  dayPeriod,
  hullOf,
  monthPeriod,
  type Period,
  partsOf,
  quarterPeriod,
  weekPeriod,
  yearPeriod,
} from '../calendar.js';
import { lastFew, latestWeekend, weekend } from '../distance.js';
import { continuesList, endsPhrase, meaning, recurring, type TimeRule, wordBefore } from '../expression.js';
import { HOLIDAYS } from '../holidays.js';
import { AGO_RULES } from './ago.js';
import { nextTo } from './parts.js';
import { amount, offsetOf, STARTS, say, TO } from './pattern.js';
import { WEEKDAYS } from './words.js';

// "The weekend before Nov 27" is counted from that day, not from today. Dates already read are blank by then.
const HOLIDAY = HOLIDAYS.map(({ english }) => english).join('|');
const NOT_BESIDE_DATE = `(?!\\s{1,3}(?:before|after)(?:\\s{4}|\\s{1,3}(?:\\d|${HOLIDAY})))`;
const NOT_OF_PERIOD = '(?!\\s{1,3}of\\s)';

/** Times that are counted from today, in English. Earlier rules win. */
export const RELATIVE_RULES: readonly TimeRule[] = [
  ...AGO_RULES,
  at(['the', 'day'], '(?:the )?day before yesterday', -2, ['yesterday']),
  at(['the', 'day'], '(?:the )?day after tomorrow', 2, ['tomorrow']),
  at(['yesterday'], 'yesterday(?: (?:morning|afternoon|evening|night))?', -1),
  at(['tomorrow'], 'tomorrow(?: (?:morning|afternoon|evening|night))?', 1),
  at(['today', 'tonight', 'this'], 'today|tonight|this (?:morning|afternoon|evening)', 0),
  {
    // Written down before or after midnight.
    starts: ['last'],
    needs: ['night'],
    pattern: say('last night'),
    read: (_, { today }) => meaning({ since: addDays(today, -1), until: today }),
  },
  {
    // "Last week or the week before": counted from the time before it.
    starts: ['the'],
    needs: ['before', 'after'],
    pattern: say('the (day|week|weekend|month) (before|after)'),
    read: ([unit = '', side], _, around) =>
      around.previous && continuesList(around) && endsPhrase(around)
        ? meaning(nextTo(around.previous.period, unit, side === 'after' ? 1 : -1))
        : undefined,
  },
  {
    // "The last two weeks of August" are August's.
    starts: ['last', 'past', 'previous'],
    needs: STARTS.unit,
    pattern: say(`(?:last|past|previous) <count> <unit>${NOT_OF_PERIOD}`),
    read: ([count = '', unit = ''], context) => {
      const read = amount(count, unit);
      return read && meaning(lastFew(read.count, read.unit, context));
    },
  },
  {
    starts: ['the'],
    needs: ['last', 'past'],
    pattern: say(`the (?:last|past)(?! \\d) (day|week|month|quarter|year)${NOT_OF_PERIOD}`),
    read: ([unit = ''], context, { before }) => {
      // "In the last week" is rolling, "the last week" alone is the calendar's.
      if (!/^(?:in|over|during|within|for)$/.test(wordBefore(before))) return undefined;
      const read = amount('one', unit);
      return read && meaning(lastFew(read.count, read.unit, context));
    },
  },
  {
    starts: ['past'],
    pattern: say('past (day|week|month|quarter|year)'),
    read: ([unit = ''], context) => {
      const read = amount('one', unit);
      return read && meaning(lastFew(read.count, read.unit, context));
    },
  },
  {
    starts: ['the', ...STARTS.period],
    needs: ['before'],
    pattern: say('(?:the )?<period> before last'),
    read: ([unit = ''], { today }) => meaning(whole(today, unit, -2)),
  },
  {
    starts: STARTS.last,
    needs: STARTS.weekday,
    pattern: say("<last> week(?:'?s)?(?: on)? <weekday>"),
    read: ([which = '', weekday = ''], { today }) => meaning(dayOfWeek(today, offsetOf(which), weekday)),
  },
  {
    starts: STARTS.weekday,
    needs: ['week'],
    pattern: say(`<weekday>(?: and | or |${TO})<weekday>(?: of)?(?: the)? <last> week`),
    read: ([first = '', last = '', which = ''], { today }) => {
      const [a, b] = [first, last].map((weekday) => dayOfWeek(today, offsetOf(which), weekday));
      return a && b && meaning(hullOf(a, b));
    },
  },
  {
    starts: STARTS.weekday,
    needs: ['week'],
    pattern: say('<weekday>(?: of)?(?: the)? <last> week'),
    read: ([weekday = '', which = ''], { today }) => meaning(dayOfWeek(today, offsetOf(which), weekday)),
  },
  {
    starts: STARTS.last,
    needs: STARTS.period,
    pattern: say(`<last> <period>${NOT_BESIDE_DATE}${NOT_OF_PERIOD}`),
    read: ([which = '', unit = ''], { today }) =>
      which === 'the same' ? undefined : meaning(whole(today, unit, offsetOf(which))),
  },
  {
    starts: STARTS.last,
    needs: STARTS.weekday,
    // "The last Friday of November" is November's.
    pattern: say(`<last> <weekday>${NOT_OF_PERIOD}`),
    read: ([which = '', weekday = ''], { today }) => meaning(weekdayNear(today, offsetOf(which), weekday)),
  },
  {
    starts: ['the'],
    needs: ['weekend'],
    pattern: say(`the weekend${NOT_BESIDE_DATE}(?!\\s{1,3}of\\s{4})`),
    read: (_, { today }, { before }) =>
      /^(?:over|on|at|during|since|before|after|until)$/.test(wordBefore(before))
        ? recurring(today, 7, (anchor) => ({ period: latestWeekend(anchor) }))
        : undefined,
  },
  {
    starts: ['the'],
    needs: ['month', 'year', 'quarter'],
    pattern: say('the (month|year|quarter)'),
    read: ([unit = ''], { today }, { before }) =>
      /(?:beginning|start|middle|end) of $/.test(before) ? meaning(whole(today, unit, 0)) : undefined,
  },
];

function at(starts: readonly string[], template: string, offset: number, needs?: readonly string[]): TimeRule {
  return {
    starts,
    ...(needs === undefined ? {} : { needs }),
    pattern: say(`(?:${template})`),
    read: (_, { today }) => meaning(dayPeriod(addDays(today, offset))),
  };
}

/** A whole week, weekend, month, quarter or year of the calendar, counted from the present one. */
function whole(today: Day, unit: string, offset: number): Period | undefined {
  switch (unit) {
    case 'week':
      return weekPeriod(today, offset);
    case 'weekend':
      return weekend(today, offset);
    case 'month':
      return monthPeriod(today, offset);
    case 'quarter':
      return quarterPeriod(today, offset);
    case 'year':
      return yearPeriod(partsOf(today).year + offset);
    default:
      return undefined;
  }
}

function dayOfWeek(today: Day, offset: number, weekday: string): Period | undefined {
  const number = WEEKDAYS[weekday];
  return number === undefined ? undefined : dayPeriod(addDays(weekPeriod(today, offset).since, number - 1));
}

/** "Last Friday" is the latest one before today, "next Friday" the first one after it, "this Friday" the one of this week. */
function weekdayNear(today: Day, offset: -1 | 0 | 1, weekday: string): Period | undefined {
  const inThisWeek = dayOfWeek(today, 0, weekday);
  if (!inThisWeek || offset === 0) return inThisWeek;
  if (offset === -1) return inThisWeek.since < today ? inThisWeek : dayOfWeek(today, -1, weekday);
  return inThisWeek.since > today ? inThisWeek : dayOfWeek(today, 1, weekday);
}
