import type { Filter, Search, UnitKey } from '../../index/search.js';

/** Units that are linked to an entity that the question names, by `@`, name or alias. */
export function entityChannel(
  search: Search,
  slugs: readonly string[],
  filter: Filter,
  limit: number,
): readonly UnitKey[] {
  return slugs.length === 0 ? [] : search.linked(slugs, filter, limit);
}
