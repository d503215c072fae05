/** The physical lines of a text: their strings, and where each starts and ends (exclusive, without its line end). */
export interface Lines {
  readonly text: string;
  readonly lines: string[];
  readonly starts: number[];
  readonly ends: number[];
}

const BOM = 0xfeff;
const CR = 13;

/** Splits at LF, CRLF and lone CR, as CommonMark does. A final line end starts no further line; a leading BOM is skipped. */
export function splitLines(text: string): Lines {
  const starts: number[] = [];
  const ends: number[] = [];
  const lines: string[] = [];
  const add = (start: number, end: number): void => {
    starts.push(start);
    ends.push(end);
    lines.push(text.slice(start, end));
  };
  let start = text.charCodeAt(0) === BOM ? 1 : 0;
  let cr = text.indexOf('\r', start);
  let lf = text.indexOf('\n', start);
  while (start < text.length) {
    if (cr !== -1 && cr < start) cr = text.indexOf('\r', start);
    if (lf !== -1 && lf < start) lf = text.indexOf('\n', start);
    const end = nearest(cr, lf, text.length);
    add(start, end);
    start = end + (text.charCodeAt(end) === CR && lf === end + 1 ? 2 : 1);
  }
  return { text, lines, starts, ends };
}

function nearest(a: number, b: number, none: number): number {
  if (a === -1) return b === -1 ? none : b;
  return b === -1 ? a : Math.min(a, b);
}
