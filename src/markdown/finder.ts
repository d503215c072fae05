/**
 * Finds the next occurrence of a string from positions that only grow, remembering the last answer: any number of calls
 * costs one pass over the text, where `indexOf` from each position would cost one pass each.
 */
export class Finder {
  readonly #text: string;
  readonly #needle: string;
  #found = -1;

  constructor(text: string, needle: string) {
    this.#text = text;
    this.#needle = needle;
  }

  /** Offset of the next occurrence at or after `from`, or `Infinity`. `from` must not shrink between calls. */
  next(from: number): number {
    if (this.#found < from) {
      const found = this.#text.indexOf(this.#needle, from);
      this.#found = found === -1 ? Number.POSITIVE_INFINITY : found;
    }
    return this.#found;
  }
}
