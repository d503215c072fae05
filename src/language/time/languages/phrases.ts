import type { Day } from '../../../base/clock.js';
import {
  addDays,
  dateParts,
  dayPeriod,
  joinPeriods,
  latestDayWithDate,
  latestStartedPeriod,
  makeDay,
  monthPeriod,
  type Period,
  periodOfWholeMonths,
  thirdOf,
  weekPeriod,
  yearPeriod,
} from '../calendar.js';
import {
  addHalfToCount,
  type CountOrRange,
  calendarPeriod,
  countBackFromToday,
  dateInMonth,
  halfOf,
  lastOrNextWeekday,
  latestWeekend,
  nthPart,
  periodAtDistanceFromToday,
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
  type TextAroundMatch,
  type TimeContext,
  type TimeExpression,
  type TimeMeaning,
  type TimeOccurrence,
  yearlyMeaning,
} from '../expression.js';
import { widenPeriodForAround } from '../grammar.js';
import {
  BOXING_DAY,
  CHRISTMAS,
  CHRISTMAS_DAY,
  CHRISTMAS_EVE,
  EASTER,
  FIRST_DAYS_OF_YEAR,
  HOLIDAYS,
  NEW_YEAR,
  NEW_YEARS_EVE,
  ORTHODOX_CHRISTMAS,
  ORTHODOX_EASTER,
} from '../holidays.js';
import { isoWeek } from '../literal.js';
import { detectChineseTense, parseChineseCount } from './chinese.js';
import { type Lexicon, type LexiconToken, PERIOD_THIRD_NAMES, TIME_UNIT_COLUMNS } from './lexicon.js';
import type { TimeWords } from './words.js';

/** Number of days after which a week, month, quarter or year recurs. */
const CYCLES: Readonly<Record<string, number>> = { week: 7, month: 30, quarter: 91, year: 365 };

/** The distances from today of the days in {@link TimeWords.days}, and of the years in {@link TimeWords.yearNames}. */
const NAMED_DAYS = [-2, -1, 0, 1, 2, -3, 3];

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
  ...HOLIDAYS.filter((day) => ![CHRISTMAS, NEW_YEARS_EVE, NEW_YEAR, EASTER].includes(day)),
];

/** The match of a phrase: `words` gives the token for each name in the phrase, `before` the token before the match. */
export interface PhraseMatch extends TimeContext {
  readonly words: ReadonlyMap<string, LexiconToken>;
  readonly before: LexiconToken | undefined;
  readonly unspaced: boolean;
  readonly table: TimeWords;
  readonly around: TextAroundMatch;
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
  says(named)`named part? | named tail`,
  says(lastNight)`night`,
  says(dayOfNear)`WEEKDAY part? of? the? which~week | which~week of? on? the? WEEKDAY part?`,
  says(nearWeekday)`which~WEEKDAY part? ! PERIOD | which weekday and weekday2=weekday | which weekday and d=d`,
  says(nearName)`which~season | which~month | which~feast`,
  says(
    rolling,
  )`lasts n units ! PERIOD | n lasts units ! PERIOD | n units lasts | lasts~plural ! PERIOD | rolling unit ! PERIOD | lasts n units over? tail? | lasts half tail? | lasts fortnight tail?`,
  says(recentDays)`edge n units`,
  says(ahead)`nexts n units | n nexts units`,
  says(thisUnit)`third of? the? : unit`,
  says(nearUnit)`which~unit ! PERIOD`,
  says(
    backwards,
  )`agoBefore about? n units andHalf? agoAfter? | n units andHalf? agoAfter | n andHalf units agoAfter | n units over agoAfter | units n agoAfter | unit agoAfter | agoBefore half | since : n units andHalf?`,
  says(countedFrom)`named agoBefore about? n units | WEEKDAY agoBefore about? n units`,
  says(forwards)`ahead n units | ahead unit | n units aheadAfter | maybeAhead n units`,
  says(dates)`DATE | DATE of? the? YEAR | weekday COMMA? the? DATE | weekday COMMA? the? DATE of? the? YEAR`,
  says(dates)`anyMonth d th | YEAR of? anyMonth d th | anyMonth d th to d2 th | YEAR of? anyMonth d th to d2 th`,
  says(dates)`dmy | sign the? : dm | onSign the? : dm | the : dm | dayWord : dm | dmDot | on : d joint mm`,
  says(
    dates,
  )`anyMonth d to d2 th | YEAR of? anyMonth d to d2 th | anyMonth d th? and d2 th | YEAR of? anyMonth d th? and d2 th`,
  says(dates)`anyMonth d th? and d3=d th? and d2 th | YEAR of? anyMonth d th? and d3=d th? and d2 th`,
  says(weekOfDate)`anyMonth d th of? thatWeek | YEAR of? anyMonth d th of? thatWeek`,
  says(months)`mm to month | YEAR of? mm to month`,
  says(dayOfUnit)`which unit of? d th`,
  says(ifTime)`d th | season | QUARTER`,
  says(
    ofYear,
  )`yearNamed yearEnd? | shortYear yearEnd & thirdAfter | shortYear yearEnd of? & halvesAfter | YEAR yearEnd & thirdAfter`,
  says(hanYear)`year4=hanYear yearEnd`,
  says(ofYear)`YEAR of? ordinal quarter | YEAR of? d quarter | YEAR of? QUARTER`,
  says(edgeOfYear)`YEAR of? edge n units`,
  says(sameDay)`YEAR of? same`,
  says(currentPart)`partOf thirdAfter`,
  says(halfNow)`halvesAfter`,
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
  )`QUARTER year4 | sign the? : year4=yearAlone yearEnd? | year4=yearAlone yearEnd | yearAlone to : year4=yearAlone`,
  says(week)`KW n | KW n of? YEAR | sign the? : week n ! of | sign the? : week n of? year4`,
  says(
    partOfMonth,
  )`ordinal~monthHalf | ordinal~monthWeek | which~monthWeek | ordinal PARTS of? the? month | which~PARTS of? the? month | rolling PARTS of? the? month`,
  says(partOfMonth)`ordinal PARTS of? the? month of? the? year4 | which~PARTS of? the? month of? the? year4`,
  says(ifTime)`feast`,
  says(ofYear)`feast of? the? YEAR | YEAR of? the? feast`,
  says(weekend)`sign the? : weekend ! of the? d | onSign the? : weekend ! of the? d | weekend=bareWeekend`,
  says(dayOfMonth)`dateSign : d th? & END | dayWord : d`,
  says(onWeekday)`weekday part? | onSign the? : short & END | onSign the? : short part`,
];

function says(read: PhraseReader): (text: TemplateStringsArray) => TimePhrase {
  return ([text = '']) => ({ ways: text.split(' | '), read });
}

function named(said: PhraseMatch): TimeMeaning | undefined {
  return isName(said) ? undefined : meaningOfPeriod(dayPeriod(addDays(said.today, NAMED_DAYS[at(said, 'named')] ?? 0)));
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
  // In a language without spaces, the week is a part of the weekday: 上周五.
  if (said.unspaced) {
    const { since } = weekdayInWeek(said.today, near(said), weekdayOf(said));
    const last = Math.max(at(said, 'weekday2') + 1, at(said, 'd'), weekdayOf(said));
    const { until } = weekdayInWeek(said.today, near(said), last);
    return last <= 7 ? { period: { since, until } } : undefined;
  }
  return { period: lastOrNextWeekday(said.today, near(said), weekdayOf(said)) };
}

function nearName(said: PhraseMatch): TimeMeaning | undefined {
  if (said.table.edges && monthOf(said) >= 0) return undefined;
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
  if (!/^\d/.test(said.words.get('d')?.text ?? '')) return undefined;
  return recurringMeaning(said.today, 31, (anchor) => meaningOfPeriod(latestDayWithDate(anchor, at(said, 'd'))));
}

/** A name that is a time only if the text around it shows that. */
function ifTime(said: PhraseMatch): TimeMeaning | undefined {
  const { table, words } = said;
  if (!(table.isTime?.(said) ?? !(words.has('season') || words.has('d')))) return undefined;
  if (!words.has('d')) return ofYear(said);
  return recurringMeaning(said.today, 31, (anchor) => meaningOfPeriod(latestDayWithDate(anchor, at(said, 'd'))));
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
  const [from, to] = [at(said, 'mm'), monthOf(said) + 1];
  return inYear(said, (year) => periodOfWholeMonths(year, from, to - from + (to < from ? 13 : 1)));
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
function sameDay(said: PhraseMatch): TimeMeaning {
  const years = yearOf(said) - dateParts(said.today).year;
  return { period: widenPeriodForAround(dayPeriod(shiftDay(said.today, years, 'year'))) };
}

function yearOf(said: PhraseMatch): number {
  if (said.words.has('year4')) return at(said, 'year4');
  if (said.words.has('shortYear')) return at(said, 'shortYear');
  const offset = said.words.has('yearNamed') ? (NAMED_DAYS[at(said, 'yearNamed')] ?? 0) : near(said);
  return dateParts(said.today).year + offset;
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
 * may mean the end of this year or of the year before. Both are included, unless the tense decides, or a bound such as 前
 * follows: then the coming end is meant.
 */
function currentPart({ around, today, words }: PhraseMatch): TimeMeaning | undefined {
  if (NO_PART.test(around.before)) return undefined;
  const tense = /^(?:之前|以前|前)/.test(around.after) ? 'future' : detectChineseTense(around);
  const third = PERIOD_THIRD_NAMES[words.get('thirdAfter')?.is.get('thirdAfter') ?? 0] ?? 'mid';
  if (words.get('partOf')?.is.get('partOf') === 0) {
    const current = thirdOf(monthPeriod(today), third);
    return { period: tense === 'past' && current.since > today ? thirdOf(monthPeriod(today, -1), third) : current };
  }
  const make = (year: number) => thirdOf(yearPeriod(year), third);
  const [latest, current] = [latestStartedPeriod(today, make), make(dateParts(today).year)];
  if (tense === 'future' || !latest) return { period: current };
  return { period: tense === 'past' ? latest : joinPeriods(latest, current) };
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
  if (said.unspaced && before?.has('n')) return undefined;
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

const BEFORE_AHEAD = /(?:^|[\s，。？！：；、,.?!:;我你您他她它们将会要在于定计再])$/;

function forwards(said: PhraseMatch): TimeMeaning | undefined {
  // "In drei Tagen geschafft" ("done in three days") is a duration.
  if (said.words.has('maybeAhead') && !said.isAhead()) return undefined;
  // 退院の2週間後 ("two weeks after leaving hospital") counts from another day than today.
  if (said.words.has('aheadAfter') && said.unspaced && !BEFORE_AHEAD.test(said.around.before)) return undefined;
  const amount = amountOf(said);
  return amount && meaningOfPeriod(periodAtDistanceFromToday(amount.count, amount.unit, said, 1));
}

function rolling(said: PhraseMatch): TimeMeaning | undefined {
  const amount = amountOf(said);
  if (!amount || (said.words.has('rolling') && amount.unit === 'weekend')) return undefined;
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
  if (said.words.has('yearNamed') || said.words.has('shortYear')) return meaningOfPeriod(make(yearOf(said)));
  if (said.unspaced && said.before?.is.has('n') && said.before.end === said.start) return undefined;
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

/** One word of a phrase: its name in the phrase, and the kind that a token must have. */
interface Element {
  readonly name: string;
  readonly kind: string;
  readonly mayMiss: boolean;
}

type Elements = readonly Element[];
type PhraseContext = TimeContext & Pick<PhraseMatch, 'isAhead'>;

interface Pattern {
  readonly before: Elements;
  readonly words: Elements;
  /**
   * Alternatives for what follows the words. One of the alternatives must follow. If `forbids` is set, none of them may
   * follow.
   */
  readonly behind: readonly Elements[];
  readonly forbids: boolean;
  readonly read: PhraseReader;
}

/**
 * Short names that stand for several words in many phrases, such as `DATE` and `WEEKDAY`. Each name has one or more ways
 * to write these words.
 */
const SHORT: readonly (readonly [string, readonly string[]])[] = [
  ['PERIOD', ['of? the? month', 'of? the? YEAR']],
  ['DATE', ['d th? of? the? anyMonth', 'first of? the? anyMonth', 'd th? to the? d2 th? of? the? anyMonth']],
  ['YEAR', ['year4 yearEnd?', 'which~year', 'yearNamed yearEnd?', 'shortYear yearEnd']],
  ['WEEKDAY', ['weekday', 'short']],
  ['PARTS', ['week', 'weekday']],
];

const beginning = new WeakMap<LexiconToken['is'], readonly Pattern[]>();
let patterns: ReadonlyMap<string, readonly Pattern[]> | undefined;

/** Reads the times of a folded text by the phrases, which all languages share. */
export function readPhrases(text: string, lexicon: Lexicon, context: PhraseContext): TimeExpression[] {
  if (!lexicon.hasCue(text)) return [];
  const tokens = lexicon.read(text);
  const found: TimeExpression[] = [];
  let free = 0;
  const before = lexicon.words.edges ? /[@#\\]/ : /[@#/\\]/;
  for (const [i, token] of tokens.entries()) {
    if (token.start < free || token.is.size === 0 || before.test(text.charAt(token.start - 1))) continue;
    const expression = readAt(text, tokens, i, lexicon, context);
    // Excludes numbers that are a part of something longer: "1970er", "30-Minuten", the year of 2026-04-01, and paths.
    const more = lexicon.unspaced ? /^.[@/\\%]/ : /^(?:.[@/\\%]|\d-?[a-z\u00c0-\u1fff]|\d-\d\d(?!\d))/;
    if (!expression || more.test(text.slice(expression.end - 1, expression.end + 4))) continue;
    found.push(expression);
    free = expression.end;
  }
  return found;
}

/** The longest phrase that begins at a token and has a meaning. */
function readAt(
  text: string,
  tokens: readonly LexiconToken[],
  i: number,
  lexicon: Lexicon,
  context: PhraseContext,
): TimeExpression | undefined {
  const matches = patternsAt(tokens[i]?.is ?? new Map()).flatMap((pattern) => {
    const words = new Map<string, LexiconToken>();
    const end = follow(pattern.words, tokens, i, words);
    return end !== undefined && fits(pattern, tokens, i, end) ? { read: pattern.read, words, end } : [];
  });
  const start = tokens[i]?.start ?? 0;
  for (const { read, words, end } of matches.sort((a, b) => b.end - a.end)) {
    const close = tokens[end - 1]?.end ?? start;
    const before = text.slice(Math.max(0, start - REACH), start);
    const around = { before, after: text.slice(close, close + REACH), position: start };
    if (isCut(lexicon, text.slice(start, close), tokens[end - 1]?.is, words, around)) continue;
    const { unspaced, words: table } = lexicon;
    const meant = read({ ...context, words, table, before: tokens[i - 1], around, unspaced, start });
    if (!meant) continue;
    // A part that follows the time: 3月末, 先月の初め.
    const last = unspaced && tokens[end]?.is.has('of') ? end + 1 : end;
    const part = words.has('n') ? undefined : partAfter(text, tokens[last], lexicon);
    if (part) return { ...partIn(meant, part, context.today), start, end: tokens[last]?.end ?? start };
    return { ...meant, start, end: close };
  }
  return undefined;
}

/** Number of characters on either side of a time that may show its meaning. */
const REACH = 60;

/** Kinds of words after which a longer word may begin: 昨天|天气, 3日|日程. */
const WHOLE = ['th', 'named', 'part', 'season', 'thatWeek', 'halvesAfter'];

/**
 * Whether the first or last character of a time is a part of a longer word, in a language without spaces. There the word
 * for "last" stands before its time: 周五上线 names no last Friday.
 */
function isCut(
  { words: { edges } }: Lexicon,
  time: string,
  last: LexiconToken['is'] | undefined,
  words: PhraseMatch['words'],
  { before, after, position }: TextAroundMatch,
): boolean {
  if (!edges) return false;
  if ((words.get('which')?.start ?? position) !== position || edges.closesWord(time.charAt(0), before, after))
    return true;
  const isWhole = WHOLE.some((kind) => last?.has(kind)) || (words.has('n') && last?.has('units'));
  return !isWhole && edges.opensWord(time.slice(-1), after);
}

/** Reads a word that names a part of the time before it: 末 ("end") in 3月末. Returns the function that selects this part. */
function partAfter(
  text: string,
  token: LexiconToken | undefined,
  { words: { edges } }: Lexicon,
): ((period: Period) => Period) | undefined {
  if (edges?.opensWord(token?.text.at(-1) ?? '', text.slice(token?.end))) return undefined;
  const third = PERIOD_THIRD_NAMES[token?.is.get('thirdAfter') ?? -1];
  const half = token?.is.get('halvesAfter');
  if (half !== undefined) return (period) => halfOf(period, half === 0);
  return third && ((period) => thirdOf(period, third));
}

/**
 * Applies `part` to a time, for example to select the end of a month. If the time recurs, `part` is applied to each
 * occurrence.
 */
function partIn({ period, recurs }: TimeMeaning, part: (period: Period) => Period, today: Day): TimeMeaning {
  if (!recurs) return { period: part(period) };
  const { cycle } = recurs;
  const of = (occurrence: TimeOccurrence | undefined) => occurrence && { period: part(occurrence.period) };
  // The part of the latest occurrence may lie ahead: on 3 December, the end of December is that of last year.
  const at = (anchor: Day) => {
    const latest = of(recurs.at(anchor));
    return latest && latest.period.since > anchor ? of(recurs.at(addDays(anchor, -cycle))) : latest;
  };
  return recurringMeaning(today, cycle, at) ?? { period: part(period) };
}

/** The patterns that can begin with a token of these kinds; computed once. */
function patternsAt(kinds: LexiconToken['is']): readonly Pattern[] {
  patterns ??= readPatterns();
  const known = patterns;
  const able = beginning.get(kinds) ?? [...new Set([...kinds.keys()].flatMap((kind) => known.get(kind) ?? []))];
  beginning.set(kinds, able);
  return able;
}

/** Whether the tokens around a phrase match its pattern. */
function fits(
  { before, behind, forbids }: Pattern,
  tokens: readonly LexiconToken[],
  start: number,
  end: number,
): boolean {
  const opens =
    before.length === 0 || [1, 2, 3].some((back) => back <= start && follow(before, tokens, start - back) === start);
  if (!opens || behind.length === 0) return opens;
  return behind.some((elements) => follow(elements, tokens, end) !== undefined) !== forbids;
}

/** The end of the longest match of the elements from a token on; undefined without a match. */
function follow(
  elements: Elements,
  tokens: readonly LexiconToken[],
  at: number,
  words?: Map<string, LexiconToken>,
  next = 0,
): number | undefined {
  const element = elements[next];
  if (!element) return at;
  const token = tokens[at];
  if (element.kind === 'END') return token === undefined || /^[^\w\u00c0-\u1fff]/.test(token.text) ? at : undefined;
  const end = token?.is.has(element.kind) ? follow(elements, tokens, at + 1, words, next + 1) : undefined;
  if (end !== undefined && token) words?.set(element.name, token);
  return end ?? (element.mayMiss ? follow(elements, tokens, at, words, next + 1) : undefined);
}

function readPatterns(): ReadonlyMap<string, readonly Pattern[]> {
  const byFirst = new Map<string, Pattern[]>();
  for (const { ways, read } of TIME_PHRASES)
    for (const said of ways) {
      const [, before = '', middle = '', sign = '', after = ''] =
        /^(?:(.*) : )?(.*?)(?: ([&!]) (.*))?$/.exec(said) ?? [];
      const behind = after === '' ? [] : variants(after).map(elementsOf);
      for (const words of variants(middle).map(elementsOf)) {
        const pattern = { before: elementsOf(before), words, behind, forbids: sign === '!', read };
        const last = words.findIndex(({ mayMiss }) => !mayMiss);
        for (const { kind } of words.slice(0, last + 1)) byFirst.set(kind, [...(byFirst.get(kind) ?? []), pattern]);
      }
    }
  return byFirst;
}

/** All variants of a phrase: short names replaced, both orders of `a~b`. */
function variants(says: string): string[] {
  for (const [name, ways] of SHORT)
    if (says.includes(name)) return ways.flatMap((way) => variants(says.replace(name, way)));
  const [pair, a, b] = /(\S+)~(\S+)/.exec(says) ?? [];
  return pair === undefined
    ? [says]
    : [`${a} ${b}`, `${b} ${a}`].flatMap((order) => variants(says.replace(pair, order)));
}

function elementsOf(says: string): Element[] {
  return says
    .split(' ')
    .filter(Boolean)
    .map((word) => {
      const [name = '', kind = name.replace('2', '')] = word.replace('?', '').split('=');
      return { name, kind, mayMiss: word.endsWith('?') };
    });
}
