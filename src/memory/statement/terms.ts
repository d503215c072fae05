import { isAscii, plainText } from '../../language/plain-text.js';
import { bigrams, HIRAGANA, scriptRuns } from '../../language/scripts.js';
import { tongueOf } from '../../language/tongue.js';
import { stemOf } from '../../language/words/forms.js';
import { CHINESE_STOP_CHARACTERS, ENGLISH_STOP_WORDS } from '../../language/words/stop.js';
import { toSimplified } from '../../language/words/traditional.js';

const WORD = /[\p{L}\p{M}]+(?:['’]\p{L}+)?|\d+(?:[.:,]\d+)*/gu;
const ONLY_HIRAGANA = new RegExp(`^[${HIRAGANA}]+$`);
const STOPPED = new Set(CHINESE_STOP_CHARACTERS);
/** Where nothing tells small words from others, those of fewer letters say too little. */
const LEAST_LETTERS = 5;
/** Of an inflected word so many letters tell what it is of. */
const ROOT_LETTERS = 5;

/**
 * The terms by which parts of statements are found to be of one matter, each once: the roots of words that say something, pairs of
 * neighbouring characters of scripts without spaces, names, numbers. Pure, linear in the text.
 * @param beside what it stands in: of a few words alone nobody knows the language
 */
export function contentTerms(text: string, beside = ''): readonly string[] {
  const isEnglish = isAscii(text) && tongueOf(text, beside) === 'english';
  const terms = new Set<string>();
  for (const [written] of text.matchAll(WORD)) for (const term of termsOf(written, isEnglish)) terms.add(term);
  return [...terms];
}

function termsOf(written: string, isEnglish: boolean): readonly string[] {
  if (/^\d/.test(written)) return written.length > 1 ? [written] : [];
  const plain = plainText(written);
  if (!isAscii(plain)) {
    const runs = scriptRuns(toSimplified(plain));
    if (runs.some(({ isUnspaced }) => isUnspaced))
      return runs.flatMap((run) =>
        run.isUnspaced ? unspacedTerms(run.text) : spacedTerms(run.text, written, isEnglish),
      );
  }
  return spacedTerms(plain, written, isEnglish);
}

function spacedTerms(plain: string, written: string, isEnglish: boolean): readonly string[] {
  const word = plain.replace(/['’].*$/, '');
  const isName = /^\p{Lu}/u.test(written);
  if (ENGLISH_STOP_WORDS.has(word) || word.length < 2) return [];
  if (!isEnglish && !isName && word.length < LEAST_LETTERS) return [];
  const stem = isEnglish ? stemOf(word) : word;
  // A sentence is told from one in English by few signs: its words are to have the same roots in both.
  return [stem.slice(0, ROOT_LETTERS).replace(/(?<=.{3})e$/, '')];
}

function unspacedTerms(run: string): readonly string[] {
  return bigrams(run).filter(
    (pair) => pair.length > 1 && !ONLY_HIRAGANA.test(pair) && ![...pair].some((sign) => STOPPED.has(sign)),
  );
}
