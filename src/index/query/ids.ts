import { fail } from '../../base/failure.js';
import type { Search } from '../search.js';

const ID = /^\^?([fol]-[0-9a-hjkmnp-tv-z]{1,13})$/;
const WHOLE = 'f-'.length + 13;
/** A person reads and types so many characters of an id at least, its kind included. */
const SHORTEST = 'f-'.length + 6;
/** Above so many lines their ids are not all made for one answer; a prefix is as long as makes it unique in practice. */
const MOST_LINES = 5_000;
/** So many ids with one beginning are told apart. */
const MOST_ALIKE = 100;
const MOST_NAMED = 5;

/**
 * The whole id that its beginning means. What nothing has, and what is no id, comes back as it is.
 * @throws MemoryError `usage` for the beginning of several
 */
export function wholeId(search: Pick<Search, 'idsWith'>, given: string): string {
  const [, id] = ID.exec(given) ?? [];
  if (id === undefined || id.length === WHOLE) return id ?? given;
  const found = search.idsWith(id, MOST_NAMED + 1);
  const [only = id, other] = found;
  if (other === undefined) return only;
  const named = `${found.slice(0, MOST_NAMED).join(', ')}${found.length > MOST_NAMED ? ', …' : ''}`;
  return fail('usage', `${id} is the beginning of several ids`, `name one: ${named}`);
}

/** The shortest beginnings of some ids that mean nothing else, for a person to read. */
export function shortIds(search: Search, ids: Iterable<string>): ReadonlyMap<string, string> {
  const wanted = [...new Set(ids)];
  const hasLines = wanted.some((id) => id.startsWith('l-'));
  const isCostly = search.size() > MOST_LINES;
  const lines = hasLines && !isCostly ? byBeginning(search.logIds()) : new Map<string, readonly string[]>();
  return new Map(
    wanted.map((id) => {
      const beginning = id.slice(0, SHORTEST);
      const others = id.startsWith('l-') ? (lines.get(beginning) ?? []) : search.idsWith(beginning, MOST_ALIKE);
      const least = id.startsWith('l-') && isCostly ? SHORTEST + 3 : SHORTEST;
      return [id, id.slice(0, Math.max(least, ...others.map((other) => apartAt(id, other))))];
    }),
  );
}

/** How much of an id tells it from another one. */
function apartAt(id: string, other: string): number {
  if (id === other) return 0;
  let at = 0;
  while (id[at] === other[at]) at++;
  return at + 1;
}

function byBeginning(ids: Iterable<string>): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const id of ids) {
    const beginning = id.slice(0, SHORTEST);
    const group = groups.get(beginning);
    if (group === undefined) groups.set(beginning, [id]);
    else group.push(id);
  }
  return groups;
}
