import {
  addDays,
  dayPeriod,
  hullOf,
  latestDate,
  makeDay,
  monthsPeriod,
  type Period,
  partsOf,
  yearPeriod,
} from '../calendar.js';
import { asExactAs, type Count, lastFew, latestWeekend, shift, type Unit, VAGUE } from '../distance.js';
import { type Meaning, meaning, recurring, type TimeContext, weekly, yearly } from '../expression.js';
import { isoWeek } from '../literal.js';
import { countedBack, dayOfWeek, ofYearNear, weekdayNear, whole } from '../relative.js';
import { type Patterns, type Said, UNITS } from './pattern.js';

/** What the reading of a phrase knows beside its words. */
export interface Telling extends TimeContext {
  readonly patterns: Patterns;
}

/** Ways of saying one kind of time; see {@link Patterns.compile}. Of two that begin together the longer is read. */
export interface Phrase {
  readonly says: readonly string[];
  read(said: Said, telling: Telling): Meaning | undefined;
}

const OPEN_TO = '(?=(?:{to}|_(?:{and})_)(?:{months}))';
const NOT_OF = '(?!{of}(?:{months}|{year}))';

/** The phrases that all of these languages share; their own words for "ago", "in" and the like are added to them. */
export const PHRASES: readonly Phrase[] = [
  { says: ['<day>{part}'], read: ({ place }, { today }) => meaning(dayPeriod(addDays(today, place('day') - 2))) },
  { says: ['{night}'], read: (_, { today }) => meaning({ since: addDays(today, -1), until: today }) },
  {
    says: ['<weekday>{part}{of}<which>~{week}', '<which>~{week}{of}<weekday>{part}'],
    read: ({ place }, { today }) => meaning(dayOfWeek(today, place('which') - 2, place('weekday') + 1)),
  },
  {
    says: ['<which>~<weekday>{part}'],
    read: ({ place }, { today }) => meaning(weekdayNear(today, place('which') - 2, place('weekday') + 1)),
  },
  {
    says: ['<which>~<season>', '<which>~<month>'],
    read: (said, { today }) => meaning(ofYearNear(today, said.place('which') - 2, namedIn(said))),
  },
  {
    says: [
      '{lasts}_<n>_<units>',
      '<n>_{lasts}_<units>',
      '<n>_<units>_{lasts}',
      '{lasts}~<plural>',
      '{rolling}_(?!{weekend})<unit>',
    ].map((phrase) => phrase + NOT_OF),
    read: (said, telling) => rolling(said, telling),
  },
  {
    says: [`<which>~<unit>${NOT_OF}`],
    read: ({ place }, { today }) => meaning(whole(today, unitAt(place('unit')), place('which') - 2)),
  },
  { says: ['(?<={since}_)<n>_<units>'], read: backwards },
  {
    says: ['{wd}<d>{th}{of}<month>(?:{of}<year>)?', '{wd}<d>{th}{to}<d2>{th}{of}<month>(?:{of}<year>)?'],
    read: (said, telling) => dates(said, telling),
  },
  {
    says: [
      '{wd}<d>{sep}<mm>{sep}<year4>',
      '{wd}<d>{sep}<mm>{sep}<yy>(?!\\d)',
      '(?<={in}|{on}|{article}){wd}<d>{sep}<mm>(?![\\d./]\\d)',
    ],
    read: (said, telling) => dates(said, telling),
  },
  {
    says: [
      '(?<=mi-)<month>',
      '{bare}<month>',
      '<month>{of}<year>',
      '<year>{of}<month>',
      '(?<={in})<month>',
      `<month>${OPEN_TO}`,
      '(?<={months}{to})<month>',
      '(?<={months}_{and}_)<month>',
    ],
    read: ofYear,
  },
  { says: ['<season>{of}<year>', '<year>{of}<season>', '(?<={strict})<season>', '{alone}<season>'], read: ofYear },
  {
    says: ['<ordinal>_{quarter}(?:{of}<year>)?', '<d>{th}_{quarter}(?:{of}<year>)?', 'q<d2>(?:(?:_|/)<year>)?'],
    read: ofYear,
  },
  { says: ['(?<={in})<year4>', '<year4>{yearEnd}'], read: ofYear },
  { says: ['(?:kw|kalenderwoche)_?<ww>(?:{of}<year>)?'], read: (said, telling) => week(said, telling) },
  {
    says: ['(?<={on}|{in})(?:{weekend})', '{bare}(?:{weekend})'],
    read: (_, { today }) => recurring(today, 7, (anchor) => meaning(latestWeekend(anchor))),
  },
  {
    says: ['(?<!{habit})<weekday>{part}'],
    // "Le journal du Dimanche" is a name.
    read: ({ place, start, before }, { today, isCapital }) =>
      isCapital(start) && /\bd[aeiou]l?\s$/.test(before) ? undefined : weekly(today, place('weekday') + 1),
  },
];

/** "Vor drei Tagen", "il y a un an". */
export function backwards(said: Said, telling: Telling): Meaning | undefined {
  const amount = amountOf(said, telling.patterns);
  return amount && countedBack(amount.count, amount.unit, telling);
}

/** "Dans trois jours". */
export function forwards(said: Said, telling: Telling): Meaning | undefined {
  const amount = amountOf(said, telling.patterns);
  if (!amount || typeof amount.count !== 'number') return undefined;
  return meaning(asExactAs(amount.unit, shift(telling.today, amount.count, amount.unit)));
}

/** "Am 3.", of this month or an earlier one. */
export function dayOfMonth(said: Said, { today }: Telling): Meaning | undefined {
  return recurring(today, 31, (anchor) => meaning(latestDate(anchor, said.number('d'))));
}

function rolling(said: Said, telling: Telling): Meaning | undefined {
  const plural = telling.patterns.placeOf('plural', said.text('plural'));
  if (plural >= 0) return meaning(lastFew(VAGUE, unitAt(plural), telling));
  const amount = amountOf(said, telling.patterns);
  return amount && meaning(lastFew(amount.count, amount.unit, telling));
}

/** How many of which unit; half a year is six months, and a unit without a number is one. */
function amountOf(said: Said, patterns: Patterns): { count: Count; unit: Unit } | undefined {
  const written = said.text('units') || said.text('unit');
  const at = Math.max(patterns.placeOf('unit', written), patterns.placeOf('plural', written));
  const unit = UNITS[at] ?? (said.text('half') === '' ? undefined : 'half');
  if (unit === undefined) return undefined;
  const text = said.text('n');
  const number = /^\d/.test(text) ? said.number('n') : text === '' ? 1 : said.place('n') + 1;
  const count = number > 0 ? number : VAGUE;
  if (unit !== 'half') return { count, unit };
  return typeof count === 'number' ? { count: 6 * count, unit: 'month' } : undefined;
}

function unitAt(place: number): Unit {
  const unit = UNITS[place];
  return unit === undefined || unit === 'half' ? 'day' : unit;
}

/** A month, season, quarter or year, as one of a year's. */
function namedIn(said: Said): (year: number) => Period | undefined {
  const [month, season, ordinal] = [said.place('month'), said.place('season'), said.place('ordinal')];
  if (month >= 0) return (year) => monthsPeriod(year, month + 1, 1);
  if (season >= 0) return (year) => monthsPeriod(year, 3 + 3 * season, 3);
  const quarter = ordinal >= 0 ? ordinal + 1 : said.number('d') || said.number('d2');
  if (quarter >= 1) return (year) => (quarter <= 4 ? monthsPeriod(year, 3 * quarter - 2, 3) : undefined);
  return yearPeriod;
}

function ofYear(said: Said, telling: Telling): Meaning | undefined {
  const year = yearSaid(said, telling);
  return year === undefined ? yearly(telling.today, namedIn(said)) : meaning(namedIn(said)(year));
}

function week(said: Said, telling: Telling): Meaning | undefined {
  const make = (year: number) => isoWeek(year, said.number('ww'));
  const year = yearSaid(said, telling);
  return year === undefined ? yearly(telling.today, make) : meaning(make(year));
}

/** The year that is said, also as "last year"; undefined when none is. */
function yearSaid(said: Said, { today, patterns }: Telling): number | undefined {
  const text = said.text('year') || said.text('year4') || said.text('yy');
  if (text === '') return undefined;
  if (/^\d/.test(text)) return Number.parseInt(text, 10) + (/^\d\d(?!\d)/.test(text) ? 2000 : 0);
  return partsOf(today).year + patterns.placeOf('which', text, true) - 2;
}

export function dates(said: Said, telling: Telling): Meaning | undefined {
  const month = said.text('mm') === '' ? said.place('month') + 1 : said.number('mm');
  const first = said.number(said.text('d') === '' ? 'dd' : 'd');
  const last = said.text('d2') === '' ? first : said.number('d2');
  const make = (year: number): Period | undefined => {
    const [since, until] = [makeDay(year, month, first), makeDay(year, month, last)];
    return since !== undefined && until !== undefined && since <= until
      ? hullOf(dayPeriod(since), dayPeriod(until))
      : undefined;
  };
  const year = yearSaid(said, telling);
  const found = year === undefined ? yearly(telling.today, make) : meaning(make(year));
  return found && { ...found, range: said.text('d2') !== '' };
}
