import type { Database } from '../../db/open.js';
import type { LanguageGroup } from '../../language/language-group.js';
import type { KnownLanguageGroups } from '../../model/language-probes.js';
import type { IndexSearch } from '../search.js';
import { readKnownLanguageGroups, readStoredModels, type StoredModel, UNKNOWN_GROUP_FILTER } from './models.js';
import { hashKey } from './nearest.js';
import { openVectors } from './open.js';
import { embeddedUnits, findStaleTextPositions } from './places.js';

/** How many texts have a vector, and how many do not. */
export interface VectorOverview {
  /** The embedding model of the settings. */
  readonly model: string;
  /** Number of texts that have a vector of this model. */
  readonly current: number;
  /** Number of texts that this model refused to embed. */
  readonly refused: number;
  /** Number of texts that have no vector yet. `index --embed` makes these vectors. */
  readonly missing: number;
  /** Number of vectors of other models or versions. They are not used until the settings name that model again. */
  readonly other: number;
}

/** The embedding model of the settings, with only the fields that identify its vectors. */
type SetModel = Pick<StoredModel, 'name' | 'scheme'>;

/** Counts the vectors. Undefined if there are none, or the database can't be used. */
export function vectorOverview(
  stateFolder: string,
  set: SetModel,
  search: IndexSearch,
  withResources: boolean,
): VectorOverview | undefined {
  return reading(stateFolder, (db) => {
    const model = idOf(db, set);
    const count = (condition: string): number =>
      Number(db.prepare(`SELECT count(*) FROM vector WHERE ${condition}`).pluck().get(model));
    const refused = count('+model = ? AND embedding IS NULL');
    return {
      model: set.name,
      current: count('model = ?') - refused,
      refused,
      missing: countMissingNow(db, model, search, withResources),
      other: count('+model <> ?'),
    };
  });
}

/**
 * Language groups that the model of the settings does not know, with the number of texts in each. These texts have no
 * vector.
 */
export function unknownLanguageGroups(
  stateFolder: string,
  set: SetModel,
): readonly { readonly tongue: LanguageGroup; readonly texts: number }[] {
  const found = reading(stateFolder, (db) => {
    const count = db.prepare('SELECT count(DISTINCT hash) FROM place WHERE tongue = ?').pluck();
    const unknown = [...readKnownLanguageGroups(db, idOf(db, set))].flatMap(([tongue, share]) =>
      share === 0 ? tongue : [],
    );
    return unknown.map((tongue) => ({ tongue, texts: Number(count.get(tongue)) })).filter(({ texts }) => texts > 0);
  });
  return found ?? [];
}

/** How well a model knows each language group. The model is found by its name. Undefined if it has no vectors here. */
export function storedLanguageGroups(stateFolder: string, name: string): KnownLanguageGroups | undefined {
  return reading(stateFolder, (db) => {
    const model = readStoredModels(db).find((stored) => stored.name === name);
    return model && readKnownLanguageGroups(db, model.id);
  });
}

/** Calls a function with the database of vectors. Undefined if the database can't be used. */
function reading<T>(stateFolder: string, read: (db: Database) => T): T | undefined {
  const opened = openVectors(stateFolder);
  if (opened.state !== 'ready') return undefined;
  try {
    return read(opened.db);
  } finally {
    opened.db.close();
  }
}

/** The id of a model in the database; -1 if it has no vectors. */
function idOf(db: Database, set: SetModel): number {
  return readStoredModels(db).find(({ name, scheme }) => name === set.name && scheme === set.scheme)?.id ?? -1;
}

/** Counts the texts of the current files that have no vector, even if the table `place` is not up to date. */
function countMissingNow(db: Database, model: number, search: IndexSearch, withResources: boolean): number {
  const { stale, gone } = findStaleTextPositions(db, search, withResources);
  const changed = [...stale.map(({ path }) => path), ...gone];
  const inPlace = db
    .prepare(
      `SELECT count(DISTINCT place.hash) FROM place JOIN source ON source.id = place.source
       WHERE source.path NOT IN (SELECT value FROM json_each(?))
         AND NOT EXISTS (SELECT 1 FROM vector WHERE vector.model = ? AND vector.hash = place.hash)
         AND NOT ${UNKNOWN_GROUP_FILTER}`,
    )
    .pluck()
    .get(JSON.stringify(changed), model, model);
  const known = db.prepare('SELECT 1 FROM vector WHERE model = ? AND hash = ?').pluck();
  const tongues = readKnownLanguageGroups(db, model);
  const missing = new Set<string>();
  for (const { path } of stale) {
    const file = search.file(path);
    if (file === undefined) continue;
    for (const { text } of embeddedUnits(search, file))
      if (tongues.get(text.tongue) !== 0 && known.get(model, text.hash) === undefined) missing.add(hashKey(text.hash));
  }
  return Number(inPlace) + missing.size;
}
