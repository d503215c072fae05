import { Finder } from '../finder.js';
import type { HtmlKind } from './html-start.js';

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
