import { COMMON_HAN_RANGE, COMMON_LETTER_RANGES, foldText, UNSPACED_SCRIPT_RANGES } from '../language/scripts.js';

/**
 * Builds the text that the full-text index stores, so that every word and symbol of a line can be found. SQLite's
 * `porter unicode61` finds English stems, and splits at characters that are neither letter nor digit. This function
 * makes up for its weaknesses:
 *
 * - sequences of letters and digits are folded one by one by `foldText`, so that case, accents and the characters next
 * to a sequence (`5㎏`) do not matter;
 * - text without spaces (`使用Redis缓存`) is split into single characters, so that any part can be found as a phrase;
 * - symbols that stand alone (`→`, `++`, `🎉`) and letters that SQLite may not know are encoded as a word;
 * - a text with combining marks is added a second time, split at the marks.
 */
export function searchText(text: string): string {
  if (ASCII.test(text)) {
    // Half of all lines are list items, which begin with `- `. The code of that `-` is added directly, which saves
    // time.
    const isItem = text.startsWith('- ');
    const rest = isItem ? text.slice(1) : text;
    const searched = ASCII_SYMBOLS.test(rest) ? encodeAsciiSymbols(rest) : rest;
    return isItem ? `zs002d${searched}` : searched;
  }
  return MARK.test(text) ? `${tokens(text)} ${tokens(text.split(MARKS).join(' '))}` : tokens(text);
}

/**
 * Builds an FTS5 phrase that finds a token in the text that `searchText` made. Undefined if the token has no letter, digit
 * or symbol. Quotes and operators in it are plain text.
 */
export function buildSearchPhrase(token: string): string | undefined {
  const words = ASCII.test(token) ? encodeAsciiSymbols(token) : tokens(token);
  const clean = words.replace(/["\u0000]/g, ' ').trim();
  return HAS_WORD.test(clean) ? `"${clean}"` : undefined;
}

// biome-ignore format: the ranges read best on one line
const ASCII = /^[\u0000-\u007f]*$/;
// The pattern begins with a symbol, and its lookbehind follows. At the start of the pattern, the lookbehind would be tried
// at every letter, which would take most of the time.
const ASCII_SYMBOLS = /[^A-Za-z0-9\s](?<!\S.)[^A-Za-z0-9\s]*(?!\S)/;
const ASCII_SYMBOL_CHUNKS = new RegExp(ASCII_SYMBOLS, 'g');
const MARK = /\p{M}/u;
const MARKS = /\p{M}+/u;
const HAS_WORD = /[\p{L}\p{N}]/u;
/** Chinese text that needs no folding. Most Chinese text is of this kind. */
const PLAIN_HAN = new RegExp(`^[${COMMON_HAN_RANGE}]+$`);
/**
 * Letters that SQLite 3.53 does not know as letters, but JavaScript or a later Unicode does. All characters above U+FFFF are
 * included: new letters come there every year, and words with them are rare.
 */
const UNKNOWN_TO_FTS =
  /[\u088f\u0c5c\u0cdc\u19b0-\u19c0\u19c8\u19c9\u1c89\u1c8a\u1cf2\u1cf3\ua7cb-\ua7df\ua7f1\u{10000}-\u{10ffff}]/u;
const SPECIAL = new RegExp(`[${UNSPACED_SCRIPT_RANGES}]|${UNKNOWN_TO_FTS.source}`, 'u');
const EMOJI = /\p{Extended_Pictographic}/u;
const CHUNK = /\S+/gu;
const RUN = /[\p{L}\p{N}\p{M}]+|[^\p{L}\p{N}\p{M}]+/gu;
/** Text with only common letters and digits, and signs that are neither letter, digit nor combining mark. */
const PLAIN = new RegExp(`^[\\0-\\x7f\\u2010-\\u205e、。，：；！？（）“”${COMMON_LETTER_RANGES}]*$`);
const PLAIN_RUN = new RegExp(`[${COMMON_LETTER_RANGES}]+|[^${COMMON_LETTER_RANGES}]+`, 'g');

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
  // Folding turns some letters into a space with a mark on it, which is not a word for SQLite. Such letters are encoded like
  // symbols.
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

// An emoji that is joined to a word is also added alone, so that it can be found.
function emojiTokens(run: string): string {
  if (!EMOJI.test(run)) return '';
  const emoji = [...run].filter((char) => EMOJI.test(char));
  return emoji.map(encodeSymbols).join(' ');
}

/** Encodes symbols as `zs` and their UTF-16 units in hexadecimal. For FTS5 this is a word, and people do not write it. */
function encodeSymbols(chunk: string): string {
  let word = 'zs';
  const units = Math.min(chunk.length, 24);
  for (let i = 0; i < units; i++) word += chunk.charCodeAt(i).toString(16).padStart(4, '0');
  return chunk.length > units ? `${word}x${chunk.length}` : word;
}
