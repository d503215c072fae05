import { memoize } from '../../base/cache.js';
import { codeTable } from '../../index/meaning/codes.js';
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

/** The codes in the index, by the model that comes with the package. */
export class BuiltInLines implements LineVectors {
  readonly leastDeviation = VECTOR_SCALE.leastDeviation.words;
  private readonly segments: readonly LineCodes[];
  private readonly tableOf = memoize((question: Float32Array) => codeTable(question, this.model.spread));

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
    const own = this.sampled((codes, at) => this.compare(question, codes, at));
    return own.length < MINIMUM_SAMPLE_SIZE ? [...own, ...this.probes(question)] : own;
  }

  nearest(question: Float32Array, limit: number): readonly NearText[] {
    const found = this.segments.flatMap((codes) =>
      codes
        .nearest(this.tableOf(question), limit)
        .map((at) => ({ ...this.compare(question, codes, at), units: () => [codes.keyAt(at)] })),
    );
    return found.sort((a, b) => b.cosine - a.cosine).slice(0, limit);
  }

  similarities(question: Float32Array, units: readonly FoundUnit[]): ReadonlyMap<UnitKey, SampleSimilarity> {
    const found = new Map<UnitKey, SampleSimilarity>();
    for (const codes of this.segments)
      for (const { key } of units) {
        const at = codes.placeOf(key);
        if (at !== undefined) found.set(key, this.compare(question, codes, at));
      }
    return found;
  }

  private compare(question: Float32Array, codes: LineCodes, at: number): SampleSimilarity {
    return { cosine: codes.similarity(this.tableOf(question), at), tongue: codes.groupAt(at) };
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
