import { nearest } from '../../base/nearest.js';
import type { Search } from '../../index/search.js';
import { entitySlug } from '../../text/slug.js';

/** A warning for each name that nothing is known of, with the name that was probably meant. */
export function unknownEntities(search: Search, names: readonly string[]): readonly string[] {
  const unknown = names.filter((name) => search.entity(entitySlug(name)) === undefined);
  if (unknown.length === 0) return [];
  const known = search.entities().map(({ name }) => name);
  return unknown.map((name) => {
    const meant = nearest(name.replace(/^@/, ''), known);
    return `nothing is known of "${name}"${meant === undefined ? '' : `; did you mean ${meant}?`}`;
  });
}
