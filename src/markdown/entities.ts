import { BASIC_CJK_RANGES, COMMON_HAN_RANGE } from '../language/scripts.js';
import { findMatchEnd } from '../text/ranges.js';
import { CodeSpans } from './inline.js';

const AT = 64;
const BACKTICK = 96;
const BACKSLASH = 92;
const COLON = 58;
const NAME = /[\p{L}\p{N}_][\p{L}\p{M}\p{N}_.-]*/uy;
/**
 * A quick pattern for names in ASCII and Chinese, as most names are. A pattern for all of Unicode takes milliseconds to
 * build.
 */
const PLAIN_NAME = new RegExp(
  `[\\w${COMMON_HAN_RANGE}][\\w${COMMON_HAN_RANGE}.-]*(?![\\w${COMMON_HAN_RANGE}.-]|[^\\0-\\x7f，、：。；])`,
  'y',
);
const WORD = /[\p{L}\p{M}\p{N}+%/\\@]$/u;
const ASCII_WORD = /[A-Za-z0-9+%/\\@]$/;
const ENDS_IN_ASCII = /[\0-\x7f]$/;
const ENDS_IN_CJK = new RegExp(`[${BASIC_CJK_RANGES}]$`);
const URL_END = /[\s<>"`]|[^\u0021-\u007e]/g;
const DOMAIN = /\.\p{L}/u;

/**
 * One place where a text names an entity: the name as written, without the `@`; the offset of the `@`, and the offset after
 * the name.
 */
type EntityMention = { readonly name: string; readonly start: number; readonly end: number };

/**
 * The names written as `@Name` in a text, without the `@`, each once, in order of first appearance. A name is letters,
 * digits, `-`, `_` and `.` of any script; `.`, `-` and `_` at its end are punctuation. A name does not count in a code
 * span, a URL or an e-mail address, or after a backslash.
 */
export function findEntities(text: string): string[] {
  return [...new Set(entityMentions(text).map(({ name }) => name))];
}

/** All places where a text names an entity, in order. The rules are those of {@link findEntities}. */
export function entityMentions(text: string): readonly EntityMention[] {
  if (!text.includes('@')) return NOBODY;
  const isPlain = !text.includes('`') && !text.includes('://');
  const next = isPlain ? (from: number) => text.indexOf('@', from) : signsIn(text);
  const mentions: EntityMention[] = [];
  for (let at = next(0); at >= 0; ) {
    const mention = readMention(text, at);
    if (mention !== null) mentions.push(mention);
    at = next(mention?.end ?? at + 1);
  }
  return mentions;
}

/**
 * Returns a function that finds the next `@` at or after a position, or -1. It skips code spans and URLs. The position must
 * not get smaller from call to call.
 */
function signsIn(text: string): (from: number) => number {
  const spans = new CodeSpans(text);
  return (from) => {
    for (let pos = from; pos < text.length; ) {
      const code = text.charCodeAt(pos);
      if (code === AT) return pos;
      if (code === BACKTICK) pos = spans.skip(pos);
      else if (code === COLON && text.startsWith('//', pos + 1) && /[a-z]/i.test(text[pos - 1] ?? ''))
        pos = urlEnd(text, pos);
      else pos += code === BACKSLASH && text.charCodeAt(pos + 1) === BACKTICK ? 2 : 1;
    }
    return -1;
  };
}

const NOBODY: readonly EntityMention[] = [];

function urlEnd(text: string, from: number): number {
  URL_END.lastIndex = from;
  return URL_END.exec(text)?.index ?? text.length;
}

function readMention(text: string, at: number): EntityMention | null {
  const plain = findMatchEnd(PLAIN_NAME, text, at + 1);
  let end = plain < 0 ? findMatchEnd(NAME, text, at + 1) : plain;
  while (end > at + 1 && '._-'.includes(text.charAt(end - 1))) end--;
  const name = text.slice(at + 1, Math.max(end, at + 1));
  return name === '' || isAddress(text, at, name) ? null : { name, start: at, end };
}

/**
 * Whether the `@` at `at` names no entity, because it belongs to the characters before it. Examples are an e-mail
 * address, a path, and an `@` after a backslash.
 */
function isAddress(text: string, at: number, name: string): boolean {
  let before = at;
  while (before > 0 && '._-'.includes(text.charAt(before - 1))) before--;
  const previous = text.slice(Math.max(0, before - 2), before);
  const afterCjk = ENDS_IN_CJK.test(previous);
  const word = ENDS_IN_ASCII.test(previous) ? ASCII_WORD : WORD;
  if (!afterCjk && (previous === '' || /\s$/.test(previous) || !word.test(previous))) return false;
  // `和@张三` and `_Done_.@Peter` name an entity; `张三@example.com` and `a_@example.com` are addresses.
  return afterCjk || before < at ? DOMAIN.test(name) : true;
}
