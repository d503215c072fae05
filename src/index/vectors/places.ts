import { setImmediate as yieldToSignals } from 'node:timers/promises';
import type { Database } from '../../db/open.js';
import type { FoundFile, FoundUnit, IndexSearch, UnitKey } from '../search.js';
import { type EmbeddedText, embeddedText, type TextContext } from './embedded-text.js';

/** Number of files per transaction. Small, because readers and other writers wait for its end. */
const FILES_AT_ONCE = 64;

/** A unit that gets a vector. */
interface EmbeddedUnit {
  /** Position of the unit in its file: 0 is the first unit. */
  readonly position: number;
  readonly unit: FoundUnit;
  readonly text: EmbeddedText;
}

/** The units of a file that get a vector, with their positions. */
export function embeddedUnits(search: IndexSearch, file: FoundFile): readonly EmbeddedUnit[] {
  const units = file.lastUnit < file.firstUnit ? [] : search.range(file.firstUnit, file.lastUnit);
  const byKey = new Map(units.map((unit) => [unit.key, unit]));
  const around = createTextContextReader((key) => byKey.get(key));
  return units.flatMap((unit) => {
    const text = embeddedText(unit, around);
    return text === undefined ? [] : [{ position: unit.key - file.firstUnit, unit, text }];
  });
}

/** Gives access to the units around a unit. @param unit finds a unit by its key */
export function createTextContextReader(unit: (key: UnitKey) => FoundUnit | undefined): TextContext {
  return {
    unit,
    before: ({ key, section, file }, distance) => {
      const other = key - distance < file.firstUnit ? undefined : unit(key - distance);
      return other?.section === section && other.key !== section ? other.text : undefined;
    },
    after: ({ key, section, file }) => {
      const other = key === file.lastUnit ? undefined : unit(key + 1);
      return other?.section === section && other.key !== section ? other : undefined;
    },
  };
}

/**
 * Updates the table of places, which says where each text is, for every file that changed since the last time. Only under
 * the lock for vectors.
 * @returns false if it was interrupted
 */
export async function syncTextPositions(
  db: Database,
  search: IndexSearch,
  withResources: boolean,
  signal?: AbortSignal,
): Promise<boolean> {
  const { stale, gone } = findStaleTextPositions(db, search, withResources);
  const statements = prepare(db);
  const remove = (path: string): void => {
    const id = statements.find.pluck().get(path);
    if (id === undefined) return;
    statements.removePlaces.run(id);
    statements.removeSource.run(id);
  };
  for (let done = 0; done < Math.max(stale.length, gone.length); done += FILES_AT_ONCE) {
    if (signal?.aborted) return false;
    db.transaction(() => {
      for (const path of gone.slice(done, done + FILES_AT_ONCE)) remove(path);
      for (const { path, hash } of stale.slice(done, done + FILES_AT_ONCE)) {
        remove(path);
        const file = search.file(path);
        if (file === undefined) continue;
        const id = statements.addSource.run(path, hash).lastInsertRowid;
        for (const { position, unit, text } of embeddedUnits(search, file))
          statements.addPlace.run(id, position, text.hash, text.tongue, unit.fact === null ? 0 : 1);
      }
    }).immediate();
    await yieldToSignals();
  }
  return true;
}

interface StaleTextPositions {
  readonly stale: readonly { readonly path: string; readonly hash: string }[];
  readonly gone: readonly string[];
}

/** Files for which the table of places is outdated: new or changed ones (`stale`), and removed ones (`gone`). */
export function findStaleTextPositions(db: Database, search: IndexSearch, withResources: boolean): StaleTextPositions {
  const known = new Map(db.prepare<[], [string, string]>('SELECT path, hash FROM source').raw().all());
  const stale: { path: string; hash: string }[] = [];
  for (const file of search.files()) {
    if (file.role === 'resource' && !withResources) continue;
    if (known.get(file.path) !== file.hash) stale.push(file);
    known.delete(file.path);
  }
  return { stale, gone: [...known.keys()] };
}

function prepare(db: Database) {
  return {
    find: db.prepare('SELECT id FROM source WHERE path = ?'),
    addSource: db.prepare('INSERT INTO source (path, hash) VALUES (?, ?)'),
    addPlace: db.prepare('INSERT INTO place (source, position, hash, tongue, is_fact) VALUES (?, ?, ?, ?, ?)'),
    removePlaces: db.prepare('DELETE FROM place WHERE source = ?'),
    removeSource: db.prepare('DELETE FROM source WHERE id = ?'),
  };
}
