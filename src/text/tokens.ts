import { ALL_HAN, HANGUL, KANA } from '../language/scripts.js';

/** What costs 1.5 tokens a character: blocks, as Working Memory v2 has them, punctuation and full-width forms included. */
const DEAR: readonly (readonly [number, number])[] = [
  [0x1100, 0x11ff],
  [0x3000, 0x30ff],
  [0x3130, 0x318f],
  [0x31f0, 0x31ff],
  [0x3400, 0x4dbf],
  [0x4e00, 0x9fff],
  [0xac00, 0xd7af],
  [0xf900, 0xfaff],
  [0xff00, 0xffef],
  [0x20000, 0x2ebef],
];

/**
 * The one token estimate of the project, in tokens, rounded up: 1.5 a CJK character, 2 a character beyond U+FFFF,
 * 0.5 a letter of another non-Latin script, 0.25 anything else. The first and last are those of Working Memory v2.
 */
export function estimateTokens(text: string): number {
  let quarters = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x370) quarters += 1;
    else {
      const point = text.codePointAt(i) ?? unit;
      if (point > 0xffff) i++;
      quarters += quartersOf(point);
    }
  }
  return Math.ceil(quarters / 4);
}

function quartersOf(point: number): number {
  if (DEAR.some(([from, to]) => point >= from && point <= to)) return 6;
  if (point > 0xffff) return 8;
  // Latin Extended Additional, and punctuation and symbols of every kind, cost what Latin does.
  const latinOrSymbol = (point >= 0x1e00 && point <= 0x1eff) || (point >= 0x2000 && point <= 0x2bff) || point >= 0xe000;
  return latinOrSymbol ? 1 : 2;
}

/** CJK with its punctuation and the full-width forms of Latin; not the forms that are of half a column. */
const WIDE = new RegExp(`[${ALL_HAN}${KANA}${HANGUL}\\u3000-\\u303f\\uff01-\\uff60\\uffe0-\\uffe6]`, 'u');

/** Columns that a text takes on a terminal, roughly: 2 for a CJK or full-width character, 1 for any other. */
export function displayWidth(text: string): number {
  let width = 0;
  for (const character of text) width += WIDE.test(character) ? 2 : 1;
  return width;
}
