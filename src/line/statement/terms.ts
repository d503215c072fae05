import { Cache } from '../../base/cache.js';
import { detectLanguageGroup } from '../../language/language-group.js';
import { foldText, HIRAGANA_RANGE, isAscii, readBigrams, splitByScript } from '../../language/scripts.js';
import { isFunctionWord } from '../../language/time/languages/detect.js';
import { stemOf } from '../../language/words/forms.js';
import { CHINESE_STOP_CHARACTERS, ENGLISH_STOP_WORDS } from '../../language/words/stop.js';
import { toSimplified } from '../../language/words/traditional.js';

const WORD = /[\p{L}\p{M}]+(?:['’]\p{L}+)?|\d+(?:[.:,]\d+)*/gu;
const ASCII_WORD = /[A-Za-z]+(?:'[A-Za-z]+)?|\d+(?:[.:,]\d+)*/g;
const ONLY_HIRAGANA = new RegExp(`^[${HIRAGANA_RANGE}]+$`);
const STOPPED = new Set(CHINESE_STOP_CHARACTERS);
/** Minimum length of a word in languages without a list of function words. Shorter words are probably function words. */
const LEAST_LETTERS = 4;
/** The same minimum for the first word of a statement. This word is usually the verb, which may be shorter. */
const LEAST_OF_FIRST = 3;
/** Number of letters at the start of a word that all of its inflections share. */
const ROOT_LETTERS = 5;
const LEAST_ROOT = 3;
const APOSTROPHE = /['’]/;
const CAPITAL = /^\p{Lu}/u;

/**
 * Terms by which clauses about the same topic are found, without duplicates: roots of content words, bigrams of unspaced
 * scripts, names, numbers. Pure, linear in the text.
 * @param tongue returns the language group of the text. If the text has only a few words, a caller may know the group
 * from the text around
 */
export function contentTerms(text: string, tongue = () => detectLanguageGroup(text)): readonly string[] {
  const isPlain = isAscii(text);
  const words = text.match(isPlain ? ASCII_WORD : WORD);
  if (words === null) return [];
  const isEnglish = isPlain && tongue() === 'english';
  const terms = new Set<string>();
  for (const [at, written] of words.entries()) {
    const least = at === 0 ? LEAST_OF_FIRST : LEAST_LETTERS;
    if (isNumber(written)) addTerm(terms, written.length > 1 ? written : '');
    else if (isEnglish) addTerm(terms, englishRoot(written));
    else if (isPlain) addTerm(terms, rootOf(written.toLowerCase(), written, least));
    else for (const term of foreignTerms(written, least)) addTerm(terms, term);
  }
  return [...terms];
}

/**
 * A cache: most words of a text are among the last few thousand, and computing a root takes as long as all other work on a
 * word.
 */
const englishRoots = new Cache<string, string>(20_000);

function englishRoot(written: string): string {
  return englishRoots.get(written) ?? englishRoots.add(written, rootOf(written.toLowerCase(), written));
}

function isNumber(word: string): boolean {
  const first = word.charCodeAt(0);
  return first >= 48 && first <= 57;
}

function addTerm(terms: Set<string>, term: string): void {
  if (term !== '') terms.add(term);
}

/** Terms of a word in a text that is not all ASCII. */
function foreignTerms(written: string, least: number): readonly string[] {
  const plain = foldText(written);
  if (!isAscii(plain)) {
    const runs = splitByScript(toSimplified(plain));
    if (runs.some(({ isUnspaced }) => isUnspaced))
      return runs.flatMap((run) => (run.isUnspaced ? unspacedTerms(run.text) : rootOf(run.text, written, least)));
  }
  return [rootOf(plain, written, least)];
}

/** @param least minimum length of a word that is not English */
function rootOf(plain: string, written: string, least?: number): string {
  const isEnglish = least === undefined;
  const quote = plain.search(APOSTROPHE);
  const word = quote < 0 ? plain : plain.slice(0, quote);
  if (ENGLISH_STOP_WORDS.has(word) || word.length < 2) return '';
  // A sentence without language cues counts as English: `vive en Madrid`. So function words of two letters of other
  // languages (`en`) are dropped from English, too.
  if ((!isEnglish || word.length === 2) && isFunctionWord(word)) return '';
  if (!isEnglish && word.length < least && !CAPITAL.test(written)) return '';
  // It is often unclear whether a text is English. So a word gets the same root in both cases where possible.
  const root = (isEnglish ? stemOf(word) : word.replace(/s$/, '')).slice(0, ROOT_LETTERS);
  return root.length > LEAST_ROOT && root.endsWith('e') ? root.slice(0, -1) : root;
}

function unspacedTerms(run: string): readonly string[] {
  return readBigrams(run).filter(
    (pair) => pair.length > 1 && !ONLY_HIRAGANA.test(pair) && ![...pair].some((sign) => STOPPED.has(sign)),
  );
}
