import { lazy } from '../../../base/cache.js';
import type { Day } from '../../../base/clock.js';
import { LETTER_RANGES } from '../../scripts.js';
import { mapWordsToNumbers, wordSet } from '../../tokens.js';
import { IRREGULAR_FORMS } from '../../words/forms.js';
import {
  addDays,
  adjacentPeriod,
  type CountOrRange,
  dateInMonth,
  dateParts,
  firstOrLastDays,
  halfOf,
  nthPart,
  type PartOfPeriod,
  periodAtDistanceFrom,
  type TimeUnit,
  thirdOf,
  VAGUE_COUNT_RANGE,
  weekendOfDay,
  weekPeriod,
} from '../calendar.js';
import {
  continuesTimeList,
  endsPhrase,
  firstWordOf,
  isPlausibleYear,
  isStandaloneMatch,
  type Tense,
  type TextAroundMatch,
  wordBefore,
} from '../expression.js';
import { BOUNDS, type TimeBoundRule, type TimeGrammar, type TimeModifier } from '../grammar.js';
import { holidayNames } from '../holidays.js';
import type { PhraseMatch, TimeWords } from './words.js';

/** Month names and their usual abbreviations, 1 = January. */
export const MONTHS = mapWordsToNumbers(`
  january/jan february/feb march/mar april/apr may june/jun july/jul august/aug september/sept/sep october/oct
  november/nov december/dec`);

/** 1 = Monday … 7 = Sunday. */
export const WEEKDAYS = mapWordsToNumbers(
  'monday/mon tuesday/tue/tues wednesday/wed thursday/thu/thurs friday/fri saturday/sat sunday/sun',
);

/** The words of a table for each number, as alternatives. */
function alternatives(table: Readonly<Record<string, number>>): string {
  const rows: string[] = [];
  for (const [name, place] of Object.entries(table))
    rows[place - 1] = [...(rows[place - 1] ?? '').split('|').filter(Boolean), name].join('|');
  return rows.join(' ');
}

const UNITS = "hour day (?:calendar_)?week(?:['’]s)? weekend month half_a_year|half_year quarter year minute fortnight";
const ONES = 'one|two|three|four|five|six|seven|eight|nine';
const ORDINALS = 'first second third fourth fifth sixth seventh eighth ninth';
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety';
const NAMES = `week|weekend|month|quarter|year|night|spring|summer|autumn|fall|winter|christmas|easter|[a-z]{3,6}day|${Object.keys({ ...MONTHS, ...WEEKDAYS }).join('|')}`;

export const ENGLISH: TimeWords = {
  isEnglish: true,
  days: `(?:the_)?day_before_yesterday yesterday today|tonight|this_morning|this_afternoon|this_evening tomorrow (?:the_)?day_after_tomorrow / last_night / morning|noon|afternoon|evening|night / `,
  which: `before_last(?!_(?:${NAMES})) (?:this_)?(?:last|previous|past) this|current (?:this_)?(?:next|coming|upcoming) after_next(?!_(?:${NAMES})) / (?:this_)?(?:last|previous|past) / (?:this_)?past / (?:this_)?(?:next|coming|upcoming)`,
  units: `${UNITS} / ${UNITS.replace(/half\S+/, '(?!)')
    .replace(/(?<=\w)(?= |$)/g, 's')
    .replace("['’]s)?", "['’]s)?|weeks")}`,
  numbers: `a|an|one two|(?:a_|the_)?couple(?:_of)? three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty / (?:a_)?few several / first|1st second|2nd third|3rd fourth|4th|last /  / one_and_a_half two_and_a_half three_and_a_half / and_a_half`,
  counted: ' / ago back /  / about / from_now / in',
  weekdays: alternatives(WEEKDAYS),
  months: alternatives(MONTHS),
  seasons: 'spring summer autumn|fall winter',
  feasts: holidayNames('english'),
  signs: `in during throughout circa through over between early mid late year following within for / on at / of / the /  / `,
  dates: `st nd rd th /  /  /  /  / ${ORDINALS} tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth ${ORDINALS.replace(/\S+/g, 'twenty(?:-|_)$&')} thirtieth thirty(?:-|_)first`,
  ranges: 'from / to through thru until till / and or & / between',
  parts: 'beginning|start middle end',
  around: ' /  / this_day|today this_time /  / or_so / ',
  english: `the_other_day / ${TENS.replace(/\S+/g, `$&(?:(?:-|_)(?:${ONES}))?`)} / h1 h2`,
  bounds: 'since /  / starting / until|till / before / after / around',
  isTime,
};

/** A count such as "twenty-one". */
export function parseEnglishNumber(written: string): number | undefined {
  const [tens = '', ones = ''] = written.split(/[-\s]+/);
  const place = TENS.split(' ').indexOf(tens);
  return place < 0 ? undefined : 20 + 10 * place + ONES.split('|').indexOf(ones) + 1;
}

/** Names of months and days that are also other words. They count as times only if a word near them shows it. */
const AMBIGUOUS = wordSet('may march mar sat sun mon wed jan dec');

/** A month, a year or a day after one of these words is a time. */
export const WORDS_BEFORE_TIME = wordSet(`
  in on during since until till before after around circa through throughout over between from of early mid late year
  following`);

/**
 * After one of these words, a weekday is a habit or a name and not a day of the calendar: "every Monday", "the Friday
 * rule".
 */
const BEFORE_HABIT = wordSet(
  'the every each any a an other most some per is are was were be black good casual about called for',
);
const BEFORE_FEAST = wordSet('over at on during around since until till before after between by');
const BEFORE_WEEKEND = wordSet('over on at for during since before after until');
const BEFORE_DATE = wordSet('on since until till before after around from');
const OWNERS = wordSet('my our your his her its their these those');

/** Verbs whose present tense tells of the future, such as "expires" and "comes back". */
const COMING_VERBS =
  /\b(?:(?:expire|return|start|begin|end|leave|arrive|open|close|renew|retire|launche?|land|finishe?)s|(?:come|run|goe|move)s (?:back|out|in|live))\s{1,3}$/;

/** Whether a phrase is meant as a time: English names of times are often other words, or parts of names. */
function isTime(name: PhraseMatch): boolean {
  const { words, around } = name;
  const has = (kind: string) => words.has(kind);
  const hasYear = has('year4') || has('year') || has('shortYear');
  if (isInOtherOrder(name, hasYear)) return false;
  if (has('maybeAhead')) return isAhead(around);
  if (has('d')) {
    const isInMonth = has('anyMonth') || has('leadingMonth');
    return isInMonth ? isDate(name, hasYear) : has('weekday') || isDayOfMonth(around);
  }
  return isNamedTime(name, hasYear);
}

function isNamedTime(name: PhraseMatch, hasYear: boolean): boolean {
  const { words, around, lenient } = name;
  const has = (kind: string) => words.has(kind);
  const which = words.get('which');
  if (has('weekend') && !which && !has('n'))
    return hasArticle(around) && BEFORE_WEEKEND.has(wordBefore(withoutArticle(around)));
  // "The first week of May" is read as May, with words that narrow it.
  if ((has('ordinal') || which) && has('month') && (has('week') || has('weekday'))) return false;
  if (has('week') && has('n') && !['lasts', 'nexts', 'agoAfter'].some(has)) return hasYear || isOfCalendar(around);
  if (has('monthA')) return areMonths(name, has('and'));
  if (['month', 'anyMonth', 'season', 'QUARTER', 'ordinal', 'halfNamed', 'feast'].some(has))
    return (which !== undefined && !has('year')) || isYearlyName(name, hasYear);
  if (has('weekday')) return which !== undefined || has('agoAfter') || isWeekday(name);
  return !has('year4') || lenient || isYear(around);
}

/** Whether the words of a phrase stand in an order, or before a word, with which they mean something else. */
function isInOtherOrder({ words, around: { before, position } }: PhraseMatch, hasYear: boolean): boolean {
  const has = (kind: string) => words.has(kind);
  const { text = '', start = position } = words.get('which') ?? {};
  const isFirst = start === position || /^(?:before|after)/.test(text) || has('same') || has('weekday');
  const counted = words.get('lasts') ?? words.get('nexts');
  if ((!isFirst && !hasYear) || (counted && counted.start !== position)) return true;
  if (has('plural') && has('lasts') && !has('n')) return true;
  if (has('agoAfter') && has('unit') && !has('n')) return !/^half|^fortnight/.test(words.get('unit')?.text ?? '');
  // "The past week" and "in the last week" are counted back from today.
  const isRolling = /past/.test(text) || (/^(?:this )?(?:last|previous)/.test(text) && BEFORE_ROLLING.test(before));
  return isRolling && (has('unit') || has('plural')) && !has('year') && !has('weekday');
}

const BEFORE_ROLLING = /\b(?:in|over|during|within|for)\s{1,3}the\s{1,3}$/;

/** Whether "in three days" is in the future. In "migrated it in two weeks", the words tell how long it took. */
function isAhead(around: TextAroundMatch): boolean {
  const { before, after } = around;
  const isComing = COMING_VERBS.test(before) || detectEnglishTense(before + after) === 'ahead';
  return endsPhrase(around) && isComing && /[a-z]/.test(before + after);
}

function isYearlyName(name: PhraseMatch, hasYear: boolean): boolean {
  const { words, around, lenient } = name;
  if (!isStandaloneMatch({ ...around, before: around.before.replace(/mid-$/, '') })) return false;
  if (hasYear || lenient) return true;
  if (words.has('month') || words.has('season')) return isMonthOrSeason(name);
  // A holiday is a topic ("what about Christmas") unless a word before it makes it a time ("over Christmas").
  if (words.has('feast')) return BEFORE_FEAST.has(wordBefore(around.before)) || closesRange(around);
  if (words.has('halfNamed')) return isOfCalendar(around);
  return WORDS_BEFORE_TIME.has(wordBefore(withoutArticle(around))) || continuesTimeList(around);
}

function isMonthOrSeason({ words, around, isName, isCapital }: PhraseMatch): boolean {
  const { text = '' } = words.get('month') ?? {};
  const before = wordBefore(withoutArticle(around));
  // In "version 3 of March", "March" is not a time.
  if (AMBIGUOUS.has(text) && /\d\s{1,3}of\s{1,3}$/.test(around.before)) return false;
  // A person can be named May, but nobody speaks of things "in" or "during" a person.
  if (isName(around.position) && !/^(?:in|during|throughout|early|mid|late)$/.test(before)) return false;
  if (!expectsTime(before, around) && !closesRange(around) && !continuesTimeList(around)) return false;
  // "Spring Boot" and "march madness" are names of other things. A season or ambiguous word is a time only if the phrase
  // ends after it.
  const isSeason = words.has('season');
  if (isSeason && before === 'of') return false;
  return !(isSeason || (AMBIGUOUS.has(text) && !isCapital(around.position))) || endsPhrase(around);
}

/** Beside another month, a word such as "May" means the month. */
function areMonths({ words, around, lenient, isCapital }: PhraseMatch, isAnd: boolean): boolean {
  const before = wordBefore(around.before);
  const isList = isAnd && before !== 'between';
  const [first = '', last = ''] = [words.get('monthA')?.text, words.get('month')?.text];
  const isClear = !isList && (isCapital(around.position) || !(AMBIGUOUS.has(first) && AMBIGUOUS.has(last)));
  return isStandaloneMatch(around) && (lenient || WORDS_BEFORE_TIME.has(before) || isClear);
}

function isDate({ words, around, lenient, today, isCapital }: PhraseMatch, hasYear: boolean): boolean {
  const { after, position } = around;
  const [day, month] = [words.get('d'), words.get('anyMonth') ?? words.get('leadingMonth')];
  // "Nov 3pm", "nov 12:30" and "You may 5 times …" are no dates.
  if (!day || !month || !isStandaloneMatch(around) || /^\s?(?:[ap]m\b|:\d)/.test(after)) return false;
  if (AMBIGUOUS.has(month.text) && !isCapital(position) && !endsPhrase(around)) return false;
  // In "on November 3 and 5 people came" and "Nov 27 to 3 friends", the second number only looks like a day.
  if (words.has('d2') && !hasYear && !endsPhrase(around) && day.start > month.start) return false;
  if (!hasYear && /^,?\s{1,3}\d{4}(?![\w-])/.test(after) && day.start < month.start) return false;
  const isNamed = !/^\d/.test(day.text);
  if (isNamed) return day.start > month.start ? endsPhrase(around) : words.has('of') && hasArticle(around);
  const year = words.get('shortYear');
  // In "Nov 27, 24", the last two digits are a year; in "Nov 27, 24 of them came" they are a count.
  if (year && !(isNearYear(2000 + Number(year.text), today) && endsPhrase(around) && firstWordOf(after) !== 'of'))
    return false;
  const isBare = day.start === position && !hasArticle(around) && !words.has('th');
  return !isBare || lenient || !isCount(words.has('of') && !hasYear, around);
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

/** Whether a year of two digits is plausible: from 30 years before this year to 5 years after it. */
function isNearYear(year: number, today: Day): boolean {
  const { year: current } = dateParts(today);
  return year >= current - 30 && year <= current + 5;
}

/** "On the 27th": the latest 27th, in this month or an earlier one. */
function isDayOfMonth(around: TextAroundMatch): boolean {
  if (!hasArticle(around) || !endsPhrase(around)) return false;
  const isOfUnit = /^\s{1,3}of (?:the )?(?:last|previous|past|this|next)\s/.test(around.after);
  return BEFORE_DATE.has(wordBefore(withoutArticle(around))) && !isOfUnit;
}

function isWeekday(match: PhraseMatch): boolean {
  const { words, around, lenient, isName } = match;
  if (lenient) return true;
  const text = words.get('weekday')?.text ?? '';
  if (isName(around.position) || !isStandaloneMatch(around) || isInTitle(match)) return false;
  const before = wordBefore(around.before);
  // In "the first Monday of December", the rule of the month reads the weekday.
  if (NTH.split('|').includes(before) && /^(?:of|in)$/.test(firstWordOf(around.after))) return false;
  // In "in Sunday Times", Sunday is not a day: no weekday follows "in".
  const isSigned =
    (WORDS_BEFORE_TIME.has(before) && before !== 'in') || closesRange(around) || continuesTimeList(around);
  // "On Sunday mornings" is a habit.
  if (/^\s{1,3}(?:mornings|noons|afternoons|evenings|nights)\b/.test(around.after)) return false;
  if (AMBIGUOUS.has(text)) return isSigned && endsPhrase(around);
  return (isSigned && before !== 'of') || (!BEFORE_HABIT.has(before) && endsPhrase(around));
}

/**
 * Whether a weekday is part of a title, as in "Who likes Blue Monday?". Before it stands a word with a capital that is
 * not a known name and does not begin the sentence.
 */
function isInTitle({ around: { before, position }, isCapital, isName }: PhraseMatch): boolean {
  const [{ length } = '', word = ''] = /(?<=\S\s)([a-z'’]{2,})\s$/.exec(before) ?? [];
  const at = position - length;
  return length > 0 && isCapital(position) && isCapital(at) && !isName(at) && !WORDS_BEFORE_TIME.has(word);
}

/** A number is a year only where a time is expected: "in 2025", never "port 2025" or "in 2025 files". */
function isYear(around: TextAroundMatch): boolean {
  if (!isStandaloneMatch(around) || /^\s{1,3}or so\b/.test(around.after)) return false;
  const isExpected = expectsTime(wordBefore(withoutArticle(around)), around);
  return (
    (isExpected || closesRange(around) || continuesTimeList(around)) && endsPhrase(around) && !opensQuantity(around)
  );
}

function hasArticle({ before }: TextAroundMatch): boolean {
  return /\bthe\s{1,3}$/.test(before);
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

/** Words of habits. "What does Bob usually do on Monday" does not ask for one particular Monday. */
const HABIT_PATTERN =
  /\b(?:usually|normally|generally|typically|always|regularly|routinely|(?<!how )often|tends? to|(?:every|each) (?:day|week|month|year|spring|summer|autumn|fall|winter)|annually|yearly)\b/;

const WORD = `[${LETTER_RANGES}'’-]{1,24}`;
const DETERMINER = 'the|an?|my|our|his|her|its|their|your';
const PREPOSITION = 'in|on|at|of|from|during';
/** An event before a date, such as "the release of" in "three days before the release of Nov 27". */
const EVENT = `(?:(?:${DETERMINER}) (?:${WORD} ){1,3}?(?:${PREPOSITION}) )?(?:the )?`;

const NTH = 'first|1st|second|2nd|third|3rd|fourth|4th|last|final';
const SMALL = '\\d{1,3}|an?|one|two|three|four|five|six|seven|ten|(?:a )?few|(?:a )?couple of';

/** Words that narrow a time to a part of it, or move it. */
const ENGLISH_BENDS: readonly TimeModifier[] = [
  bend(
    'early|late|mid|of|way',
    '(?:(early|late)(?: in)?(?: |-)|mid(?: |-)|(?:the )?(beginning|start|middle|end) of (?:the )?|(?:half|mid)way (?:through|into) (?:the )?)',
    (period, [which, part]) => thirdOf(period, thirdNamed(which ?? part)),
  ),
  bend('half', '(?:the )?(first|1st|second|2nd|other|latter) half of (?:the )?', (period, [which]) =>
    halfOf(period, which === 'first' || which === '1st'),
  ),
  bend('of|in', `(?:the )?(${NTH}) (day|week|weekend|[a-z]{3,6}day) (?:of|in) (?:the )?`, (period, [which, name]) =>
    nthPart(period, ordinalNamed(which), partNamed(name)),
  ),
  bend('of', `(?:the )?(first|last|final) (?:(${SMALL}) )?(day|week)s of (?:the )?`, (period, [which, count, unit]) => {
    const read = smallCount(count ?? 'few');
    const days = (typeof read === 'number' ? read : read.to) * (unit === 'week' ? 7 : 1);
    return firstOrLastDays(period, ordinalNamed(which) < 0, days);
  }),
  bend('of', '(?:the )?(\\d{1,2})(?:st|nd|rd|th)? of (?:the )?', (period, [date]) => dateInMonth(period, Number(date))),
  bend(
    'week',
    '(?:the )?(week|weekend) (of|ending|commencing|beginning|starting) (?:on )?(?:the )?',
    ({ since, until }, [unit, side]) => {
      if (side === 'of') return unit === 'week' ? weekPeriod(since) : weekendOfDay(since);
      return side === 'ending' ? { since: addDays(until, -6), until } : { since, until: addDays(since, 6) };
    },
  ),
  counted(`(${SMALL}) (day|week|month|year)s? (before|after) ${EVENT}`, (period, [count = '', unit = 'day', side]) =>
    periodAtDistanceFrom(period, smallCount(count), UNITS_NAMED[unit] ?? 'day', side === 'after' ? 1 : -1),
  ),
  counted(`(?:(?:the|last) )?(day|week|weekend|month|[a-z]{3,6}day) (before|after) ${EVENT}`, (period, [unit, side]) =>
    adjacentPeriod(period, unit === 'month' ? unit : partNamed(unit), side === 'after' ? 1 : -1),
  ),
];

function bend(words: string, before: string, apply: TimeModifier['apply']): TimeModifier {
  return { words: words.split('|'), before: ending(before), apply };
}

/** Words that count from the exact day of a time: "two days before Christmas". */
function counted(before: string, apply: TimeModifier['apply']): TimeModifier {
  return { ...bend('before|after', before, apply), counts: true };
}

const UNITS_NAMED: Readonly<Record<string, TimeUnit>> = { week: 'week', month: 'month', year: 'year' };

function smallCount(written: string): CountOrRange {
  if (written.includes('few')) return VAGUE_COUNT_RANGE;
  if (written.includes('couple')) return 2;
  return (
    Number(written) || Math.max(1, 'one two three four five six seven eight nine ten'.split(' ').indexOf(written) + 1)
  );
}

/** The part of a period that a word names: "day", "weekend", "friday". A week for any other word. */
function partNamed(name = ''): PartOfPeriod {
  return name === 'day' || name === 'weekend' ? name : (WEEKDAYS[name] ?? 'week');
}

/** "First", "3rd", "last" as a number, -1 for the last. */
function ordinalNamed(name = ''): number {
  return name === 'last' || name === 'final' ? -1 : Math.ceil((NTH.split('|').indexOf(name) + 1) / 2) || 1;
}

function thirdNamed(which: string | undefined): 'early' | 'mid' | 'late' {
  if (which === undefined || which === 'middle') return 'mid';
  return which === 'late' || which === 'end' ? 'late' : 'early';
}

/** Words that bound a time. Earlier ones win. */
const ENGLISH_BOUNDS: readonly TimeBoundRule[] = [
  bound('back', 'back (?:in|at)'),
  { ...BOUNDS.over, words: ['over'], before: ending('over (?:the )?') },
  bound('lessThan', 'no more than|less than|within|under|at most'),
  bound('moreThan', 'more than|longer than|over|at least'),
  bound('orLater', 'no earlier than|not earlier than|not before|not until'),
  bound('by', 'no later than|not later than|not after'),
  bound('except', 'not|except(?: for)?|apart from|other than|excluding|outside(?: of)?'),
  bound('orLater', '(?:on|in) (?:or|and) (?:after|since)|(?:after|since) (?:or|and)(?= (?:on|in) )'),
  bound('orEarlier', '(?:on|in) or before|before or(?= (?:on|in) )|(?:up to|until) and including'),
  bound('asOf', 'as of|as at'),
  bound('around', 'at around|around|circa|ca\\.?|approximately|roughly'),
  bound('since', 'since|ever since'),
  bound('starting', 'starting(?: from)?|beginning(?: from)?|effective(?: from)?'),
  { ...BOUNDS.starting, after: following('onwards?|(?:and|or) (?:later|(?:after|since)(?=\\s{0,3}(?:$|[?.,;!])))') },
  { ...BOUNDS.orEarlier, after: following('(?:and|or) (?:earlier|before(?=\\s{0,3}(?:$|[?.,;!])))') },
  { ...bound('starting', 'from'), after: following('on(?:wards?)?|forwards?') },
  { ...bound('from', 'from'), apply: undefined },
  bound('after', 'after|later than|following'),
  bound('dueBefore', 'before|prior to|earlier than'),
  bound('until', 'until|till|up to|(?<!(?:all|part|some|the) (?:of the )?(?:way )?)(?:through|thru)'),
  bound('by', 'by'),
  // "Since the outage on Jan 8", "before he left in November": the day of what is told belongs to the time.
  { ...BOUNDS.orLater, words: ['since'], before: clause('since', 1) },
  { ...BOUNDS.orLater, words: ['after'], before: clause('after', 2) },
  { ...BOUNDS.orEarlier, words: ['before'], before: clause('before', 2) },
];

/** A bound by words before the time; a preposition and an article may follow the words ("since about the …"). */
function bound(kind: keyof typeof BOUNDS, words: string): TimeBoundRule {
  const first = words.split('|').map((entry) => /^[a-z]*/.exec(entry)?.[0] ?? '');
  return {
    ...BOUNDS[kind],
    ...(!first.includes('') && { words: first }),
    before: ending(`(?:${words}) (?:(?:in|on|at|about|during|the) ){0,2}`),
  };
}

/** Words around a time that only carry it; they are part of the expression. */
const ENGLISH_CARRIER = ending('(?:in|on|at|during|over|of|from|throughout) (?:the )?|the ');

/** A pattern for the end of a text. A space stands for white space. */
function ending(words: string): RegExp {
  return new RegExp(`(?<![${LETTER_RANGES}])(?:${words})$`.replaceAll(' ', '\\s{1,3}'));
}

/**
 * A word with a clause of up to six words between it and the time. A clause without an article or a pronoun counts only
 * from `words` words on, so "After work on Monday" is read as Monday.
 */
function clause(word: string, words: number): RegExp {
  const next = `(?! (?:what|which|who|whom|whose|when|where|why|how|do|does|did|then) ) ${WORD}`;
  const told = `(?:(?= (?:${DETERMINER}|i|we|you|he|she|it|they) )(?:${next}){1,6}?|(?:${next}){${words},6}?)`;
  const ends = `(?<! (?:${PREPOSITION}|the)) (?:(?:${PREPOSITION}|the) ){0,2}`;
  return ending(word + told + ends);
}

/** A pattern for the beginning of what follows. */
function following(words: string): RegExp {
  return new RegExp(`^\\s{1,3}(?:${words.replaceAll(' ', '\\s{1,3}')})(?![${LETTER_RANGES}])`);
}

/** What the English grammar has besides its table of words. */
export const ENGLISH_GRAMMAR: Partial<TimeGrammar> = {
  bends: ENGLISH_BENDS,
  bounds: ENGLISH_BOUNDS,
  carriers: { before: ENGLISH_CARRIER },
  ranges: {
    opens: /(?<![\w\u00c0-\u1fff])(?:from|between)\s{1,3}(?:on\s|the\s){0,2}$/,
    to: /^\s{0,3}(?:\.{2,3}|to|through|thru|until|till|up to|-|–|—|~|\/)\s{0,3}(?:on\s|the\s){0,2}$/,
    and: /^,?\s{1,3}(?:and|or|&)\s{1,3}(?:(?:in|on|at|the)\s{1,3}){0,2}$/,
    within: /^,?\s{1,3}(?:in|on|at|during|over)\s{1,3}(?:the\s{1,3})?$/,
  },
  looksBack: /\b(?:(?:of|from)\s{1,3}(?:the\s{1,3})?|about\s{1,3})$/,
  habit: HABIT_PATTERN,
  tense: detectEnglishTense,
  saysPast: (text) => isPastForm(text) && detectEnglishTense(text) === 'past',
};

const PAST = /\b(?:did|was|were|had|didn't|wasn't|weren't|hadn't|been)\b/;
const FUTURE = /\b(?:will|won't|shall|going to|gonna|planned|scheduled|upcoming|due)\b|'ll\b/;
const PRESENT =
  /\b(?:happens|comes|takes? place|starts|begins|arrives|leaves|returns|is|are|am|isn't|aren't|do|does|don't|doesn't|have|has|can|should|must|(?:what|who|where|when|it|there)'s|(?:i'|what'|who'|we'|you'|they')(?:m|re))\b/;
// Verbs that only ask what is known: "do you remember …", "what does the log say about …". They do not decide the tense.
const ASKING =
  /\b(?:do|can|could) (?:you|we|i) (?:still )?(?:know|remember|recall|tell|show|find)\b|\b(?:do|does) [^?.!]{0,40}\b(?:say|mention)\b/g;
const PAST_ENDING = /\b(?!planned|scheduled)\w{2,16}[^e\W]ed\b/;
// Plurals among the irregular forms, beside those in -s, -a and -i.
const PLURALS = new Set('children dice feet geese lice men mice oxen people teeth women'.split(' '));

/** The tense of a question. */
function detectEnglishTense(question: string): Tense {
  const text = question.replace(ASKING, ' ').replace(/’/g, "'");
  if (PAST.test(text)) return 'past';
  if (isPastForm(text)) return 'past';
  return FUTURE.test(text) || PRESENT.test(text) ? 'ahead' : 'unsaid';
}

/** Whether a text has a past form of a verb, such as "moved" or "left". The text must be in lower case. */
export function isPastForm(text: string): boolean {
  return (
    (text.includes('ed') && PAST_ENDING.test(text)) ||
    (text.match(/[a-z]{3,}/g) ?? []).some((word) => pastForms().has(word))
  );
}

/** The forms of each irregular word: the first is its present. */
const irregularForms = () => IRREGULAR_FORMS.map((group) => group.split(' '));

/** The past forms of irregular verbs. */
const pastForms = lazy(() => {
  const present = new Set(irregularForms().map(([first]) => first));
  const forms = irregularForms().flatMap(([, ...others]) => others);
  return new Set(forms.filter((form) => !present.has(form) && !PLURALS.has(form) && !/[sai]$/.test(form)));
});

const preterites = lazy(
  () =>
    new Set(
      irregularForms().flatMap(([, past = '', participle]) =>
        participle === undefined || past.endsWith('s') ? [] : past,
      ),
    ),
);

/** Whether a word is a past form and not also a participle: "went", but not "kept". The word must be in lower case. */
export function isPreteriteOnly(word: string): boolean {
  return preterites().has(word);
}
