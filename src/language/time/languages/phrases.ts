import {
  addDays,
  dateParts,
  dayPeriod,
  joinPeriods,
  latestDayWithDate,
  makeDay,
  type Period,
  periodOfWholeMonths,
  yearPeriod,
} from '../calendar.js';
import {
  addHalfToCount,
  type CountOrRange,
  calendarPeriod,
  countBackFromToday,
  halfOf,
  lastOrNextWeekday,
  latestWeekend,
  nthPart,
  periodAroundDay,
  relativeYearlyPeriod,
  rollingPeriod,
  shiftDay,
  type TimeUnit,
  VAGUE_COUNT_RANGE,
  weekdayInWeek,
} from '../distance.js';
import {
  meaningOfEveryWeekday,
  meaningOfPeriod,
  recurringMeaning,
  type TimeContext,
  type TimeMeaning,
  yearlyMeaning,
} from '../expression.js';
import {
  BOXING_DAY,
  CHRISTMAS,
  CHRISTMAS_DAY,
  CHRISTMAS_EVE,
  EASTER,
  FIRST_DAYS_OF_YEAR,
  NEW_YEAR,
  NEW_YEARS_EVE,
  ORTHODOX_CHRISTMAS,
  ORTHODOX_EASTER,
} from '../holidays.js';
import { isoWeek } from '../literal.js';
import { type LexiconToken, TIME_UNIT_COLUMNS } from './lexicon.js';

/** Number of days after which a week, month, quarter or year recurs. */
const CYCLES: Readonly<Record<string, number>> = { week: 7, month: 30, quarter: 91, year: 365 };

/** Feasts in the order of {@link TimeWords.feasts}. */
const FEASTS = [
  CHRISTMAS,
  NEW_YEARS_EVE,
  NEW_YEAR,
  EASTER,
  CHRISTMAS_EVE,
  CHRISTMAS_DAY,
  BOXING_DAY,
  ORTHODOX_CHRISTMAS,
  ORTHODOX_EASTER,
  FIRST_DAYS_OF_YEAR,
];

/** The match of a phrase: `words` gives the token for each name in the phrase, `before` the token before the match. */
export interface PhraseMatch extends TimeContext {
  readonly words: ReadonlyMap<string, LexiconToken>;
  readonly before: LexiconToken | undefined;
  readonly unspaced: boolean;
  readonly start: number;
  /** Whether the text is in the present or future tense. */
  readonly isAhead: () => boolean;
}

export type PhraseReader = (said: PhraseMatch) => TimeMeaning | undefined;

/** The ways to write one kind of time, and their common reader. */
interface TimePhrase {
  readonly ways: readonly string[];
  readonly read: PhraseReader;
}

/**
 * The ways to name a time, in a notation of their own. A word names a column or kind of {@link Lexicon}, or is a short name
 * such as `DATE` for several words (`SHORT` in `reader.ts`). `a?`: the word is optional. `a~b`: the words are in either
 * order. `a=b`: a token of the kind b, with the name a. `a : b`: a must precede the time b and is not part of it. `a & b`: b
 * must follow the time a. `a ! b`: b must not follow the time a. The longest match wins, then the earlier phrase.
 */
export const TIME_PHRASES: readonly TimePhrase[] = [
  says(named)`named part?`,
  says(lastNight)`night`,
  says(dayOfNear)`WEEKDAY part? of? the? which~week | which~week of? on? the? WEEKDAY part?`,
  says(nearWeekday)`which~WEEKDAY part? ! PERIOD`,
  says(nearName)`which~season | which~month | which~feast`,
  says(
    rolling,
  )`lasts n units ! PERIOD | n lasts units ! PERIOD | n units lasts | lasts~plural ! PERIOD | rolling unit ! PERIOD`,
  says(ahead)`nexts n units | n nexts units`,
  says(thisUnit)`third of? the? : unit`,
  says(nearUnit)`which~unit ! PERIOD`,
  says(
    backwards,
  )`agoBefore about? n units andHalf? agoAfter? | n units andHalf? agoAfter | units n agoAfter | unit agoAfter | agoBefore half | since : n units andHalf?`,
  says(countedFrom)`named agoBefore about? n units | WEEKDAY agoBefore about? n units`,
  says(forwards)`ahead n units | ahead unit | n units aheadAfter | maybeAhead n units`,
  says(dates)`DATE | DATE of? the? YEAR | weekday COMMA? the? DATE | weekday COMMA? the? DATE of? the? YEAR`,
  says(dates)`anyMonth d th | YEAR of? anyMonth d th | anyMonth d th to d2 th | YEAR of? anyMonth d th to d2 th`,
  says(dates)`dmy | sign the? : dm | onSign the? : dm | the : dm | dayWord : dm | dmDot | on : d joint mm`,
  says(
    dates,
  )`between the? : d th? and in? the? d2 th? of? the? anyMonth | between the? : d th? and in? the? d2 th? of? the? anyMonth of? the? YEAR`,
  says(ofYear)`anyMonth COMMA? of? the? YEAR | YEAR of? in? month | sign the? : month | month=bareMonth`,
  says(ofYear)`month & to the? month | month to the? : month | month and in? the? : month`,
  says(ofYear)`season of? the? YEAR | YEAR of? in? season | strict the? : season | alone`,
  says(ofYears)`season of? the? year4 PAIR next=n | season of? the? year4 PAIR next=year4`,
  says(ofYear)`ordinal halfYear | ordinal halfYear of? the? YEAR | d th? halfYear | d th? halfYear of? the? YEAR`,
  says(nearHalf)`which~halfYear`,
  says(ofYear)`ordinal quarter | ordinal quarter of? the? YEAR | d th? quarter | d th? quarter of? the? YEAR`,
  says(
    ofYear,
  )`QUARTER | QUARTER year4 | sign the? : year4=yearAlone yearEnd? | year4=yearAlone yearEnd | yearAlone to : year4=yearAlone`,
  says(week)`KW n | KW n of? YEAR | sign the? : week n ! of | sign the? : week n of? year4`,
  says(
    partOfMonth,
  )`ordinal~monthHalf | ordinal~monthWeek | which~monthWeek | ordinal PARTS of? the? month | which~PARTS of? the? month | rolling PARTS of? the? month`,
  says(partOfMonth)`ordinal PARTS of? the? month of? the? year4 | which~PARTS of? the? month of? the? year4`,
  says(ofYear)`feast | feast of? the? YEAR | YEAR of? the? feast`,
  says(weekend)`sign the? : weekend ! of the? d | onSign the? : weekend ! of the? d | weekend=bareWeekend`,
  says(dayOfMonth)`dateSign : d th? & END | dayWord : d`,
  says(onWeekday)`weekday part? | onSign the? : short & END | onSign the? : short part`,
];

function says(read: PhraseReader): (text: TemplateStringsArray) => TimePhrase {
  return ([text = '']) => ({ ways: text.split(' | '), read });
}

function named(said: PhraseMatch): TimeMeaning | undefined {
  return isName(said) ? undefined : meaningOfPeriod(dayPeriod(addDays(said.today, at(said, 'named') - 2)));
}

function lastNight({ today }: PhraseMatch): TimeMeaning {
  return { period: { since: addDays(today, -1), until: today } };
}

function dayOfNear(said: PhraseMatch): TimeMeaning {
  return { period: weekdayInWeek(said.today, near(said), weekdayOf(said)) };
}

function nearWeekday(said: PhraseMatch): TimeMeaning | undefined {
  // In "S'est passé mardi", "passé" is a verb and does not mean "last".
  if (said.words.get('which')?.start === said.start && said.words.get('which')?.text === 'passe') return undefined;
  return { period: lastOrNextWeekday(said.today, near(said), weekdayOf(said)) };
}

function nearName(said: PhraseMatch): TimeMeaning | undefined {
  return meaningOfPeriod(relativeYearlyPeriod(said.today, near(said), namedIn(said)));
}

function nearUnit(said: PhraseMatch): TimeMeaning | undefined {
  return meaningOfPeriod(calendarPeriod(said.today, TIME_UNIT_COLUMNS[at(said, 'unit')] ?? '', near(said)));
}

/** "Letztes Halbjahr": the previous half of a calendar year. */
function nearHalf(said: PhraseMatch): TimeMeaning | undefined {
  const { year, month } = dateParts(said.today);
  return meaningOfPeriod(periodOfWholeMonths(year, (month <= 6 ? 1 : 7) + 6 * near(said), 6));
}

/** A season that lies in two years. "Winter 2024/25" is read as the winter of 2024. */
function ofYears(said: PhraseMatch): TimeMeaning | undefined {
  const year = at(said, 'year4');
  const next = Number(said.words.get('next')?.text);
  return next % 100 === (year + 1) % 100 ? meaningOfPeriod(namedIn(said)(year)) : undefined;
}

function weekend({ today }: PhraseMatch): TimeMeaning | undefined {
  return recurringMeaning(today, 7, (anchor) => meaningOfPeriod(latestWeekend(anchor)));
}

/** A week, half or weekday of a month: "die erste Märzwoche", "die zweite Märzhälfte", "the last Monday of May". */
function partOfMonth(said: PhraseMatch): TimeMeaning | undefined {
  const nth = said.words.has('ordinal')
    ? at(said, 'ordinal') + 1
    : said.words.has('rolling') || near(said) === -1
      ? -1
      : 0;
  const month = Math.max(monthOf(said), at(said, 'monthWeek'), at(said, 'monthHalf'));
  const weekday = weekdayOf(said);
  const isHalf = said.words.has('monthHalf');
  if (nth === 0 || (isHalf && nth > 2)) return undefined;
  return inYear(said, (year) => {
    const whole = periodOfWholeMonths(year, month + 1, 1);
    return isHalf ? halfOf(whole, nth === 1) : nthPart(whole, nth, weekday > 0 ? weekday : 'week');
  });
}

/**
 * A date without a month: "am 3." is in this month or an earlier one. Digits are required, because "op de derde" may also be
 * a floor.
 */
function dayOfMonth(said: PhraseMatch): TimeMeaning | undefined {
  if (!/^\d/.test(said.words.get('d')?.text ?? '')) return undefined;
  return recurringMeaning(said.today, 31, (anchor) => meaningOfPeriod(latestDayWithDate(anchor, at(said, 'd'))));
}

function at({ words }: Pick<PhraseMatch, 'words'>, name: string): number {
  return words.get(name)?.is.get(name.replace('2', '')) ?? -1;
}

function near(said: PhraseMatch): number {
  return at(said, 'which') - 2;
}

function weekdayOf(said: Pick<PhraseMatch, 'words'>): number {
  return Math.max(at(said, 'weekday'), at(said, 'short')) + 1;
}

function monthOf(said: Pick<PhraseMatch, 'words'>): number {
  return Math.max(at(said, 'month'), at(said, 'anyMonth'));
}

/**
 * Whether a capital letter shows that a word is not a day: in the middle of a sentence "Morgen" is the morning, and "Ayer" a
 * name.
 */
function isName({ before, start, isCapital }: Pick<PhraseMatch, 'before' | 'start' | 'isCapital'>): boolean {
  return isCapital(start) && before !== undefined && /^[\w\u00c0-\u1fff]/.test(before.text);
}

/**
 * A weekday alone, unless the word before it shows a habit ("every Friday"), a part of a month ("the first Friday") or a
 * name ("le journal du Dimanche").
 */
function onWeekday(said: PhraseMatch): TimeMeaning | undefined {
  const before = said.before?.is;
  if (before?.has('habit') || before?.has('none') || before?.has('ordinal') || (before?.has('of') && isName(said)))
    return undefined;
  return meaningOfEveryWeekday(said.today, weekdayOf(said));
}

function backwards(said: PhraseMatch): TimeMeaning | undefined {
  const amount = amountOf(said);
  return amount && countBackFromToday(amount.count, amount.unit, said);
}

/** A time counted back from a named day, exact to the day: "heute vor einer Woche", "Dienstag vor zwei Wochen". */
function countedFrom(said: PhraseMatch): TimeMeaning | undefined {
  const { count, unit } = amountOf(said) ?? {};
  const weekday = weekdayOf(said);
  if (typeof count !== 'number' || unit === undefined || (weekday > 0 && unit !== 'week')) return undefined;
  const from =
    weekday > 0 ? meaningOfEveryWeekday(said.today, weekday).period.since : addDays(said.today, at(said, 'named') - 2);
  return meaningOfPeriod(dayPeriod(shiftDay(from, -count, unit)));
}

/** The days of "in the next two weeks", including today. */
function ahead(said: PhraseMatch): TimeMeaning | undefined {
  const amount = amountOf(said);
  return amount && meaningOfPeriod(rollingPeriod(amount.count, amount.unit, said, 1));
}

/**
 * The current unit, such as the week in "Anfang der Woche". It recurs: a question means the current week, a statement means
 * no particular week.
 */
function thisUnit(said: PhraseMatch): TimeMeaning | undefined {
  const unit = TIME_UNIT_COLUMNS[at(said, 'unit')] ?? '';
  return recurringMeaning(said.today, CYCLES[unit] ?? 1, (anchor) => meaningOfPeriod(calendarPeriod(anchor, unit, 0)));
}

function forwards(said: PhraseMatch): TimeMeaning | undefined {
  // "In drei Tagen geschafft" ("done in three days") is a duration.
  if (said.words.has('maybeAhead') && !said.isAhead()) return undefined;
  // 退院の2週間後 ("two weeks after leaving hospital") counts from another day than today.
  if (said.words.has('aheadAfter') && said.before !== undefined && !/^[\s、。，]$/.test(said.before.text))
    return undefined;
  const amount = amountOf(said);
  if (typeof amount?.count !== 'number') return undefined;
  return meaningOfPeriod(periodAroundDay(amount.unit, shiftDay(said.today, amount.count, amount.unit)));
}

function rolling(said: PhraseMatch): TimeMeaning | undefined {
  const amount = amountOf(said);
  if (!amount || (said.words.has('rolling') && amount.unit === 'weekend')) return undefined;
  // Without a number, as in この日 ("this day"), the phrase does not mean "the last days".
  if (said.unspaced && !said.words.has('n')) return undefined;
  return meaningOfPeriod(rollingPeriod(said.words.has('plural') ? VAGUE_COUNT_RANGE : amount.count, amount.unit, said));
}

/** The count and the unit that a phrase names. Half a year is six months. A unit without a number counts as one. */
function amountOf(said: PhraseMatch): { count: CountOrRange; unit: TimeUnit } | undefined {
  const token = ['units', 'unit', 'plural', 'half'].map((name) => said.words.get(name)).find(Boolean);
  const unit = TIME_UNIT_COLUMNS[token?.is.get('unit') ?? token?.is.get('plural') ?? -1];
  const count = countOf(said);
  if (unit === undefined) return undefined;
  if (typeof count !== 'number') return unit === 'half' ? undefined : { count, unit };
  if (unit === 'half') return { count: 6 * count, unit: 'month' };
  return said.words.get('n')?.is.has('oneHalf') || said.words.has('andHalf')
    ? addHalfToCount(count, unit)
    : { count, unit };
}

function countOf({ words }: PhraseMatch): CountOrRange {
  const n = words.get('n')?.is;
  if (n === undefined) return 1;
  if (n.has('few')) return VAGUE_COUNT_RANGE;
  const place = n.get('number') ?? n.get('oneHalf');
  return place === undefined ? (n.get('n') ?? 0) : place + 1;
}

/**
 * The feast, month, season, half or quarter that the phrase names, for a given year. The whole year if the phrase names none
 * of these.
 */
function namedIn(said: PhraseMatch): (year: number) => Period | undefined {
  const feast = FEASTS[at(said, 'feast')];
  if (feast) return (year) => feast.days(year);
  const [month, season] = [monthOf(said), Math.max(at(said, 'season'), at(said, 'alone'))];
  if (month >= 0) return (year) => periodOfWholeMonths(year, month + 1, 1);
  if (season >= 0) return (year) => periodOfWholeMonths(year, 3 + 3 * season, 3);
  if (said.words.has('halfYear')) {
    const half = Math.max(at(said, 'ordinal') + 1, at(said, 'd'));
    return (year) => (half <= 2 ? periodOfWholeMonths(year, 6 * half - 5, 6) : undefined);
  }
  const quarter = Math.max(
    at(said, 'ordinal') + 1,
    at(said, 'd'),
    Number(said.words.get('QUARTER')?.text.slice(1) ?? 0),
  );
  return quarter < 1
    ? yearPeriod
    : (year) => (quarter <= 4 ? periodOfWholeMonths(year, 3 * quarter - 2, 3) : undefined);
}

function ofYear(said: PhraseMatch): TimeMeaning | undefined {
  return inYear(said, namedIn(said));
}

function week(said: PhraseMatch): TimeMeaning | undefined {
  return inYear(said, (year) => isoWeek(year, at(said, 'n')));
}

/** The period in the year that the phrase names (2024, "last year"). Without a year, the period recurs every year. */
function inYear(said: PhraseMatch, make: (year: number) => Period | undefined): TimeMeaning | undefined {
  if (said.words.has('year4')) return meaningOfPeriod(make(at(said, 'year4')));
  if (said.words.has('year')) return meaningOfPeriod(make(dateParts(said.today).year + near(said)));
  // 同年10月 ("October of the same year") and 毎年9月 ("every September") do not mean the latest October or September.
  return said.before?.is.has('none') ? undefined : yearlyMeaning(said.today, make);
}

function dates(said: PhraseMatch): TimeMeaning | undefined {
  const written = ['dmy', 'dm', 'dmDot'].map((name) => said.words.get(name)).find(Boolean)?.text;
  const digits = written?.split(/\D/).map(Number);
  // "3.12." after another word is no date: it may be a version at the end of a sentence. Without a word before it, "24.12."
  // is a day.
  if (said.words.has('dmDot') && said.before?.is.size === 0 && /^[^\W]/.test(said.before.text)) return undefined;
  const [d = 0, m = 0, y] = digits ?? [
    Math.max(at(said, 'd'), said.words.has('first') ? 1 : 0),
    Math.max(monthOf(said) + 1, at(said, 'mm')),
  ];
  const monthFirst = (said.dateOrder === 'mdy' && written?.includes('/')) || (said.unspaced && y === undefined);
  const [date, month] = digits && monthFirst ? [m, d] : [d, m];
  const last = said.words.has('d2') ? at(said, 'd2') : date;
  const make = (year: number): Period | undefined => {
    const [since, until] = [makeDay(year, month, date), makeDay(year, month, last)];
    return since && until && since <= until ? joinPeriods(dayPeriod(since), dayPeriod(until)) : undefined;
  };
  const found = y ? meaningOfPeriod(make(y < 100 ? 2000 + y : y)) : inYear(said, make);
  return found && { ...found, range: said.words.has('d2') };
}
