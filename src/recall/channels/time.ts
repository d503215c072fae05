import type { Filter, Search, UnitKey } from '../../index/search.js';

/** Everything of a time window: "what happened around Nov 27" names nothing else. */
export function timeChannel(search: Search, filter: Filter, limit: number): readonly UnitKey[] {
  return filter.since === undefined && filter.until === undefined ? [] : search.filtered(filter, limit);
}
