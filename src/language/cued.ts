import { hasAny } from './tokens.js';

/**
 * A pattern with words of which one is in every text that it finds something in. Most texts have none of them, and a
 * pattern of many words costs milliseconds when it is first used.
 */
export class Cued {
  private readonly words: readonly string[];

  /** @param words in lower case, with `|` between them */
  constructor(
    words: string,
    readonly pattern: RegExp,
  ) {
    this.words = words.split('|');
  }

  /** Whether the pattern may find something in a text. */
  mayBeIn(text: string): boolean {
    return hasAny(text.toLowerCase(), this.words);
  }

  isIn(text: string): boolean {
    return this.mayBeIn(text) && text.search(this.pattern) >= 0;
  }

  replaceIn(text: string, by: string): string {
    return this.mayBeIn(text) ? text.replace(this.pattern, by) : text;
  }
}
