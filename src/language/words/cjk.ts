import {
  CHINESE_KEPT_WORDS,
  CHINESE_LIGHT_VERBS,
  CHINESE_STOP_CHARACTERS,
  CHINESE_STOP_WORDS,
  JAPANESE_STOP_WORDS,
} from './chinese-stop.js';

const STOPS: ReadonlySet<string> = new Set([...CHINESE_STOP_WORDS, ...CHINESE_STOP_CHARACTERS, ...JAPANESE_STOP_WORDS]);
const KEPT: ReadonlySet<string> = new Set(CHINESE_KEPT_WORDS);
const LONGEST = 6;

/**
 * The runs of a CJK text that carry content. The text is read left to right; at each place the longest name, kept or
 * stop word wins, and what is stopped ends a run.
 * @param names entity names in the text, which are never cut.
 */
export function contentRuns(text: string, names: ReadonlySet<string>): string[] {
  const runs: string[] = [];
  let run = '';
  for (let i = 0; i < text.length; ) {
    const word = wordAt(text, i, names);
    if (STOPS.has(word) && !names.has(word)) {
      if (run !== '') runs.push(run);
      run = '';
    } else run += word;
    i += word.length;
  }
  if (run !== '') runs.push(run);
  return runs.filter((found) => !CHINESE_LIGHT_VERBS.includes(found));
}

function wordAt(text: string, at: number, names: ReadonlySet<string>): string {
  for (let length = LONGEST; length > 1; length--) {
    const piece = text.slice(at, at + length);
    if (piece.length === length && (names.has(piece) || KEPT.has(piece) || STOPS.has(piece))) return piece;
  }
  return String.fromCodePoint(text.codePointAt(at) ?? 0);
}
