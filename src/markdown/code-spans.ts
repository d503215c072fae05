import { runEnd } from './scan/block-starts.js';

const BACKTICK = 96;

/**
 * Skips code spans in inline text. A span closes at the next backtick run of the same length; all runs are listed once,
 * so that many unclosed ones stay linear.
 */
export class CodeSpans {
  readonly #text: string;
  #runs: Map<number, { readonly starts: number[]; used: number }> | null = null;

  constructor(text: string) {
    this.#text = text;
  }

  /** The offset after the code span that opens at `pos`, or after the backticks at `pos` when it never closes. */
  skip(pos: number): number {
    const open = runEnd(this.#text, pos, this.#text.length, BACKTICK);
    this.#runs ??= this.#list();
    const same = this.#runs.get(open - pos);
    if (same === undefined) return open;
    while ((same.starts[same.used] ?? Number.POSITIVE_INFINITY) < open) same.used++;
    const close = same.starts[same.used];
    return close === undefined ? open : close + (open - pos);
  }

  #list(): Map<number, { readonly starts: number[]; used: number }> {
    const runs = new Map<number, { readonly starts: number[]; used: number }>();
    for (let start = this.#text.indexOf('`'); start !== -1; ) {
      const end = runEnd(this.#text, start, this.#text.length, BACKTICK);
      const same = runs.get(end - start);
      if (same === undefined) runs.set(end - start, { starts: [start], used: 0 });
      else same.starts.push(start);
      start = this.#text.indexOf('`', end);
    }
    return runs;
  }
}

/** The text with its code spans as backticks, positions kept. */
export function blankCode(text: string): string {
  return mapParts(text, (code) => '`'.repeat(code.length), asItIs);
}

/** The text with a change to all that stands outside of its code spans. */
export function outsideCode(text: string, change: (part: string) => string): string {
  return mapParts(text, asItIs, change);
}

function asItIs(part: string): string {
  return part;
}

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
