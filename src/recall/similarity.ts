import { memoize } from '../base/cache.js';
import { largest } from '../base/order.js';
import type { FoundUnit, Search } from '../index/search.js';
import { embeddedText, type TextContext } from '../index/vectors/embedded-text.js';
import type { VectorSearch } from '../index/vectors/nearest.js';
import { textContext } from '../index/vectors/places.js';
import { LANGUAGE_GROUPS } from '../language/language-group.js';
import { type QuestionVectors, VectorChannel } from './channels/vector.js';

/** Two texts are near each other from so many deviations over the middle of all texts on, and no nearer beyond the last. */
const NEAR = { from: 2, to: 6 };
/** Where there is a vector, its model knows the tongue. */
const ALL_KNOWN = new Map(LANGUAGE_GROUPS.map((tongue) => [tongue, 1]));

/** How near units are to each other by meaning, as far as they have vectors. Asks no model. */
export class SimilarityView {
  private readonly channelOf = memoize((unit: FoundUnit) => this.open(unit));
  private readonly around: TextContext;

  constructor(
    private readonly search: Search,
    private readonly vectors: VectorSearch,
  ) {
    this.around = textContext((key) => search.unit(key));
  }

  /** 0 for what is no nearer than any two texts, up to 1; 0 also where one of them has no vector. */
  between(one: FoundUnit, other: FoundUnit): number {
    const deviations = this.channelOf(one)?.deviations([other], this.around).get(other.key) ?? 0;
    return Math.min(1, Math.max(0, (deviations - NEAR.from) / (NEAR.to - NEAR.from)));
  }

  private open(unit: FoundUnit): VectorChannel | undefined {
    const text = embeddedText(unit, this.around);
    const whole = text === undefined ? undefined : this.vectors.vectorOf(text.hash);
    if (whole === undefined) return undefined;
    return new VectorChannel(this.search, { vectors: this.vectors, whole, sentences: [], known: ALL_KNOWN });
  }
}

/**
 * How near what stands on a page is to a question by meaning: in deviations over the middle of all texts, of the line
 * that is asked for or of the nearest one; 0 where nothing has a vector.
 */
export function pageSimilarity(search: Search, vectors: QuestionVectors): (path: string, line?: number) => number {
  const channel = new VectorChannel(search, vectors);
  const around = textContext((key) => search.unit(key));
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
