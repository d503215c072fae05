import { byteOrderMark } from '../text/bytes.js';
import { NextOccurrenceFinder } from '../text/ranges.js';

/** The lines of a text: their strings, and the offsets at which each starts and ends, without its line end. */
export interface LinesWithOffsets {
  readonly text: string;
  readonly lines: string[];
  readonly starts: number[];
  readonly ends: number[];
}

/**
 * Splits at LF, CRLF and lone CR, as CommonMark does. A line end at the end of the text starts no further line. A byte order
 * mark at the beginning is skipped.
 */
export function splitLines(text: string): LinesWithOffsets {
  const starts: number[] = [];
  const ends: number[] = [];
  const lines: string[] = [];
  let start = byteOrderMark(text).length;
  const [returns, feeds] = [new NextOccurrenceFinder(text, '\r'), new NextOccurrenceFinder(text, '\n')];
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

/** The lines of a text with their ends; the last one may have no end, and a BOM belongs to the first. */
export function linesWithLineEnds(text: string): string[] {
  return text.match(/[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$/gu) ?? [];
}

/** Returns a line with a line end: the one that it has, or else the given one. */
export function withLineEnd(line: string, eol: string): string {
  return /[\r\n]$/.test(line) ? line : line + eol;
}

/** Joins lines to a text. A line without an end gets `eol`, except for the last one, which stays as it is. */
export function joinLines(lines: readonly string[], eol: string): string {
  return lines.map((line, at) => (at < lines.length - 1 ? withLineEnd(line, eol) : line)).join('');
}

/** The first line end of a text; LF if it has none. */
export function firstLineEnd(text: string): string {
  return /\r\n|\r|\n/.exec(text)?.[0] ?? '\n';
}
