import { UNSPACED } from '../../language/scripts.js';
import type { Counts } from '../rank/content-words.js';
import type { WeighedTerm } from '../terms/weighed-terms.js';

/** How far an answer goes: whether it has all of the question's telling words, some, or too few to tell of it. */
export type Answers = 'all' | 'some' | 'none';

/** With a smaller share of what the telling words are worth, an answer says something else. */
const LEAST_SHARE = 0.5;
/** So many telling words are enough, however long a message is. */
const ENOUGH_WORDS = 3;
/** Of a run without spaces, pairs that stand nowhere are often of two words. */
const UNKNOWN_PAIR_SHARE = 0.5;

/**
 * How far an answer goes: the telling words are those that are asked about, names aside, each worth more the rarer it is.
 * Where there are none, whatever is found is the answer. Pure.
 * @param names words that name somebody, in lower case
 * @param said which terms each result has, with its headings
 */
export function answersBy(terms: readonly WeighedTerm[], names: ReadonlySet<string>, said: readonly Counts[]): Answers {
  if (said.length === 0) return 'none';
  const words = new Map<string, { readonly worth: number; isFound: boolean }>();
  for (const { text, isAsked, worth, frequency } of terms)
    if (isAsked && !names.has(text))
      words.set(text, {
        worth: frequency === 0 && IS_PAIR.test(text) ? UNKNOWN_PAIR_SHARE * worth : worth,
        isFound: false,
      });
  // Other forms of a word have its text.
  for (const [position, { text }] of terms.entries()) {
    const word = words.get(text);
    if (word !== undefined) word.isFound ||= said.some((counts) => (counts?.[position] ?? 0) > 0);
  }
  const telling = [...words.values()];
  const found = telling.filter(({ isFound }) => isFound);
  if (found.length === telling.length) return 'all';
  const worthOf = (some: typeof telling): number => some.reduce((sum, { worth }) => sum + worth, 0);
  return found.length >= ENOUGH_WORDS || worthOf(found) >= LEAST_SHARE * worthOf(telling) ? 'some' : 'none';
}

const IS_PAIR = new RegExp(`^[${UNSPACED}]+$`, 'u');
