import { Cache } from '../../base/cache.js';
import type { Database } from '../../db/open.js';
import { PreparedStatementCache } from '../../db/open.js';
import { vectorToBlob } from '../../db/vector-functions.js';
import { LANGUAGE_GROUPS, type LanguageGroup } from '../../language/language-group.js';
import type { StoredModel } from './models.js';

/** A text and its similarity to a question. */
interface SimilarText {
  readonly hash: Buffer;
  /** Cosine of the angle between the two vectors, from -1 to 1. Higher is more similar. */
  readonly cosine: number;
  readonly tongue: LanguageGroup;
}

/** How similar one text of the fixed sample of {@link VectorSearch} is to a question. */
export type SampleSimilarity = Omit<SimilarText, 'hash'>;

/** Where a text was when its file was last read. */
export interface TextPosition {
  readonly path: string;
  /** Position of its unit in the file: 0 is the first unit. */
  readonly position: number;
}

/** Number of vectors that are chosen by their bits (the signs of their numbers). Only these are then compared exactly. */
const CHOSEN_BY_BITS = 400;
/** Number of vectors in the sample. The sample shows how similar an arbitrary text is to a question. */
const SAMPLE = 256;
/**
 * Minimum number of vectors in a sample. A smaller sample says too little. So vectors of built-in test answers are
 * added to it.
 */
export const MINIMUM_SAMPLE_SIZE = 24;
const IS_SAMPLED = 'WHERE id IN (SELECT value FROM json_each(?)) AND model = ? AND embedding IS NOT NULL';
/** Maximum number of vectors of the sample that are compared with each other. */
const MOST_PAIRED = 128;

/** Searches the vectors of one model. */
export class VectorSearch {
  private readonly prepared: PreparedStatementCache;
  private shared: Float32Array | undefined;
  private random: Float32Array | undefined;

  /**
   * @param db database with the vector functions of sqlite-vec
   * @param chances cache for the results of {@link chance}. They are slow to compute, and the same for most questions of a
   * process
   */
  constructor(
    db: Database,
    readonly model: StoredModel,
    private readonly chances = new Cache<string, Float32Array>(),
  ) {
    this.prepared = new PreparedStatementCache(db);
  }

  /** The texts nearest to a question, the nearest first. */
  nearest(query: Float32Array, limit: number): readonly SimilarText[] {
    return this.model.hasBits ? this.byBits(query, Math.max(limit, CHOSEN_BY_BITS), limit) : this.exact(query, limit);
  }

  /**
   * Compares the question with every vector. `+model` keeps SQLite from using the SQL index on this column, because rows in
   * table order are read twice as fast.
   */
  exact(query: Float32Array, limit: number): readonly SimilarText[] {
    return this.near(
      `SELECT hash, vec_distance_cosine(embedding, ?) AS distance, tongue FROM vector
       WHERE +model = ? AND embedding IS NOT NULL ORDER BY distance LIMIT ?`,
      vectorToBlob(query),
      this.model.id,
      limit,
    );
  }

  /**
   * Chooses the vectors whose signs are most similar, then compares only these exactly. A plain table of bits is read three
   * times as fast as a virtual table of sqlite-vec.
   */
  private byBits(query: Float32Array, chosen: number, limit: number): readonly SimilarText[] {
    const blob = vectorToBlob(query);
    const bits = this.prepared.of('SELECT vec_quantize_binary(?)').pluck().get(blob);
    const ids = this.prepared
      .of('SELECT id FROM bits ORDER BY vec_distance_hamming(vec_bit(bits), vec_bit(?)) LIMIT ?')
      .pluck()
      .all(bits, chosen);
    return this.near(
      `SELECT hash, vec_distance_cosine(embedding, ?) AS distance, tongue FROM vector
       WHERE id IN (SELECT value FROM json_each(?)) ORDER BY distance LIMIT ?`,
      blob,
      JSON.stringify(ids),
      limit,
    );
  }

  /**
   * How similar the given texts are to a question. The keys of the map are made by {@link hashKey}. Texts without a vector
   * are left out.
   */
  cosines(query: Float32Array, hashes: Iterable<Buffer>): ReadonlyMap<string, SimilarText> {
    const blob = vectorToBlob(query);
    const statement = this.prepared
      .of<[number, string]>(
        `SELECT vec_distance_cosine(embedding, ?), tongue FROM vector
         WHERE model = ? AND hash = ? AND embedding IS NOT NULL`,
      )
      .raw();
    const found = new Map<string, SimilarText>();
    for (const hash of hashes) {
      const row = statement.get(blob, this.model.id, hash);
      if (row !== undefined) found.set(hashKey(hash), { hash, cosine: 1 - row[0], tongue: readTongue(row[1]) });
    }
    return found;
  }

  /** The vector of a text, if it has one. */
  vectorOf(hash: Buffer): Float32Array | undefined {
    const blob = this.prepared
      .of('SELECT embedding FROM vector WHERE model = ? AND hash = ?')
      .pluck()
      .get(this.model.id, hash);
    return blob instanceof Uint8Array ? fromBlob(blob) : undefined;
  }

  /**
   * How similar a fixed sample of texts is to a question. This is needed because the same cosine means different things for
   * different models and questions. If the sample is too small, the vectors of the test answers are added.
   */
  sample(query: Float32Array): readonly SampleSimilarity[] {
    const blob = vectorToBlob(query);
    const near = 'SELECT vec_distance_cosine(embedding, ?), tongue FROM';
    const asked = (sql: string, ...values: readonly unknown[]): readonly [number, string][] =>
      this.prepared
        .of<[number, string]>(sql)
        .raw()
        .all(blob, ...values);
    const own = asked(`${near} vector ${IS_SAMPLED}`, this.sampled(), this.model.id);
    const others = own.length < MINIMUM_SAMPLE_SIZE ? asked(`${near} probe WHERE model = ?`, this.model.id) : [];
    return [...own, ...others].map(([distance, tongue]) => ({ cosine: 1 - distance, tongue: readTongue(tongue) }));
  }

  /**
   * The mean of the vectors of the sample: what all texts have in common in this model. It says nothing about their meaning.
   */
  middle(): Float32Array {
    this.shared ??= this.readMiddle();
    return this.shared;
  }

  private readMiddle(): Float32Array {
    const own = this.sampledVectors();
    const vectors =
      own.length < MINIMUM_SAMPLE_SIZE
        ? [...own, ...this.vectorsOf('SELECT embedding FROM probe WHERE model = ?', this.model.id)]
        : own;
    const middle = new Float32Array(this.model.dimension);
    for (const vector of vectors) {
      for (let i = 0; i < middle.length; i++) middle[i] = (middle[i] ?? 0) + (vector[i] ?? 0) / vectors.length;
    }
    return middle;
  }

  /**
   * The similarity of each pair of sampled texts after the mean is subtracted, the highest first. It shows which
   * similarities occur by chance.
   */
  chance(): Float32Array {
    if (this.random === undefined) {
      const texts = this.sampledTexts();
      this.random = this.chances.get(texts) ?? this.chances.add(texts, this.readChance());
    }
    return this.random;
  }

  /**
   * A key under which results for the sample are cached. It consists of the model and the hashes of the sampled texts,
   * because these determine the vectors.
   */
  private sampledTexts(): string {
    const sql = `SELECT group_concat(hex(hash)) FROM vector ${IS_SAMPLED}`;
    return `${this.model.digest} ${this.prepared.of(sql).pluck().get(this.sampled(), this.model.id)}`;
  }

  private readChance(): Float32Array {
    const sampled = this.sampledVectors();
    const step = Math.ceil(sampled.length / MOST_PAIRED);
    const vectors = sampled.filter((_, at) => at % step === 0).map((vector) => withoutMean(vector, this.middle()));
    const pairs = vectors.flatMap((one, at) => vectors.slice(at + 1).map((other) => dotProduct(one, other)));
    return Float32Array.from(pairs).sort().reverse();
  }

  private sampledVectors(): readonly Float32Array[] {
    return this.vectorsOf(`SELECT embedding FROM vector ${IS_SAMPLED}`, this.sampled(), this.model.id);
  }

  private vectorsOf(sql: string, ...values: readonly unknown[]): readonly Float32Array[] {
    const blobs = this.prepared
      .of(sql)
      .pluck()
      .all(...values);
    return blobs.flatMap((blob) => (blob instanceof Uint8Array ? [fromBlob(blob)] : []));
  }

  /** The ids of the sample as JSON. They are spread evenly over all vectors. */
  private sampled(): string {
    const ends = this.prepared.of<[number, number]>('SELECT min(id), max(id) FROM vector').raw().get();
    const [first, last] = ends ?? [0, -1];
    const step = Math.max(1, (last - first + 1) / SAMPLE);
    const ids = new Set<number>();
    for (let id = first; id <= last; id += step) ids.add(Math.floor(id));
    return JSON.stringify([...ids]);
  }

  /** The places where a text stands, at most `limit`, those of the newest files first. */
  places(hash: Buffer, limit: number): readonly TextPosition[] {
    const sql = `SELECT source.path AS path, place.position AS position FROM place JOIN source ON source.id = place.source
      WHERE place.hash = ? ORDER BY place.source DESC, place.position DESC LIMIT ?`;
    return this.prepared.of<TextPosition>(sql).all(hash, limit);
  }

  private near(sql: string, ...values: readonly unknown[]): readonly SimilarText[] {
    const rows = this.prepared
      .of<[Buffer, number, string]>(sql)
      .raw()
      .all(...values);
    return rows.map(([hash, distance, tongue]) => ({ hash, cosine: 1 - distance, tongue: readTongue(tongue) }));
  }
}

/** Subtracts the mean from a vector, and scales it to length 1. */
export function withoutMean(vector: Float32Array, middle: Float32Array): Float32Array {
  const own = vector.map((number, i) => number - (middle[i] ?? 0));
  const length = Math.sqrt(dotProduct(own, own));
  return length === 0 ? own : own.map((number) => number / length);
}

export function dotProduct(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}

/** Copies the bytes, because a Float32Array needs an aligned address and the bytes of SQLite may have none. */
function fromBlob(blob: Uint8Array): Float32Array {
  return new Float32Array(new Uint8Array(blob).buffer);
}

/** A hash as the key of a map. */
export function hashKey(hash: Buffer): string {
  return hash.toString('latin1');
}

function readTongue(text: string): LanguageGroup {
  return LANGUAGE_GROUPS.find((tongue) => tongue === text) ?? 'other';
}
