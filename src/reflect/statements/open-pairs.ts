import { newestFirst, type Strand, threadsOf } from '../../memory/threads/threads.js';
import type { PairBook } from '../../memory/threads/verdicts.js';
import type { Near } from '../beliefs/beliefs.js';
import type { ReflectFact } from '../facts.js';
import type { EntityStandings, FactStanding } from '../pages/entity-standings.js';

/** Two statements of one subject of which nobody has said what the later does to the earlier. */
export interface StatementPair {
  /** As written, with its `@`. */
  readonly subject: string;
  readonly earlier: ReflectFact;
  readonly later: ReflectFact;
}

/** So many statements that one shares something with it is set against, and so many that share nothing. */
const MOST = { linked: 16, unlinked: 8 } as const;

/** The statements of one subject, as far as pairs are made of them. */
interface Subject {
  /** By id, the newest first. */
  readonly facts: ReadonlyMap<string, ReflectFact>;
  /** Earlier ones that a statement links with, and later ones, where nobody has settled them. Ids. */
  readonly earlier: ReadonlyMap<string, readonly string[]>;
  readonly later: ReadonlyMap<string, readonly string[]>;
  /** What holds or is planned, the newest first. */
  readonly current: readonly ReflectFact[];
}

/** Finds the pairs that a judge may be asked about. Pure but for what it looks up. */
export class OpenPairs {
  private readonly subjects = new Map<string, Subject>();

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
    const { facts, earlier, later, current } = this.subject(slug);
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

  private subject(slug: string): Subject {
    const known = this.subjects.get(slug);
    if (known !== undefined) return known;
    const { standings } = this;
    const facts = new Map(
      standings
        .facts(slug)
        .toSorted(newestFirst)
        .map((fact) => [fact.id, fact]),
    );
    const held = new Set(standings.told(slug).flatMap(heldIds));
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
    const current = standings
      .told(slug)
      .filter(({ place }) => place === 'now' || place === 'planned' || place === 'preferences');
    const ids = new Set(current.flatMap(heldIds));
    const found = { facts, earlier, later, current: [...facts.values()].filter(({ id }) => ids.has(id)) };
    this.subjects.set(slug, found);
    return found;
  }
}

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
