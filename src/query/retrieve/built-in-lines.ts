import type { LineCodes } from '../../index/meaning/line-codes.js';
import type { FoundUnit, IndexSearch, UnitKey } from '../../index/search.js';
import { dotProduct, MINIMUM_SAMPLE_SIZE, type SampleSimilarity } from '../../index/vectors/nearest.js';
import { LANGUAGE_GROUPS } from '../../language/language-group.js';
import { languageProbes } from '../../model/language-probes.js';
import type { WordVectors } from '../../model/word-vectors.js';
import type { LineVectors, NearText } from './line-vectors.js';

/** Number of units in the sample: of all units, evenly spread. */
const SAMPLE = 1_024;

/** The similarities of all units of one segment to one question. */
interface Compared {
  readonly codes: LineCodes;
  readonly similarities: Float32Array;
}

/** The codes in the index, by the model that comes with the package. */
export class BuiltInLines implements LineVectors {
  private readonly segments: readonly LineCodes[];
  private readonly compared = new Map<Float32Array, readonly Compared[]>();

  constructor(
    search: IndexSearch,
    private readonly model: WordVectors,
  ) {
    this.segments = search.lineCodes(model.digest);
  }

  /** Whether the index has codes at all. */
  get isEmpty(): boolean {
    return this.segments.every(({ size }) => size === 0);
  }

  middle(): Float32Array {
    const middle = new Float32Array(this.model.dimension);
    const vectors = this.sampled(this.segments, (codes, at) => codes.vectorAt(at, this.model.spread));
    // Of few lines, the mean is mostly what they say, and not what all texts have in common. So it is made smaller.
    const count = vectors.length + MINIMUM_SAMPLE_SIZE;
    for (const vector of vectors)
      for (let i = 0; i < middle.length; i++) middle[i] = (middle[i] ?? 0) + (vector[i] ?? 0) / count;
    return middle;
  }

  sample(question: Float32Array): readonly SampleSimilarity[] {
    const of = new Map(this.compare(question).map(({ codes, similarities }) => [codes, similarities]));
    const own = this.sampled(this.segments, (codes, at) => ({
      cosine: of.get(codes)?.[at] ?? 0,
      tongue: codes.tongueAt(at),
    }));
    return own.length < MINIMUM_SAMPLE_SIZE ? [...own, ...this.probes(question)] : own;
  }

  nearest(question: Float32Array, limit: number): readonly NearText[] {
    const found = this.compare(question).flatMap(({ codes, similarities }) =>
      placesOfLargest(similarities, limit).map((at) => ({
        cosine: similarities[at] ?? 0,
        tongue: codes.tongueAt(at),
        units: () => [codes.keyAt(at)],
      })),
    );
    return found.sort((a, b) => b.cosine - a.cosine).slice(0, limit);
  }

  similarities(question: Float32Array, units: readonly FoundUnit[]): ReadonlyMap<UnitKey, SampleSimilarity> {
    const found = new Map<UnitKey, SampleSimilarity>();
    for (const { codes, similarities } of this.compare(question))
      for (const { key } of units) {
        const at = codes.indexOf(key);
        if (at >= 0) found.set(key, { cosine: similarities[at] ?? 0, tongue: codes.tongueAt(at) });
      }
    return found;
  }

  private compare(question: Float32Array): readonly Compared[] {
    let compared = this.compared.get(question);
    if (compared === undefined) {
      compared = this.segments.map((codes) => ({
        codes,
        similarities: codes.similarities(question, this.model.spread),
      }));
      this.compared.set(question, compared);
    }
    return compared;
  }

  private sampled<T>(segments: readonly LineCodes[], read: (codes: LineCodes, at: number) => T): readonly T[] {
    const all = segments.reduce((sum, { size }) => sum + size, 0);
    const step = Math.max(1, all / SAMPLE);
    return segments.flatMap((codes) =>
      Array.from({ length: Math.ceil(codes.size / step) }, (_, i) => read(codes, Math.floor(i * step))),
    );
  }

  /** Built-in texts, as unrelated ones while there are few others. */
  private probes(question: Float32Array): readonly SampleSimilarity[] {
    return LANGUAGE_GROUPS.flatMap((tongue) =>
      (languageProbes().get(tongue) ?? []).flatMap(([, answer]) => {
        const vector = this.model.embed(answer);
        return vector === undefined ? [] : [{ cosine: dotProduct(question, vector), tongue }];
      }),
    );
  }
}

/** Places of the `limit` largest values, in no particular order. */
function placesOfLargest(values: Float32Array, limit: number): readonly number[] {
  const least = values.length <= limit ? Number.NEGATIVE_INFINITY : (values.toSorted()[values.length - limit] ?? 0);
  const places: number[] = [];
  for (let at = 0; at < values.length; at++) if ((values[at] ?? 0) >= least) places.push(at);
  return places;
}
