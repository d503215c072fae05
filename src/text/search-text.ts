import { foldText } from '../language/fold-text.js';
import { COMMON_HAN, COMMON_LETTER, UNSPACED } from '../language/scripts.js';

/**
 * The text that the full-text index sees, made so that every token of a line is found again: what is in a file and is
 * not found would be as good as lost. SQLite's `porter unicode61` does the rest: it stems English, and splits at what is neither letter nor
 * digit. What it would do wrong is mended here:
 *
 * - runs of letters and digits are folded by `textOfPieces`, each alone, so that neither case nor diacritics nor a
 *   neighbour (`5㎏`) decides what is found;
 * - scripts without spaces (`使用Redis缓存`) become one token a character, so that a phrase of them finds any part;
 * - strings of symbols only (`→`, `++`, `🎉`) and letters that SQLite may not know become an encoded word;
 * - letters that carry combining marks stand once more without what the marks join.
 */
export function searchText(text: string): string {
  if (ASCII.test(text)) {
    // Every other line begins with it.
    const isItem = text.startsWith('- ');
    const rest = isItem ? text.slice(1) : text;
    const searched = ASCII_SYMBOLS.test(rest) ? encodeAsciiSymbols(rest) : rest;
    return isItem ? `zs002d${searched}` : searched;
  }
  return MARK.test(text) ? `${tokens(text)} ${tokens(text.split(MARKS).join(' '))}` : tokens(text);
}

/**
 * One FTS5 phrase that finds what `searchText` made of `token`, or undefined when there is nothing in it to search.
 * Quotes and operators inside are only text.
 */
export function searchPhrase(token: string): string | undefined {
  const words = ASCII.test(token) ? encodeAsciiSymbols(token) : tokens(token);
  const clean = words.replace(/["\u0000]/g, ' ').trim();
  return HAS_WORD.test(clean) ? `"${clean}"` : undefined;
}

// biome-ignore format: the ranges read best on one line
const ASCII = /^[\u0000-\u007f]*$/;
// It looks back only behind a symbol: at every letter that would cost more than all else.
const ASCII_SYMBOLS = /[^A-Za-z0-9\s](?<!\S.)[^A-Za-z0-9\s]*(?!\S)/;
const ASCII_SYMBOL_CHUNKS = new RegExp(ASCII_SYMBOLS, 'g');
const MARK = /\p{M}/u;
const MARKS = /\p{M}+/u;
const HAS_WORD = /[\p{L}\p{N}]/u;
/** Nothing to fold, the most of Chinese text. */
const PLAIN_HAN = new RegExp(`^[${COMMON_HAN}]+$`);
/**
 * Letters that JavaScript knows, or a later Unicode will give it, and the unicode61 of SQLite 3.53 does not. Beyond the
 * first plane there are new ones every year, and words of those scripts are rare: none of them is left to SQLite.
 */
const UNKNOWN_TO_FTS =
  /[\u088f\u0c5c\u0cdc\u19b0-\u19c0\u19c8\u19c9\u1c89\u1c8a\u1cf2\u1cf3\ua7cb-\ua7df\ua7f1\u{10000}-\u{10ffff}]/u;
const SPECIAL = new RegExp(`[${UNSPACED}]|${UNKNOWN_TO_FTS.source}`, 'u');
const EMOJI = /\p{Extended_Pictographic}/u;
const CHUNK = /\S+/gu;
const RUN = /[\p{L}\p{N}\p{M}]+|[^\p{L}\p{N}\p{M}]+/gu;
/** Letters and digits in common use, and signs that are neither letter, digit nor mark. */
const PLAIN = new RegExp(`^[\\0-\\x7f\\u2010-\\u205e、。，：；！？（）“”${COMMON_LETTER}]*$`);
const PLAIN_RUN = new RegExp(`[${COMMON_LETTER}]+|[^${COMMON_LETTER}]+`, 'g');

function encodeAsciiSymbols(text: string): string {
  const clean = text.includes('\u0000') ? text.replaceAll('\u0000', ' ') : text;
  return clean.replace(ASCII_SYMBOL_CHUNKS, encodeSymbols);
}

function tokens(text: string): string {
  const out: string[] = [];
  for (const [chunk] of text.matchAll(CHUNK)) {
    if (!HAS_WORD.test(chunk)) out.push(encodeSymbols(chunk));
    else for (const run of chunk.match(PLAIN.test(chunk) ? PLAIN_RUN : RUN) ?? []) out.push(runTokens(run));
  }
  return out.join(' ');
}

function runTokens(run: string): string {
  if (PLAIN_HAN.test(run)) return [...run].join(' ');
  if (!HAS_WORD.test(run)) return emojiTokens(run);
  const plain = foldText(run);
  // A letter that is nothing but a mark on a space in its plain form.
  if (!HAS_WORD.test(plain)) return encodeSymbols(run);
  return SPECIAL.test(plain) ? spaced(plain) : plain;
}

function spaced(text: string): string {
  let out = '';
  for (const char of text) {
    if (!SPECIAL.test(char)) out += char;
    else out += UNKNOWN_TO_FTS.test(char) ? ` ${encodeSymbols(char)} ` : ` ${char} `;
  }
  return out;
}

// An emoji glued to a word is searched for alone all the same.
function emojiTokens(run: string): string {
  if (!EMOJI.test(run)) return '';
  const emoji = [...run].filter((char) => EMOJI.test(char));
  return emoji.map(encodeSymbols).join(' ');
}

/** `zs` and the code units in hexadecimal: one word to the tokeniser, and none that anybody writes. */
function encodeSymbols(chunk: string): string {
  let word = 'zs';
  const units = Math.min(chunk.length, 24);
  for (let i = 0; i < units; i++) word += chunk.charCodeAt(i).toString(16).padStart(4, '0');
  return chunk.length > units ? `${word}x${chunk.length}` : word;
}
