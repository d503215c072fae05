import { foldText, isAscii } from '../fold-text.js';
import { readBigrams, splitByScript } from '../scripts.js';
import { stemOf } from './forms.js';
import { ENGLISH_STOP_WORDS } from './stop.js';
import { toSimplified } from './traditional.js';

const WORD = /\d+(?:[.:]\d+)+|[\p{L}\p{N}]+/gu;
const ASCII_WORD = /\d+(?:[.:]\d+)+|[a-z\d]+/g;

/** The folded words of a text. A number keeps its points and colons (`3.5`, `10:30`). Unspaced scripts give bigrams. */
export function readFoldedWords(text: string): readonly string[] {
  const plain = foldText(text);
  // In most texts, folding leaves only ASCII.
  if (isAscii(plain)) return plain.match(ASCII_WORD) ?? [];
  return [...toSimplified(plain).matchAll(WORD)].flatMap(([word]) =>
    splitByScript(word).flatMap((run) => (run.isUnspaced ? readBigrams(run.text) : run.text)),
  );
}

/** The terms for comparing statements: {@link readFoldedWords} as stems, without stop words. */
export function readStatementTerms(text: string): readonly string[] {
  return readFoldedWords(text)
    .filter((word) => !ENGLISH_STOP_WORDS.has(word))
    .map((word) => (/\d/.test(word) ? word : stemOf(word)));
}
