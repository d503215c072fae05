import { Finder } from '../inline.js';
import type { FenceStart } from './block-starts.js';
import type { OpenItem } from './containers.js';

/** The kinds of HTML block of CommonMark 0.31, by what ends them. */
export type HtmlKind = 'raw' | 'comment' | 'instruction' | 'declaration' | 'cdata' | 'block' | 'tag';

const RAW = new Set(['pre', 'script', 'style', 'textarea']);
const BLOCK = new Set(
  (
    'address article aside base basefont blockquote body caption center col colgroup dd details dialog dir div dl dt ' +
    'fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hr html iframe legend li link ' +
    'main menu menuitem nav noframes ol optgroup option p param search section summary table tbody td tfoot th thead ' +
    'title tr track ul'
  ).split(' '),
);
const LONGEST_NAME = 10;

/**
 * What kind of HTML block, if any, starts with the `<` at `from`. The kind `tag` (one complete tag alone on its line)
 * cannot interrupt a paragraph, so it is only looked for when `mayBeTag`.
 */
export function readHtmlStart(text: string, from: number, to: number, mayBeTag: boolean): HtmlKind | null {
  const code = text.charCodeAt(from + 1);
  if (from + 1 >= to) return null;
  if (code === 33) return declarationKind(text, from, to);
  if (code === 63) return 'instruction';
  const closing = code === 47;
  const nameStart = closing ? from + 2 : from + 1;
  let end = nameStart;
  while (end < to && end - nameStart <= LONGEST_NAME && isNameCode(text.charCodeAt(end))) end++;
  const name = text.slice(nameStart, end).toLowerCase();
  if (!closing && RAW.has(name) && endsName(text, end, to, false)) return 'raw';
  if (BLOCK.has(name) && endsName(text, end, to, true)) return 'block';
  if (!mayBeTag || (RAW.has(name) && !closing)) return null;
  return isCompleteTag(text.slice(from, to), closing) ? 'tag' : null;
}

function declarationKind(text: string, from: number, to: number): HtmlKind | null {
  if (to - from >= 4 && text.startsWith('--', from + 2)) return 'comment';
  if (to - from >= 9 && text.startsWith('[CDATA[', from + 2)) return 'cdata';
  return from + 2 < to && isLetter(text.charCodeAt(from + 2)) ? 'declaration' : null;
}

function endsName(text: string, pos: number, to: number, mayClose: boolean): boolean {
  if (pos >= to) return true;
  const code = text.charCodeAt(pos);
  if (code === 32 || code === 9 || code === 62) return true;
  return mayClose && code === 47 && pos + 1 < to && text.charCodeAt(pos + 1) === 62;
}

function isLetter(code: number): boolean {
  const lower = code | 32;
  return lower >= 97 && lower <= 122;
}

function isNameCode(code: number): boolean {
  return isLetter(code) || (code >= 48 && code <= 57) || code === 45;
}

// Sticky expressions, each of which moves on or stops: a tag of any length takes one pass.
const TAG_NAME = /<\/?[a-z][a-z0-9-]*/iy;
const ATTRIBUTE = /[ \t]+[a-z_:][a-z0-9_.:-]*/iy;
const VALUE = /[ \t]*=[ \t]*(?:"[^"]*"|'[^']*'|[^\s"'=<>`]+)/y;
const OPEN_END = /[ \t]*\/?>[ \t]*$/y;
const CLOSE_END = /[ \t]*>[ \t]*$/y;

function isCompleteTag(line: string, closing: boolean): boolean {
  let pos = match(TAG_NAME, line, 0);
  if (pos === -1) return false;
  if (closing) return match(CLOSE_END, line, pos) !== -1;
  for (let after = match(ATTRIBUTE, line, pos); after !== -1; after = match(ATTRIBUTE, line, pos)) {
    const value = match(VALUE, line, after);
    pos = value === -1 ? after : value;
  }
  return match(OPEN_END, line, pos) !== -1;
}

function match(pattern: RegExp, line: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.test(line) ? pattern.lastIndex : -1;
}

const ENDS = { comment: '-->', instruction: '?>', declaration: '>', cdata: ']]>', raw: '</' } as const;
const RAW_CLOSE = /<\/(?:pre|script|style|textarea)>/iy;

/** Tells where HTML blocks end. */
export class HtmlEnds {
  readonly #text: string;
  readonly #finders: Record<keyof typeof ENDS, Finder>;

  constructor(text: string) {
    this.#text = text;
    this.#finders = {
      comment: new Finder(text, ENDS.comment),
      instruction: new Finder(text, ENDS.instruction),
      declaration: new Finder(text, ENDS.declaration),
      cdata: new Finder(text, ENDS.cdata),
      raw: new Finder(text, ENDS.raw),
    };
  }

  atBlankLine(kind: HtmlKind): boolean {
    return kind === 'block' || kind === 'tag';
  }

  /** True when what ends the block stands in text[from, to). `from` must not shrink between calls. */
  inLine(kind: HtmlKind, from: number, to: number): boolean {
    if (kind === 'block' || kind === 'tag') return false;
    const finder = this.#finders[kind];
    if (kind !== 'raw') return finder.next(from) + ENDS[kind].length <= to;
    for (let pos = finder.next(from); pos < to; pos = finder.next(pos + 1)) {
      RAW_CLOSE.lastIndex = pos;
      if (RAW_CLOSE.test(this.#text)) return true;
    }
    return false;
  }
}

/** The text of a leaf block: its first line (1-based), and where the text starts in that line and each one after it. */
export interface Segments {
  readonly firstLine: number;
  readonly starts: number[];
}

/** The block that is being read, inside of the innermost container. */
export type Leaf =
  | { readonly type: 'none' }
  | {
      readonly type: 'paragraph';
      readonly segments: Segments;
      /** The item that starts with this paragraph. */
      readonly item: OpenItem | null;
    }
  | { readonly type: 'fence'; readonly block: { endLine: number }; readonly start: FenceStart }
  | { readonly type: 'code'; readonly block: { endLine: number } }
  | {
      readonly type: 'html';
      readonly block: { endLine: number };
      readonly kind: HtmlKind;
      readonly segments: Segments;
    };

export const NO_LEAF: Leaf = { type: 'none' };
