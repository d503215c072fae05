import { ALL_HAN, HANGUL, KANA } from '../language/scripts.js';

/** What costs 1.5 tokens a character: blocks, as Working Memory v2 has them, punctuation and full-width forms included. */
const DEAR = '1100-11ff 3000-30ff 3130-318f 31f0-31ff 3400-4dbf 4e00-9fff ac00-d7af f900-faff ff00-ffef 20000-2ebef'
  .split(' ')
  .map((range) => range.split('-').map((point) => Number.parseInt(point, 16)));

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
  if (DEAR.some(([from = 0, to = 0]) => point >= from && point <= to)) return 6;
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
