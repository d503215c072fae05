import type { QuestionReading } from '../parse/reading.js';
import type { WeightedTerm } from '../terms/weighted-terms.js';

/**
 * How often each term occurs in a text. Item `i` is for the term at index `i` of the list of terms. Undefined if no
 * term occurs.
 */
export type TermCounts = Float64Array | undefined;

/** The content words of a question: its words without its frame and its time. */
export class ContentWords {
  /** Positions of terms. A line that is about an entity need not name it. */
  private readonly words: number[] = [];
  private readonly names: number[] = [];
  /** Pairs of characters of scripts without spaces, and these characters. */
  private readonly pairs: number[] = [];
  private readonly characters: ReadonlySet<string>;
  private readonly namesSpeaker: boolean;

  /** @param speakers names of the speakers of candidate lines, in lower case */
  constructor(
    terms: readonly WeightedTerm[],
    { words, cjk, timeOnly }: QuestionReading,
    speakers: ReadonlySet<string>,
  ) {
    const names = new Set(words.flatMap(({ text, role }) => (role === 'name' ? [text] : [])));
    const spoken = new Set(words.flatMap(({ text }) => (speakers.has(text) ? [text] : [])));
    this.namesSpeaker = spoken.size > 0;
    this.characters = new Set(cjk.join(''));
    for (const [position, { isAsked, text, match }] of timeOnly ? [] : terms.entries()) {
      if (!isAsked) continue;
      if (names.has(text) || spoken.has(text)) this.names.push(position);
      else if ('needles' in match && cjk.some((run) => run.includes(text))) this.pairs.push(position);
      else this.words.push(position);
    }
  }

  /** Number of content words that are not names. */
  get count(): number {
    return this.words.length + this.pairs.length;
  }

  /** Whether a line has at least one content word that is not a name. */
  anyIn(counts: TermCounts): boolean {
    return counts !== undefined && [...this.words, ...this.pairs].some((position) => (counts[position] ?? 0) > 0);
  }

  /** The positions of the content words that a line has. Names are left out. */
  foundIn(counts: TermCounts): readonly number[] {
    return counts === undefined ? [] : [...this.words, ...this.pairs].filter((position) => (counts[position] ?? 0) > 0);
  }

  /**
   * Whether a line has all of them: of a run without spaces every character and half of its pairs, since what stands
   * between two words is none. Who names a speaker asks for what that one
   * said, and a single word beside the name is too little to go by.
   */
  areIn(text: string, counts: TermCounts, isAboutNamed: boolean): boolean {
    const { words, names, pairs } = this;
    if (counts === undefined || words.length + names.length + pairs.length === 0) return false;
    if (this.namesSpeaker && (!isAboutNamed || words.length + pairs.length < 2)) return false;
    const has = (position: number): boolean => (counts[position] ?? 0) > 0;
    if (!words.every(has) || !(isAboutNamed || names.every(has))) return false;
    if (pairs.length === 0) return true;
    return 2 * pairs.filter(has).length >= pairs.length && [...this.characters].every((one) => text.includes(one));
  }
}
