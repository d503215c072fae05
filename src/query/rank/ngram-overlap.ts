import type { FoundUnit, UnitKey } from '../../index/search.js';
import { foldText, hasUnspaced } from '../../language/scripts.js';

/** Length of the compared n-grams, in characters. It is longer than the common endings of words. */
const STRETCH = 5;
/** Maximum number of n-grams of a question. They are enough to say what a long message is about. */
const MOST_STRETCHES = 400;

/**
 * Compares a question with lines by n-grams, which may go across the limits of words. It finds matches that words do not
 * find: other forms and parts of compounds in every language, and words that stand beside each other. A rare n-gram counts
 * most. Scripts without spaces are left out, because they are already compared by pairs of characters.
 */
export class NgramOverlap {
  private readonly shares = new Map<UnitKey, number>();
  private readonly stretches: readonly string[];
  private worths: readonly number[] = [];
  private total = 0;

  /**
   * @param phrases parts of the question, each compared by itself
   * @param units the candidates, by which the rarity of an n-gram is computed
   */
  constructor(phrases: readonly string[], units: readonly FoundUnit[]) {
    this.stretches = stretchesOf(phrases.filter((phrase) => !hasUnspaced(phrase)).map(lineOf));
    if (this.stretches.length === 0) return;
    const counts = this.stretches.map(() => 0);
    const found = units.map((unit): readonly [UnitKey, readonly number[]] => {
      const positions = this.positions(unit);
      for (const position of positions) counts[position] = (counts[position] ?? 0) + 1;
      return [unit.key, positions];
    });
    // What no candidate has counts, too: of a question of rare words, a line with its "where did" has next to nothing.
    this.worths = counts.map((count) => Math.log(1 + (units.length - count + 0.5) / (count + 0.5)));
    this.total = this.worths.reduce((sum, worth) => sum + worth, 0);
    for (const [key, positions] of found) this.shares.set(key, this.share(positions));
  }

  /** The share of the n-grams of the question that a unit has, weighted by their worth, 0..1. */
  of(unit: FoundUnit): number {
    if (this.total === 0) return 0;
    return this.shares.get(unit.key) ?? this.share(this.positions(unit));
  }

  private positions({ text }: FoundUnit): readonly number[] {
    const line = lineOf(text);
    return this.stretches.flatMap((stretch, position) => (line.includes(stretch) ? position : []));
  }

  private share(positions: readonly number[]): number {
    return this.total === 0 ? 0 : positions.reduce((sum, at) => sum + (this.worths[at] ?? 0), 0) / this.total;
  }
}

/** The words of a text, with one space between them. */
function lineOf(text: string): string {
  return ` ${foldText(text)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `;
}

function stretchesOf(lines: readonly string[]): readonly string[] {
  const stretches = new Set<string>();
  for (const line of lines)
    for (let at = 0; at + STRETCH <= line.length && stretches.size < MOST_STRETCHES; at++)
      stretches.add(line.slice(at, at + STRETCH));
  return [...stretches];
}
