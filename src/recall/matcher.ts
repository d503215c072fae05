import { stemmer } from 'stemmer';
import { plainText } from '../text/plain-text.js';
import type { Term } from './terms.js';

const WORD = /[\p{L}\p{N}]+/gu;
const ASCII_WORD = /[a-z0-9]+/g;

/** Counts terms in texts. Each distinct word is stemmed once for a question. */
export class Matcher {
  /** Position of the term that a word is a form of; -1 for most words. */
  private readonly words = new Map<string, number>();
  private readonly stems = new Map<string, number>();
  private readonly needles: readonly (readonly [string, number])[];

  constructor(private readonly terms: readonly Term[]) {
    const needles: [string, number][] = [];
    terms.forEach(({ match }, position) => {
      if ('needle' in match) needles.push([match.needle, position]);
      else for (const stem of match.stems) if (!this.stems.has(stem)) this.stems.set(stem, position);
    });
    this.needles = needles;
  }

  /** How often each term stands in a text, by position in the question's terms. */
  count(text: string): Float64Array {
    const plain = plainText(text);
    const counts = new Float64Array(this.terms.length);
    const isAscii = plain.length === text.length && !/[^\u0000-\u007f]/.test(plain);
    const words = plain.match(isAscii ? ASCII_WORD : WORD) ?? [];
    for (const word of words) {
      const position = this.position(word);
      if (position >= 0) counts[position] = (counts[position] ?? 0) + 1;
    }
    for (const [needle, position] of this.needles) counts[position] = occurrences(plain, needle);
    return counts;
  }

  private position(word: string): number {
    let position = this.words.get(word);
    if (position === undefined) {
      position = this.stems.get(stemmer(word)) ?? -1;
      this.words.set(word, position);
    }
    return position;
  }
}

function occurrences(text: string, needle: string): number {
  // A token of nothing but combining marks has no plain form.
  if (needle === '') return 0;
  let count = 0;
  for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + needle.length)) count++;
  return count;
}
