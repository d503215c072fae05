import { Cache } from '../../base/cache.js';
import type { FoundUnit, UnitKey } from '../../index/search.js';
import type { TermCounts } from './content-words.js';
import { TYPICAL_MESSAGE_CHARS } from './weights.js';

/** A part of a long line, with the terms of the question in it. */
interface LinePassage {
  readonly text: string;
  readonly counts: TermCounts;
}

/** The passages of long lines, each cut once for a question. */
export class Passages {
  private readonly cut = new Cache<UnitKey, readonly LinePassage[]>();

  constructor(private readonly count: (text: string) => TermCounts) {}

  /** The passages of a unit. Empty if the unit is not much longer than a message, or has no term of the question. */
  of({ key, text }: FoundUnit, counts: TermCounts): readonly LinePassage[] {
    if (text.length <= 1.5 * TYPICAL_MESSAGE_CHARS || counts === undefined) return [];
    const parts = () =>
      passagesOf(text, TYPICAL_MESSAGE_CHARS).map((part) => ({ text: part, counts: this.count(part) }));
    return this.cut.of(key, parts);
  }
}

/** A sentence with what ends it, and the white space behind. */
const SENTENCE = /.+?(?:[.!?](?=\s)|[。！？；]|$)\s*/gu;

/** A text in pieces of about as many characters, cut where sentences end, or between words where a sentence is longer. Pure. */
function passagesOf(text: string, length: number): readonly string[] {
  const found: string[] = [];
  let open = '';
  for (const sentence of text.match(SENTENCE) ?? []) {
    if (open !== '' && open.length + sentence.length > length) {
      found.push(open);
      open = '';
    }
    open += sentence;
    while (open.length > 2 * length) {
      const space = open.lastIndexOf(' ', length);
      const end = space > length / 2 ? space : length;
      found.push(open.slice(0, end));
      open = open.slice(end);
    }
  }
  return open === '' ? found : [...found, open];
}
