import { plainText } from './plain-text.js';
import { toSimplified } from './words/traditional.js';

const ASCII = /^[\u0000-\u007f]*$/;
// biome-ignore format: pairs read best on one line
const LETTERS: Readonly<Record<string, string>> = { ß: 'ss', æ: 'a', œ: 'o', ø: 'o', ł: 'l', đ: 'd', ı: 'i', ـ: '', ٱ: 'ا', ى: 'ي', ة: 'ه' };
const OTHER_LETTERS = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'g');
/** The Arabic article before a word of two letters and more. */
const ARTICLE = /(?<![\u0621-\u064a])ال(?=[\u0621-\u064a]{2})/g;
const KATAKANA = /[\u30a1-\u30f6]/g;
const TO_HIRAGANA = 0x60;

/**
 * A text in the one form that its spellings share, for comparing names and not for showing: as `plainText`, and `ä` is
 * `ae` is `a`, `ß` is `ss`, traditional Chinese simplified, Katakana Hiragana; Arabic has no article, and one alef.
 */
export function spelledAlike(text: string): string {
  const plain = plainText(text);
  const folded = ASCII.test(plain) ? plain : foldLetters(toSimplified(plain));
  return folded.replace(/([aou])e/g, '$1');
}

function foldLetters(text: string): string {
  return text
    .replace(OTHER_LETTERS, (letter) => LETTERS[letter] ?? letter)
    .replace(ARTICLE, '')
    .replace(KATAKANA, (kana) => String.fromCharCode(kana.charCodeAt(0) - TO_HIRAGANA));
}
