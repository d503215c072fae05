import { commonPrefixLength, isOneEdit } from '../../base/nearest.js';
import { addToGroup } from '../../base/order.js';

/** Similarity of a typed word and a token of a text, from 0 to 1. */
function likeness(word: string, token: string): number {
  if (token === word) return 1;
  if (token.startsWith(word)) return 0.8;
  const common = commonPrefixLength(word, token);
  // Inflections of a word often begin alike, as "living" and "lives".
  if (common >= 3 && common >= 0.6 * Math.max(word.length, token.length)) return 0.6;
  if (token.includes(word)) return 0.5;
  return word.length >= 5 && isOneEdit(word, token) ? 0.5 : 0;
}

/** Removes diacritics and case. */
function folded(text: string): string {
  const plain = /[^\0-\x7f]/.test(text) ? text.normalize('NFKD').replace(/\p{M}/gu, '') : text;
  return plain.toLowerCase();
}

function tokensOf(text: string): readonly string[] {
  return folded(text).match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** A found item, and the share of the query that it matches, from 0 to 1. Rare words count most. */
export interface TextHit<T> {
  readonly item: T;
  readonly share: number;
}

/** Searches texts by whole words, beginnings of words and inflections. Finds words with one typo, too. */
export class TextSearch<T> {
  private readonly places = new Map<string, number[]>();
  private read = 0;

  constructor(
    private readonly items: readonly T[],
    private readonly textOf: (item: T) => string,
  ) {}

  /**
   * Indexes texts until a deadline.
   * @param until in ms, as `performance.now()`
   * @returns whether all texts are indexed
   */
  warm(until: number): boolean {
    for (; this.read < this.items.length; this.read++) {
      if (performance.now() > until) return false;
      for (const item of this.items.slice(this.read, this.read + 1))
        for (const token of new Set(tokensOf(this.textOf(item)))) addToGroup(this.places, token, this.read);
    }
    return true;
  }

  /** Items that match any word, best first. Items with the same score keep the given order. */
  find(wanted: string): readonly TextHit<T>[] {
    this.warm(Number.POSITIVE_INFINITY);
    const scores = new Map<number, number>();
    let whole = 0;
    for (const word of new Set(tokensOf(wanted))) {
      const hits = new Map<number, number>();
      for (const [token, at] of this.places) {
        const worth = likeness(word, token);
        if (worth > 0) for (const place of at) hits.set(place, Math.max(hits.get(place) ?? 0, worth));
      }
      // Square the rarity of a word, so that many common words count less than one rare word.
      const rarity = Math.log(1 + this.items.length / (1 + hits.size)) ** 2;
      whole += rarity;
      for (const [place, worth] of hits) scores.set(place, (scores.get(place) ?? 0) + worth * rarity);
    }
    return [...scores]
      .sort(([a, one], [b, other]) => other - one || a - b)
      .flatMap(([place, score]) => this.items.slice(place, place + 1).map((item) => ({ item, share: score / whole })));
  }
}

/** The line that matches most of the words; of equal lines the first. */
export function findBestLine(lines: readonly string[], wanted: string): string {
  const words = [...new Set(tokensOf(wanted))];
  const worth = (line: string): number => {
    const tokens = tokensOf(line);
    return words.reduce((sum, word) => sum + Math.max(0, ...tokens.map((token) => likeness(word, token))), 0);
  };
  const scored = lines.filter((line) => line.trim() !== '').map((line) => ({ line, worth: worth(line) }));
  return scored.reduce((best, one) => (one.worth > best.worth ? one : best), { line: '', worth: -1 }).line;
}
