import type { Database } from '../../db/open.js';
import type { LanguageGroup } from '../../language/language-group.js';
import type { KnownLanguageGroups } from '../../model/language-probes.js';
import type { Search } from '../search.js';
import { IS_UNKNOWN, readKnown, type StoredModel, storedModels } from './models.js';
import { hashKey } from './nearest.js';
import { openVectors } from './open.js';
import { embeddedUnits, findStale } from './places.js';

/** What vectors there are, in numbers of texts. */
export interface VectorOverview {
  /** The embedding model that is set. */
  readonly model: string;
  /** With a vector of that model. */
  readonly current: number;
  /** Refused by it. */
  readonly refused: number;
  /** Without one: `index --embed` makes it. */
  readonly missing: number;
  /** Vectors of other models or versions, unused until that model is set again. */
  readonly other: number;
}

/** The model that is set, by what its vectors are of. */
type SetModel = Pick<StoredModel, 'name' | 'scheme'>;

/** Undefined when none were ever made, or what was made can't be used. */
export function vectorOverview(
  stateFolder: string,
  set: SetModel,
  search: Search,
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

/** The tongues of lines that the model which is set does not know, with how many texts are in each: they have no vector. */
export function untestedGroups(
  stateFolder: string,
  set: SetModel,
): readonly { readonly tongue: LanguageGroup; readonly texts: number }[] {
  const found = reading(stateFolder, (db) => {
    const count = db.prepare('SELECT count(DISTINCT hash) FROM place WHERE tongue = ?').pluck();
    const unknown = [...readKnown(db, idOf(db, set))].flatMap(([tongue, share]) => (share === 0 ? tongue : []));
    return unknown.map((tongue) => ({ tongue, texts: Number(count.get(tongue)) })).filter(({ texts }) => texts > 0);
  });
  return found ?? [];
}

/** How far the model of this name knows tongues, where there are vectors of it. */
export function storedLanguageGroups(stateFolder: string, name: string): KnownLanguageGroups | undefined {
  return reading(stateFolder, (db) => {
    const model = storedModels(db).find((stored) => stored.name === name);
    return model && readKnown(db, model.id);
  });
}

/** What is read of the vectors; undefined where there are none that can be used. */
function reading<T>(stateFolder: string, read: (db: Database) => T): T | undefined {
  const opened = openVectors(stateFolder);
  if (opened.state !== 'ready') return undefined;
  try {
    return read(opened.db);
  } finally {
    opened.db.close();
  }
}

/** By which vectors of a model are found; -1 where there are none. */
function idOf(db: Database, set: SetModel): number {
  return storedModels(db).find(({ name, scheme }) => name === set.name && scheme === set.scheme)?.id ?? -1;
}

/** As the files are now, whether or not their places are up to date. */
function countMissingNow(db: Database, model: number, search: Search, withResources: boolean): number {
  const { stale, gone } = findStale(db, search, withResources);
  const changed = [...stale.map(({ path }) => path), ...gone];
  const inPlace = db
    .prepare(
      `SELECT count(DISTINCT place.hash) FROM place JOIN source ON source.id = place.source
       WHERE source.path NOT IN (SELECT value FROM json_each(?))
         AND NOT EXISTS (SELECT 1 FROM vector WHERE vector.model = ? AND vector.hash = place.hash)
         AND NOT ${IS_UNKNOWN}`,
    )
    .pluck()
    .get(JSON.stringify(changed), model, model);
  const known = db.prepare('SELECT 1 FROM vector WHERE model = ? AND hash = ?').pluck();
  const tongues = readKnown(db, model);
  const missing = new Set<string>();
  for (const { path } of stale) {
    const file = search.file(path);
    if (file === undefined) continue;
    for (const { text } of embeddedUnits(search, file))
      if (tongues.get(text.tongue) !== 0 && known.get(model, text.hash) === undefined) missing.add(hashKey(text.hash));
  }
  return Number(inPlace) + missing.size;
}
