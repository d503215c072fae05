import type { Day } from '../../base/clock.js';
import { type Standing, standingsOn } from '../../memory/threads/standing.js';
import type { ThreadOptions } from '../../memory/threads/threads.js';
import type { PairVerdicts } from '../../memory/threads/verdicts.js';
import { type FactReader, type ReflectFact, saidFact } from '../facts.js';

/** Where what a fact says stands on a day. */
export type FactStanding = Standing<ReflectFact>;

/** Of an entity's facts so many of those indexed last are looked at. */
export const MOST_FACTS = 4_000;

/** Where the facts about entities stand, looked up once. */
export class EntityStandings implements ThreadOptions {
  private readonly known = new Map<string, readonly FactStanding[]>();

  constructor(
    readonly reader: FactReader,
    readonly day: Day,
    readonly verdicts: PairVerdicts,
  ) {}

  /** Of each fact about an entity; of one that is told of another and mentions it, as it stands among what is told of that one. */
  of(slug: string): readonly FactStanding[] {
    const told = this.told(slug);
    const facts = this.reader.ofEntity(slug, MOST_FACTS).filter(({ subjects }) => !subjects.includes(slug));
    const mentions = new Set(facts.map(({ id }) => id));
    const others = [...new Set(facts.flatMap(({ subjects }) => subjects[0] ?? []))].flatMap((other) =>
      this.told(other).filter(({ fact }) => fact.subjects[0] === other && mentions.has(fact.id)),
    );
    return [...told, ...others.map((standing) => ({ ...standing, earlier: [] }))];
  }

  /** Where those stand that are told of an entity itself. */
  told(slug: string): readonly FactStanding[] {
    const known = this.known.get(slug);
    if (known !== undefined) return known;
    const found = standingsOn(this.facts(slug), this);
    this.known.set(slug, found);
    return found;
  }

  /** What is told of an entity itself, as of the days on which it was said. */
  facts(slug: string): readonly ReflectFact[] {
    return this.reader
      .ofEntity(slug, MOST_FACTS)
      .filter(({ subjects, isJob }) => subjects.includes(slug) && !isJob)
      .map(saidFact);
  }
}
