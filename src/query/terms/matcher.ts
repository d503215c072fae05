import { Cache } from '../../base/cache.js';
import { addToGroup } from '../../base/order.js';
import { foldText, isAscii, UNSPACED_SCRIPT_RANGES } from '../../language/scripts.js';
import { stemOf } from '../../language/words/forms.js';
import type { QuestionTerm } from './question-terms.js';

/** A word of a script with spaces. It ends where a script without spaces begins. */
const WORD = new RegExp(`(?:(?![${UNSPACED_SCRIPT_RANGES}])[\\p{L}\\p{N}])+`, 'gu');
/** The start of a word in ASCII text. */
const AT_EDGE = '(?<![a-z\\d])';

/** Counts the terms of a question in texts. Each distinct word is stemmed once. */
export class TermMatcher {
  /**
   * For each word of a text: the indexes of the terms that have this word as a form. Index 0 is the first term of the
   * question. Most words are no form of a term, so their list is empty.
   */
  private readonly words = new Cache<string, readonly number[]>();
  private readonly stems = new Map<string, number[]>();
  /**
   * Finds words with the same first two letters as a stem of the question. Only such words are stemmed, because stemming
   * costs most of the time. In text that is not ASCII, it only shows whether there may be such a word.
   */
  private readonly alike: RegExp | undefined;
  private readonly needles: (readonly [string, number])[] = [];
  /** Counts for the current text. Created at the first match, because most lines have none. */
  private counts: Float64Array | undefined;

  constructor(private readonly terms: readonly QuestionTerm[]) {
    terms.forEach(({ match }, position) => {
      if ('needles' in match) for (const needle of match.needles) this.needles.push([needle, position]);
      else for (const stem of match.stems) addToGroup(this.stems, stem, position);
    });
    const beginnings = new Set([...this.stems.keys()].filter((stem) => stem !== '').map(beginningOf));
    if (beginnings.size > 0) this.alike = new RegExp(`${AT_EDGE}(?:${[...beginnings].join('|')})[a-z\\d]*`, 'g');
  }

  /**
   * How often each term occurs in a text. Item `i` is for the term at index `i` of the list of terms. Undefined if no
   * term occurs.
   */
  count(text: string): Float64Array | undefined {
    const plain = foldText(text);
    this.counts = undefined;
    if (this.alike !== undefined && plain.search(this.alike) >= 0)
      for (const word of plain.match(isAscii(plain) ? this.alike : WORD) ?? [])
        for (const position of this.words.of(word, () => this.positions(word))) this.add(position);
    for (const [needle, position] of this.needles) if (needle !== '' && plain.includes(needle)) this.add(position);
    return this.counts;
  }

  /** Whether a text contains every term of the question. False for a question without terms. */
  hasAll(text: string): boolean {
    return this.count(text)?.every((count) => count > 0) ?? false;
  }

  private add(position: number): void {
    this.counts ??= new Float64Array(this.terms.length);
    this.counts[position] = (this.counts[position] ?? 0) + 1;
  }

  private positions(word: string): readonly number[] {
    const isAlike = this.alike !== undefined && word.search(this.alike) === 0;
    return (isAlike ? this.stems.get(stemOf(word)) : undefined) ?? [];
  }
}

/**
 * A pattern for the first two letters of the words with a stem. The stemmer changes only the end of a word, apart from `y`,
 * which may become `i`.
 */
function beginningOf(stem: string): string {
  return stem
    .slice(0, 2)
    .replace(/[!-/:-@[-`{-~]/g, '\\$&')
    .replace(/(?<=.)[iy]/, '[iy]');
}
