import { LETTER_RANGES } from '../../scripts.js';
import { mapWordsToNumbers, wordList, wordSet } from '../../tokens.js';
import { IRREGULAR_FORMS } from '../../words/forms.js';
import type { PartOfPeriod } from '../distance.js';
import { type CountOrRange, type TimeUnit, VAGUE_COUNT_RANGE } from '../distance.js';
import { NUMBER_MARKER, type Tense } from '../expression.js';

/** Month names and their usual abbreviations, 1 = January. */
export const MONTHS = mapWordsToNumbers(`
  january/jan february/feb march/mar april/apr may june/jun july/jul august/aug september/sept/sep october/oct
  november/nov december/dec`);

/** 1 = Monday … 7 = Sunday. */
export const WEEKDAYS = mapWordsToNumbers(
  'monday/mon tuesday/tue/tues wednesday/wed thursday/thu/thurs friday/fri saturday/sat sunday/sun',
);

/** First month of the meteorological seasons of the northern hemisphere; winter runs into the next year. */
export const SEASONS = mapWordsToNumbers('spring summer autumn/fall winter', 3, 3);

/** Counts in words. "A few" and "several" are vague and handled where they are read. */
const COUNTS = mapWordsToNumbers(`
  a/an/one two/couple three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
  seventeen eighteen nineteen`);

/** A count from one to nine may follow ("twenty-one"). */
const TENS = mapWordsToNumbers('twenty thirty forty fifty sixty seventy eighty ninety', 20, 10);

export const ORDINALS = mapWordsToNumbers('first/1st second/2nd third/3rd fourth/4th/last');

/** The days of a month in words, from the first on. */
export const DAY_OF_MONTH_WORDS = wordList(`
  first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth
  sixteenth seventeenth eighteenth nineteenth twentieth twenty-first twenty-second twenty-third twenty-fourth
  twenty-fifth twenty-sixth twenty-seventh twenty-eighth twenty-ninth thirtieth thirty-first`);

/** Names of months and days that are also other words. They count as times only if a word near them shows it. */
export const AMBIGUOUS_TIME_WORDS = wordSet('may march mar sat sun mon wed jan dec');

/** A month, a year or a day after one of these words is a time. */
export const WORDS_BEFORE_TIME = wordSet(`
  in on during since until till before after around circa through throughout over between from of early mid late year
  following`);

/**
 * After one of these words, a weekday is a habit or a name and not a day of the calendar: "every Monday", "the Friday
 * rule".
 */
export const WORDS_BEFORE_HABIT = wordSet(
  'the every each any a an other most some per is are was were be black good casual about called by for',
);

// "half a year" and "a couple of" are counts of several words; longer names stand first so that "sept" is not read as "sep".
const PARTS: Readonly<Record<string, string>> = {
  count: `(\\d{1,4}|half an?|(?:a |the )?couple(?: of)?|(?:a )?few|several|(?:${names(TENS)})(?:[ -](?:one|two|three|four|five|six|seven|eight|nine))?|${names(COUNTS)})`,
  unit: '(minute|hour|day|weekend|week|fortnight|month|quarter|year)s?',
  period: '(week|weekend|month|quarter|year)',
  month: `(${names(MONTHS)})\\.?`,
  weekday: `(${names(WEEKDAYS)})\\.?`,
  season: `(${names(SEASONS)})`,
  ordinal: `(${names(ORDINALS)})`,
  last: '(last|previous|past|this|current|the same|next|coming|upcoming)',
};

/** The text between the two ends of a range, for {@link timePattern}. */
export const RANGE_JOINER = ' ?(?:-|–|—|to|through|thru|until|till) ?(?:the )?';

/** A year after a name, as a group of a pattern. */
export const YEAR_GROUP = "(\\d{4}|'\\d{2}|(?:last|this|next) year)";

/** The words that the groups of the table can begin with, for {@link TimeRule.starts}. */
export const GROUP_START_WORDS = {
  count: [NUMBER_MARKER, ...Object.keys(COUNTS), ...Object.keys(TENS), 'half', 'the', 'few', 'several'],
  period: ['week', 'weekend', 'month', 'quarter', 'year'],
  unit: 'minute hour day weekend week fortnight month quarter year'.split(' ').flatMap((unit) => [unit, `${unit}s`]),
  month: Object.keys(MONTHS),
  weekday: Object.keys(WEEKDAYS),
  season: Object.keys(SEASONS),
  ordinal: Object.keys(ORDINALS).filter((name) => !/^\d/.test(name)),
  last: ['last', 'previous', 'past', 'this', 'current', 'the', 'next', 'coming', 'upcoming'],
} as const;

/**
 * A sticky pattern over lower-cased text from a template: `<name>` stands for a group of the table above, a space for
 * white space, a space with a question mark for white space or none.
 */
export function timePattern(template: string): RegExp {
  const filled = template.replace(/<(\w+)>/g, (_, name: string) => PARTS[name] ?? '');
  const spaced = filled.replaceAll(' ?', '\\s{0,3}').replaceAll(' ', '\\s{1,3}');
  return new RegExp(`${spaced}(?![${LETTER_RANGES}])`, 'y');
}

/**
 * Reads a count and a unit as they are written: digits, words, "couple of", "a few", "half a". Undefined if the unit is
 * unknown, and for half of a unit other than a year.
 */
export function readAmount(count: string, unit: string): { count: CountOrRange; unit: TimeUnit } | undefined {
  if (count.startsWith('half')) return unit === 'year' ? { count: 6, unit: 'month' } : undefined;
  const number = countOf(count);
  if (unit === 'fortnight') return typeof number === 'number' ? { count: number * 2, unit: 'week' } : undefined;
  return isUnit(unit) ? { count: number, unit } : undefined;
}

/** The part of a period that a word names: "day", "weekend", "friday". A week for any other word. */
export function readPartOfPeriod(name: string): PartOfPeriod | 'month' {
  return name === 'day' || name === 'weekend' || name === 'month' ? name : (WEEKDAYS[name] ?? 'week');
}

/** "First", "3rd", "last" as a number, -1 for the last. */
export function readOrdinal(name: string): number {
  return name === 'last' || name === 'final' ? -1 : (ORDINALS[name] ?? 1);
}

/** The distance of a period from the present one: -1 for "last", 0 for "this", 1 for "next". */
export function readOffset(word: string): -1 | 0 | 1 {
  if (word === 'last' || word === 'previous' || word === 'past') return -1;
  return word === 'next' || word === 'coming' || word === 'upcoming' ? 1 : 0;
}

function countOf(words: string): CountOrRange {
  if (/few|several/.test(words)) return VAGUE_COUNT_RANGE;
  if (words.includes('couple')) return 2;
  if (/^\d/.test(words)) return Number(words);
  const sum = words.split(/[\s-]+/).reduce((total, word) => total + (TENS[word] ?? COUNTS[word] ?? 0), 0);
  return sum || 1;
}

function isUnit(name: string): name is TimeUnit {
  return ['minute', 'hour', 'day', 'weekend', 'week', 'month', 'quarter', 'year'].includes(name);
}

function names(table: Readonly<Record<string, unknown>>): string {
  return Object.keys(table)
    .sort((a, b) => b.length - a.length)
    .join('|');
}

/** The number of a year, read from its form after a date: "2024", "'24", "24", "last year". */
export function yearNumber(written: string, thisYear: number): number {
  if (/^\d{4}/.test(written)) return Number(written);
  if (/^'?\d/.test(written)) return 2000 + Number(written.replace("'", ''));
  return written.startsWith('last') ? thisYear - 1 : written.startsWith('next') ? thisYear + 1 : thisYear;
}

const PAST = /\b(?:did|was|were|had|didn't|wasn't|weren't|hadn't|been)\b/;
const FUTURE = /\b(?:will|won't|shall|going to|gonna|planned|scheduled|upcoming|due)\b|'ll\b/;
const PRESENT =
  /\b(?:is|are|am|isn't|aren't|do|does|don't|doesn't|have|has|can|should|must|(?:what|who|where|when|it|there)'s|(?:i'|what'|who'|we'|you'|they')(?:m|re))\b/;
// Verbs that only ask what is known: "do you remember …", "what does the log say about …". They do not decide the tense.
const ASKING =
  /\b(?:do|can|could) (?:you|we|i) (?:still )?(?:know|remember|recall|tell|show|find)\b|\b(?:do|does) [^?.!]{0,40}\b(?:say|mention)\b/g;
const PAST_ENDING = /\b(?!planned|scheduled)\w{2,16}[^e\W]ed\b/;
// Plurals among the irregular forms, beside those in -s, -a and -i.
const PLURALS = new Set('children dice feet geese lice men mice oxen people teeth women'.split(' '));
/** Words of habits. "What does Bob usually do on Monday" does not ask for one particular Monday. */
export const HABIT_PATTERN =
  /\b(?:usually|normally|generally|typically|always|regularly|routinely|(?<!how )often|tends? to|(?:every|each) (?:day|week|month|year|spring|summer|autumn|fall|winter)|annually|yearly)\b/;

let pastForms: ReadonlySet<string> | undefined;

/** The tense of a question. Past if no word shows the tense, because most questions to a memory are about the past. */
export function detectEnglishTense(question: string): Tense {
  const text = question.replace(ASKING, ' ').replace(/’/g, "'");
  if (PAST.test(text)) return 'past';
  if (!FUTURE.test(text) && !PRESENT.test(text)) return 'past';
  if (isPastForm(text)) return 'past';
  return FUTURE.test(text) ? 'future' : 'present';
}

/** Whether a text has a past form of a verb, such as "moved" or "left". The text must be in lower case. */
export function isPastForm(text: string): boolean {
  return (text.includes('ed') && PAST_ENDING.test(text)) || (text.match(/[a-z]{3,}/g) ?? []).some(isIrregular);
}

function isIrregular(word: string): boolean {
  pastForms ??= readPastForms();
  return pastForms.has(word);
}

let preterites: ReadonlySet<string> | undefined;

/** Whether a word is a past form and not also a participle: "went", but not "kept". The word must be in lower case. */
export function isPreteriteOnly(word: string): boolean {
  preterites ??= new Set(
    IRREGULAR_FORMS.map((group) => group.split(' ')).flatMap(([, past = '', participle]) =>
      participle === undefined || past.endsWith('s') ? [] : past,
    ),
  );
  return preterites.has(word);
}

function readPastForms(): Set<string> {
  const groups = IRREGULAR_FORMS.map((group) => group.split(' '));
  const present = new Set(groups.map(([first]) => first));
  const forms = groups.flatMap(([, ...others]) => others);
  return new Set(forms.filter((form) => !present.has(form) && !PLURALS.has(form) && !/[sai]$/.test(form)));
}
