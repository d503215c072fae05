import { lazy } from '../base/cache.js';
import { ALL_CJK_RANGES, isAscii } from './scripts.js';

/** Maximum length of a question, in UTF-16 units. The rest is ignored: it is usually a pasted log. */
const MAX_CHARS = 4000;
/** Maximum number of keywords, and of CJK runs, from one question. */
export const MAX_KEYWORDS = 256;
/** Maximum length of a token in the index, in UTF-16 units. A longer token is data and not a word. */
export const MAX_TOKEN_LENGTH = 256;

export interface Token {
  /** The token as written. */
  readonly text: string;
  /** The token folded for comparison: NFKC, lower case, straight apostrophes, without possessive 's. */
  readonly lower: string;
  readonly start: number;
  readonly end: number;
  readonly kind: 'word' | 'cjk';
}

/** A range of a text, from the offset `start` up to but not including `end`. */
export interface RangeInText {
  readonly start: number;
  readonly end: number;
}

const APOSTROPHE = "['’ʼ＇]";
const WORD = /[A-Za-z0-9]+(?:'[A-Za-z]+)*/g;
const UNICODE_WORD = `(?:(?![${ALL_CJK_RANGES}])[\\p{L}\\p{M}\\p{N}])+`;
const anyToken = lazy(() => new RegExp(`[${ALL_CJK_RANGES}]+|${UNICODE_WORD}(?:${APOSTROPHE}${UNICODE_WORD})*`, 'gu'));
const CJK_START = new RegExp(`^[${ALL_CJK_RANGES}]`, 'u');
const APOSTROPHES = /[’ʼ＇]/g;

/** The words and CJK runs of a text, in order. */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  for (const match of text.matchAll(tokenPattern(text))) {
    const found = match[0];
    const kind = CJK_START.test(found) ? 'cjk' : 'word';
    tokens.push({ text: found, lower: fold(found), start: match.index, end: match.index + found.length, kind });
  }
  return tokens;
}

/**
 * Matches a text that has only ASCII and these signs, which are no letters, digits or apostrophes: dashes, quotation marks,
 * `€`.
 */
const PLAIN = /^[\x00-\x7f\u2010-\u2018\u201a-\u205e«»°€§]*$/;

/** Most texts are ASCII and do not need the pattern for all of Unicode, which takes 1 to 4 ms to build. */
function tokenPattern(text: string): RegExp {
  return PLAIN.test(text) ? WORD : anyToken();
}

/** Folds a word for comparison: NFKC, lower case, one kind of apostrophe, no possessive. */
function fold(word: string): string {
  const lower = word.normalize('NFKC').toLowerCase().replace(APOSTROPHES, "'");
  return lower.endsWith("'s") && lower.length > 2 ? lower.slice(0, -2) : lower;
}

/**
 * Whether a text contains at least one of some words. Callers use this as a quick test before a slow pattern. If every
 * match of the pattern contains one of the words, the pattern is tried only on a text with such a word.
 */
export function containsAnyWord(text: string, words: readonly string[]): boolean {
  return words.some((word) => text.includes(word));
}

/** Replaces each full-width letter, digit and sign (`Ａ`, `１`) by its plain form. Positions stay. */
export function toHalfWidth(text: string): string {
  return text.replace(/[！-～]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0)).replaceAll('\u3000', ' ');
}

/** Lower-cases only A to Z, so that positions stay: `toLowerCase` may change the length of a text. */
export function lowerCaseAscii(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  return text.replace(/[A-Z]+/g, (capitals) => capitals.toLowerCase());
}

/** Replaces ranges of a text by spaces, so that parts already understood are not read twice. Positions stay. */
export function blankRanges(text: string, ranges: readonly RangeInText[]): string {
  if (ranges.length === 0) return text;
  const pieces: string[] = [];
  let from = 0;
  for (const { start, end } of [...ranges].sort((a, b) => a.start - b.start)) {
    if (end <= from) continue;
    pieces.push(text.slice(from, start), ' '.repeat(end - Math.max(start, from)));
    from = end;
  }
  return pieces.join('') + text.slice(from);
}

export function isWithinAnyRange(token: RangeInText, ranges: readonly RangeInText[]): boolean {
  return ranges.some((range) => token.start >= range.start && token.end <= range.end);
}

/** Invisible characters: direction marks and zero-width spaces. They come with copied text and belong to no word. */
const UNSEEN = /[\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g;

/**
 * The beginning of a question, with a space for each invisible character. The program reads only this part. The cut never
 * splits a surrogate pair, which is one character.
 */
export function cleanQuestion(question: string): string {
  const read = question.length > MAX_CHARS ? question.slice(0, MAX_CHARS).replace(/[\uD800-\uDBFF]$/, '') : question;
  return read.replace(UNSEEN, ' ');
}

/** Tests whether a text contains at least one of some words, also inside longer words. */
export class AnyWordTest {
  private readonly pattern: () => RegExp;

  /** @param words in lower case, separated by `|`, without special characters of patterns */
  constructor(words: string) {
    this.pattern = lazy(() => new RegExp(words));
  }

  isIn(text: string): boolean {
    return this.pattern().test(text.toLowerCase());
  }
}

/**
 * A pattern with words for a quick test. Every match of the pattern contains at least one of the words, so a text without
 * these words needs no further test. Most texts have none of the words, and the first use of a long pattern costs
 * milliseconds.
 */
export class PatternWithWordTest {
  private readonly words: AnyWordTest;

  /** @param words in the form that the constructor of {@link AnyWordTest} takes */
  constructor(
    words: string,
    readonly pattern: RegExp,
  ) {
    this.words = new AnyWordTest(words);
  }

  /** Whether the pattern may match a text. */
  mayBeIn(text: string): boolean {
    return this.words.isIn(text);
  }

  isIn(text: string): boolean {
    return this.mayBeIn(text) && text.search(this.pattern) >= 0;
  }
}

/** The set of words in a table. White space separates the words. */
export function wordSet(table: string): ReadonlySet<string> {
  return new Set(wordList(table));
}

/** The words of a table in order. */
export function wordList(table: string): readonly string[] {
  return table.trim().split(/\s+/);
}

/**
 * A case-insensitive pattern for whole words of any script. `_` in the table is white space. `anywhere` is a pattern that
 * may also match inside a word, for unspaced scripts.
 */
export function wholeWordPattern(table: string, anywhere = '(?!)'): RegExp {
  const alone = wordList(table).join('|').replaceAll('_', '\\s');
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${alone})(?![\\p{L}\\p{N}])|${anywhere}`, 'iu');
}

/** Maps the words of a table to numbers, by their places in the table. Words with the same number are separated by "/". */
export function mapWordsToNumbers(table: string, first = 1): Readonly<Record<string, number>> {
  return Object.fromEntries(wordList(table).flatMap((words, i) => words.split('/').map((word) => [word, first + i])));
}

/** Units that make a number an exact token ("512 MB", "20 ms", "3.5 kg"), as a pattern; longer ones first. */
export const MEASURE_UNITS =
  '[KMGT]i?B|[kMG]bit|[kMG]bps|kB|bytes?|MHz|GHz|kHz|Hz|kWh|kW|fps|rpm|tokens?|[mnµ]s|min|mins|hrs?|[kmcµ]?m|[kmµ]?g|mph|km/h|lbs?|oz|px|pt|dpi|°[CF]|%|€|USD|EUR|CNY|RMB|元|dollars?|euros?';
