import type { LineCodes } from '../../index/meaning/line-codes.js';
import type { FoundUnit, IndexSearch, UnitKey } from '../../index/search.js';
import { dotProduct, MINIMUM_SAMPLE_SIZE, type SampleSimilarity } from '../../index/vectors/nearest.js';
import { detectScriptGroup, LANGUAGE_GROUPS } from '../../language/language-group.js';
import { languageProbes } from '../../model/language-probes.js';
import { addTimes, type WordVectors } from '../../model/word-vectors.js';
import { VECTOR_SCALE } from '../rank/weights.js';
import type { LineVectors, NearText } from './line-vectors.js';

/** Number of units in the sample, evenly spread over all units. */
const SAMPLE = 1_024;

/** The similarities of all units of one segment to one question. */
interface Compared {
  readonly codes: LineCodes;
  readonly similarities: Float32Array;
}

/** The codes in the index, by the model that comes with the package. */
export class BuiltInLines implements LineVectors {
  readonly leastDeviation = VECTOR_SCALE.leastDeviation.words;
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
    const sums = this.segments.map((codes) => codes.sumOfSample(this.model.spread));
    // Of few lines, the mean is mostly what they say, and not what all texts have in common. So it is made smaller.
    const count = sums.reduce((all, one) => all + one.count, MINIMUM_SAMPLE_SIZE);
    const middle = new Float32Array(this.model.dimension);
    for (const { sum } of sums) addTimes(middle, sum, 1 / count);
    return middle;
  }

  sample(question: Float32Array): readonly SampleSimilarity[] {
    const of = new Map(this.compare(question).map(({ codes, similarities }) => [codes, similarities]));
    const own = this.sampled((codes, at) => ({
      cosine: of.get(codes)?.[at] ?? 0,
      tongue: codes.groupAt(at),
    }));
    return own.length < MINIMUM_SAMPLE_SIZE ? [...own, ...this.probes(question)] : own;
  }

  nearest(question: Float32Array, limit: number): readonly NearText[] {
    const found = this.compare(question).flatMap(({ codes, similarities }) =>
      placesOfLargest(similarities, limit).map((at) => ({
        cosine: similarities[at] ?? 0,
        tongue: codes.groupAt(at),
        units: () => [codes.keyAt(at)],
      })),
    );
    return found.sort((a, b) => b.cosine - a.cosine).slice(0, limit);
  }

  similarities(question: Float32Array, units: readonly FoundUnit[]): ReadonlyMap<UnitKey, SampleSimilarity> {
    const found = new Map<UnitKey, SampleSimilarity>();
    for (const { codes, similarities } of this.compare(question))
      for (const { key } of units) {
        const at = codes.placeOf(key);
        if (at !== undefined) found.set(key, { cosine: similarities[at] ?? 0, tongue: codes.groupAt(at) });
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

  private sampled<T>(read: (codes: LineCodes, at: number) => T): readonly T[] {
    const all = this.segments.reduce((sum, { size }) => sum + size, 0);
    const step = Math.max(1, all / SAMPLE);
    return this.segments.flatMap((codes) =>
      Array.from({ length: Math.ceil(codes.size / step) }, (_, i) => Math.floor(i * step))
        .filter((place) => codes.has(place))
        .map((place) => read(codes, place)),
    );
  }

  /** Built-in texts, as unrelated ones while there are few others. */
  private probes(question: Float32Array): readonly SampleSimilarity[] {
    return LANGUAGE_GROUPS.flatMap((tongue) =>
      (languageProbes().get(tongue) ?? []).flatMap(([, answer]) => {
        const vector = this.model.embed(answer);
        return vector === undefined
          ? []
          : [{ cosine: dotProduct(question, vector), tongue: detectScriptGroup(answer) }];
      }),
    );
  }
}

/** Places of the `limit` largest values, in no particular order. */
function placesOfLargest(values: Float32Array, limit: number): readonly number[] {
  let places: number[] = [];
  let least = -2;
  const cut = (): void => {
    places = places.sort((a, b) => (values[b] ?? 0) - (values[a] ?? 0)).slice(0, limit);
    if (places.length === limit) least = values[places[limit - 1] ?? 0] ?? least;
  };
  for (let at = 0; at < values.length; at++) {
    if ((values[at] ?? 0) <= least) continue;
    places.push(at);
    if (places.length >= 4 * limit) cut();
  }
  cut();
  return places;
}
