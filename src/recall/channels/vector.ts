import type { Filter, FoundFile, FoundUnit, Search, UnitKey } from '../../index/search.js';
import { embeddedText } from '../../index/vectors/embedded-text.js';
import { hashKey, type Near, type TextPosition, type VectorSearch } from '../../index/vectors/nearest.js';
import { embeddedUnits } from '../../index/vectors/places.js';
import { VECTOR_SCALE } from '../rank/weights.js';

/** The same line may stand in very many files; so many places of a text are looked at, the newest first. */
const PLACES_OF_TEXT = 32;
/** With a filter, so many units that it lets through are compared in full, or so many nearest ones are filtered. */
const FILTERED = 4_000;

/** Finds units by what they mean, with the vector of a question. */
export class VectorChannel {
  private readonly files = new Map<string, FileTexts | undefined>();
  private readonly scale: (cosine: number) => number;

  constructor(
    private readonly search: Search,
    private readonly vectors: VectorSearch,
    private readonly query: Float32Array,
  ) {
    this.scale = scaleOf(vectors.sample(query));
  }

  /** The units nearest to the question that a filter lets through, as far as they are nearer than any text is. */
  units(filter: Filter, limit: number): readonly UnitKey[] {
    const among = this.narrowed(filter);
    if (among !== undefined) return this.nearestAmong(among, limit);
    const isFiltered = [filter.kinds, filter.entities, filter.since, filter.until, filter.asOf].some(
      (condition) => condition !== undefined,
    );
    const near = this.vectors
      .nearest(this.query, isFiltered ? FILTERED : 2 * limit)
      .filter(({ cosine }) => this.scale(cosine) > 0);
    const keys: UnitKey[] = [];
    // In steps: most questions are served by the first.
    for (let at = 0; at < near.length && keys.length < limit; at += limit) {
      const found = near.slice(at, at + limit).flatMap((text) => this.unitsOf(text));
      const allowed = new Set(this.search.allowed(found, filter));
      keys.push(...found.filter((key) => allowed.has(key)));
    }
    return keys.slice(0, limit);
  }

  /** The vector signals of some units: how much nearer to the question they are than any text is. */
  signals(units: readonly FoundUnit[], headingOf: (unit: FoundUnit) => FoundUnit | undefined): Map<UnitKey, number> {
    const hashes = new Map<UnitKey, Buffer>();
    for (const unit of units) {
      const text = embeddedText(unit, headingOf(unit));
      if (text !== undefined) hashes.set(unit.key, text.hash);
    }
    const cosines = this.vectors.cosines(this.query, hashes.values());
    const signals = new Map<UnitKey, number>();
    for (const [key, hash] of hashes) {
      const cosine = cosines.get(hashKey(hash));
      if (cosine !== undefined) signals.set(key, this.scale(cosine));
    }
    return signals;
  }

  /** All units that a narrow filter lets through; undefined when they are too many, or asking would read every row. */
  private narrowed(filter: Filter): readonly UnitKey[] | undefined {
    if (filter.since === undefined && filter.until === undefined) return undefined;
    const keys = this.search.filtered(filter, FILTERED + 1);
    return keys.length > FILTERED ? undefined : keys;
  }

  private nearestAmong(keys: readonly UnitKey[], limit: number): readonly UnitKey[] {
    const hashes = new Map<UnitKey, Buffer>();
    for (const key of keys) {
      const unit = this.search.unit(key);
      const heading = unit === undefined || unit.section === null ? undefined : this.search.unit(unit.section);
      const text = unit === undefined ? undefined : embeddedText(unit, heading);
      if (text !== undefined) hashes.set(key, text.hash);
    }
    const cosines = this.vectors.cosines(this.query, hashes.values());
    const near = [...hashes].flatMap(([key, hash]) => {
      const cosine = cosines.get(hashKey(hash));
      return cosine === undefined || this.scale(cosine) === 0 ? [] : [{ key, cosine }];
    });
    return near
      .sort((a, b) => b.cosine - a.cosine)
      .slice(0, limit)
      .map(({ key }) => key);
  }

  /** Where a text stands now. Files may have changed since their vectors were made: only what is there counts. */
  private unitsOf({ hash }: Near): readonly UnitKey[] {
    return this.vectors.places(hash, PLACES_OF_TEXT).flatMap((place) => {
      const key = this.unitAt(place, hash);
      return key === undefined ? [] : [key];
    });
  }

  private unitAt({ path, position }: TextPosition, hash: Buffer): UnitKey | undefined {
    if (!this.files.has(path)) this.files.set(path, this.fileTexts(path));
    const file = this.files.get(path);
    if (file === undefined) return undefined;
    const unit = position <= file.last ? this.search.unit(file.file.firstUnit + position) : undefined;
    if (unit !== undefined && isText(unit, this.search, hash)) return unit.key;
    file.texts ??= new Map(
      embeddedUnits(this.search, file.file).map((found) => [
        hashKey(found.text.hash),
        file.file.firstUnit + found.position,
      ]),
    );
    return file.texts.get(hashKey(hash));
  }

  private fileTexts(path: string): FileTexts | undefined {
    const file = this.search.file(path);
    return file === undefined ? undefined : { file, last: file.lastUnit - file.firstUnit, texts: undefined };
  }
}

interface FileTexts {
  readonly file: FoundFile;
  /** Position of its last unit. */
  readonly last: number;
  /** Read when a text is not where it was. */
  texts: Map<string, UnitKey> | undefined;
}

function isText(unit: FoundUnit, search: Search, hash: Buffer): boolean {
  const heading = unit.section === null ? undefined : search.unit(unit.section);
  return embeddedText(unit, heading)?.hash.equals(hash) === true;
}

/** Median and median deviation of a sample of all texts: near ones among them do not move these. */
function scaleOf(sample: readonly number[]): (cosine: number) => number {
  const middle = median(sample);
  const deviation = 1.4826 * median(sample.map((cosine) => Math.abs(cosine - middle)));
  const unit = Math.max(deviation, VECTOR_SCALE.leastDeviation);
  const { from, to } = VECTOR_SCALE;
  return (cosine) => Math.min(1, Math.max(0, ((cosine - middle) / unit - from) / (to - from)));
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? 0;
}
