import { memoize } from '../base/cache.js';
import { largest } from '../base/order.js';
import type { FoundUnit, IndexSearch } from '../index/search.js';
import { embeddedText, type TextContext } from '../index/vectors/embedded-text.js';
import type { VectorSearch } from '../index/vectors/nearest.js';
import { createTextContextReader } from '../index/vectors/places.js';
import { LANGUAGE_GROUPS } from '../language/language-group.js';
import type { MeaningOfQuestion } from './retrieve/line-vectors.js';
import { StoredLines } from './retrieve/stored-lines.js';
import { VectorChannel } from './retrieve/vector.js';

/**
 * Limits of similarity, in robust standard deviations above the median of all texts. Two texts begin to be similar at
 * `from`. Their similarity is 1 at `to`.
 */
const NEAR = { from: 2, to: 6 };
/** Counts every language group as known: a stored vector exists only for a group that its model knows. */
const ALL_KNOWN = new Map(LANGUAGE_GROUPS.map((tongue) => [tongue, 1]));

/** Compares the meaning of units by their stored vectors. Asks no model. */
export class UnitSimilarity {
  private readonly channelOf = memoize((unit: FoundUnit) => this.open(unit));
  private readonly around: TextContext;
  private readonly lines: StoredLines;

  constructor(
    private readonly search: IndexSearch,
    private readonly vectors: VectorSearch,
  ) {
    this.lines = new StoredLines(search, vectors);
    this.around = createTextContextReader((key) => search.unit(key));
  }

  /**
   * Similarity of two units, 0..1. 0 if they are not more similar than two texts usually are, or if one of them has no
   * vector.
   */
  between(one: FoundUnit, other: FoundUnit): number {
    const deviations = this.channelOf(one)?.deviations([other], this.around).get(other.key) ?? 0;
    return Math.min(1, Math.max(0, (deviations - NEAR.from) / (NEAR.to - NEAR.from)));
  }

  private open(unit: FoundUnit): VectorChannel | undefined {
    const text = embeddedText(unit, this.around);
    const whole = text === undefined ? undefined : this.vectors.vectorOf(text.hash);
    if (whole === undefined) return undefined;
    return new VectorChannel(this.search, this.lines, { whole, sentences: [], known: ALL_KNOWN });
  }
}

/**
 * Makes a function that tells how similar a page is to a question in meaning. With a line, it compares that line. Without
 * one, it takes the most similar line of the page. The similarity is in robust standard deviations above the median of all
 * texts. 0 if no line has a vector.
 */
export function pageSimilarity(
  search: IndexSearch,
  vectors: MeaningOfQuestion,
): (path: string, line?: number) => number {
  const channel = new VectorChannel(search, vectors.lines(search), vectors);
  const around = createTextContextReader((key) => search.unit(key));
  return (path, line) => {
    const file = search.file(path);
    const units =
      file === undefined || file.lastUnit < file.firstUnit ? [] : search.range(file.firstUnit, file.lastUnit);
    const wanted = line === undefined ? units : units.filter((unit) => isAt(unit, line));
    return largest(channel.deviations(wanted, around).values(), 0);
  };
}

function isAt({ line, endLine }: FoundUnit, wanted: number): boolean {
  return line <= wanted && wanted <= endLine;
}
