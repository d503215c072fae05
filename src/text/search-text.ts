import { foldText } from '../language/fold-text.js';
import { COMMON_HAN, COMMON_LETTER, UNSPACED } from '../language/scripts.js';

/**
 * The text that the full-text index stores, made so that every token of a line can be found. SQLite's `porter unicode61`
 * stems English, and splits at characters that are neither letter nor digit. This corrects its weaknesses:
 *
 * - runs of letters and digits are folded by `foldText`, each separately, so that case, diacritics and neighbours
 *   (`5㎏`) do not matter;
 * - scripts without spaces (`使用Redis缓存`) become one token per character, so that a phrase finds any part;
 * - strings of symbols only (`→`, `++`, `🎉`) and letters that SQLite may not know become an encoded word;
 * - a text with combining marks is added again, split at the marks.
 */
export function searchText(text: string): string {
  if (ASCII.test(text)) {
    // Common case: every other line begins with it.
    const isItem = text.startsWith('- ');
    const rest = isItem ? text.slice(1) : text;
    const searched = ASCII_SYMBOLS.test(rest) ? encodeAsciiSymbols(rest) : rest;
    return isItem ? `zs002d${searched}` : searched;
  }
  return MARK.test(text) ? `${tokens(text)} ${tokens(text.split(MARKS).join(' '))}` : tokens(text);
}

/**
 * One FTS5 phrase that finds what `searchText` made of `token`; undefined if the token has nothing to search for. Quotes and
 * operators inside are plain text.
 */
export function searchPhrase(token: string): string | undefined {
  const words = ASCII.test(token) ? encodeAsciiSymbols(token) : tokens(token);
  const clean = words.replace(/["\u0000]/g, ' ').trim();
  return HAS_WORD.test(clean) ? `"${clean}"` : undefined;
}

// biome-ignore format: the ranges read best on one line
const ASCII = /^[\u0000-\u007f]*$/;
// The lookbehind follows a symbol: at every letter it would cost more than everything else.
const ASCII_SYMBOLS = /[^A-Za-z0-9\s](?<!\S.)[^A-Za-z0-9\s]*(?!\S)/;
const ASCII_SYMBOL_CHUNKS = new RegExp(ASCII_SYMBOLS, 'g');
const MARK = /\p{M}/u;
const MARKS = /\p{M}+/u;
const HAS_WORD = /[\p{L}\p{N}]/u;
/** Needs no folding; most Chinese text matches. */
const PLAIN_HAN = new RegExp(`^[${COMMON_HAN}]+$`);
/**
 * Letters that JavaScript knows, or a later Unicode will add, and the unicode61 of SQLite 3.53 does not. Beyond the first
 * plane new ones come every year, and words of those scripts are rare, so all of them are encoded.
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
  // A letter whose plain form is only a mark on a space.
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

// An emoji attached to a word must also be found alone.
function emojiTokens(run: string): string {
  if (!EMOJI.test(run)) return '';
  const emoji = [...run].filter((char) => EMOJI.test(char));
  return emoji.map(encodeSymbols).join(' ');
}

/** Encodes symbols as `zs` and their code units in hexadecimal: one word for the tokeniser, which people do not write. */
function encodeSymbols(chunk: string): string {
  let word = 'zs';
  const units = Math.min(chunk.length, 24);
  for (let i = 0; i < units; i++) word += chunk.charCodeAt(i).toString(16).padStart(4, '0');
  return chunk.length > units ? `${word}x${chunk.length}` : word;
}
