import { type Family, readTag } from './injected-tag.js';

/** What lies ahead: the closing tags of a text, found when first asked for. Questions come in the order of the text. */
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

interface Found {
  readonly last: ReadonlyMap<Family, number>;
  readonly ends: readonly number[];
}

export function closingTags(text: string): ClosingTags {
  let found: Found | undefined;
  let next = 0;
  return {
    after: (from, family) => {
      found ??= find(text);
      return (found.last.get(family) ?? -1) >= from;
    },
    blockEndsBetween: (from, to) => {
      found ??= find(text);
      while ((found.ends[next] ?? Infinity) < from) next++;
      return (found.ends[next] ?? Infinity) < to;
    },
  };
}

function find(text: string): Found {
  const last = new Map<Family, number>();
  const ends: number[] = [];
  for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at + 1)) {
    const tag = readTag(text, at);
    if (tag?.kind !== 'close') continue;
    last.set(tag.family, at);
    if (/^[ \t]*\r?\n[ \t]*\r?\n/.test(text.slice(tag.end, tag.end + 20))) ends.push(at);
  }
  return { last, ends };
}
