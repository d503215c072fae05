import { mayBeDamage } from '../db/open.js';
import type { FoundUnit, Search } from '../index/search.js';
import type { VectorSearch } from '../index/vectors/nearest.js';
import { isOfVectors } from '../index/vectors/path.js';
import { Nearness } from '../recall/nearness.js';
import type { Near } from './beliefs/beliefs.js';

/** How near facts are to beliefs of the page, by the vectors of both. One that this run begins has none yet. */
export function nearnessOf(search: Search, vectors: VectorSearch): Near {
  const nearness = new Nearness(search, vectors);
  const units = new Map<string, FoundUnit | undefined>();
  const unitOf = (id: string): FoundUnit | undefined => {
    if (!units.has(id)) units.set(id, search.statements(id)[0]);
    return units.get(id);
  };
  return (fact, belief) => {
    const [one, other] = [unitOf(fact.id), unitOf(belief.id)];
    try {
      return one === undefined || other === undefined ? 0 : nearness.between(one, other);
    } catch (error) {
      // Words find pairs without them; the next question by meaning sets them aside.
      if (isOfVectors(error) && mayBeDamage(error)) return 0;
      throw error;
    }
  };
}
