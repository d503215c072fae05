import { distance } from 'fastest-levenshtein';

/** Shorter words are near to too many others. */
const SHORTEST = 5;
/** Of so many letters on, a word may differ in two. */
const LONG = 9;
/** A beginning that is as much of a word stands for it: Postgres, PostgreSQL. */
const BEGINNING_SHARE = 0.6;
/** So many other words are looked for. */
const MOST = 3;

/**
 * The words that one may have been meant for, when no line has it: those that are its beginning or begin with it, which
 * are other forms of a word that is spelled right; where there are none, with a letter wrong, missing, too many or in the
 * place of its neighbour. The nearest first; of equal ones in their order. Pure.
 * @param word as it was typed, plain
 * @param written words of lines, plain
 */
export function suggestSpellings(word: string, written: readonly string[]): readonly string[] {
  if (!mayBeMisspelled(word)) return [];
  const words = written.filter((other) => other.length >= SHORTEST);
  const forms = words.filter((other) => isBeginning(word, other));
  const away = (other: string): number => Math.abs(other.length - word.length);
  if (forms.length > 0) return forms.sort((a, b) => away(a) - away(b)).slice(0, MOST);
  return words
    .map((other) => ({ other, edits: editsOf(word, other) }))
    .filter(({ edits }) => edits <= mostEdits(word))
    .sort((a, b) => a.edits - b.edits)
    .slice(0, MOST)
    .map(({ other }) => other);
}

/** Whether a word is of letters, and of enough of them. */
export function mayBeMisspelled(word: string): boolean {
  return word.length >= SHORTEST && /^\p{L}+$/u.test(word);
}

/** By how many letters a word may differ from the one that was meant. */
export function mostEdits(word: string): number {
  return word.length < LONG ? 1 : 2;
}

/** Two letters in each other's place are one slip. */
function editsOf(word: string, other: string): number {
  const edits = distance(word, other);
  if (edits !== 2 || word.length !== other.length) return edits;
  const at = [...word].findIndex((letter, i) => letter !== other.charAt(i));
  return word.charAt(at) === other.charAt(at + 1) && word.charAt(at + 1) === other.charAt(at) ? 1 : edits;
}

/** Whether one of two words is the beginning of the other, and most of it. */
export function isBeginning(a: string, b: string): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  return short.length >= BEGINNING_SHARE * long.length && long.startsWith(short);
}
