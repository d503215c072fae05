import { addToGroup, findFirstNotBelow } from '../base/order.js';
import { NextOccurrenceFinder, replaceRanges, type TextRange } from '../text/ranges.js';
import { findRunEnd } from './scan/block-starts.js';

const BACKTICK = 96;

/**
 * Skips code spans in inline text. A span closes at the next run of backticks of the same length. The first call lists all
 * runs, so that a text with many unclosed runs still takes linear time.
 */
export class CodeSpans {
  #runs: Map<number, number[]> | undefined;

  constructor(private readonly text: string) {}

  /** The offset after the code span that opens at `pos`, or after the backticks at `pos` when it never closes. */
  skip(pos: number): number {
    const open = findRunEnd(this.text, pos, this.text.length, BACKTICK);
    if (this.#runs === undefined) {
      this.#runs = new Map();
      for (const { index, 0: run } of this.text.matchAll(/`+/g)) addToGroup(this.#runs, run.length, index);
    }
    const starts = this.#runs.get(open - pos) ?? [];
    const close = starts[findFirstNotBelow(starts.length, (place) => (starts[place] ?? 0) < open)];
    return close === undefined ? open : close + (open - pos);
  }
}

/** The text with its code spans replaced by backticks; all other characters keep their positions. */
export function replaceCodeSpans(text: string): string {
  return mapParts(text, (code) => '`'.repeat(code.length), asItIs);
}

/** Applies a change to the text outside of code spans. */
export function changeOutsideCode(text: string, change: (part: string) => string): string {
  return mapParts(text, asItIs, change);
}

const asItIs = (part: string): string => part;

function mapParts(text: string, ofCode: (code: string) => string, ofRest: (part: string) => string): string {
  if (!text.includes('`')) return ofRest(text);
  const spans = new CodeSpans(text);
  let mapped = '';
  let from = 0;
  for (let pos = text.indexOf('`'); pos !== -1; pos = text.indexOf('`', from)) {
    const end = spans.skip(pos);
    mapped += ofRest(text.slice(from, pos)) + ofCode(text.slice(pos, end));
    from = end;
  }
  return mapped + ofRest(text.slice(from));
}

const BACKSLASH = 92;
const LESS = 60;
export const COMMENT_OPEN = '<!--';
export const COMMENT_CLOSE = '-->';

/**
 * The ranges of the comments in inline text, including `<!--` and `-->`. A comment does not count if it has no end, is in a
 * code span or follows a backslash.
 */
export function findInlineComments(text: string): readonly TextRange[] {
  const comments: TextRange[] = [];
  if (!text.includes(COMMENT_OPEN)) return comments;
  const closers = new NextOccurrenceFinder(text, COMMENT_CLOSE);
  const spans = new CodeSpans(text);
  for (let pos = 0; pos < text.length; ) {
    const code = text.charCodeAt(pos);
    if (code === BACKTICK) pos = spans.skip(pos);
    else if (code === LESS && text.startsWith(COMMENT_OPEN, pos)) {
      // `<!-->` and `<!--->` are whole comments, so the closing may overlap the opening.
      const end = closers.next(pos + 2) + COMMENT_CLOSE.length;
      if (end <= text.length) comments.push({ start: pos, end });
      pos = end <= text.length ? end : pos + COMMENT_OPEN.length;
    } else pos += code === BACKSLASH ? 2 : 1;
  }
  return comments;
}

/** The text without its comments. The white space around them stays. */
export function withoutComments(text: string): string {
  return replaceRanges(text, findInlineComments(text));
}

const PLACE = String.raw`\[[^\]\n]*\](?:\([^)\n]*\))?`;
const PROVENANCE = new RegExp(String.raw` \(from ${PLACE}(?:, ${PLACE})*\)(?=(?: \[untrusted\])?[ \t]*$)`, 'u');

/**
 * Removes from a line the links to its sources. These links show where the statement of the line comes from. They are
 * not part of the statement. Pure.
 */
export function withoutProvenance(line: string): string {
  return line.includes(' (from [') ? line.replace(PROVENANCE, '') : line;
}
