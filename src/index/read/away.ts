import { parseRecord } from '../../base/json.js';
import type { Database } from '../../db/open.js';
import { AwayFiles, type AwayPlaces, type FactIdsByPath, isAway } from '../../memory/away.js';

const KEY = 'away';

/**
 * Lists the temporarily unavailable files that were recorded before or are still in the index. Maps the path of each file to
 * the ids of its facts.
 */
export function readAwayRecord(db: Database, places: AwayPlaces): FactIdsByPath {
  if (places.files.length + places.folders.length === 0) return {};
  const facts = db
    .prepare<[string], string>(
      "SELECT DISTINCT fact FROM unit JOIN file ON file.id = unit.file WHERE path = ? AND fact LIKE 'f-%'",
    )
    .pluck();
  const paths = db.prepare<[], string>('SELECT path FROM file').pluck().all();
  const indexed = paths.filter((path) => isAway(places, path)).map((path) => [path, facts.all(path)]);
  return { ...noted(db, places), ...Object.fromEntries(indexed) };
}

/**
 * The files that are temporarily unavailable, for example because a disk is not mounted or only a placeholder of a cloud
 * file is there.
 */
export function readAwayFiles(db: Database, places: AwayPlaces): AwayFiles {
  if (places.files.length + places.folders.length === 0) return AwayFiles.NONE;
  return new AwayFiles(places, readAwayRecord(db, places));
}

function noted(db: Database, places: AwayPlaces): FactIdsByPath {
  const kept = db.prepare<[string], string>('SELECT value FROM meta WHERE key = ?').pluck().get(KEY);
  const entries = Object.entries(parseRecord(kept ?? '') ?? {});
  return Object.fromEntries(
    entries.flatMap(([path, ids]) => (isAway(places, path) && Array.isArray(ids) ? [[path, ids.map(String)]] : [])),
  );
}

export function storeAwayRecord(db: Database, record: FactIdsByPath): void {
  db.prepare('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)').run(KEY, JSON.stringify(record));
}
