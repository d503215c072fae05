import { foldText, isAscii, readBigrams, splitByScript } from '../scripts.js';
import { stemOf } from './forms.js';
import {
  CHINESE_EVERYDAY_WORDS,
  CHINESE_GENERAL_VERBS,
  CHINESE_STOP_CHARACTERS,
  CHINESE_STOP_WORDS,
  CHINESE_WORDS_KEPT_WHOLE,
  ENGLISH_STOP_WORDS,
  JAPANESE_STOP_WORDS,
} from './stop.js';
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

const STOPS: ReadonlySet<string> = new Set([...CHINESE_STOP_WORDS, ...CHINESE_STOP_CHARACTERS, ...JAPANESE_STOP_WORDS]);
const TOLD: ReadonlySet<string> = new Set([...STOPS, ...CHINESE_EVERYDAY_WORDS]);
const KEPT: ReadonlySet<string> = new Set(CHINESE_WORDS_KEPT_WHOLE);
const LONGEST = 6;

/**
 * Cuts CJK text at its stop words, and returns the runs of text between them. Reads the text from left to right. At each
 * place it takes the longest known word: an entity name, a word of {@link CHINESE_WORDS_KEPT_WHOLE} or a stop word.
 * @param names entity names; a name in the text is never cut, and is a run of its own
 * @param isTold whether the text tells something and does not only ask. Then everyday words, which say little about its
 * topic, are dropped like stop words
 */
export function findContentRuns(text: string, names: ReadonlySet<string>, isTold = false): string[] {
  const stops = isTold ? TOLD : STOPS;
  const runs: string[] = [];
  const simplified = toSimplified(text);
  let run = '';
  const end = (): void => {
    if (run !== '') runs.push(run);
    run = '';
  };
  for (let i = 0; i < text.length; ) {
    const length = wordLength(text, simplified, i, { names, stops });
    const word = text.slice(i, i + length);
    const isName = names.has(word);
    if (isName || stops.has(simplified.slice(i, i + length))) end();
    if (isName) runs.push(word);
    else if (!stops.has(simplified.slice(i, i + length))) run += word;
    i += length;
  }
  end();
  return runs.filter((found) => !CHINESE_GENERAL_VERBS.includes(toSimplified(found)));
}

/**
 * The length of the longest known word at a place: an entity name, a word of {@link CHINESE_WORDS_KEPT_WHOLE} or a stop word. If
 * there is no such word, the length of the character there.
 */
function wordLength(
  text: string,
  simplified: string,
  at: number,
  { names, stops }: Readonly<Record<'names' | 'stops', ReadonlySet<string>>>,
): number {
  for (let length = Math.min(LONGEST, text.length - at); length > 1; length--) {
    const piece = simplified.slice(at, at + length);
    if (names.has(text.slice(at, at + length)) || KEPT.has(piece) || stops.has(piece)) return length;
  }
  return String.fromCodePoint(text.codePointAt(at) ?? 0).length;
}
