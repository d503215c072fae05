import { distance } from 'fastest-levenshtein';

/** Minimum length of a word, in letters. Shorter words are similar to too many others. */
const SHORTEST = 5;
/** From this number of letters on, a word may differ in two letters. */
const LONG = 9;
/** A beginning of at least this share of a word stands for the word: "Postgres" for "PostgreSQL". */
const BEGINNING_SHARE = 0.6;
/** Maximum number of suggestions. */
const MOST = 3;

/**
 * The words that a person may have meant by a word that no line has. First choice: longer words that begin with the typed
 * word, and shorter words with which it begins. They are other forms of a correctly spelled word. If there are none: words
 * that differ by a wrong, missing, additional or swapped letter. Most similar first; equal ones keep their order. Pure.
 * @param word as typed, folded
 * @param written words of lines, folded
 */
export function suggestSpellings(word: string, written: readonly string[]): readonly string[] {
  if (!mayBeMisspelled(word)) return [];
  const words = written.filter((other) => other.length >= SHORTEST);
  const forms = words.filter((other) => isPrefixOf(word, other));
  const away = (other: string): number => Math.abs(other.length - word.length);
  if (forms.length > 0) return forms.sort((a, b) => away(a) - away(b)).slice(0, MOST);
  return words
    .map((other) => ({ other, edits: editsOf(word, other) }))
    .filter(({ edits }) => edits <= maxEdits(word))
    .sort((a, b) => a.edits - b.edits)
    .slice(0, MOST)
    .map(({ other }) => other);
}

/** Whether a word consists of letters and is long enough. */
export function mayBeMisspelled(word: string): boolean {
  return word.length >= SHORTEST && /^\p{L}+$/u.test(word);
}

/** Maximum number of letters in which a word may differ from the one that was meant. */
export function maxEdits(word: string): number {
  return word.length < LONG ? 1 : 2;
}

/** Number of edits between two words. Two swapped neighbouring letters count as one edit. */
function editsOf(word: string, other: string): number {
  const edits = distance(word, other);
  if (edits !== 2 || word.length !== other.length) return edits;
  const at = [...word].findIndex((letter, i) => letter !== other.charAt(i));
  return word.charAt(at) === other.charAt(at + 1) && word.charAt(at + 1) === other.charAt(at) ? 1 : edits;
}

/** Whether one of two words is the beginning of the other and makes up most of it. */
export function isPrefixOf(a: string, b: string): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  return short.length >= BEGINNING_SHARE * long.length && long.startsWith(short);
}
