import { Cache } from '../../base/cache.js';
import { compareText, groupBy } from '../../base/order.js';
import type { PageFactStatus } from './entity-statuses.js';

interface NameAtRank {
  readonly other: string;
  readonly name: string;
}

/** Maximum number of rankings in the cache. */
const MOST_CACHED = 100;

/**
 * Ranks the entities that some facts name, by the number of facts. Pages with the same facts share one ranking: a fact may
 * name 20,000 entities, and be the only one on the page of each.
 */
export class RankedNames {
  private readonly cache = new Cache<string, readonly NameAtRank[]>(MOST_CACHED);

  /** @param budget maximum number of names on a page */
  constructor(private readonly budget: number) {}

  /** The first names; one more than a page may show, because a page leaves out its own entity. */
  of(standings: readonly PageFactStatus[]): readonly NameAtRank[] {
    return this.cache.of(standings.map(({ fact }) => fact.id).join(' '), () => rank(standings, this.budget + 1));
  }
}

function rank(standings: readonly PageFactStatus[], most: number): readonly NameAtRank[] {
  const named = standings.flatMap(({ fact }) =>
    fact.slugs.map((other, index) => ({ other, name: fact.names[index] ?? other, id: fact.id })),
  );
  return [...groupBy(named, ({ other }) => other)]
    .map(([other, of]) => ({ other, name: of[0]?.name ?? other, facts: new Set(of.map(({ id }) => id)).size }))
    .sort((a, b) => b.facts - a.facts || compareText(a.other, b.other))
    .slice(0, most);
}
