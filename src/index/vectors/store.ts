import type { Database, PreparedStatement } from '../../db/open.js';
import { vectorToBlob } from '../../db/vector-functions.js';
import type { LanguageGroup } from '../../language/language-group.js';
import { type StoredModel, UNKNOWN_GROUP_FILTER } from './models.js';

/**
 * Up to this number of vectors, a search compares all of them. If there are more, it first chooses some by their bits (the
 * signs of their numbers).
 */
const EXACT_UP_TO = 50_000;
/**
 * How many vectors are kept although their texts are no longer in any file. The limit is `least`, or `share` times the
 * number of texts in files if that is more. Such a text may come back, for example after a switch to another git branch.
 */
const UNUSED = { least: 1_000, share: 0.2 };

/** A text without a vector, and one place where it is. */
export interface MissingText {
  readonly source: number;
  readonly position: number;
  readonly path: string;
  readonly hash: Buffer;
}

interface NewVector {
  readonly hash: Buffer;
  readonly tongue: LanguageGroup;
  readonly vector: Float32Array | null;
}

/** Writes the vectors of one model. Only under the lock for vectors. */
export class VectorStore {
  private readonly insert: PreparedStatement;
  private readonly insertBits: PreparedStatement;
  private readonly page: PreparedStatement<unknown[], MissingText>;
  private hasBits: boolean;

  constructor(
    private readonly db: Database,
    private readonly model: StoredModel,
    /** If there are more vectors than this, their bits are stored, too. */
    private readonly exactUpTo = EXACT_UP_TO,
  ) {
    this.hasBits = model.hasBits;
    this.insert = db.prepare('INSERT OR IGNORE INTO vector (model, hash, tongue, embedding) VALUES (?, ?, ?, ?)');
    this.insertBits = db.prepare('INSERT INTO bits (id, bits) VALUES (?, vec_quantize_binary(?))');
    // The newest files come last in the order of paths. They get vectors first, because most questions are about them.
    this.page = db.prepare(`
      SELECT place.source, place.position, source.path, place.hash FROM place JOIN source ON source.id = place.source
      WHERE (place.source, place.position) < (?, ?) AND place.is_fact = ?
        AND NOT EXISTS (SELECT 1 FROM vector WHERE vector.model = ? AND vector.hash = place.hash) AND NOT ${UNKNOWN_GROUP_FILTER}
      ORDER BY place.source DESC, place.position DESC LIMIT ?`);
  }

  /** Number of texts in files that have no vector yet. */
  countMissing(): number {
    const sql = `SELECT count(DISTINCT hash) FROM place
      WHERE NOT EXISTS (SELECT 1 FROM vector WHERE vector.model = ? AND vector.hash = place.hash) AND NOT ${UNKNOWN_GROUP_FILTER}`;
    return Number(this.db.prepare(sql).pluck().get(this.model.id, this.model.id));
  }

  /**
   * Lists texts without a vector, each with one place where it is. With `areFacts`, lists only texts of facts; without
   * it, only texts of other units. The same text may come several times.
   * @param behind the list starts after this place; undefined for the first texts
   */
  missing(
    behind: Pick<MissingText, 'source' | 'position'> | undefined,
    areFacts: boolean,
    limit: number,
  ): readonly MissingText[] {
    const { source, position } = behind ?? { source: Number.MAX_SAFE_INTEGER, position: 0 };
    return this.page.all(source, position, areFacts ? 1 : 0, this.model.id, this.model.id, limit);
  }

  /**
   * Stores vectors in one transaction. Null marks a text that the model refused. If a text has a vector already, it is kept.
   */
  add(vectors: readonly NewVector[]): void {
    this.db
      .transaction(() => {
        for (const { hash, tongue, vector } of vectors) {
          const blob = vector === null ? null : vectorToBlob(vector);
          const { changes, lastInsertRowid } = this.insert.run(this.model.id, hash, tongue, blob);
          if (changes === 1 && blob !== null && this.hasBits) this.insertBits.run(lastInsertRowid, blob);
        }
      })
      .immediate();
  }

  /**
   * Computes the bits of all vectors of this model if there are many. The table of bits has room for one model: bits of
   * another model are deleted.
   */
  keepBits(): void {
    if (this.hasBits || this.model.dimension % 8 !== 0) return;
    const count = Number(this.db.prepare('SELECT count(*) FROM vector WHERE model = ?').pluck().get(this.model.id));
    if (count <= this.exactUpTo) return;
    this.db
      .transaction(() => {
        this.db.exec('DELETE FROM bits');
        this.db
          .prepare(
            `INSERT INTO bits (id, bits) SELECT id, vec_quantize_binary(embedding) FROM vector
             WHERE +model = ? AND embedding IS NOT NULL`,
          )
          .run(this.model.id);
        this.db.prepare('UPDATE model SET has_bits = (id = ?)').run(this.model.id);
      })
      .immediate();
    this.hasBits = true;
  }

  /** Forgets which texts the model refused, so that they are tried again. */
  retryRefused(): void {
    this.db.prepare('DELETE FROM vector WHERE model = ? AND embedding IS NULL').run(this.model.id);
  }

  /**
   * Called when a model has all of its vectors. Deletes the vectors of other models. If there are many vectors of texts that
   * are no longer in any file, deletes these, too.
   */
  prune(): void {
    const used = Number(this.db.prepare('SELECT count(DISTINCT hash) FROM place').pluck().get());
    this.db
      .transaction(() => {
        const others = this.db.prepare('DELETE FROM vector WHERE model <> ?').run(this.model.id).changes;
        if (others > 0) this.db.prepare('DELETE FROM bits WHERE id NOT IN (SELECT id FROM vector)').run();
        this.db.prepare('DELETE FROM model WHERE id <> ?').run(this.model.id);
        for (const table of ['known', 'probe'])
          this.db.prepare(`DELETE FROM ${table} WHERE model <> ?`).run(this.model.id);
        const unused = 'FROM vector WHERE NOT EXISTS (SELECT 1 FROM place WHERE place.hash = vector.hash)';
        const count = Number(this.db.prepare(`SELECT count(*) ${unused}`).pluck().get());
        if (count <= Math.max(UNUSED.least, UNUSED.share * used)) return;
        this.db.exec(`DELETE FROM bits WHERE id IN (SELECT id ${unused}); DELETE ${unused}`);
      })
      .immediate();
    this.db.exec('PRAGMA incremental_vacuum');
  }
}
