/** A part of a text, and the text that replaces it. Without `by`, the part is removed. */
export type TextRange = { readonly start: number; readonly end: number; readonly by?: string };

/** Replaces parts of a text. The ranges must be in order and must not overlap. */
export function replaceRanges(text: string, ranges: readonly TextRange[]): string {
  let [made, from] = ['', 0];
  for (const { start, end, by = '' } of ranges) {
    made += text.slice(from, start) + by;
    from = end;
  }
  return made + text.slice(from);
}

/**
 * The offset at which the match of `pattern` ends that begins exactly at `from`. -1 if the pattern does not match
 * there. The pattern must have the flag `y` (sticky).
 */
export function findMatchEnd(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex : -1;
}

/**
 * Finds the next occurrence of a string, for a caller that asks at ascending positions. It remembers its last answer, so
 * that all calls together read the text once. Without this, each call of `indexOf` may read the whole text.
 */
export class NextOccurrenceFinder {
  #found = -1;

  constructor(
    private readonly text: string,
    private readonly needle: string,
  ) {}

  /** Offset of the next occurrence at or after `from`, or `Infinity`. `from` must not shrink between calls. */
  next(from: number): number {
    if (this.#found < from) {
      const found = this.text.indexOf(this.needle, from);
      this.#found = found === -1 ? Number.POSITIVE_INFINITY : found;
    }
    return this.#found;
  }
}
