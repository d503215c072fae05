import type { Database } from '../../db/open.js';
import { vectorToBlob } from '../../db/vector-functions.js';
import { LANGUAGE_GROUPS, type LanguageGroup } from '../../language/language-group.js';
import type { KnownLanguageGroups, ProbeResult } from '../../model/language-probes.js';
import type { EmbedIdentity } from '../../model/model.js';

/** An embedding model that made vectors in this database. */
export interface StoredModel extends EmbedIdentity {
  readonly id: number;
  /** Whether the table `bits` contains the signs of the vectors that this model made. */
  readonly hasBits: boolean;
}

interface ModelRow extends EmbedIdentity {
  readonly id: number;
  readonly has_bits: number;
}

/** The models that have vectors here, the latest first. */
export function readStoredModels(db: Database): readonly StoredModel[] {
  const rows = db
    .prepare<[], ModelRow>('SELECT id, name, digest, dimension, scheme, has_bits FROM model ORDER BY id DESC')
    .all();
  return rows.map(({ has_bits, ...model }) => ({ ...model, hasBits: has_bits === 1 }));
}

/** Returns the stored row of a model, and adds it if the model is new. Only under the lock for vectors. */
export function storeModel(db: Database, identity: EmbedIdentity): StoredModel {
  const { name, digest, dimension, scheme } = identity;
  const known = readStoredModels(db).find(
    (model) =>
      model.name === name && model.digest === digest && model.dimension === dimension && model.scheme === scheme,
  );
  if (known !== undefined) return known;
  const insert = db.prepare('INSERT INTO model (name, digest, dimension, scheme) VALUES (?, ?, ?, ?)');
  const id = Number(insert.run(name, digest, dimension, scheme).lastInsertRowid);
  return { id, name, digest, dimension, scheme, hasBits: false };
}

/** Reads how well a model knows each language group. Empty if it was not tested yet. */
export function readKnownLanguageGroups(db: Database, model: number): KnownLanguageGroups {
  const rows = db
    .prepare<[number], [string, number]>('SELECT tongue, share FROM known WHERE model = ?')
    .raw()
    .all(model);
  const shares = new Map(rows);
  return new Map(
    LANGUAGE_GROUPS.flatMap((tongue): readonly [LanguageGroup, number][] => {
      const share = shares.get(tongue);
      return share === undefined ? [] : [[tongue, share]];
    }),
  );
}

/**
 * Stores how well a model knows each language group, and the vectors of the test answers. Only under the lock for vectors.
 */
export function storeProbeResult(db: Database, model: number, { known, answers }: ProbeResult): void {
  const insert = db.prepare('INSERT INTO known (model, tongue, share) VALUES (?, ?, ?)');
  const keep = db.prepare('INSERT INTO probe (model, tongue, embedding) VALUES (?, ?, ?)');
  db.transaction(() => {
    for (const [tongue, share] of known) insert.run(model, tongue, share);
    for (const { tongue, vector } of answers) keep.run(model, tongue, vectorToBlob(vector));
  }).immediate();
}

/**
 * SQL condition: a text is in a language group that the model does not know, so it gets no vector. Bind the id of the model.
 */
export const UNKNOWN_GROUP_FILTER =
  'EXISTS (SELECT 1 FROM known WHERE known.model = ? AND known.tongue = place.tongue AND known.share = 0)';
