import { findMatchEnd } from '../../text/sticky.js';
import { NextOccurrenceFinder } from '../inline.js';
import type { FenceStart } from './block-starts.js';
import type { OpenListItem } from './containers.js';

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
