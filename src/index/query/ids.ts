import { fail } from '../../base/failure.js';
import { logLineId, textHash } from '../../memory/fact.js';
import { openIndex } from '../open.js';
import { type FoundUnit, IndexSearch } from '../search.js';

const ID = /^\^?([fol]-[0-9a-hjkmnp-tv-z]{4,13})$/;
const WHOLE = 'f-'.length + 13;
/**
 * Minimum length of a shortened id, with its prefix: 8 characters, as in `f-k3m9xq`. This is short enough to read and type.
 */
const SHORTEST = 'f-'.length + 6;
/**
 * In a workspace with at most this many lines, the short ids of log lines have the minimum length. Then only one line in
 * 200,000 shares its short id with another. In a larger workspace, these short ids are longer. It is not checked that the
 * short id of a log line is unique: ids of log lines are not stored, and computing all of them would take longer than the
 * answer.
 */
const FEW_LINES = 5_000;
/** Maximum number of ids with the same first characters that are compared. */
const MOST_ALIKE = 100;
const MOST_NAMED = 5;

/**
 * Completes an id from its first characters. A text that is not an id, or not the beginning of one, is returned unchanged.
 * @throws MemoryError `usage` if several ids begin with these characters
 */
export function expandId(search: Pick<IndexSearch, 'idsWith'>, given: string): string {
  const [, id] = ID.exec(given) ?? [];
  if (id === undefined || id.length === WHOLE) return id ?? given;
  const found = search.idsWith(id, MOST_NAMED + 1);
  const [only = id, other] = found;
  if (other === undefined) return only;
  const named = `${found.slice(0, MOST_NAMED).join(', ')}${found.length > MOST_NAMED ? ', …' : ''}`;
  return fail('usage', `several ids begin with ${id}`, `use a longer id: ${named}`);
}

const PLACE = /^(.+\.md)#L(\d+)(?:-L?\d+)?$/;

/** The id of a fact, or of a line of log text. */
export function unitId(unit: FoundUnit, search: IndexSearch): string {
  return unit.fact ?? logLineId(unit.file.path, unit.text, search.occurrence(unit));
}

/** Finds the line of log text with an id on a page, by the hash of its text. */
export function findLogLine(
  search: IndexSearch,
  id: string,
  { path, text }: { readonly path: string; readonly text: string },
): FoundUnit | undefined {
  const file = search.file(path);
  const units = file === undefined ? [] : search.range(file.firstUnit, file.lastUnit);
  return units.find((unit) => unit.fact === null && textHash(unit.text) === text && unitId(unit, search) === id);
}

/** Like {@link expandId}, but also accepts a citation such as `memory/2026-03-12.md#L4`. */
export function resolveId(search: IndexSearch, given: string): string {
  const [, path = '', line] = PLACE.exec(given) ?? [];
  const file = search.file(path);
  if (file === undefined) return expandId(search, given);
  const there = search.range(file.firstUnit, file.lastUnit).filter((unit) => unit.line === Number(line));
  const unit = there.find(({ fact }) => fact !== null) ?? there[0];
  return unit === undefined ? given : unitId(unit, search);
}

/** Shortens ids for a person to read: each to the fewest characters that no other id begins with. */
export function shortenIds(search: IndexSearch, ids: Iterable<string>): ReadonlyMap<string, string> {
  const ofLine = search.size() > FEW_LINES ? SHORTEST + 3 : SHORTEST;
  return new Map(
    [...new Set(ids)].map((id) => {
      if (id.startsWith('l-')) return [id, id.slice(0, ofLine)];
      const others = search.idsWith(id.slice(0, SHORTEST), MOST_ALIKE);
      return [id, id.slice(0, Math.max(SHORTEST, ...others.map((other) => apartAt(id, other))))];
    }),
  );
}

/** Like {@link shortenIds}, but with the index as it is on disk. Undefined without an index. */
export function shortenIndexedIds(
  stateFolder: string,
  ids: Iterable<string>,
): ReturnType<typeof shortenIds> | undefined {
  const opened = openIndex(stateFolder);
  if (opened.state !== 'ready') return undefined;
  try {
    return shortenIds(new IndexSearch([{ db: opened.db, masked: new Set() }]), ids);
  } finally {
    opened.db.close();
  }
}

/** Number of first characters that are needed to distinguish an id from another one. */
function apartAt(id: string, other: string): number {
  if (id === other) return 0;
  let at = 0;
  while (id[at] === other[at]) at++;
  return at + 1;
}
