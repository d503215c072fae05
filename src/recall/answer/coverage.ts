import { foldText, hasUnspaced, UNSPACED_SCRIPT_RANGES } from '../../language/scripts.js';
import { isFunctionWord } from '../../language/time/languages/detect.js';
import { foldAccents } from '../../language/time/languages/words.js';
import type { TermCounts } from '../rank/content-words.js';
import type { WeightedTerm } from '../terms/weighted-terms.js';

/** How much of the question an answer covers: it has all, some or too few of the content words. */
export type Coverage = 'all' | 'some' | 'none';

/** The text of a result, and the terms of the question in it. */
interface Said {
  readonly text: string;
  readonly counts: TermCounts;
}

/** Minimum share of the worth of the content words. An answer with less says something else. */
const LEAST_SHARE = 0.5;
/** This number of content words is enough, however long a message is. */
const ENOUGH_WORDS = 3;
/**
 * What stands nowhere is often a pair of signs of two words, or asks: "viele" in "Wie viele Katzen hat Anna?". Which
 * words do so is known well of English alone.
 */
const UNKNOWN_SHARE = 0.5;

/**
 * Computes how much of a question an answer covers. The content words are the words of the topic without names; a rare word
 * is worth more. The language of a short question is often unknown. So a word that no line has does not count if it is a
 * function word in any language, such as "wo" in "Wo wohnt Anna?". A question without content words is fully answered by any
 * result. Pure.
 * @param names words that name somebody, in lower case
 * @param isEnglish whether the question is English
 * @param said what each result says, with its headings, and which terms it has
 */
export function questionCoverage(
  terms: readonly WeightedTerm[],
  names: ReadonlySet<string>,
  said: readonly Said[],
  isEnglish: boolean,
): Coverage {
  if (said.length === 0) return 'none';
  const words = new Map<string, { readonly worth: number; isFound: boolean }>();
  for (const { text, isAsked, worth, frequency } of terms)
    if (isAsked && !names.has(text) && !(frequency === 0 && isFunctionWord(foldAccents(text))))
      words.set(text, {
        worth: frequency === 0 && (!isEnglish || IS_PAIR.test(text)) ? UNKNOWN_SHARE * worth : worth,
        isFound: false,
      });
  // Other forms of a word have its text.
  for (const [position, { text }] of terms.entries()) {
    const word = words.get(text);
    if (word !== undefined) word.isFound ||= said.some(({ counts }) => (counts?.[position] ?? 0) > 0);
  }
  const plain = [...words.values()].every(({ isFound }) => isFound)
    ? ''
    : said.map(({ text }) => foldText(text)).join('\n');
  for (const [text, word] of words) word.isFound ||= isPartOf(text, plain);
  const telling = [...words.values()];
  const found = telling.filter(({ isFound }) => isFound);
  if (found.length === telling.length) return 'all';
  const worthOf = (some: typeof telling): number => some.reduce((sum, { worth }) => sum + worth, 0);
  return found.length >= ENOUGH_WORDS || worthOf(found) >= LEAST_SHARE * worthOf(telling) ? 'some' : 'none';
}

/** Whether half of a word stands somewhere: another form of it, or a part of a compound. */
function isPartOf(word: string, plain: string): boolean {
  const letters = foldText(word);
  const length = Math.max(LEAST_LETTERS, Math.ceil(letters.length / 2));
  if (!/^\p{L}+$/u.test(letters) || hasUnspaced(letters)) return false;
  for (let at = 0; at + length <= letters.length; at++) if (plain.includes(letters.slice(at, at + length))) return true;
  return false;
}

/** Minimum number of equal letters in a row. Shorter runs occur in many words. */
const LEAST_LETTERS = 5;

const IS_PAIR = new RegExp(`^[${UNSPACED_SCRIPT_RANGES}]+$`, 'u');
