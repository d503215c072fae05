import { Cache } from '../../../base/cache.js';
import { parseChineseCount, parseChineseNumber } from './chinese.js';
import { type LexiconToken, type TimeWords, WORD_TABLE_ROWS, type WordTableColumn } from './words.js';

/** The units in the order in which {@link TimeWords.units} lists their words. */
export const TIME_UNIT_COLUMNS = [
  'hour',
  'day',
  'week',
  'weekend',
  'month',
  'half',
  'quarter',
  'year',
  'minute',
  'fortnight',
] as const;

export const PERIOD_THIRD_NAMES = ['early', 'mid', 'late'] as const;

export const BOUND_COLUMNS = ['since', 'onward', 'starting', 'until', 'before', 'after', 'around'] as const;

/**
 * Names for several columns together. A word of the column `month` or `monthShort`, for example, also has the kind
 * `anyMonth`.
 */
const KINDS: Readonly<Record<string, readonly WordTableColumn[]>> = {
  units: ['unit', 'plural'],
  n: ['number', 'few', 'oneHalf', 'tens'],
  sign: ['in', 'of', 'from', 'third', 'halves', ...BOUND_COLUMNS],
  onSign: ['on', 'from', ...BOUND_COLUMNS],
  strict: ['in', 'third', 'halves', ...BOUND_COLUMNS],
  season: ['alone'],
  anyMonth: ['month', 'monthShort'],
};
/** For each Japanese era, the year before it began. Year 1 of 令和 is 2018 + 1 = 2019. */
const ERAS: Readonly<Record<string, number>> = { 令和: 2018, 平成: 1988, 昭和: 1925 };
const ERA = /^(令和|平成|昭和)(元|\d\d?)$/;
const NUMBER =
  '(?:令和|平成|昭和)(?:元|\\d\\d?)(?=年)|\\d{4}-\\d\\d-\\d\\d(?!\\d)|\\d{1,2}([./-])\\d{1,2}\\1\\d{2,4}(?!\\d)|\\d{1,2}[./]\\d{1,2}(?!\\d|\\.\\d)\\.?|\\d+(?:[.,:]\\d+)*';
/** Every supported time contains a word of one of these rows, the name of a half-year or a number. */
const CUE_ROWS: readonly string[] = ['days', 'units', 'weekdays', 'months', 'seasons', 'feasts'];
/** A pattern that matches nothing. */
export const PATTERN_WITHOUT_MATCH = '(?!)';
const MOST_KEPT = 5_000;

/** The words of one language: finds them in a text, and builds patterns from them. */
export class Lexicon {
  readonly unspaced: boolean;
  private readonly columns = new Map<WordTableColumn, readonly string[]>();
  private readonly token: RegExp;
  private readonly cue: RegExp;
  private readonly classes: readonly (readonly [WordTableColumn, RegExp])[];
  /** Matches any entry of any column: a quick test, because most words of a text are in no column. */
  private readonly anyEntry: RegExp;
  private readonly known = new Cache<string, ReadonlyMap<string, number>>(MOST_KEPT);

  constructor(readonly words: TimeWords) {
    this.unspaced = words.unspaced ?? false;
    const { months = '', ofMonth = [] } = words;
    const joinedTo = ofMonth.map((part) => months.replace(/\S+/g, (month) => `(?:${month})${part}`));
    const table = { ...words, months: [months, shortMonths(months), ...joinedTo].join(' / ') };
    for (const [row, columns] of WORD_TABLE_ROWS) {
      const texts = (table[row] ?? '').split(' / ');
      for (const [i, column] of columns.entries())
        this.columns.set(column, (texts[i] ?? '').split(' ').filter(Boolean));
    }
    const entries = [...this.columns].filter(([column]) => column !== 'present' && column !== 'past');
    const joined = entries.flatMap(([, list]) => list).filter((entry) => this.unspaced || /[_'’/-]/.test(entry));
    const pieces = this.unspaced ? joined.flatMap((entry) => (entry.includes('(') ? entry : entry.split('|'))) : joined;
    const isLeast = this.unspaced || words.isEnglish;
    const wordsIn = (entry: string) => (words.isEnglish ? leastText(entry) : entry).split('_').length;
    const least = (entry: string) => (isLeast ? leastText(entry).length : 0);
    pieces.sort((a, b) => wordsIn(b) - wordsIn(a) || least(b) - least(a) || b.length - a.length);
    const edge = this.unspaced ? (words.edges?.weekday ?? '') : '(?:(?<=-)|(?![\\w\\u00c0-\\u1fff]))';
    const lone = this.unspaced
      ? '[^\\s]'
      : `[a-z\\u00df-\\u1fff][\\w\\u00c0-\\u1fff]*${words.isEnglish ? '' : "['’]?"}|[^\\s]`;
    this.token = new RegExp(
      `(?:${pieces.map(spaced).join('|')})${edge}|${words.numerals ?? (words.isEnglish ? "'\\d\\d(?!\\d)" : '(?!)')}|${NUMBER}|${lone}`,
      'g',
    );
    this.cue = new RegExp(
      `\\d|${this.unspaced ? '' : '(?<![\\w\\u00c0-\\u1fff])'}${this.anyOf('halfYear', ...WORD_TABLE_ROWS.flatMap(([row, columns]) => (CUE_ROWS.includes(row) ? columns : [])))}`,
    );
    const exact = (some: readonly string[]) => new RegExp(`^(?:${some.join('|')})$`);
    const listed = entries.map(
      ([column, list]) => [column, this.unspaced ? list.map(withoutLookahead) : list] as const,
    );
    this.classes = listed.map(([column, list]) => [column, exact(list.map((entry) => `(${entry})`))]);
    this.anyEntry = exact(listed.flatMap(([, list]) => list));
  }

  /** Whether a folded text may name a time: a quick test. */
  hasCue(text: string): boolean {
    return this.cue.test(text);
  }

  /** The words, numbers and signs of a folded text. */
  read(text: string): LexiconToken[] {
    return [...text.matchAll(this.token)].map(({ 0: found, index }) => ({
      text: found,
      start: index,
      end: index + found.length,
      is: this.known.of(found, () => this.kindsOf(found)),
    }));
  }

  /** A pattern that matches any word of some columns. */
  anyOf(...columns: readonly WordTableColumn[]): string {
    const entries = columns.flatMap((column) => this.columns.get(column) ?? []);
    return entries.length === 0 ? PATTERN_WITHOUT_MATCH : `(?:${entries.map(spaced).join('|')})`;
  }

  entries(column: WordTableColumn): readonly string[] {
    return (this.columns.get(column) ?? []).map(spaced);
  }

  private kindsOf(text: string): ReadonlyMap<string, number> {
    const kinds = new Map<string, number>();
    if (/^\d/.test(text)) readNumber(text, kinds);
    if (this.words.numerals !== undefined) readNumerals(text, kinds);
    if (this.words.isEnglish) readEnglishNumber(text, kinds);
    const [, era = '', year = ''] = ERA.exec(text) ?? [];
    if (era !== '') kinds.set('year4', (ERAS[era] ?? 0) + (Number(year) || 1));
    if (/^q[1-4]$/.test(text)) kinds.set('QUARTER', 0);
    if (/^(?:kw|kalenderwoche|cw)$/.test(text)) kinds.set('KW', 0);
    if (/^[-–—]$/.test(text)) kinds.set('to', 0);
    if (/^[/–—-]$/.test(text)) kinds.set('PAIR', 0);
    if (text === ',' || (text === '.' && this.words.isEnglish)) kinds.set('COMMA', 0);
    const word = text.replace(/\s+/g, '_');
    if (!this.anyEntry.test(word)) return kinds;
    for (const [column, pattern] of this.classes) {
      const match = pattern.exec(word);
      const place = match ? match.slice(1).findIndex((group) => group !== undefined) : -1;
      if (place >= 0) this.add(kinds, column, place);
    }
    return kinds;
  }

  private add(kinds: Map<string, number>, column: WordTableColumn, place: number): void {
    kinds.set(column, place);
    for (const [kind, columns] of Object.entries(KINDS))
      if (columns.includes(column) && !kinds.has(kind)) kinds.set(kind, place);
    if (kinds.has('anyMonth') && this.words.isEnglish) kinds.set('leadingMonth', place);
    if (column === 'dayNamed') kinds.set('d', place + 1);
    const unit = column === 'unit' ? TIME_UNIT_COLUMNS[place] : undefined;
    if (unit && unit !== 'month') kinds.set(unit, place);
    if (this.unspaced && (column === 'month' || unit === 'weekend'))
      kinds.set(unit ? 'bareWeekend' : 'bareMonth', place);
  }
}

/** Adds the kinds that a number can be: a day, a month, a year, a count, a date in digits. */
function readNumber(text: string, kinds: Map<string, number>): void {
  const [first = 0, second = 0] = text.split(/\D/).map(Number);
  if (/^\d+$/.test(text)) {
    if (first <= 999) kinds.set('n', first);
    if (first >= 1 && first <= 31 && text.length <= 2) kinds.set('d', first);
    if (first >= 1 && first <= 12 && text.length <= 2) kinds.set('mm', first);
    if (/^(?:1\d|20|21)\d\d$/.test(text)) kinds.set('year4', first);
    if (/^(?:19|20)\d\d$/.test(text)) kinds.set('yearAlone', first);
  } else if (/^\d\d?\D\d\d?\D\d{4}$/.test(text)) kinds.set('dmy', first);
  else if (/^\d\d?\D\d\d?\D\d\d$/.test(text)) kinds.set('dm', first);
  else if (second >= 1 && second <= 31 && /^\d+[./]\d+\.?$/.test(text))
    kinds.set(text.endsWith('.') ? 'dmDot' : 'dm', first);
}

/** Adds the year of two digits ('25, 25). Dates in digits are read by rules of their own, before English. */
function readEnglishNumber(text: string, kinds: Map<string, number>): void {
  for (const date of ['dmy', 'dm', 'dmDot']) kinds.delete(date);
  if (/^'?\d\d$/.test(text)) kinds.set(text.startsWith("'") ? 'year4' : 'shortYear', 2000 + Number(text.slice(-2)));
}

/** Adds the kinds that a Chinese number can be. A year has its digits one by one (二〇二五), or is cut to two (24年). */
function readNumerals(text: string, kinds: Map<string, number>): void {
  const number = parseChineseNumber(text);
  if (parseChineseCount(text) === undefined) return;
  kinds.delete('yearAlone');
  if (!(number >= 1000)) kinds.set('n', Number.isNaN(number) ? 0 : number);
  if (number >= 1 && number <= 31 && text.length <= 3) kinds.set('d', number);
  if (number >= 1 && number <= 12 && text.length <= 2) kinds.set('mm', number);
  if (/^\d\d$/.test(text)) kinds.set('shortYear', 2000 + number);
  if (number >= 1000 && text.length === 4) kinds.set('year4', number).set('hanYear', number);
}

const LOOKAHEAD = /\(\?[!=][^()]*\)/g;

function withoutLookahead(entry: string): string {
  return entry.replace(LOOKAHEAD, '');
}

/** The shortest text that matches an entry, roughly. */
function leastText(entry: string): string {
  let text = withoutLookahead(entry).replace(/\[[^\]]*\]/g, '.');
  for (let last = ''; last !== text; ) {
    last = text;
    text = text.replace(/\(\?:[^()]*\)\?/g, '').replace(/\(\?:([^()|]*)[^()]*\)/g, '$1');
  }
  return text.replace(/.\?/g, '');
}

function spaced(entry: string): string {
  return entry.replaceAll('_', "(?:\\s{1,3}|(?<=['’]))");
}

/** The first three or four letters of each month, if no other month begins with them. */
function shortMonths(months: string): string {
  const names = months.split(' ').map((month) => /^[a-z\u0400-\u04ff]{3,}/.exec(month)?.[0] ?? '');
  const isOne = (start: string) => start !== '' && names.filter((name) => name.startsWith(start)).length === 1;
  return names
    .map((name) => [name.slice(0, 3), name.slice(0, 4)].filter(isOne).join('|') || PATTERN_WITHOUT_MATCH)
    .join(' ');
}
