import type { WeightedTerm } from '../terms/weighted-terms.js';
import type { TermCounts } from './content-words.js';
import { BM25_PARAMETERS, TYPICAL_MESSAGE_CHARS } from './weights.js';

/** Where terms of a question stand beside a line, and how much they count there. */
export interface ScoredField {
  readonly counts: NonNullable<TermCounts>;
  readonly weight: number;
}

/**
 * BM25F: what a text with the lines around it has of the terms of a question. In a line as short as a message a word is
 * worth a little less the longer the line is; a longer one says several things, and each so much the less. Its length is
 * measured by texts as people write them, and not by the mean of what is found, which beside answers of pages calls every
 * statement short.
 * @param own how often each term stands in the text itself
 * @param around that a term stands there counts, and not how often
 */
export function bm25(
  terms: readonly WeightedTerm[],
  text: string,
  own: TermCounts,
  around: readonly ScoredField[],
): number {
  const { k1, b } = BM25_PARAMETERS;
  const messages = text.length / TYPICAL_MESSAGE_CHARS;
  const norm = Math.max(messages, 1 - b + b * messages);
  let sum = 0;
  terms.forEach(({ worth, match }, i) => {
    // Strings that must stand somewhere are counted once, however long a text is.
    let frequency = (own?.[i] ?? 0) / ('needles' in match ? 1 : norm);
    for (const { counts, weight } of around) if ((counts[i] ?? 0) > 0) frequency += weight;
    if (frequency > 0) sum += (worth * frequency * (k1 + 1)) / (frequency + k1);
  });
  return sum;
}
