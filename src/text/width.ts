import { ALL_HAN, HANGUL, KANA } from '../language/scripts.js';

/** CJK with its punctuation and the full-width forms of Latin; not the forms that are of half a column. */
const WIDE = new RegExp(`[${ALL_HAN}${KANA}${HANGUL}\\u3000-\\u303f\\uff01-\\uff60\\uffe0-\\uffe6]`, 'u');

/** Columns that a text takes on a terminal, roughly: 2 for a CJK or full-width character, 1 for any other. */
export function displayWidth(text: string): number {
  let width = 0;
  for (const character of text) width += WIDE.test(character) ? 2 : 1;
  return width;
}
