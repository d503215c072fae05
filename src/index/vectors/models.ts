import type { Database } from '../../db/open.js';
import type { EmbedIdentity } from '../../model/model.js';

/** An identity that vectors were made by. */
export interface StoredModel extends EmbedIdentity {
  readonly id: number;
  /** Whether the signs of its vectors are in `bits`. */
  readonly hasBits: boolean;
}

interface ModelRow extends EmbedIdentity {
  readonly id: number;
  readonly has_bits: number;
}

/** The models that there are vectors of, the latest first. */
export function storedModels(db: Database): readonly StoredModel[] {
  const rows = db
    .prepare<[], ModelRow>('SELECT id, name, digest, dimension, scheme, has_bits FROM model ORDER BY id DESC')
    .all();
  return rows.map(({ has_bits, ...model }) => ({ ...model, hasBits: has_bits === 1 }));
}

/** The row of an identity, made when it is new. Only under the vectors' lock. */
export function storeModel(db: Database, identity: EmbedIdentity): StoredModel {
  const { name, digest, dimension, scheme } = identity;
  const find = () =>
    storedModels(db).find(
      (model) =>
        model.name === name && model.digest === digest && model.dimension === dimension && model.scheme === scheme,
    );
  const known = find();
  if (known !== undefined) return known;
  db.prepare('INSERT INTO model (name, digest, dimension, scheme) VALUES (?, ?, ?, ?)').run(
    name,
    digest,
    dimension,
    scheme,
  );
  const made = find();
  if (made === undefined) throw new Error('a model that was stored is there');
  return made;
}
