import { plainText } from '../../language/plain-text.js';
import { UNSPACED } from '../../language/scripts.js';
import { stemOf } from '../../language/words/stem.js';
import type { Term } from './question-terms.js';

/** Where a script without spaces begins, a word ends: `是18440423876`. */
const WORD = new RegExp(`(?:(?![${UNSPACED}])[\\p{L}\\p{N}])+`, 'gu');
const ASCII = /^[\u0000-\u007f]*$/;

/** Counts terms in texts. Each distinct word is stemmed once for a question. */
export class Matcher {
  /** Positions of the terms that a word is a form of; none for most words. */
  private readonly words = new Map<string, readonly number[]>();
  private readonly stems = new Map<string, readonly number[]>();
  /** Stemming is what costs most, and nearly every word begins like none of the question's. */
  private readonly beginnings = new Set<number>();
  private readonly needles: readonly (readonly [string, number])[];
  /** Of the text that is being counted: most lines have nothing, and need none. */
  private counts: Float64Array | undefined;

  constructor(private readonly terms: readonly Term[]) {
    const needles: [string, number][] = [];
    terms.forEach(({ match }, position) => {
      if ('needle' in match) for (const needle of [match.needle, match.other ?? '']) needles.push([needle, position]);
      else for (const stem of match.stems) this.stems.set(stem, [...(this.stems.get(stem) ?? []), position]);
    });
    this.needles = needles;
    for (const stem of this.stems.keys()) for (const beginning of beginningsOf(stem)) this.beginnings.add(beginning);
  }

  /** How often each term stands in a text, by position in the question's terms; undefined when none does. */
  count(text: string): Float64Array | undefined {
    const plain = plainText(text);
    this.counts = undefined;
    if (ASCII.test(plain)) this.countAscii(plain);
    else for (const [word] of plain.matchAll(WORD)) if (this.beginnings.has(beginningOf(word))) this.countWord(word);
    for (const [needle, position] of this.needles) if (needle !== '' && plain.includes(needle)) this.add(position);
    return this.counts;
  }

  /** Whether every term of the question stands in a text; of no terms, no text has all. */
  hasAll(text: string): boolean {
    return this.count(text)?.every((count) => count > 0) ?? false;
  }

  /** Looks at each character once, without making a string of every word: hundreds of lines are read for a question. */
  private countAscii(text: string): void {
    for (let at = 0; at < text.length; at++) {
      if (!isWordCode(text.charCodeAt(at))) continue;
      const start = at;
      while (isWordCode(text.charCodeAt(at))) at++;
      if (this.beginnings.has(beginningOf(text, start, at))) this.countWord(text.slice(start, at));
    }
  }

  private countWord(word: string): void {
    for (const position of this.positions(word)) this.add(position);
  }

  private add(position: number): void {
    this.counts ??= new Float64Array(this.terms.length);
    this.counts[position] = (this.counts[position] ?? 0) + 1;
  }

  private positions(word: string): readonly number[] {
    let positions = this.words.get(word);
    if (positions === undefined) {
      positions = this.stems.get(stemOf(word)) ?? NONE;
      this.words.set(word, positions);
    }
    return positions;
  }
}

const NONE: readonly number[] = [];

/** The first two letters of a word as one number: the stemmer changes ends of words, and of these letters only y to i. */
function beginningOf(text: string, start = 0, end = text.length): number {
  const second = end - start < 2 ? 0 : text.charCodeAt(start + 1);
  return text.charCodeAt(start) * 0x10000 + (second === Y ? I : second);
}

/** Whether a character of lower-case ASCII text is a letter or digit; false for NaN, the end. */
function isWordCode(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 48 && code <= 57);
}

/** What the words of a stem may begin with; a stem of one letter says nothing about the second. */
function beginningsOf(stem: string): readonly number[] {
  if (stem.length > 1) return [beginningOf(stem)];
  const first = stem.charCodeAt(0) * 0x10000;
  return [first, ...Array.from({ length: 0x80 }, (_, second) => first + (second === Y ? I : second))];
}

const Y = 'y'.charCodeAt(0);
const I = 'i'.charCodeAt(0);
