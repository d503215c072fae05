import { distance } from 'fastest-levenshtein';

/**
 * The candidate that the writer of `word` probably meant; undefined if none is similar enough. If half of the letters or
 * more differ, a candidate counts only if it has the same letters in another order: `list` for `lsit`. Case does not matter.
 */
export function nearestWord(word: string, candidates: Iterable<string>): string | undefined {
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

/**
 * A hint for an unknown name. It suggests the known name that is most similar: `did you mean list?`. If no known name
 * is similar, the hint is `all`.
 */
export function suggestKnownWord(word: string, known: readonly string[], all = `known: ${known.join(', ')}`): string {
  const near = nearestWord(word, known);
  return near === undefined ? all : `did you mean ${near}?`;
}

/**
 * Whether a single edit turns one text into the other. An edit inserts, removes or replaces one character, or swaps two
 * adjacent characters.
 */
export function isOneEdit(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  const start = commonPrefixLength(a, b);
  const [restA, restB] = [a.slice(start), b.slice(start)];
  const isSwap = restA[0] === restB[1] && restA[1] === restB[0] && restA.slice(2) === restB.slice(2);
  return isSwap || restA.slice(1) === restB || restA === restB.slice(1) || restA.slice(1) === restB.slice(1);
}

/** The length of the common prefix of two texts. */
export function commonPrefixLength(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return at;
}
