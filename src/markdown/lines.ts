import { Finder } from './inline.js';

/** The physical lines of a text: their strings, and where each starts and ends (exclusive, without its line end). */
export interface Lines {
  readonly text: string;
  readonly lines: string[];
  readonly starts: number[];
  readonly ends: number[];
}

const BOM = 0xfeff;

/** Splits at LF, CRLF and lone CR, as CommonMark does. A final line end starts no further line; a leading BOM is skipped. */
export function splitLines(text: string): Lines {
  const starts: number[] = [];
  const ends: number[] = [];
  const lines: string[] = [];
  let start = text.charCodeAt(0) === BOM ? 1 : 0;
  const [returns, feeds] = [new Finder(text, '\r'), new Finder(text, '\n')];
  while (start < text.length) {
    const [cr, lf] = [returns.next(start), feeds.next(start)];
    const end = Math.min(cr, lf, text.length);
    starts.push(start);
    ends.push(end);
    lines.push(text.slice(start, end));
    start = end + (lf === cr + 1 ? 2 : 1);
  }
  return { text, lines, starts, ends };
}
