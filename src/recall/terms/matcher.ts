import { Cache } from '../../base/cache.js';
import { addTo } from '../../base/order.js';
import { foldText, isAscii } from '../../language/fold-text.js';
import { UNSPACED } from '../../language/scripts.js';
import { stemOf } from '../../language/words/forms.js';
import { type ClockTime, clockTimesIn, isSameClockTime } from './clock-time.js';
import type { Term } from './question-terms.js';

/** Where a script without spaces begins, a word ends: `is18440423876`. */
const WORD = new RegExp(`(?:(?![${UNSPACED}])[\\p{L}\\p{N}])+`, 'gu');
/** What stands before a word of ASCII text. */
const AT_EDGE = '(?<![a-z\\d])';

/** Counts terms in texts. Each distinct word is stemmed once for a question. */
export class Matcher {
  /** Positions of the terms that a word is a form of; none for most words. */
  private readonly words = new Cache<string, readonly number[]>();
  private readonly stems = new Map<string, number[]>();
  /**
   * Words of ASCII text that begin like a term's; in other text, where one may begin. Stemming is what costs most, and
   * nearly every word begins like none of the question's.
   */
  private readonly alike: RegExp | undefined;
  private readonly clocks: (readonly [ClockTime, number])[] = [];
  private readonly needles: (readonly [string, number])[] = [];
  /** Of the text that is being counted: most lines have nothing, and need none. */
  private counts: Float64Array | undefined;

  constructor(private readonly terms: readonly Term[]) {
    terms.forEach(({ match }, position) => {
      if ('clock' in match) this.clocks.push([match.clock, position]);
      else if ('needles' in match) for (const needle of match.needles) this.needles.push([needle, position]);
      else for (const stem of match.stems) addTo(this.stems, stem, position);
    });
    const beginnings = new Set([...this.stems.keys()].filter((stem) => stem !== '').map(beginningOf));
    if (beginnings.size > 0) this.alike = new RegExp(`${AT_EDGE}(?:${[...beginnings].join('|')})[a-z\\d]*`, 'g');
  }

  /** How often each term stands in a text, by position in the question's terms; undefined when none does. */
  count(text: string): Float64Array | undefined {
    const plain = foldText(text);
    this.counts = undefined;
    if (this.alike !== undefined && plain.search(this.alike) >= 0)
      for (const word of plain.match(isAscii(plain) ? this.alike : WORD) ?? [])
        for (const position of this.words.of(word, () => this.positions(word))) this.add(position);
    for (const [needle, position] of this.needles) if (needle !== '' && plain.includes(needle)) this.add(position);
    this.countClocks(plain);
    return this.counts;
  }

  private countClocks(plain: string): void {
    if (this.clocks.length === 0) return;
    for (const said of clockTimesIn(plain))
      for (const [asked, position] of this.clocks) if (isSameClockTime(asked, said)) this.add(position);
  }

  /** Whether every term of the question stands in a text; of no terms, no text has all. */
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

/** How words of a stem begin, as a pattern: the stemmer changes their ends, and of the first two letters only y to i. */
function beginningOf(stem: string): string {
  return stem
    .slice(0, 2)
    .replace(/[!-/:-@[-`{-~]/g, '\\$&')
    .replace(/(?<=.)[iy]/, '[iy]');
}
