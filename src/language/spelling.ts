import { foldText, isAscii } from './fold-text.js';
import { HAN, KANA } from './scripts.js';
import { chineseVariants, toSimplified } from './words/traditional.js';

// biome-ignore format: pairs read best on one line
const LETTERS: Readonly<Record<string, string>> = { ß: 'ss', æ: 'a', œ: 'o', ø: 'o', ł: 'l', đ: 'd', ı: 'i', ـ: '', ٱ: 'ا', ى: 'ي', ة: 'ه' };
const OTHER_LETTERS = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'g');
/** The Arabic article before a word of two letters and more. */
const ARTICLE = /(?<![\u0621-\u064a])ال(?=[\u0621-\u064a]{2})/g;
const KATAKANA = /[\u30a1-\u30f6]/g;
const HIRAGANA = /[\u3041-\u3096]/g;
const TO_HIRAGANA = 0x60;
const SOME_HAN = new RegExp(`[${HAN}]`);
const SOME_KANA = new RegExp(`[${KANA}]`);

/**
 * A text in the one form that its spellings share, for comparing names and not for showing: as `textOfPieces`, and `ä` is
 * `ae` is `a`, `ß` is `ss`, traditional Chinese simplified, Katakana Hiragana; Arabic has no article, and one alef.
 */
export function foldSpelling(text: string): string {
  const plain = foldText(text);
  const folded = isAscii(plain) ? plain : foldLetters(toSimplified(plain));
  return withoutUmlauts(folded);
}

/** `mueller` as `muller`, which is `müller` in its plain form. Of English words it makes others: `poet`, `pot`. */
export function withoutUmlauts(plain: string): string {
  return plain.replace(/([aou])e/g, '$1');
}

/**
 * The other ways to write a word of a question, plain, so far as they are surely of the same word: `ss` and `ß`, `ae`
 * for `ä`, simplified and traditional Chinese, Hiragana and Katakana, Arabic with its article.
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
  // With one in the word, it is of a language that has them.
  if (/[äöüß]/.test(word)) spelled.push(...spelled.map((way) => withoutUmlauts(foldText(way))), withoutUmlauts(word));
  if (SOME_KANA.test(word))
    spelled.push(
      toHiragana(word),
      word.replace(HIRAGANA, (kana) => shifted(kana, TO_HIRAGANA)),
    );
  if (SOME_ARABIC.test(word)) spelled.push(...arabicSpellings(word));
  return SOME_HAN.test(word) ? [...spelled, ...chineseVariants(word)] : spelled;
}

/** With the article and without, and with each of the letters that the last one is confused with. */
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
