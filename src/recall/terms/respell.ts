import { distance } from 'fastest-levenshtein';

/** Shorter stems are near to too many others. */
const SHORTEST = 5;
/** Stems of so many letters may differ in two. */
const LONG = 7;
/** A beginning that is as much of a word stands for it: Postgres, PostgreSQL. */
const BEGINNING_SHARE = 0.6;
/** So many other words are looked for. */
const MOST = 3;

/**
 * The words of a vocabulary that a word may have been meant for, when no line has it: with a letter wrong, or one the
 * beginning of the other. The nearest first; of equal ones in their order. Pure.
 * @param word a stem of letters, as the vocabulary's are
 */
export function respell(word: string, vocabulary: readonly string[]): readonly string[] {
  if (word.length < SHORTEST || !/^\p{L}+$/u.test(word)) return [];
  const most = word.length < LONG ? 1 : 2;
  return vocabulary
    .map((term) => ({
      term,
      edits: Math.min(editsOf(word, term), isBeginning(word, term) ? most : Number.POSITIVE_INFINITY),
    }))
    .filter(({ term, edits }) => term.length >= SHORTEST && edits <= most)
    .sort((a, b) => a.edits - b.edits)
    .slice(0, MOST)
    .map(({ term }) => term);
}

function editsOf(word: string, term: string): number {
  return Math.abs(word.length - term.length) > 2 ? Number.POSITIVE_INFINITY : distance(word, term);
}

function isBeginning(a: string, b: string): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  return short.length >= BEGINNING_SHARE * long.length && long.startsWith(short);
}
