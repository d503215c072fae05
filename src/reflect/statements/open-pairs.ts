import { Kept } from '../../base/once.js';
import { newestFirst, type Strand, threadsOf } from '../../memory/threads/threads.js';
import type { PairBook } from '../../memory/threads/verdicts.js';
import type { Near } from '../beliefs/beliefs.js';
import type { ReflectFact } from '../facts.js';
import type { StatementPair } from '../minds.js';
import type { EntityStandings, FactStanding } from '../pages/entity-standings.js';

/** So many statements that one shares something with it is set against, and so many that share nothing. */
const MOST = { linked: 16, unlinked: 8 } as const;

/** Finds the pairs that a judge may be asked about. Pure but for what it looks up. */
export class OpenPairs {
  private readonly subjects = new Kept<string, ReturnType<OpenPairs['read']>>();

  constructor(
    private readonly standings: EntityStandings,
    private readonly book: PairBook,
    /** By vectors, when there are some. */
    private readonly near: Near | undefined,
  ) {}

  /** The pairs of a statement: with those of its threads, then, as the later one, with some current ones. */
  of(fact: ReflectFact): readonly StatementPair[] {
    return fact.subjects.flatMap((slug) => this.about(slug, fact.id));
  }

  private about(slug: string, id: string): readonly StatementPair[] {
    const { facts, earlier, later, current } = this.subjects.of(slug, () => this.read(slug));
    const own = facts.get(id);
    if (own === undefined) return [];
    const name = `@${own.names[own.slugs.indexOf(slug)] ?? slug}`;
    const linked = earlier.get(id) ?? [];
    const known = new Set(linked);
    const unlinked = current.filter((one) => !known.has(one.id) && mayChange(own, one) && this.isOpen(own, one));
    const below = [...linked.flatMap((one) => facts.get(one) ?? []), ...this.likely(own, unlinked)];
    const above = (later.get(id) ?? []).flatMap((one) => facts.get(one) ?? []);
    return [
      ...below.map((one) => ({ subject: name, earlier: one, later: own })),
      ...above.map((one) => ({ subject: name, earlier: own, later: one })),
    ];
  }

  /** Those that a statement may change most likely: the nearest by meaning, else the newest. */
  private likely(own: ReflectFact, unlinked: readonly ReflectFact[]): readonly ReflectFact[] {
    const { near } = this;
    if (near === undefined || unlinked.length <= MOST.unlinked) return unlinked.slice(0, MOST.unlinked);
    const sorted = unlinked.map((one) => ({ one, near: near(own, one) })).toSorted((a, b) => b.near - a.near);
    return sorted.slice(0, MOST.unlinked).map(({ one }) => one);
  }

  private isOpen(later: ReflectFact, earlier: ReflectFact): boolean {
    return this.book.of(later.id, earlier.id) === undefined;
  }

  /** The statements of one subject, as far as pairs are made of them. */
  private read(slug: string) {
    const { standings } = this;
    /** By id, the newest first. */
    const sorted = standings.facts(slug).toSorted(newestFirst);
    const facts = new Map(sorted.map((fact) => [fact.id, fact]));
    const held = new Set(standings.told(slug).flatMap(heldIds));
    /** Earlier ones that a statement links with, and later ones, where nobody has settled them. Ids. */
    const earlier = new Map<string, string[]>();
    const later = new Map<string, string[]>();
    for (const [fact, strands] of threadsOf([...facts.values()], standings)) {
      if (!held.has(fact.id)) continue;
      const above = [...new Set(strands.flatMap(openAbove))];
      for (const one of above.filter((by) => mayChange(by, fact) && this.isOpen(by, fact))) {
        const below = earlier.get(one.id) ?? [];
        const over = later.get(fact.id) ?? [];
        if (below.length >= MOST.linked || over.length >= MOST.linked) continue;
        earlier.set(one.id, [...below, fact.id]);
        later.set(fact.id, [...over, one.id]);
      }
    }
    // What holds or is planned.
    const current = standings.told(slug).filter(({ place }) => CURRENT.has(place));
    const ids = new Set(current.flatMap(heldIds));
    return { facts, earlier, later, current: [...facts.values()].filter(({ id }) => ids.has(id)) };
  }
}

const CURRENT: ReadonlySet<string> = new Set(['now', 'planned', 'preferences']);

/** Of a part that its words or a judge have settled there is nothing to ask. */
function openAbove({ above, settledBy, isSaidAgain }: Strand<ReflectFact>): readonly ReflectFact[] {
  return settledBy !== undefined || isSaidAgain ? [] : above.map(({ fact }) => fact);
}

function heldIds({ fact, place, earlier }: FactStanding): readonly string[] {
  return place === 'before' || place === 'nowhere' ? [] : [fact.id, ...earlier.map((one) => one.fact.id)];
}

/** What was done changes nothing, and what somebody thinks and what is so are two matters. */
function mayChange(later: ReflectFact, earlier: ReflectFact): boolean {
  if (later.kind === 'experience' || earlier.kind === 'experience' || later.day === null) return false;
  return (later.kind === 'opinion') === (earlier.kind === 'opinion') && newestFirst(later, earlier) < 0;
}
