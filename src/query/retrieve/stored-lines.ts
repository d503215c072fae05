import { memoize } from '../../base/cache.js';
import type { FoundFile, FoundUnit, IndexSearch, UnitKey } from '../../index/search.js';
import { embeddedText, type TextContext } from '../../index/vectors/embedded-text.js';
import { hashKey, type SampleSimilarity, type TextPosition, type VectorSearch } from '../../index/vectors/nearest.js';
import { createTextContextReader, embeddedUnits } from '../../index/vectors/places.js';
import { VECTOR_SCALE } from '../rank/weights.js';
import type { LineVectors, NearText } from './line-vectors.js';

/** Maximum number of places of one text that are examined, newest first. The same line may stand in very many files. */
const PLACES_OF_TEXT = 32;

interface FileTexts {
  readonly file: FoundFile;
  /** Position of its last unit. */
  readonly last: number;
  /** The texts of the units. Read only if a text is no longer in its old place. */
  texts: Map<string, UnitKey> | undefined;
}

/** The vectors that `index --embed` stored, by the hashes of the texts of lines. */
export class StoredLines implements LineVectors {
  readonly isEmpty = false;
  readonly leastDeviation = VECTOR_SCALE.leastDeviation.sentences;
  private readonly fileTexts = memoize((path: string) => this.textsOf(path));
  private readonly around: TextContext;

  constructor(
    private readonly search: IndexSearch,
    private readonly vectors: VectorSearch,
  ) {
    this.around = createTextContextReader((key) => search.unit(key));
  }

  middle(): Float32Array {
    return this.vectors.middle();
  }

  sample(question: Float32Array): readonly SampleSimilarity[] {
    return this.vectors.sample(question);
  }

  nearest(question: Float32Array, limit: number): readonly NearText[] {
    const found = this.vectors.nearest(question, limit);
    return found.map(({ hash, cosine, tongue }) => ({ cosine, tongue, units: () => this.unitsOf(hash) }));
  }

  similarities(
    question: Float32Array,
    units: readonly FoundUnit[],
    around: TextContext,
  ): ReadonlyMap<UnitKey, SampleSimilarity> {
    const hashes = new Map<UnitKey, Buffer>();
    for (const unit of units) {
      const text = hashes.has(unit.key) ? undefined : embeddedText(unit, around);
      if (text !== undefined) hashes.set(unit.key, text.hash);
    }
    const cosines = this.vectors.cosines(question, hashes.values());
    const found = new Map<UnitKey, SampleSimilarity>();
    for (const [key, hash] of hashes) {
      const similarity = cosines.get(hashKey(hash));
      if (similarity !== undefined) found.set(key, similarity);
    }
    return found;
  }

  /** The units that have a text now. Files may have changed since their vectors were made, so only existing units count. */
  private unitsOf(hash: Buffer): readonly UnitKey[] {
    return this.vectors.places(hash, PLACES_OF_TEXT).flatMap((place) => {
      const key = this.unitAt(place, hash);
      return key === undefined ? [] : [key];
    });
  }

  private unitAt({ path, position }: TextPosition, hash: Buffer): UnitKey | undefined {
    const file = this.fileTexts(path);
    if (file === undefined) return undefined;
    const unit = position <= file.last ? this.search.unit(file.file.firstUnit + position) : undefined;
    if (unit !== undefined && embeddedText(unit, this.around)?.hash.equals(hash)) return unit.key;
    file.texts ??= new Map(
      embeddedUnits(this.search, file.file).map((found) => [
        hashKey(found.text.hash),
        file.file.firstUnit + found.position,
      ]),
    );
    return file.texts.get(hashKey(hash));
  }

  private textsOf(path: string): FileTexts | undefined {
    const file = this.search.file(path);
    return file === undefined ? undefined : { file, last: file.lastUnit - file.firstUnit, texts: undefined };
  }
}
