import type { Database, PreparedStatement } from '../../db/open.js';
import { toBlob } from '../../db/vector-functions.js';
import type { LanguageGroup } from '../../language/language-group.js';
import { IS_UNKNOWN, type StoredModel } from './models.js';

/** Up to so many vectors every one is compared; above, the bits choose which. */
const EXACT_UP_TO = 50_000;
/** Vectors of texts that stand nowhere any more are kept up to so many: an edit may be undone, a branch switched back. */
const UNUSED = { least: 1_000, share: 0.2 };

/** A text without a vector, at one of its places. */
export interface MissingText {
  readonly source: number;
  readonly position: number;
  readonly path: string;
  readonly hash: Buffer;
}

export interface NewVector {
  readonly hash: Buffer;
  readonly tongue: LanguageGroup;
  readonly vector: Float32Array | null;
}

/** Writes the vectors of one model. Only under the vectors' lock. */
export class VectorStore {
  private readonly insert: PreparedStatement;
  private readonly insertBits: PreparedStatement;
  private readonly page: PreparedStatement<unknown[], MissingText>;
  private hasBits: boolean;

  constructor(
    private readonly db: Database,
    private readonly model: StoredModel,
    /** Above so many vectors bits are kept. */
    private readonly exactUpTo = EXACT_UP_TO,
  ) {
    this.hasBits = model.hasBits;
    this.insert = db.prepare('INSERT OR IGNORE INTO vector (model, hash, tongue, embedding) VALUES (?, ?, ?, ?)');
    this.insertBits = db.prepare('INSERT INTO bits (id, bits) VALUES (?, vec_quantize_binary(?))');
    // The newest files come last in path order; they are what is asked about most, and get vectors first.
    this.page = db.prepare(`
      SELECT place.source, place.position, source.path, place.hash FROM place JOIN source ON source.id = place.source
      WHERE (place.source, place.position) < (?, ?) AND place.is_fact = ?
        AND NOT EXISTS (SELECT 1 FROM vector WHERE vector.model = ? AND vector.hash = place.hash) AND NOT ${IS_UNKNOWN}
      ORDER BY place.source DESC, place.position DESC LIMIT ?`);
  }

  /** How many texts that stand somewhere have no vector yet. */
  countMissing(): number {
    const sql = `SELECT count(DISTINCT hash) FROM place
      WHERE NOT EXISTS (SELECT 1 FROM vector WHERE vector.model = ? AND vector.hash = place.hash) AND NOT ${IS_UNKNOWN}`;
    return Number(this.db.prepare(sql).pluck().get(this.model.id, this.model.id));
  }

  /** Places of facts, or of all else, without a vector, from behind the given one on; a text may come several times. */
  missing(
    behind: Pick<MissingText, 'source' | 'position'> | undefined,
    areFacts: boolean,
    limit: number,
  ): readonly MissingText[] {
    const { source, position } = behind ?? { source: Number.MAX_SAFE_INTEGER, position: 0 };
    return this.page.all(source, position, areFacts ? 1 : 0, this.model.id, this.model.id, limit);
  }

  /** Stores vectors, null for texts that the model refuses, all or none. A text that has one keeps it. */
  add(vectors: readonly NewVector[]): void {
    this.db
      .transaction(() => {
        for (const { hash, tongue, vector } of vectors) {
          const blob = vector === null ? null : toBlob(vector);
          const { changes, lastInsertRowid } = this.insert.run(this.model.id, hash, tongue, blob);
          if (changes === 1 && blob !== null && this.hasBits) this.insertBits.run(lastInsertRowid, blob);
        }
      })
      .immediate();
  }

  /** Makes the bits of all vectors once there are many of them. Bits are of one model: the last that needed them. */
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
   * Drops what a model with all its vectors makes useless: the vectors of other models, and those of texts that stand
   * nowhere any more when they have become many.
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
