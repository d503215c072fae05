import { distance } from 'fastest-levenshtein';

/**
 * The candidate that `word` was probably meant to be, or undefined when none is near: of a short word, one that has half
 * of it otherwise is another. Upper and lower case are one.
 */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  let best: string | undefined;
  let least = Math.max(2, Math.floor(word.length / 3)) + 1;
  for (const candidate of candidates) {
    const edits = distance(word.toLowerCase(), candidate.toLowerCase());
    const isOther = 2 * edits >= word.length && lettersOf(word) !== lettersOf(candidate);
    if (edits < least && !isOther) {
      least = edits;
      best = candidate;
    }
  }
  return best;
}

function lettersOf(word: string): string {
  return [...word.toLowerCase()].sort().join('');
}

/** A hint at a name that there is not: the nearest one there is, else what says all of them. */
export function didYouMean(word: string, known: readonly string[], all = `known: ${known.join(', ')}`): string {
  const near = nearest(word, known);
  return near === undefined ? all : `did you mean ${near}?`;
}
