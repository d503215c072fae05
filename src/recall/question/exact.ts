import { ENGLISH_STOP_WORDS } from './tables/english-stop.js';
import { UNITS } from './tables/units.js';
import { MAX_TOKEN, type Range, within } from './tokens.js';

const MAX_EXACT = 16;
// What stands between spaces, CJK text and its punctuation.
const PIECE =
  /[^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff00-\uffef“”‘’«»]+/gu;
const NUMBER_WITH_UNIT = new RegExp(
  `(?<![\\p{L}\\p{N}._/-])[$€£¥]?\\d[\\d.,]{0,15}\\s?(?:${UNITS})(?![\\p{L}\\p{N}])`,
  'gu',
);
const CLOSING: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{', '>': '<' };

/**
 * Tokens that are searched letter by letter: paths, flags, versions, codes, identifiers, hashes, numbers with units.
 * @param times ranges read as times; of these only dates in digits are kept, since a log may spell them the same way.
 */
export function exactTokens(text: string, times: readonly Range[]): string[] {
  const found = new Map<number, string>();
  for (const match of text.matchAll(NUMBER_WITH_UNIT))
    if (!within({ start: match.index, end: match.index + match[0].length }, times)) found.set(match.index, match[0]);
  for (const match of text.matchAll(PIECE)) {
    const token = trim(match[0]);
    const start = match.index + match[0].indexOf(token);
    if (token.length > MAX_TOKEN || found.has(start) || !isExact(token)) continue;
    if (within({ start, end: start + token.length }, times) && !/^\d[\d./-]{5,}$/.test(token)) continue;
    found.set(start, token);
  }
  const inOrder = [...found].sort(([a], [b]) => a - b).map(([, token]) => token);
  return [...new Set(inOrder)].slice(0, MAX_EXACT);
}

/** Every piece between spaces as it is: the last resort for a question without a single word ("->", "???"). */
export function allPieces(text: string): string[] {
  const pieces = text.split(/\s+/).filter((piece) => piece !== '' && piece.length <= MAX_TOKEN);
  return [...new Set(pieces)].slice(0, MAX_EXACT);
}

/** Without the punctuation of the sentence around it; brackets that belong to it stay ("main()"). */
function trim(piece: string): string {
  let token = piece.replace(/^["'`,;!?([{<]+(?=.)/u, '').replace(/['’]s$/u, '');
  for (;;) {
    const last = token.at(-1) ?? '';
    const opening = CLOSING[last];
    const closes = opening !== undefined && !token.includes(opening);
    if (token.length < 2 || !(closes || '"\'`,;:!?.…'.includes(last))) return token;
    token = token.slice(0, -1);
  }
}

function isExact(token: string): boolean {
  if (!/[\p{L}\p{N}]/u.test(token)) return /\p{Extended_Pictographic}/u.test(token);
  if (/^\d+(?:st|nd|rd|th|s)?$/i.test(token) || /^@[\p{L}_-]+$/u.test(token)) return false;
  if (/^-{1,2}[\p{L}\p{N}]/u.test(token)) return true;
  const [left = '', right = '', ...rest] = token.toLowerCase().split('/');
  if (right !== '' && rest.length === 0 && ENGLISH_STOP_WORDS.has(left) && ENGLISH_STOP_WORDS.has(right)) return false;
  const joined = token.replace(/(?<=\p{L})[-'’](?=\p{L})/gu, '');
  if (/[^\p{L}\p{M}\p{N}]/u.test(joined))
    return /[\p{L}\p{N}][^\p{L}\p{M}\p{N}\s]|[._/\\#$€£¥~%:=@+&-][\p{L}\p{N}]/u.test(joined);
  if (/\d/.test(joined)) return true;
  return /^\p{Lu}{6,}$/u.test(joined) || /^\p{Ll}+\p{Lu}/u.test(joined) || /(?:\p{Lu}\p{Ll}+){3}/u.test(joined);
}
