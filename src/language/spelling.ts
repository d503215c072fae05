import { BASIC_HAN_RANGES, foldText, isAscii, KANA_RANGES } from './scripts.js';
import { chineseVariants, toSimplified } from './words/traditional.js';

// biome-ignore format: pairs read best on one line
const LETTERS: Readonly<Record<string, string>> = { ß: 'ss', æ: 'a', œ: 'o', ø: 'o', ł: 'l', đ: 'd', ı: 'i', ـ: '', ٱ: 'ا', ى: 'ي', ة: 'ه' };
const OTHER_LETTERS = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'g');
/** The Arabic article before a word of at least two letters. */
const ARTICLE = /(?<![\u0621-\u064a])ال(?=[\u0621-\u064a]{2})/g;
const KATAKANA = /[\u30a1-\u30f6]/g;
const HIRAGANA = /[\u3041-\u3096]/g;
const TO_HIRAGANA = 0x60;
const SOME_HAN = new RegExp(`[${BASIC_HAN_RANGES}]`);
const SOME_KANA = new RegExp(`[${KANA_RANGES}]`);

/**
 * Folds the spellings of a name to one form, for comparison and not for display. In addition to `foldText`, `ä` and `ae`
 * become `a`, `ß` becomes `ss`, traditional Chinese becomes simplified, Katakana becomes Hiragana, Arabic words lose their
 * article, and all forms of the Arabic letter alef become one.
 */
export function foldSpelling(text: string): string {
  const plain = foldText(text);
  const folded = isAscii(plain) ? plain : foldLetters(toSimplified(plain));
  return withoutUmlauts(folded);
}

/** Turns `mueller` into `muller`, the plain form of `müller`. English words change too, wrongly: `poet` becomes `pot`. */
export function withoutUmlauts(plain: string): string {
  return plain.replace(/([aou])e/g, '$1');
}

/**
 * Other spellings of a word of a question, folded. Only spellings that surely mean the same word: `ss` or `ß`, `ae` for
 * `ä`, simplified or traditional Chinese, Hiragana or Katakana, with or without the Arabic article.
 */
export function spellingVariants(word: string): readonly string[] {
  const found = isAscii(word) ? [] : foreignSpellings(word.normalize('NFC').toLowerCase());
  for (let at = word.indexOf('ss'); at >= 0; at = word.indexOf('ss', at + 2))
    found.push(`${word.slice(0, at)}ß${word.slice(at + 2)}`);
  const own = foldText(word);
  return [...new Set(found.map(foldText))].filter((other) => other !== own);
}

function foreignSpellings(word: string): string[] {
  const spelled = [word.replaceAll('ß', 'ss')];
  spelled.push(...spelled.map((way) => way.replace(/[äöü]/g, (letter) => UMLAUTS[letter] ?? letter)));
  // A word with one of these letters belongs to a language in which `ae`, `oe` and `ue` may stand for umlauts.
  if (/[äöüß]/.test(word)) spelled.push(...spelled.map((way) => withoutUmlauts(foldText(way))), withoutUmlauts(word));
  if (SOME_KANA.test(word))
    spelled.push(
      toHiragana(word),
      word.replace(HIRAGANA, (kana) => shifted(kana, TO_HIRAGANA)),
    );
  if (SOME_ARABIC.test(word)) spelled.push(...arabicSpellings(word));
  return SOME_HAN.test(word) ? [...spelled, ...chineseVariants(word)] : spelled;
}

/**
 * Spellings of an Arabic word, each with and without the article. Many writers confuse two pairs of letters at the end of a
 * word (ة and ه, ى and ي), so the word with the other letter of the pair is included.
 */
function arabicSpellings(word: string): readonly string[] {
  const bare = word.replace(ARTICLE, '');
  const other = bare.replace(/.$/, (letter) => ARABIC_ENDS[letter] ?? letter);
  return [bare, other].flatMap((way) => [way, `ال${way}`]);
}

const SOME_ARABIC = /[\u0621-\u064a]/;
const ARABIC_ENDS: Readonly<Record<string, string>> = { ة: 'ه', ه: 'ة', ى: 'ي', ي: 'ى' };
const UMLAUTS: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue' };

function toHiragana(text: string): string {
  return text.replace(KATAKANA, (kana) => shifted(kana, -TO_HIRAGANA));
}

function shifted(char: string, by: number): string {
  return String.fromCharCode(char.charCodeAt(0) + by);
}

function foldLetters(text: string): string {
  return toHiragana(text.replace(OTHER_LETTERS, (letter) => LETTERS[letter] ?? letter).replace(ARTICLE, ''));
}
