import type { Family, InjectedTag } from './injected-tag.js';

/** What lies ahead: the closing tags of a text. Questions come in the order of the text. */
export interface ClosingTags {
  /** Whether a closing tag of the family stands at `from` or later. An opening tag without one begins no block. */
  after(from: number, family: Family): boolean;
  /**
   * Whether between `from` and `to`, which looks like code, a closing tag stands as the tools write it: a blank line
   * behind, and the user's text behind that. Behind a block this is no code of the user, but what a memory began
   * behind a forged closing tag.
   */
  blockEndsBetween(from: number, to: number): boolean;
}

const BLANK_LINE = /[ \t]{0,9}\r?\n[ \t]{0,9}\r?\n/y;

export function closingTags(text: string, tags: readonly InjectedTag[]): ClosingTags {
  const last = new Map<Family, number>();
  const ends: number[] = [];
  for (const { kind, family, at, end } of tags) {
    if (kind !== 'close') continue;
    last.set(family, at);
    BLANK_LINE.lastIndex = end;
    if (BLANK_LINE.test(text)) ends.push(at);
  }
  let next = 0;
  return {
    after: (from, family) => (last.get(family) ?? -1) >= from,
    blockEndsBetween: (from, to) => {
      while ((ends[next] ?? Infinity) < from) next++;
      return (ends[next] ?? Infinity) < to;
    },
  };
}
