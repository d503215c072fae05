import type { Day } from '../../../base/clock.js';
import {
  addDays,
  addHalfToCount,
  adjacentPeriod,
  type CountOrRange,
  calendarPeriod,
  dateInMonth,
  dateParts,
  dayPeriod,
  daysBetween,
  halfOf,
  joinPeriods,
  lastOrNextWeekday,
  latestDayWithDate,
  latestStartedPeriod,
  latestWeekday,
  latestWeekend,
  makeDay,
  monthPeriod,
  nthPart,
  type Period,
  periodAtDistanceFromToday,
  periodOfWholeMonths,
  relativeYearlyPeriod,
  rollingPeriod,
  shiftDay,
  type TimeUnit,
  thirdOf,
  VAGUE_COUNT_RANGE,
  weekdayInWeek,
  weekPeriod,
  widenPeriod,
  yearPeriod,
} from '../calendar.js';
import {
  continuesTimeList,
  endsPhrase,
  mapOccurrences,
  meaningOfEveryWeekday,
  meaningOfPeriod,
  recurringMeaning,
  type TimeMeaning,
  yearlyMeaning,
} from '../expression.js';
import { widenPeriodForAround } from '../grammar.js';
import { HOLIDAYS } from '../holidays.js';
import { isoWeek } from '../literal.js';
import { detectChineseTense, parseChineseCount } from './chinese.js';
import { parseEnglishNumber } from './english.js';
import { PERIOD_THIRD_NAMES, type PhraseMatch, TIME_UNIT_COLUMNS } from './words.js';

/** Number of days after which a week, month, quarter or year recurs. */
const CYCLES: Readonly<Record<string, number>> = { week: 7, month: 30, quarter: 91, year: 365 };

/** The distances from today of the days in {@link TimeWords.days}, and of the years in {@link TimeWords.yearNames}. */
const NAMED_DAYS = [-2, -1, 0, 1, 2, -3, 3];

export type PhraseReader = (said: PhraseMatch) => TimeMeaning | undefined;

/** The ways to write one kind of time, and their common reader. */
interface TimePhrase {
  readonly ways: readonly string[];
  readonly read: PhraseReader;
  /** Whether the ways are bare names, which may also mean something else: "May", 中秋. */
  readonly isName: boolean;
}

/**
 * The ways to name a time, in a notation of their own. A word names a column or kind of the lexicon, or is a short name
 * such as `DATE` for several words ({@link SHORT_NAMES}). `a?`: the word is optional. `a~b`: the words are in either
 * order. `a=b`: a token of the kind b, with the name a. `a : b`: a must precede the time b and is not part of it. `a & b`: b
 * must follow the time a. `a ! b`: b must not follow the time a. The longest match wins, then the earlier phrase.
 */
export const TIME_PHRASES: readonly TimePhrase[] = [
  says(named)`named part? | named tail`,
  says(({ today }) => ({ period: { since: addDays(today, -1), until: today } }))`night`,
  says((said) => ({
    period: weekdayInWeek(said.today, near(said), weekdayOf(said)),
  }))`WEEKDAY part? of? the? which~week | which~week of? on? the? WEEKDAY part?`,
  says(nearWeekday)`which~WEEKDAY part? ! PERIOD`,
  says(daysOfNear)`weekday and weekday2=weekday of? the? which week | which weekday and weekday2=weekday`,
  says(nearName)`which~season | which~month ! d | which~feast`,
  says(
    rolling,
  )`lasts n units ! PERIOD | n lasts units ! PERIOD | lasts~plural ! PERIOD | rolling unit ! PERIOD | lasts n units tail | lasts fortnight`,
  says(recentDays)`edge n units`,
  says(ahead)`nexts n units | n nexts units`,
  says(rolling)`in the : lasts unit ! PERIOD`,
  says(({ today }) => ({ period: { since: addDays(today, -VAGUE_COUNT_RANGE.to), until: today } }))`recent`,
  says(dayLastUnit)`same which unit`,
  says(besideTime)`unit before | unit after`,
  says(thisUnit)`third of? the? : unit`,
  says(nearUnit)`which~unit ! PERIOD | which plural ! PERIOD`,
  says(
    backwards,
  )`agoBefore about? n units andHalf? agoAfter? | n units andHalf? agoAfter | n andHalf units agoAfter | n units over agoAfter | units n agoAfter | unit agoAfter | agoBefore half | since : n units andHalf?`,
  says(countedFrom)`named agoBefore about? n units`,
  says(awayTwo)`n and n2=n units agoAfter | n to n2=n units agoAfter | n units and n2=n agoAfter`,
  says(countedFrom)`n units agoAfter named`,
  says(forwards)`n units from named`,
  says(forwards)`maybeAhead about n units | ahead n units | ahead unit | n units aheadAfter | maybeAhead n units`,
  says(dates)`DATE OFYEAR | weekday COMMA? the? DATE OFYEAR | INYEAR anyMonth d th | INYEAR anyMonth d th to d2 th`,
  says(dates)`dmy | sign the? : dm | onSign the? : dm | the : dm | dayWord : dm | dmDot | on : d joint mm`,
  says(
    dates,
  )`INYEAR anyMonth d to d2 th | INYEAR anyMonth d th? and d2 th | INYEAR anyMonth d th? and d3=d th? and d2 th`,
  says(dates)`MDATE ENDYEAR | MDATE COMMA? shortYear | MDATE MORE ENDYEAR`,
  says(dates)`DDATE ENDYEAR | d th? of? leadingMonth shortYear`,
  says(dateOnWeekday)`weekday COMMA? the? d th`,
  names(ofName)`halfNamed ENDYEAR | QUARTER COMMA? of? the? YEAR | ordinal quarter COMMA? of? the? YEAR`,
  names(ofName)`month | year4=yearAlone`,
  says(months)`monthA=month to the? month ENDYEAR | monthA=month and month ENDYEAR`,
  says(weekOfDate)`INYEAR anyMonth d th of? thatWeek`,
  says(months)`INYEAR mm to month`,
  says(dayOfUnit)`which unit of? d th`,
  names(ofName)`d th | season | QUARTER`,
  says(
    ofYear,
  )`yearNamed yearEnd? | shortYear yearEnd & thirdAfter | shortYear yearEnd of? & halvesAfter | YEAR yearEnd & thirdAfter`,
  says(hanYear)`year4=hanYear yearEnd`,
  says(ofYear)`YEAR of? ordinal quarter | YEAR of? d quarter | YEAR of? QUARTER`,
  says(edgeOfYear)`YEAR of? edge n units`,
  says(sameDay)`YEAR of? same`,
  says(currentPart)`partOf thirdAfter`,
  says(halfNow)`halvesAfter`,
  says(dates)`between the? : d th? and in? the? d2 th? of? the? anyMonth OFYEAR`,
  says(ofYear)`anyMonth COMMA? of? the? YEAR | YEAR of? in? month | sign the? : month | month=bareMonth`,
  says(ofYear)`month & to the? month | month to the? : month | month and in? the? : month`,
  says(ofYear)`season of? the? YEAR | YEAR of? in? season | strict the? : season | alone`,
  says(ofYears)`season of? the? year4 PAIR next=n | season of? the? year4 PAIR next=year4`,
  says(ofYear)`ordinal halfYear OFYEAR | d th? halfYear OFYEAR`,
  says(nearHalf)`which~halfYear`,
  says(ofYear)`ordinal quarter OFYEAR | d th? quarter OFYEAR | QUARTER year4 | yearAlone to : year4=yearAlone`,
  says(ofYear)`sign the? : year4=yearAlone yearEnd? | year4=yearAlone yearEnd`,
  says((said) =>
    inYear(said, (year) => isoWeek(year, at(said, 'n'))),
  )`KW n | KW n of? YEAR | sign the? : week n ! of | sign the? : week n of? year4`,
  says(partOfMonth)`ordinal~monthHalf | ordinal~monthWeek | which~monthWeek | rolling PARTS of? the? month`,
  says(partOfMonth)`ordinal PARTS of? the? month OFYEAR | which~PARTS of? the? month OFYEAR`,
  names(ofName)`feast`,
  says(ofYear)`feast of? the? YEAR | YEAR of? the? feast`,
  says(weekend)`sign the? : weekend ! NEAR | onSign the? : weekend ! NEAR | weekend=bareWeekend`,
  says(dayOfMonth)`dateSign : d th? & END | dayWord : d`,
  says(ordinalDay)`dateSign : d th`,
  says(onWeekday)`weekday part? | onSign the? : short & END | onSign the? : short part`,
];

/**
 * Short names that stand for several words in many phrases, such as `DATE` and `WEEKDAY`. Each name has one or more ways
 * to write these words; `-` stands for no words. MDATE and DDATE are dates of English with the month first and the day first.
 */
export const SHORT_NAMES: readonly (readonly [name: string, ways: readonly string[]])[] = `
  WEEKDAY = weekday | short
  PERIOD = of? the? month | of? the? YEAR | BESIDE d | BESIDE dmy | BESIDE leadingMonth | BESIDE feast
  NEAR = of the? d | of the? leadingMonth | BESIDE d | BESIDE dmy | BESIDE leadingMonth | BESIDE feast
  BESIDE = before the? | after the?
  MDATE = leadingMonth COMMA? the? d th? | weekday COMMA? the? leadingMonth COMMA? the? d th?
  DDATE = DAY of? leadingMonth | DAY MORE of? leadingMonth
  DAY = d th? | weekday COMMA? the? d th?
  MORE = to the? d2 th? | and on? the? d2 th? | COMMA d3=d th? COMMA? and d2 th? | COMMA d4=d th? COMMA d3=d th? COMMA? and d2 th?
  DATE = d th? of? the? anyMonth | first of? the? anyMonth | d th? to the? d2 th? of? the? anyMonth
  INYEAR = - | YEAR of?
  OFYEAR = - | of? the? YEAR
  ENDYEAR = - | COMMA? of? YEAR
  YEAR = year4 yearEnd? | which~year | yearNamed yearEnd? | shortYear yearEnd
  PARTS = week | weekday`
  .trim()
  .split('\n')
  .map((line) => {
    const [name = '', ways = ''] = line.trim().split(' = ');
    return [name, ways.split(' | ')];
  });

function says(read: PhraseReader, isName = false): (text: TemplateStringsArray) => TimePhrase {
  return ([text = '']) => ({ ways: text.split(' | '), read, isName });
}

function names(read: PhraseReader): (text: TemplateStringsArray) => TimePhrase {
  return says(read, true);
}

function named(said: PhraseMatch): TimeMeaning | undefined {
  return isName(said) ? undefined : meaningOfPeriod(dayPeriod(addDays(said.today, NAMED_DAYS[at(said, 'named')] ?? 0)));
}

function daysOfNear(said: PhraseMatch): TimeMeaning {
  const of = (weekday: number) => weekdayInWeek(said.today, near(said), weekday);
  return { period: joinPeriods(of(weekdayOf(said)), of(at(said, 'weekday2') + 1)) };
}

function nearWeekday(said: PhraseMatch): TimeMeaning | undefined {
  // In "S'est passé mardi", "passé" is a verb and does not mean "last".
  if (said.words.get('which')?.start === said.start && said.words.get('which')?.text === 'passe') return undefined;
  // In a language without spaces, the week is a part of the weekday: 上周五.
  const day = said.unspaced ? weekdayInWeek : lastOrNextWeekday;
  return { period: day(said.today, near(said), weekdayOf(said)) };
}

function nearName(said: PhraseMatch): TimeMeaning | undefined {
  if (said.table.edges && monthOf(said) >= 0) return undefined;
  return meaningOfPeriod(relativeYearlyPeriod(said.today, near(said), namedIn(said)));
}

function nearUnit(said: PhraseMatch): TimeMeaning | undefined {
  // "In the coming weeks" is the coming week; in other languages the plural is no calendar period.
  if (said.words.has('plural') && !said.table.isEnglish) return undefined;
  const unit = TIME_UNIT_COLUMNS[Math.max(at(said, 'unit'), at(said, 'plural'))] ?? '';
  const period = calendarPeriod(said.today, unit, near(said));
  return period && { period, isThisWeekend: unit === 'weekend' && near(said) === 0 };
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

function weekend({ today, before }: PhraseMatch): TimeMeaning | undefined {
  if (before?.is.has('none')) return undefined;
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
  return /^\d/.test(said.words.get('d')?.text ?? '') ? ofName(said) : undefined;
}

function ofName(said: PhraseMatch): TimeMeaning | undefined {
  return said.words.has('d')
    ? recurringMeaning(said.today, 31, (anchor) => meaningOfPeriod(latestDayWithDate(anchor, at(said, 'd'))))
    : ofYear(said);
}

/** German "am 6. kommt er": a noun would have a capital. */
function ordinalDay(said: PhraseMatch): TimeMeaning | undefined {
  const isNoun = said.isCapital(
    said.start + said.around.after.search(/\S/) + (said.words.get('th')?.end ?? 0) - said.start,
  );
  return said.words.get('th')?.text === '.' && !isNoun ? dayOfMonth(said) : undefined;
}

/** 前几天 and 前些天: the last few days. 前两天 means "the other day", 前两周 about two weeks. */
function recentDays(said: PhraseMatch): TimeMeaning | undefined {
  const { count, unit = 'day' } = amountOf(said) ?? {};
  const isTwo = said.words.get('n')?.text === '两';
  if (at(said, 'edge') !== 0 || !(isTwo || said.words.get('n')?.is.has('few')) || count === undefined) return undefined;
  const reach = isTwo && unit !== 'day' ? 3 : VAGUE_COUNT_RANGE.to;
  return { period: { since: shiftDay(said.today, -reach, unit), until: addDays(said.today, -1) } };
}

/** 2025年, unless it is one of several figures: "11个月, 2025年". */
function hanYear(said: PhraseMatch): TimeMeaning | undefined {
  const isFigure = /[,，、]\s?$/.test(said.around.before) && /^\s?(?:$|[,，、。.])/.test(said.around.after);
  return isFigure && !said.lenient ? undefined : ofYear(said);
}

/** 11月27日那周: the week of the date. */
function weekOfDate(said: PhraseMatch): TimeMeaning | undefined {
  return inYear(said, (year) => {
    const day = makeDay(year, monthOf(said) + 1, at(said, 'd'));
    return day && weekPeriod(day);
  });
}

/** 10-12月. */
function months(said: PhraseMatch): TimeMeaning | undefined {
  const named = said.words.get('monthA')?.is.get('month');
  // Two months are read as one time only where their language says which words are months.
  if (named !== undefined && !said.table.isEnglish) return undefined;
  const [from, to] = [named === undefined ? at(said, 'mm') : named + 1, monthOf(said) + 1];
  const year = yearOf(said);
  if (isListed(said)) {
    const end = year === undefined ? said.today : yearPeriod(year).until;
    const [a, b] = [from, to].map((month) => latestStartedPeriod(end, (year) => periodOfWholeMonths(year, month, 1)));
    return a && b && { period: joinPeriods(a, b), core: a, list: true };
  }
  // "November to January 2025" begins in the year before.
  const isBefore = to < from && year !== undefined && named !== undefined;
  const found = inYear(said, (last) =>
    periodOfWholeMonths(isBefore ? last - 1 : last, from, to - from + (to < from ? 13 : 1)),
  );
  return found && { ...found, range: named !== undefined };
}

/** "This day last year", "today last month": three days on either side. "This time last year" is less exact. */
function dayLastUnit(said: PhraseMatch): TimeMeaning | undefined {
  const unit = TIME_UNIT_COLUMNS[at(said, 'unit')];
  if (said.unspaced || near(said) !== -1 || (unit !== 'week' && unit !== 'month' && unit !== 'year')) return undefined;
  const days = at(said, 'same') === 1 && unit === 'year' ? 15 : 3;
  return { period: widenPeriod(dayPeriod(shiftDay(said.today, -1, unit)), days) };
}

/** In "last week or the week before", the second time is counted from the first. */
function besideTime({ around, table, words }: PhraseMatch): TimeMeaning | undefined {
  const named = TIME_UNIT_COLUMNS[words.get('unit')?.is.get('unit') ?? 0];
  const unit = named === 'day' || named === 'week' || named === 'weekend' || named === 'month' ? named : undefined;
  if (!table.isEnglish || !around.previous || !unit || !continuesTimeList(around) || !endsPhrase(around))
    return undefined;
  return { period: adjacentPeriod(around.previous.period, unit, words.has('after') ? 1 : -1) };
}

/** "Two or three weeks ago", "a week or two ago": from the first time to the second. */
function awayTwo(said: PhraseMatch): TimeMeaning | undefined {
  const [first, second] = [said.words.get('n'), said.words.get('n2')].map(
    (n) => n && amountOf({ ...said, words: new Map([...said.words, ['n', n]]) }),
  );
  if (!first || !second) return undefined;
  const [a, b] = [first, second].map(({ count, unit }) => periodAtDistanceFromToday(count, unit, said));
  return a && b && { period: joinPeriods(a, b) };
}

/** "Tuesday the 4th": the nearest 4th that is a Tuesday. */
function dateOnWeekday(said: PhraseMatch): TimeMeaning | undefined {
  if (!said.table.isEnglish) return undefined;
  const latest = latestWeekday(said.today, weekdayOf(said));
  const days = Array.from({ length: 104 }, (_, i) => addDays(latest, 7 * (i - 52)));
  const distance = (day: Day) => Math.abs(daysBetween(day, said.today));
  const [nearest] = days
    .filter((day) => dateParts(day).date === at(said, 'd'))
    .sort((a, b) => distance(a) - distance(b));
  return nearest === undefined ? undefined : meaningOfPeriod(dayPeriod(nearest));
}

/** 上个月3号. */
function dayOfUnit(said: PhraseMatch): TimeMeaning | undefined {
  const whole = nearUnit(said);
  return whole && meaningOfPeriod(dateInMonth(whole.period, at(said, 'd')));
}

/** 今年前三个月, 去年后两个月. */
function edgeOfYear(said: PhraseMatch): TimeMeaning | undefined {
  const { count, unit } = amountOf(said) ?? {};
  const months = typeof count === 'number' ? count * (unit === 'month' ? 1 : unit === 'quarter' ? 3 : 0) : 0;
  if (months < 1 || months > 12) return undefined;
  return inYear(said, (year) => periodOfWholeMonths(year, at(said, 'edge') === 0 ? 1 : 13 - months, months));
}

/** 去年的今天. */
function sameDay(said: PhraseMatch): TimeMeaning | undefined {
  return inYear(said, (year) =>
    widenPeriodForAround(dayPeriod(shiftDay(said.today, year - dateParts(said.today).year, 'year'))),
  );
}

/** The year that a phrase names, also as "last year". Undefined without a year. */
function yearOf(said: PhraseMatch): number | undefined {
  const written = Math.max(at(said, 'year4'), at(said, 'shortYear'));
  if (written > 0) return written;
  const named = NAMED_DAYS[at(said, 'yearNamed')];
  if (named === undefined && !said.words.has('year')) return undefined;
  return dateParts(said.today).year + (named ?? near(said));
}

/** 上半年, 下半年. A half-year that has begun is that of this year, whatever follows. */
function halfNow(said: PhraseMatch): TimeMeaning | undefined {
  if (!/^[上下]半年$/.test(said.words.get('halvesAfter')?.text ?? '')) return undefined;
  const make = (year: number) => periodOfWholeMonths(year, at(said, 'halvesAfter') === 0 ? 1 : 7, 6);
  const current = make(dateParts(said.today).year);
  return current.since <= said.today ? { period: current } : yearlyMeaning(said.today, make);
}

// Text before 年中 or 月底 that rules out a part of a year or month: a count, a year or month in an unknown form, or the rest
// of a longer word (少年, 岁月).
const NO_PART =
  /每年$|[每\d一二三四五六七八九十个几多半百千去今明前后本当这上下同两近周青少成老童常全学财往历过岁蜜满赏]$/;

/**
 * 月底 or 年底 without a month or year. 月底 is the end of this month, or in the past tense the latest one that has begun. 年底
 * may mean the end of this year or of the year before. Both are possible, unless the tense decides, or a bound such as 前
 * follows: then the coming end is meant.
 */
function currentPart({ around, today, words }: PhraseMatch): TimeMeaning | undefined {
  if (NO_PART.test(around.before)) return undefined;
  const tense = /^(?:之前|以前|前)/.test(around.after) ? 'ahead' : detectChineseTense(around);
  const third = PERIOD_THIRD_NAMES[words.get('thirdAfter')?.is.get('thirdAfter') ?? 0] ?? 'mid';
  if (words.get('partOf')?.is.get('partOf') === 0) {
    const current = thirdOf(monthPeriod(today), third);
    return {
      period: tense === 'past' && current.since > today ? thirdOf(monthPeriod(today, -1), third) : current,
    };
  }
  const ofYear = (year: number) => thirdOf(yearPeriod(year), third);
  return tense === 'ahead' ? { period: ofYear(dateParts(today).year) } : yearlyMeaning(today, ofYear);
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
  return Math.max(at(said, 'month'), at(said, 'anyMonth'), at(said, 'leadingMonth'));
}

/**
 * Whether a capital letter shows that a word is not a day: in the middle of a sentence "Morgen" is the morning, and "Ayer" a
 * name.
 */
function isName({ before, start, isCapital, table }: PhraseMatch): boolean {
  if (table.isEnglish) return false;
  return isCapital(start) && before !== undefined && /^[\w\u00c0-\u1fff]/.test(before.text);
}

/**
 * A weekday alone, unless the word before it shows a habit ("every Friday"), a part of a month ("the first Friday") or a
 * name ("le journal du Dimanche").
 */
function onWeekday(said: PhraseMatch): TimeMeaning | undefined {
  const before = said.before?.is;
  if (said.unspaced && before?.has('n')) return undefined;
  if (said.table.isEnglish) return meaningOfEveryWeekday(said.today, weekdayOf(said));
  if (before?.has('habit') || before?.has('none') || before?.has('ordinal') || (before?.has('of') && isName(said)))
    return undefined;
  return meaningOfEveryWeekday(said.today, weekdayOf(said));
}

/** "A year ago" means the day one year back, and this many days on either side of it. */
const ABOUT_A_YEAR_AGO = 45;

/** "N units ago". "A year ago" is about one year back; "two years ago" is the whole calendar year. */
function backwards(said: PhraseMatch): TimeMeaning | undefined {
  const { count, unit } = amountOf(said) ?? {};
  if (count === undefined || unit === undefined) return undefined;
  const period = periodAtDistanceFromToday(count, unit, said);
  if (typeof count !== 'number') return { period };
  const core = dayPeriod(shiftDay(said.today, -count, unit));
  return { period: unit === 'year' && count === 1 ? widenPeriod(core, ABOUT_A_YEAR_AGO) : period, core, ago: true };
}

/** A time counted back from a named day, exact to the day: "heute vor einer Woche". */
function countedFrom(said: PhraseMatch): TimeMeaning | undefined {
  const { count, unit } = amountOf(said) ?? {};
  if (typeof count !== 'number' || unit === undefined) return undefined;
  const exact = dayPeriod(shiftDay(addDays(said.today, at(said, 'named') - 2), -count, unit));
  // "A year ago today" is about that day.
  return { period: said.table.isEnglish && unit !== 'day' && unit !== 'week' ? widenPeriod(exact, 3) : exact };
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
  if (said.table.isEnglish) return meaningOfPeriod(calendarPeriod(said.today, unit, 0));
  return recurringMeaning(said.today, CYCLES[unit] ?? 1, (anchor) => meaningOfPeriod(calendarPeriod(anchor, unit, 0)));
}

const BEFORE_AHEAD = /(?:^|[\s，。？！：；、,.?!:;我你您他她它们将会要在于定计再])$/;

function forwards(said: PhraseMatch): TimeMeaning | undefined {
  // "In drei Tagen geschafft" ("done in three days") is a duration.
  if (said.words.has('maybeAhead') && !said.table.isEnglish && !said.isAhead()) return undefined;
  // 退院の2週間後 ("two weeks after leaving hospital") counts from another day than today.
  if (said.words.has('aheadAfter') && said.unspaced && !BEFORE_AHEAD.test(said.around.before)) return undefined;
  const amount = amountOf(said);
  return amount && meaningOfPeriod(periodAtDistanceFromToday(amount.count, amount.unit, said, 1));
}

function rolling(said: PhraseMatch): TimeMeaning | undefined {
  const amount = amountOf(said);
  if (!amount || (said.words.has('rolling') && amount.unit === 'weekend' && !said.table.isEnglish)) return undefined;
  // Without a number, as in この日 ("this day"), the phrase does not mean "the last days".
  if (said.unspaced && said.words.has('plural')) return undefined;
  return meaningOfPeriod(rollingPeriod(said.words.has('plural') ? VAGUE_COUNT_RANGE : amount.count, amount.unit, said));
}

/** The count and the unit that a phrase names. Half a year is six months. A unit without a number counts as one. */
function amountOf(said: PhraseMatch): { count: CountOrRange; unit: TimeUnit } | undefined {
  const token = ['units', 'unit', 'plural', 'half', 'fortnight'].map((name) => said.words.get(name)).find(Boolean);
  const unit = TIME_UNIT_COLUMNS[token?.is.get('unit') ?? token?.is.get('plural') ?? -1];
  const count = countOf(said);
  if (unit === undefined || count === undefined) return undefined;
  if (unit === 'fortnight') return typeof count === 'number' ? { count: 2 * count, unit: 'week' } : undefined;
  if (typeof count !== 'number') return unit === 'half' ? undefined : { count, unit };
  if (unit === 'half') return { count: 6 * count, unit: 'month' };
  return said.words.get('n')?.is.has('oneHalf') || said.words.has('andHalf')
    ? addHalfToCount(count, unit)
    : { count, unit };
}

function countOf({ words, table }: PhraseMatch): CountOrRange | undefined {
  const { is: n, text = '' } = words.get('n') ?? {};
  if (n === undefined) return 1;
  const tens = n.has('tens') ? parseEnglishNumber(text) : undefined;
  if (tens !== undefined) return tens;
  if (table.numerals !== undefined) {
    const isMore = words.has('over') || words.get('units')?.text.includes('多');
    return parseChineseCount(text + (isMore && !text.endsWith('多') ? '多' : ''));
  }
  if (n.has('few')) return VAGUE_COUNT_RANGE;
  const place = n.get('number') ?? n.get('oneHalf');
  return place === undefined ? (n.get('n') ?? 0) : place + 1;
}

/**
 * The feast, month, season, half or quarter that the phrase names, for a given year. The whole year if the phrase names none
 * of these.
 */
function namedIn(said: PhraseMatch): (year: number) => Period | undefined {
  const feast = HOLIDAYS[at(said, 'feast')];
  if (feast) return (year) => feast.days(year);
  const [month, season] = [monthOf(said), Math.max(at(said, 'season'), at(said, 'alone'))];
  if (month >= 0) return (year) => periodOfWholeMonths(year, month + 1, 1);
  if (season >= 0) return (year) => periodOfWholeMonths(year, 3 + 3 * season, 3);
  if (said.words.has('halfNamed')) return (year) => periodOfWholeMonths(year, 1 + 6 * at(said, 'halfNamed'), 6);
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
  const meant = inYear(said, namedIn(said));
  const feast = HOLIDAYS[at(said, 'feast')];
  if (!meant || !feast) return meant;
  // The exact day, where the feast is wider: 25 December in "Christmas".
  return withCore(meant, ({ since }) => feast.day(dateParts(addDays(since, 3)).year));
}

/** A time with the exact day inside each of its occurrences. */
function withCore(meaning: TimeMeaning, dayIn: (period: Period) => Day | undefined): TimeMeaning {
  const exact = mapOccurrences(meaning, (occurrence) => {
    const day = dayIn(occurrence.period);
    return day === undefined ? occurrence : { ...occurrence, core: dayPeriod(day) };
  });
  return { ...meaning, ...exact };
}

/** The period in the year that the phrase names (2024, "last year"). Without a year, the period recurs every year. */
function inYear(said: PhraseMatch, make: (year: number) => Period | undefined): TimeMeaning | undefined {
  const year = yearOf(said);
  if (year !== undefined) return meaningOfPeriod(make(year));
  if (said.unspaced && said.before?.is.has('n') && said.before.end === said.start) return undefined;
  // 同年10月 ("October of the same year") and 毎年9月 ("every September") do not mean the latest October or September.
  return said.before?.is.has('none') ? undefined : yearlyMeaning(said.today, make);
}

/** Whether a phrase names several times ("Nov 3 and 5"), and not the ends of a range ("between 3 and 5 November"). */
function isListed({ words, around }: PhraseMatch): boolean {
  return words.has('and') && !/between\s+$/.test(around.before);
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
  if (found && said.table.isEnglish && isListed(said)) return { ...withCore(found, ({ since }) => since), list: true };
  return found && { ...found, range: said.words.has('d2') };
}
