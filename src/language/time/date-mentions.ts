/** A date as written: what the text leaves out is null. A year alone has neither month nor day. */
export interface WrittenDate {
  readonly year: number | null;
  /** 1..12 */
  readonly month: number | null;
  readonly day: number | null;
}

/** One date, or a range written as one (`Nov 27-29`), at text[start, end). */
export interface DateMention {
  readonly start: number;
  readonly end: number;
  readonly date: WrittenDate;
  /** The last day of the range, as complete as `date`. */
  readonly to: WrittenDate | null;
}

// Not inside of a word, version, path, time or number.
const B = '(?<![\\w.:/+#$-])';
const E = '(?!\\w|[-/:.]\\w|%)';
const YEAR = '((?:19|20|21)\\d\\d)';
const DAY = '(\\d{1,2})(?:st|nd|rd|th)?';
const MONTH =
  '(Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)(?:\\.(?!\\w))?';
const ISO = `${YEAR}-(\\d\\d)-(\\d\\d)`;
const TO = '(?:[-–—~]|\\s[-–—~]\\s|\\s(?:to|until|till|through|and)\\s)';
const CJK_TO = '\\s?[-–—~～至到]\\s?';
const IN = '(?<=\\b(?:in|during|since|until|till|through|of|early|mid|late|last|next|this)\\s(?:the\\s)?)';

interface Reader {
  /** Without this no date of the kind is in a text; most facts have none of them and cost no more than these looks. */
  readonly cue: RegExp;
  readonly pattern: RegExp;
  /** Groups as numbers or month names, undefined when not written. */
  readonly read: (groups: readonly (string | undefined)[]) => [WrittenDate, WrittenDate | null];
}

const date = (year?: string, month?: string, day?: string): WrittenDate => ({
  year: year === undefined ? null : Number(year),
  month: month === undefined ? null : monthNumber(month),
  day: day === undefined ? null : Number(day),
});

const ISO_CUE = /\d{4}[-/]\d/;
const NAME_CUE = /\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\b/i;
const CJK_CUE = /\d ?[月年]/;
const YEAR_CUE = /\b(?:since|until|till|through)\s\d{4}/i;

/** In order of precedence where two start at the same place. */
const READERS: readonly Reader[] = [
  {
    cue: ISO_CUE,
    pattern: new RegExp(`${B}${ISO}(?:/|\\.{2,3}|--?)${ISO}${E}`, 'g'),
    read: ([y, m, d, y2, m2, d2]) => [date(y, m, d), date(y2, m2, d2)],
  },
  {
    cue: ISO_CUE,
    pattern: new RegExp(`${B}${ISO}(?:${E}|(?=T\\d\\d:))`, 'g'),
    read: ([y, m, d]) => [date(y, m, d), null],
  },
  {
    cue: ISO_CUE,
    pattern: new RegExp(`${B}${YEAR}/(\\d\\d?)/(\\d\\d?)${E}`, 'g'),
    read: ([y, m, d]) => [date(y, m, d), null],
  },
  {
    cue: ISO_CUE,
    pattern: new RegExp(`${B}(?<!\\d\\s)${YEAR}-(\\d\\d)${E}`, 'g'),
    read: ([y, m]) => [date(y, m), null],
  },
  {
    cue: NAME_CUE,
    pattern: new RegExp(`${B}${DAY}(?:${TO}${DAY})?\\s(?:of\\s)?${MONTH}(?:,?\\s${YEAR})?${E}`, 'gi'),
    read: ([d, d2, m, y]) => [date(y, m, d), d2 === undefined ? null : date(y, m, d2)],
  },
  {
    cue: NAME_CUE,
    pattern: new RegExp(`${B}${MONTH}\\s${DAY}(?:${TO}${DAY}(?!\\s?[a-z]))?(?:,?\\s${YEAR})?${E}`, 'gi'),
    read: ([m, d, d2, y]) => [date(y, m, d), d2 === undefined ? null : date(y, m, d2)],
  },
  {
    cue: NAME_CUE,
    pattern: new RegExp(`${B}${MONTH}${TO}${MONTH}(?:,?\\s${YEAR})?${E}(?!\\s\\d)`, 'gi'),
    read: ([m, m2, y]) => [date(y, m), date(y, m2)],
  },
  { cue: NAME_CUE, pattern: new RegExp(`${B}${MONTH},?\\s${YEAR}${E}`, 'gi'), read: ([m, y]) => [date(y, m), null] },
  { cue: NAME_CUE, pattern: new RegExp(`${IN}${MONTH}${E}`, 'gi'), read: ([m]) => [date(undefined, m), null] },
  {
    cue: CJK_CUE,
    pattern: new RegExp(
      `(?<![\\d.])(?:${YEAR}\\s?年\\s?)?(\\d\\d?)\\s?月(?!\\d{3})` +
        `(?:\\s?(\\d\\d?)(?:\\s?[日号](?:${CJK_TO}(\\d\\d?)\\s?[日号])?|${CJK_TO}(\\d\\d?)\\s?[日号]))?`,
      'g',
    ),
    read: ([y, m, d, d2, d3]) => [date(y, m, d), (d2 ?? d3) === undefined ? null : date(y, m, d2 ?? d3)],
  },
  {
    cue: YEAR_CUE,
    pattern: new RegExp(`(?<=\\b(?:since|until|till|through)\\s)${YEAR}${E}`, 'gi'),
    read: ([y]) => [date(y), null],
  },
  {
    cue: CJK_CUE,
    pattern: new RegExp(
      `(?:(?<=自从?|直到|截至)${YEAR}\\s?年(?!\\s?\\d)|${YEAR}\\s?年(?=起|以来|开始|之前|以前|为止))`,
      'g',
    ),
    read: ([y, y2]) => [date(y ?? y2), null],
  },
];

/** The dates written in a text, in order, not overlapping. Code spans are blanked by the caller. Months without a day need a cue. */
export function findDates(text: string): DateMention[] {
  const readers = READERS.filter(({ cue }) => cue.test(text));
  if (readers.length === 0) return [];
  const found = readers.flatMap((reader) => readAll(reader, text));
  // The sort is stable: of two that start together, the longer one, then the earlier reader, wins.
  found.sort((a, b) => a.start - b.start || b.end - a.end);
  let end = 0;
  return found.filter((mention) => {
    if (mention.start < end) return false;
    end = mention.end;
    return true;
  });
}

function readAll({ pattern, read }: Reader, text: string): DateMention[] {
  const mentions: DateMention[] = [];
  for (const match of text.matchAll(pattern)) {
    const [first, last] = read(match.slice(1));
    if (!isPossible(first) || isVerb(match)) continue;
    const to = last !== null && isPossible(last) && !isPair(match, text) ? last : null;
    mentions.push({ start: match.index, end: match.index + match[0].length, date: first, to });
  }
  return mentions;
}

function isPossible({ month, day }: WrittenDate): boolean {
  return (month === null || (month >= 1 && month <= 12)) && (day === null || (day >= 1 && day <= 31));
}

/** `Nov 3 and 5` are two days, `between Nov 3 and 5` a range. */
function isPair(match: RegExpExecArray, text: string): boolean {
  return /\sand\s/i.test(match[0]) && !/\bbetween\s$/i.test(text.slice(Math.max(0, match.index - 9), match.index));
}

/** `may`, `march` and `mar` in lower case are words. */
function isVerb(match: RegExpMatchArray): boolean {
  return match.slice(1).some((group) => group === 'may' || group === 'march' || group === 'mar');
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

function monthNumber(written: string): number {
  const named = MONTHS.indexOf(written.slice(0, 3).toLowerCase());
  return named === -1 ? Number(written) : named + 1;
}
