import { isSpace } from './cursor.js';

/**
 * These functions read the beginnings of blocks. One line is enough to recognise each of them. Each function takes the
 * text and two offsets: that of the first character of the line that is not a space, and that of the end of the line.
 */

const HASH = 35;
const BACKTICK = 96;
const EQUALS = 61;
const DASH = 45;
const MAX_DIGITS = 9;

/** The offset at which text[from, to) ends without its trailing spaces and tabs. */
export function trimEndOffset(text: string, from: number, to: number): number {
  let end = to;
  while (end > from && isSpace(text.charCodeAt(end - 1))) end--;
  return end;
}

/**
 * The offset after a run of equal characters that starts at `from`. `code` is the code unit of the character. Example:
 * for `###` it is the offset after the third `#`.
 */
export function findRunEnd(text: string, from: number, to: number, code: number): number {
  let pos = from;
  while (pos < to && text.charCodeAt(pos) === code) pos++;
  return pos;
}

/** The first offset in text[from, to) that holds no space or tab, or `to`. */
export function skipSpaces(text: string, from: number, to: number): number {
  let pos = from;
  while (pos < to && isSpace(text.charCodeAt(pos))) pos++;
  return pos;
}

export function readAtxHeading(text: string, from: number, to: number): { depth: number; text: string } | null {
  const marks = findRunEnd(text, from, Math.min(to, from + 7), HASH);
  const depth = marks - from;
  if (depth < 1 || depth > 6 || (marks < to && !isSpace(text.charCodeAt(marks)))) return null;
  const start = skipSpaces(text, marks, to);
  let end = trimEndOffset(text, start, to);
  let closing = end;
  while (closing > start && text.charCodeAt(closing - 1) === HASH) closing--;
  if (closing === start) end = start;
  else if (closing < end && isSpace(text.charCodeAt(closing - 1))) end = trimEndOffset(text, start, closing);
  return { depth, text: text.slice(start, end) };
}

/** The depth of the heading that a setext underline makes: 1 for `=`, 2 for `-`; 0 if the line is no underline. */
export function readSetextUnderline(text: string, from: number, to: number): 0 | 1 | 2 {
  const code = text.charCodeAt(from);
  if (code !== EQUALS && code !== DASH) return 0;
  const end = findRunEnd(text, from, to, code);
  if (skipSpaces(text, end, to) < to) return 0;
  return code === EQUALS ? 1 : 2;
}

/**
 * Tests whether a thematic break starts at `from` and fills the rest of the line. Returns -1 if so. Otherwise returns the
 * offset of the first character that can't be part of it, or `from` if there are fewer than three marks. No thematic break
 * starts before the returned offset, so the caller need not test there again.
 */
export function thematicBreakStopOffset(text: string, from: number, to: number): number {
  const code = text.charCodeAt(from);
  let count = 0;
  for (let pos = from; pos < to; pos++) {
    const at = text.charCodeAt(pos);
    if (at === code) count++;
    else if (!isSpace(at)) return pos;
  }
  return count >= 3 ? -1 : from;
}

export type FenceStart = { readonly code: number; readonly length: number; readonly info: string };

export function readFenceStart(text: string, from: number, to: number): FenceStart | null {
  const code = text.charCodeAt(from);
  const end = findRunEnd(text, from, to, code);
  if (end - from < 3) return null;
  const info = text.slice(skipSpaces(text, end, to), trimEndOffset(text, end, to));
  if (code === BACKTICK && info.includes('`')) return null;
  return { code, length: end - from, info };
}

export function isFenceEnd(text: string, from: number, to: number, fence: FenceStart): boolean {
  const end = findRunEnd(text, from, to, fence.code);
  return end - from >= fence.length && skipSpaces(text, end, to) === to;
}

const BULLET = { length: 1, ordered: false, interrupts: true };

/**
 * Reads a list marker that white space or the line's end follows. `length` is the length of the marker alone. `interrupts`:
 * whether the list may directly follow a line of a paragraph. Only a bullet and the number 1 may.
 */
export function readListMarker(text: string, from: number, to: number) {
  const code = text.charCodeAt(from);
  if (code === 42 || code === 43 || code === DASH) return endsMarker(text, from + 1, to) ? BULLET : null;
  let pos = from;
  while (pos < to && pos - from <= MAX_DIGITS && /\d/.test(text.charAt(pos))) pos++;
  const digits = pos - from;
  if (digits < 1 || digits > MAX_DIGITS || pos >= to) return null;
  if (!/[.)]/.test(text.charAt(pos)) || !endsMarker(text, pos + 1, to)) return null;
  return { length: digits + 1, ordered: true, interrupts: digits === 1 && code === 49 };
}

function endsMarker(text: string, pos: number, to: number): boolean {
  return pos >= to || isSpace(text.charCodeAt(pos));
}
