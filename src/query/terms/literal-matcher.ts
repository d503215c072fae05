import { trimPunctuation } from '../parse/exact.js';

/**
 * Finds an exact string in texts, in upper or lower case, but not as a part of a longer word. `F#` is in "learn F#!", but
 * not in "f" or "GIF#2". `#tag` is not in "#tags", but is in a list of tags.
 */
export class LiteralMatcher {
  private readonly written: string;
  private readonly needle: string;
  private readonly tag: string | undefined;

  constructor(token: string) {
    this.written = token;
    this.needle = token.toLowerCase();
    this.tag = /^#([\p{L}\p{N}_/-]+)$/u.exec(this.needle)?.[1];
  }

  /** @param text in lower case */
  isIn(text: string): boolean {
    const { needle } = this;
    for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + 1)) {
      const end = at + needle.length;
      if (!joins(text.charAt(at - 1), needle.charAt(0)) && !joins(needle.charAt(needle.length - 1), text.charAt(end)))
        return true;
    }
    return this.tag !== undefined && isTagged(text, this.tag);
  }

  /**
   * How exactly a text has the string that it contains, 0..1. 1: the string is as typed, or in any case if it was typed in
   * small letters. 0.9: the string is in another case. 0.8: it is a part of a longer string (`all-in` in "all-in-one").
   * @param text in its original case
   */
  closeness(text: string): number {
    let most = 0;
    for (const piece of text.split(BETWEEN)) {
      if (piece === this.written) return 1;
      if (piece.length < this.needle.length) continue;
      const bare = trimPunctuation(piece.replace(EMPHASIS, ''));
      const isSame = bare.toLowerCase() === this.needle;
      if (isSame && (bare === this.written || this.written === this.needle)) return 1;
      if (isSame) most = 0.9;
    }
    return most || 0.8;
  }
}

/** Whether two neighbouring characters belong to one word. Never for scripts without spaces. */
function joins(one: string, other: string): boolean {
  return WORD.test(one) && WORD.test(other);
}

/** Separators of strings: white space, and signs that never join parts of a name. */
const BETWEEN = /[\s|"`„“”«»]+/;
const EMPHASIS = /^[*_~=]+|[*_~=]+(?=[.,;:!?)]*$)/g;

const WORD = /[a-z0-9_\u00df-\u024f\u0370-\u052f]/;
/** A line that lists tags: `tags: [garden, bees]`, `tags:: garden, bees`. */
const TAGS = /^(?:tags?|keywords)\s*::?\s*(.*)$/;

function isTagged(text: string, tag: string): boolean {
  const [, list] = TAGS.exec(text) ?? [];
  return list?.split(/[\s,;[\]"'#]+/).includes(tag) ?? false;
}
