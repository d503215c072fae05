import type { FoundUnit } from '../../index/search.js';
import type { WeighedTerm } from '../terms/weighed-terms.js';
import type { Counts } from './content-words.js';
import { BM25 } from './weights.js';

/** Where terms of a question stand beside a line, and how much they count there. */
export interface Field {
  readonly counts: NonNullable<Counts>;
  readonly weight: number;
}

/** BM25F: what a text with the lines around it has of the terms of a question. */
export class Bm25 {
  /** How long a line is here: the mean of the candidates. */
  private readonly usualLength: number;

  constructor(
    private readonly terms: readonly WeighedTerm[],
    units: readonly FoundUnit[],
  ) {
    const length = units.reduce((sum, { text }) => sum + text.length, 0);
    this.usualLength = Math.max(1, length / Math.max(1, units.length));
  }

  /**
   * @param own how often each term stands in the text itself: the longer it is, the less that says
   * @param around that a term stands there counts, and not how often
   */
  score(text: string, own: Counts, around: readonly Field[]): number {
    const { k1, b } = BM25;
    const norm = 1 - b + (b * text.length) / this.usualLength;
    let sum = 0;
    this.terms.forEach(({ worth, match }, i) => {
      // Strings that must stand somewhere are counted once, however long a text is.
      let frequency = (own?.[i] ?? 0) / ('needles' in match ? 1 : norm);
      for (const { counts, weight } of around) if ((counts[i] ?? 0) > 0) frequency += weight;
      if (frequency > 0) sum += (worth * frequency * (k1 + 1)) / (frequency + k1);
    });
    return sum;
  }
}
