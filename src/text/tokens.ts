import { ALL_HAN_RANGES, HANGUL_RANGES, KANA_RANGES } from '../language/scripts.js';

/**
 * Ranges of characters that count as 1.5 tokens each: Chinese, Japanese and Korean, with their punctuation and full-width
 * forms. Each pair of numbers is a range: its first character, and the first character after it. The ranges of the letters
 * are those of Working Memory v2, the reference for our Working Memory.
 */
const DEAR: readonly number[] = [
  0x1100, 0x1200, 0x3000, 0x3100, 0x3130, 0x3190, 0x31f0, 0x3200, 0x3400, 0x4dc0, 0x4e00, 0xa000, 0xac00, 0xd7b0,
  0xf900, 0xfb00, 0xff00, 0xfff0, 0x20000, 0x2ebf0,
];

/**
 * Estimates the number of tokens of a text, rounded up. Each CJK character counts 1.5, any other character above U+FFFF
 * 2, a letter of another non-Latin script 0.5, and anything else 0.25. The numbers 1.5 and 0.25 are those of Working
 * Memory v2, the reference for our Working Memory. There is no other estimate of tokens in the program.
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
  if (DEAR.findIndex((edge) => point < edge) % 2 === 1) return 6;
  if (point > 0xffff) return 8;
  // The block Latin Extended Additional, and punctuation and symbols of every kind, count the same as Latin letters.
  const latinOrSymbol = (point >= 0x1e00 && point <= 0x1eff) || (point >= 0x2000 && point <= 0x2bff) || point >= 0xe000;
  return latinOrSymbol ? 1 : 2;
}

/** Keeps as many items from the start of a list as fit. @param room maximum sum of their sizes */
export function firstItemsWithin<T>(items: readonly T[], room: number, sizeOf: (item: T) => number): readonly T[] {
  let left = room;
  const end = items.findIndex((item) => {
    left -= sizeOf(item);
    return left < 0;
  });
  return end < 0 ? items : items.slice(0, end);
}

/** Characters that are two columns wide: CJK with its punctuation, and full-width Latin. */
const WIDE = new RegExp(
  `[${ALL_HAN_RANGES}${KANA_RANGES}${HANGUL_RANGES}\\u3000-\\u303f\\uff01-\\uff60\\uffe0-\\uffe6]`,
  'u',
);

/** Estimates how many columns a text takes on a terminal: 2 for a CJK or full-width character, 1 for any other. */
export function displayWidth(text: string): number {
  let width = 0;
  for (const character of text) width += WIDE.test(character) ? 2 : 1;
  return width;
}

/** Splits items into parts of at most `room` tokens each. A part has at least one item. */
export function splitByTokens<T>(
  items: readonly T[],
  tokensOf: (item: T) => number,
  room: number,
): readonly (readonly T[])[] {
  const parts: T[][] = [];
  let used = 0;
  for (const item of items) {
    const tokens = tokensOf(item);
    if (parts.length === 0 || used + tokens > room) {
      parts.push([]);
      used = 0;
    }
    parts.at(-1)?.push(item);
    used += tokens;
  }
  return parts;
}
