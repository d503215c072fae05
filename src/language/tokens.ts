import { ALL_CJK } from './scripts.js';

/** Questions are read up to this many UTF-16 units; the rest of a pasted log adds nothing to what is asked. */
const MAX_CHARS = 4000;
/** At most this many keywords, and as many CJK runs, are taken from one question. */
export const MAX_WORDS = 256;
/** The longest token the index promises to find; longer ones are data, not words. */
export const MAX_TOKEN = 256;

export interface Token {
  /** As written. */
  readonly text: string;
  /** NFKC, lower case, straight apostrophes, without possessive 's. */
  readonly lower: string;
  readonly start: number;
  readonly end: number;
  readonly kind: 'word' | 'cjk';
}

/** A stretch of the text, `end` exclusive. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

const APOSTROPHE = "['’ʼ＇]";
const WORD = /[A-Za-z0-9]+(?:'[A-Za-z]+)*/g;
const UNICODE_WORD = `(?:(?![${ALL_CJK}])[\\p{L}\\p{M}\\p{N}])+`;
let anyToken: RegExp | undefined;
const CJK_START = new RegExp(`^[${ALL_CJK}]`, 'u');
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

/** Beside ASCII what is no letter or digit, and no apostrophe: dashes, quotation marks, currencies. */
const PLAIN = /^[\x00-\x7f\u2010-\u2018\u201a-\u205e«»°€§]*$/;

/** Most texts are ASCII, for which the pattern that knows all of Unicode need not be built (1 to 4 ms). */
function tokenPattern(text: string): RegExp {
  if (PLAIN.test(text)) return WORD;
  anyToken ??= new RegExp(`[${ALL_CJK}]+|${UNICODE_WORD}(?:${APOSTROPHE}${UNICODE_WORD})*`, 'gu');
  return anyToken;
}

/** The form in which words are compared: NFKC, lower case, one kind of apostrophe, no possessive. */
function fold(word: string): string {
  const lower = word.normalize('NFKC').toLowerCase().replace(APOSTROPHES, "'");
  return lower.endsWith("'s") && lower.length > 2 ? lower.slice(0, -2) : lower;
}

/** Whether any of some words is in a text: a cheap look before a pattern that needs one of them is compiled. */
export function hasAny(text: string, words: readonly string[]): boolean {
  return words.some((word) => text.includes(word));
}

/** Full-width letters, digits and signs as their plain forms, one unit for one, so that positions stay. */
export function halfWidth(text: string): string {
  return text.replace(/[！-～]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0)).replaceAll('\u3000', ' ');
}

/** Latin capitals as small letters, one unit for one: `toLowerCase` may change the length of a text. */
export function lowerCase(text: string): string {
  return text.replace(/[A-Z]+/g, (capitals) => capitals.toLowerCase());
}

/** The text with the given ranges blanked, positions kept: what was already understood is not read a second time. */
export function blankRanges(text: string, ranges: readonly Range[]): string {
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

export function isWithin(token: Range, ranges: readonly Range[]): boolean {
  return ranges.some((range) => token.start >= range.start && token.end <= range.end);
}

/** Signs that nobody sees: marks of direction, spaces without width. They come with what is copied, and are no part of a word. */
const UNSEEN = /[\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g;

/** The beginning of a question that is read, without signs that nobody sees; never half of a surrogate pair. */
export function readableQuestion(question: string): string {
  const read = question.length > MAX_CHARS ? question.slice(0, MAX_CHARS).replace(/[\uD800-\uDBFF]$/, '') : question;
  return read.replace(UNSEEN, ' ');
}

/** From so many texts on, looking for words by a pattern has paid for making it. */
const MANY_TEXTS = 64;

/** Some words of which any may stand anywhere in a text: a few texts are searched for each, many by one pattern. */
export class WordFilter {
  private readonly words: readonly string[];
  private pattern: RegExp | undefined;
  private asked = 0;

  /** @param words in lower case, with `|` between them; none has a sign that means something in a pattern */
  constructor(words: string) {
    this.words = words.split('|');
  }

  isIn(text: string): boolean {
    const lower = text.toLowerCase();
    if (this.asked++ < MANY_TEXTS) return hasAny(lower, this.words);
    this.pattern ??= new RegExp(this.words.join('|'));
    return this.pattern.test(lower);
  }
}

/**
 * A pattern with words of which one is in every text that it finds something in. Most texts have none of them, and a
 * pattern of many words costs milliseconds when it is first used.
 */
export class CuedPattern {
  private readonly words: WordFilter;

  /** @param words as those of {@link WordFilter} */
  constructor(
    words: string,
    readonly pattern: RegExp,
  ) {
    this.words = new WordFilter(words);
  }

  /** Whether the pattern may find something in a text. */
  mayBeIn(text: string): boolean {
    return this.words.isIn(text);
  }

  isIn(text: string): boolean {
    return this.mayBeIn(text) && text.search(this.pattern) >= 0;
  }
}
