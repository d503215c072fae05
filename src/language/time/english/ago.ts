import { addDays, dayPeriod, hullOf, type Period, widen } from '../calendar.js';
import { ago, shift } from '../distance.js';
import { type Meaning, meaning, type TimeContext, type TimeRule, weekly } from '../expression.js';
import { amount, STARTS, say } from './pattern.js';
import { WEEKDAYS } from './words.js';

/** Days on either side of a day that is counted in whole years, and of one that is named by the present day. */
const ABOUT_A_YEAR_AGO = 45;
const THIS_DAY = 3;
const THIS_TIME = 15;

/** Times so long ago, in English. */
export const AGO_RULES: readonly TimeRule[] = [
  {
    starts: STARTS.count,
    needs: ['ago'],
    pattern: say('<count> <unit> ago (?:today|to the day)'),
    read: ([count = '', unit = ''], { today }) => {
      const read = amount(count, unit);
      if (!read || typeof read.count !== 'number') return undefined;
      return meaning(widen(dayPeriod(shift(today, -read.count, read.unit)), THIS_DAY));
    },
  },
  {
    starts: ['this', 'today'],
    needs: ['last'],
    pattern: say('(today|this day|this time) last (week|month|year)'),
    read: ([what, unit = ''], { today }) => {
      const read = amount('one', unit);
      const day = read && shift(today, -1, read.unit);
      const days = what === 'this time' && unit === 'year' ? THIS_TIME : THIS_DAY;
      return meaning(day === undefined ? undefined : widen(dayPeriod(day), days));
    },
  },
  {
    starts: STARTS.count,
    needs: ['ago'],
    pattern: say('<count> <unit> ago'),
    read: ([count = '', unit = ''], context) => readAgo(count, unit, context),
  },
  {
    starts: STARTS.count,
    needs: ['ago'],
    pattern: say('<count>(?: or | to | ?(?:-|–|—) ?)<count> <unit> ago'),
    read: ([first = '', last = '', unit = ''], context) => agoEither(first, last, unit, context),
  },
  {
    starts: STARTS.count,
    needs: ['ago'],
    pattern: say('(an?|one) <unit> or (two|so) ago'),
    read: ([first = '', unit = '', last = ''], context) =>
      agoEither(first, last === 'so' ? first : last, unit, context),
  },
  {
    starts: STARTS.count,
    needs: ['ago'],
    pattern: say('<count> <weekday>s ago'),
    read: ([count = '', weekday = ''], { today }) => {
      const read = amount(count, 'week');
      const number = WEEKDAYS[weekday];
      if (!read || typeof read.count !== 'number' || number === undefined) return undefined;
      return meaning(dayPeriod(addDays(weekly(addDays(today, -1), number).period.since, 7 - 7 * read.count)));
    },
  },
  {
    starts: ['the'],
    needs: ['other'],
    pattern: say('the other day'),
    read: (_, { today }) => meaning({ since: addDays(today, -7), until: today }),
  },
];

function readAgo(count: string, unit: string, context: TimeContext): Meaning | undefined {
  const read = amount(count, unit);
  if (!read) return undefined;
  const period = ago(read.count, read.unit, context);
  if (typeof read.count !== 'number') return { period };
  const core = dayPeriod(shift(context.today, -read.count, read.unit));
  // "A year ago" is about a year back; "two years ago" is that year.
  const near = read.unit === 'year' && read.count === 1 ? widen(core, ABOUT_A_YEAR_AGO) : period;
  return { period: near, core, ago: true };
}

/** "Two or three weeks ago", "a month or two ago". */
function agoEither(first: string, last: string, unit: string, context: TimeContext): Meaning | undefined {
  const periods = [first, last].flatMap((count): Period[] => {
    const read = amount(count, unit);
    return read ? [ago(read.count, read.unit, context)] : [];
  });
  const [a, b] = periods;
  return a && b && meaning(hullOf(a, b));
}
