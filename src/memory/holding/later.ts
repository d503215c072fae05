import { newestFirst, type Told } from '../supersession/supersession.js';

/**
 * Facts that may end what held before, to be found by what they have in common with it: most pairs of facts about one
 * thing have nothing, and a thing with thousands of facts has millions of pairs.
 */
export class Later<T extends Told> {
  private readonly order = new Map<T, number>();
  private readonly begin = new Map<string, T[]>();
  private readonly stop = new Map<string, T[]>();
  private readonly telling: T[] = [];
  private readonly found = new Map<string, readonly T[]>();

  /**
   * @param facts the newest first
   * @param mayEnd whether one may end what has nothing in common with it
   */
  constructor(facts: readonly T[], mayEnd: (fact: T) => boolean) {
    for (const [index, fact] of facts.entries()) {
      this.order.set(fact, index);
      const [first, last] = fact.edges;
      put(this.begin, first, fact);
      put(this.stop, last, fact);
      if (fact.tellsOfChange || fact.replacement !== undefined || mayEnd(fact)) this.telling.push(fact);
    }
  }

  /** Of those {@link near} one, what was told after it: the newest first. */
  after(earlier: Told): readonly T[] {
    const near = this.near(earlier);
    let [from, to] = [0, near.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      const fact = near[middle];
      if (fact !== undefined && newestFirst(fact, earlier) < 0) from = middle + 1;
      else to = middle;
    }
    return near.slice(0, from);
  }

  /** Those that begin or end like one, or tell of a change; the newest first. */
  near(earlier: Told): readonly T[] {
    const [first, last] = earlier.edges;
    const key = `${first} ${last}`;
    const known = this.found.get(key);
    if (known !== undefined) return known;
    const all = new Set([...(this.begin.get(first) ?? []), ...(this.stop.get(last) ?? []), ...this.telling]);
    const sorted = [...all].sort((a, b) => (this.order.get(a) ?? 0) - (this.order.get(b) ?? 0));
    this.found.set(key, sorted);
    return sorted;
  }
}

function put<T>(map: Map<string, T[]>, key: string, fact: T): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [fact]);
  else known.push(fact);
}
