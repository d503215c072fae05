import { findMatchEnd, NextOccurrenceFinder } from '../../text/ranges.js';
import { isSpace, type OpenListItem } from './containers.js';

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

type FenceStart = { readonly code: number; readonly length: number; readonly info: string };

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

/** The kinds of HTML blocks in CommonMark 0.31. They differ in how a block ends. */
type HtmlKind = 'raw' | 'comment' | 'instruction' | 'declaration' | 'cdata' | 'block' | 'tag';

const RAW = new Set(['pre', 'script', 'style', 'textarea']);
const BLOCK = new Set(
  (
    'address article aside base basefont blockquote body caption center col colgroup dd details dialog dir div dl dt ' +
    'fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hr html iframe legend li link ' +
    'main menu menuitem nav noframes ol optgroup option p param search section summary table tbody td tfoot th thead ' +
    'title tr track ul'
  ).split(' '),
);
/** Matches enough of a tag name to decide whether the name is in {@link RAW} or {@link BLOCK}. */
const NAME_START = /[a-z\d-]{0,11}/iy;

/**
 * The kind of HTML block that starts with the `<` at `from`, or null. The kind `tag` is a complete tag alone on its line.
 * `mayBeTag`: whether this kind is allowed here. It is not allowed directly after a line of a paragraph.
 */
export function readHtmlStart(text: string, from: number, to: number, mayBeTag: boolean): HtmlKind | null {
  const code = text.charCodeAt(from + 1);
  if (from + 1 >= to) return null;
  if (code === 33) return declarationKind(text, from, to);
  if (code === 63) return 'instruction';
  const closing = code === 47;
  const nameStart = closing ? from + 2 : from + 1;
  const end = Math.min(to, findMatchEnd(NAME_START, text, nameStart));
  const name = text.slice(nameStart, end).toLowerCase();
  if (!closing && RAW.has(name) && endsName(text, end, to, false)) return 'raw';
  if (BLOCK.has(name) && endsName(text, end, to, true)) return 'block';
  if (!mayBeTag || (RAW.has(name) && !closing)) return null;
  return isCompleteTag(text.slice(from, to), closing) ? 'tag' : null;
}

function declarationKind(text: string, from: number, to: number): HtmlKind | null {
  if (to - from >= 4 && text.startsWith('--', from + 2)) return 'comment';
  if (to - from >= 9 && text.startsWith('[CDATA[', from + 2)) return 'cdata';
  return from + 2 < to && /[a-z]/i.test(text[from + 2] ?? '') ? 'declaration' : null;
}

function endsName(text: string, pos: number, to: number, mayClose: boolean): boolean {
  if (pos >= to) return true;
  const code = text.charCodeAt(pos);
  if (code === 32 || code === 9 || code === 62) return true;
  return mayClose && code === 47 && pos + 1 < to && text.charCodeAt(pos + 1) === 62;
}

const CLOSING_TAG = /^<\/[a-z][a-z0-9-]*[ \t]*>[ \t]*$/i;
const OPEN_TAG_START = /<[a-z][a-z0-9-]*/iy;
// These patterns have the flag `y`: they match only at the current position, so that a tag of any length takes one pass.
const ATTRIBUTE = /[ \t]+[a-z_:][a-z0-9_.:-]*(?:[ \t]*=[ \t]*(?:"[^"]*"|'[^']*'|[^\s"'=<>`]+))?/iy;
const OPEN_TAG_END = /[ \t]*\/?>[ \t]*$/y;

function isCompleteTag(line: string, closing: boolean): boolean {
  if (closing) return CLOSING_TAG.test(line);
  let pos = findMatchEnd(OPEN_TAG_START, line, 0);
  for (let after = pos; after !== -1; after = findMatchEnd(ATTRIBUTE, line, pos)) pos = after;
  return pos !== -1 && findMatchEnd(OPEN_TAG_END, line, pos) !== -1;
}

/** The text that ends an HTML block of each kind. The kinds that are missing here end at a blank line. */
const ENDS = new Map(Object.entries({ comment: '-->', instruction: '?>', declaration: '>', cdata: ']]>', raw: '</' }));
const RAW_CLOSE = /<\/(?:pre|script|style|textarea)>/iy;

/** Finds where HTML blocks end. */
export class HtmlEndFinder {
  readonly #finders = new Map<HtmlKind, NextOccurrenceFinder>();

  constructor(private readonly text: string) {}

  atBlankLine(kind: HtmlKind): boolean {
    return !ENDS.has(kind);
  }

  /** Whether the end of the block is in text[from, to). `from` must not shrink between calls. */
  inLine(kind: HtmlKind, from: number, to: number): boolean {
    const end = ENDS.get(kind);
    if (end === undefined) return false;
    const finder = this.#finders.get(kind) ?? new NextOccurrenceFinder(this.text, end);
    this.#finders.set(kind, finder);
    if (kind !== 'raw') return finder.next(from) + end.length <= to;
    for (let pos = finder.next(from); pos < to; pos = finder.next(pos + 1))
      if (findMatchEnd(RAW_CLOSE, this.text, pos) !== -1) return true;
    return false;
  }
}

/**
 * The text of a leaf block. `firstLine` is its first line (1-based). `starts` has the offset in the document at which the
 * text begins, for each line.
 */
export type LeafBlockText = { readonly firstLine: number; readonly starts: number[] };

/** The block that is being read, in the innermost container. */
export type OpenLeafBlock =
  | { readonly type: 'none' }
  /** `item`: the item that starts with this paragraph. */
  | { readonly type: 'paragraph'; readonly segments: LeafBlockText; readonly item: OpenListItem | null }
  | { readonly type: 'fence'; readonly block: OpenBlock; readonly start: FenceStart }
  | { readonly type: 'code'; readonly block: OpenBlock }
  | { readonly type: 'html'; readonly block: OpenBlock; readonly kind: HtmlKind; readonly segments: LeafBlockText };

type OpenBlock = { endLine: number };

export const NO_OPEN_LEAF_BLOCK: OpenLeafBlock = { type: 'none' };

/**
 * The offset at which the text of a paragraph starts, after the link reference definitions at its beginning. It is 0 if
 * there are none, and `text.length` if there is nothing else. Lines must be joined by `\n` and have no indent.
 */
export function skipDefinitions(text: string): number {
  let pos = 0;
  while (pos < text.length && text.charCodeAt(pos) === 91) {
    const end = definitionEnd(text, pos);
    if (end === -1) break;
    pos = end;
  }
  return pos;
}

const MAX_LABEL = 999;
const LABEL = /\[(?:[^\\[\]]|\\[\s\S]){1,999}\]/y;
const WHITE = /[ \t]*\n?[ \t]*/y;
const LINE_REST = /[ \t]*(?:\n|$)/y;
const ANGLE_DESTINATION = /<(?:[^<>\n\\]|\\.)*>/y;

/** The offset of the line after the definition that starts at `pos`; -1 if none starts there. */
function definitionEnd(text: string, pos: number): number {
  const label = findMatchEnd(LABEL, text, pos);
  if (label === -1 || label - pos > MAX_LABEL + 2 || text.charCodeAt(label) !== 58) return -1;
  if (/^[ \t\n]*$/.test(text.slice(pos + 1, label - 1))) return -1;
  const destination = findMatchEnd(WHITE, text, label + 1);
  const end = destinationEnd(text, destination);
  if (end === -1) return -1;
  const titleStart = findMatchEnd(WHITE, text, end);
  if (titleStart > end) {
    const title = titleEnd(text, titleStart);
    const rest = title === -1 ? -1 : findMatchEnd(LINE_REST, text, title);
    if (rest !== -1) return rest;
  }
  return findMatchEnd(LINE_REST, text, end);
}

/**
 * The offset after the title that starts at `start`; -1 if no title starts there or it has no end. This is a loop, because a
 * pattern with escapes would run out of stack in a text of many megabytes.
 */
function titleEnd(text: string, start: number): number {
  const open = text.charAt(start);
  const close = open === '(' ? ')' : open;
  for (let pos = start + 1; /["'(]/.test(open) && pos < text.length; pos++) {
    const sign = text.charAt(pos);
    if (sign === close) return pos + 1;
    if (sign === '(' && open === '(') return -1;
    if (sign === '\\') pos++;
  }
  return -1;
}

function destinationEnd(text: string, start: number): number {
  if (text.charCodeAt(start) === 60) return findMatchEnd(ANGLE_DESTINATION, text, start);
  let depth = 0;
  let pos = start;
  for (; pos < text.length; pos++) {
    const code = text.charCodeAt(pos);
    if (code <= 32 || code === 127) break;
    if (code === 92 && /[!-/:-@[-`{-~]/.test(text[pos + 1] ?? '')) pos++;
    else if (code === 40) depth++;
    else if (code === 41) {
      if (depth === 0) break;
      depth--;
    }
  }
  return pos === start || depth > 0 ? -1 : pos;
}
