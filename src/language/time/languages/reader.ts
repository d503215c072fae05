import { Cache, lazy } from '../../../base/cache.js';
import type { Day } from '../../../base/clock.js';
import { addDays, halfOf, type Period, thirdOf } from '../calendar.js';
import {
  mapOccurrences,
  recurringMeaning,
  type TextAroundMatch,
  type TimeContext,
  type TimeExpression,
  type TimeMeaning,
  textAroundMatch,
} from '../expression.js';
import { parseChineseCount, parseChineseNumber } from './chinese.js';
import { type PhraseReader, SHORT_NAMES, TIME_PHRASES } from './phrases.js';
import {
  BOUND_COLUMNS,
  type LexiconToken,
  PERIOD_THIRD_NAMES,
  type PhraseMatch,
  TIME_UNIT_COLUMNS,
  type TimeWords,
  WORD_TABLE_ROWS,
  type WordTableColumn,
} from './words.js';

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
  readonly isName: boolean;
}

const beginning = new WeakMap<LexiconToken['is'], readonly Pattern[]>();
const patterns = lazy(readPatterns);

/** Reads the times of a folded text by the phrases, which all languages share. */
export function readPhrases(written: string, lexicon: Lexicon, context: PhraseContext): TimeExpression[] {
  if (!lexicon.hasCue(written)) return [];
  const text = lexicon.words.edges ? withoutNames(written, context) : written;
  const tokens = lexicon.read(text);
  const found: TimeExpression[] = [];
  let free = 0;
  const before = lexicon.words.edges ? /[@#\\]/ : /[@#/\\]/;
  for (const [i, token] of tokens.entries()) {
    if (token.start < free || token.is.size === 0 || before.test(text.charAt(token.start - 1))) continue;
    const expression = readAt(text, tokens, i, lexicon, context, found.at(-1));
    // Excludes numbers that are a part of something longer: "1970er", "30-Minuten", the year of 2026-04-01, and paths.
    const more = lexicon.unspaced ? /^.[@/\\%]/ : /^(?:.[@/\\%]|\d-?[a-z\u00c0-\u1fff]|\d-\d\d(?!\d))/;
    if (!expression || more.test(text.slice(expression.end - 1, expression.end + 4))) continue;
    found.push(expression);
    free = expression.end;
  }
  return found;
}

/**
 * A text without known names, in a language without spaces: a name is no part of a time, except its first character (周一鸣
 * in 上周一鸣).
 */
function withoutNames(text: string, { isName }: PhraseContext): string {
  const isIn = (at: number) => isName(at) && (isName(at - 1) || !/[周月年]/.test(text.charAt(at)));
  return text.replace(/./gs, (character, at: number) => (isIn(at) ? '\ufffc' : character));
}

/** The longest phrase that begins at a token and has a meaning. */
function readAt(
  text: string,
  tokens: readonly LexiconToken[],
  i: number,
  lexicon: Lexicon,
  context: PhraseContext,
  previous: TimeExpression | undefined,
): TimeExpression | undefined {
  const start = tokens[i]?.start ?? 0;
  for (const { pattern, end } of matchesAt(tokens, i)) {
    const words = new Map<string, LexiconToken>();
    follow(pattern.words, tokens, i, words);
    const close = tokens[end - 1]?.end ?? start;
    const around = { ...textAroundMatch(text, start, close), previous };
    if (isCut(lexicon, text.slice(start, close), tokens[end - 1]?.is, words, around)) continue;
    const { unspaced, words: table } = lexicon;
    const said: PhraseMatch = {
      ...context,
      words,
      table,
      before: tokens[i - 1],
      around,
      unspaced,
      start,
      isBareName: pattern.isName,
    };
    const meant = isMeant(said) ? pattern.read(said) : undefined;
    if (!meant) continue;
    // A part that follows the time: 3月末, 先月の初め.
    const last = unspaced && tokens[end]?.is.has('of') ? end + 1 : end;
    const part = words.has('n') ? undefined : partAfter(text, tokens[last], lexicon);
    const parted = part && partIn(meant, part, { today: context.today, isOver: table.edges !== undefined });
    if (parted) return { ...parted, start, end: tokens[last]?.end ?? start };
    return { ...meant, start, end: close };
  }
  return undefined;
}

/** The patterns whose words begin at a token, each with its end. The longest first. */
function matchesAt(tokens: readonly LexiconToken[], i: number): readonly { pattern: Pattern; end: number }[] {
  const matches: { readonly pattern: Pattern; readonly end: number }[] = [];
  for (const pattern of patternsAt(tokens[i]?.is ?? new Map())) {
    const end = follow(pattern.words, tokens, i);
    if (end !== undefined && fits(pattern, tokens, i, end)) matches.push({ pattern, end });
  }
  return matches.sort((a, b) => b.end - a.end);
}

function isMeant(said: PhraseMatch): boolean {
  const isClear = () => !said.isBareName || CLEAR_NAMES.some((kind) => said.words.has(kind));
  return said.table.isTime?.(said) ?? isClear();
}

/** Bare names that are times in every text. */
const CLEAR_NAMES = ['feast', 'QUARTER', 'ordinal', 'halfNamed'];

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
 * Selects the part of a time that `part` gives, for example the end of a month. Only the tense of Chinese shows whether the
 * part of the latest month may lie ahead: on 3 December, 12月底 is the end of last December.
 */
function partIn(
  meaning: TimeMeaning,
  part: (period: Period) => Period,
  { today, isOver }: { readonly today: Day; readonly isOver: boolean },
): TimeMeaning | undefined {
  const parted = mapOccurrences(meaning, ({ period }) => ({ period: part(period) }));
  if (!parted?.recurs || !isOver) return parted;
  const { cycle, at } = parted.recurs;
  return recurringMeaning(today, cycle, (anchor) => {
    const latest = at(anchor);
    return latest && latest.period.since > anchor ? at(addDays(anchor, -cycle)) : latest;
  });
}

/** The patterns that can begin with a token of these kinds; computed once. */
function patternsAt(kinds: LexiconToken['is']): readonly Pattern[] {
  const able = beginning.get(kinds) ?? [...new Set([...kinds.keys()].flatMap((kind) => patterns().get(kind) ?? []))];
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
  for (const { ways, read, isName } of TIME_PHRASES)
    for (const said of ways) {
      const [, before = '', middle = '', sign = '', after = ''] =
        /^(?:(.*) : )?(.*?)(?: ([&!]) (.*))?$/.exec(said) ?? [];
      const behind = after === '' ? [] : variants(after).map(elementsOf);
      for (const words of variants(middle).map(elementsOf)) {
        const pattern = { before: elementsOf(before), words, behind, forbids: sign === '!', read, isName };
        const last = words.findIndex(({ mayMiss }) => !mayMiss);
        for (const { kind } of words.slice(0, last + 1)) byFirst.set(kind, [...(byFirst.get(kind) ?? []), pattern]);
      }
    }
  return byFirst;
}

/** All variants of a phrase: short names replaced, both orders of `a~b`. */
function variants(says: string): string[] {
  for (const [name, ways] of SHORT_NAMES)
    if (says.includes(name)) return ways.flatMap((way) => variants(says.replace(name, way === '-' ? '' : way)));
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
  private readonly dayCue: RegExp;
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
    const cues = `${this.unspaced ? '' : '(?<![\\w\\u00c0-\\u1fff])'}${this.anyOf('halfYear', ...WORD_TABLE_ROWS.flatMap(([row, columns]) => (CUE_ROWS.includes(row) ? columns : [])))}`;
    this.cue = new RegExp(`\\d|${cues}`);
    this.dayCue = new RegExp(this.unspaced ? `(?<!\\d)\\d\\d?(?!\\d)|${cues}` : this.dayCues());
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

  /**
   * The words of times that may be days ahead and not too long: a named day, weekday, month or feast; a word such as "next"; a
   * number behind a word such as "on", or with a sign of a day.
   */
  private dayCues(): string {
    const edge = '(?<![\\w\\u00c0-\\u1fff])';
    const months = ['month', 'monthShort', 'monthWeek', 'monthHalf'] as const;
    const word = this.anyOf('named', 'weekday', 'short', ...months, 'feast', 'dayNamed', 'which', 'nexts');
    const counted = `${this.anyOf('ahead', 'maybeAhead')}\\s+(?:\\S+\\s+){0,3}${this.anyOf('unit', 'plural')}`;
    const sign = this.anyOf('on', 'the', 'of', 'from', 'to', 'and', 'dateSign', 'dayWord', ...BOUND_COLUMNS);
    return `${edge}(?:${word}|${counted}|${sign}\\s+\\d\\d?(?!\\d))|(?<!\\d)\\d\\d?${this.anyOf('th')}`;
  }

  /** Whether a folded text may name a day ahead, without its year. Only short numbers may be dates. */
  hasDayCue(text: string): boolean {
    return this.dayCue.test(text);
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
