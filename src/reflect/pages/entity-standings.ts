import type { Day } from '../../base/clock.js';
import type { Times } from '../../language/time/times.js';
import { type Standing, standingsOn } from '../../memory/holding/standing.js';
import type { FactReader, ReflectFact } from '../facts.js';

/** Where each part of the facts about an entity stands on a day. */
export type FactStanding = Standing<ReflectFact>;

export interface StandingDay {
  readonly today: Day;
  /** Reads the times of a text. */
  readonly openTimes: (text: string) => Promise<Times>;
  /** So long what passes by nature holds after its last mention, in days. */
  readonly passingDays: number;
  readonly slugOf: (name: string) => string;
}

/** Of an entity's facts so many of those indexed last are looked at. */
export const MOST_FACTS = 2_000;

/** Where the facts about entities stand, looked up once. */
export class EntityStandings {
  private readonly known = new Map<string, Promise<readonly FactStanding[]>>();

  constructor(
    private readonly reader: FactReader,
    private readonly day: Omit<StandingDay, 'slugOf'>,
  ) {}

  /** Of each fact about an entity: what replaces it is told of its own subject, whoever else it mentions. */
  async of(slug: string): Promise<readonly FactStanding[]> {
    const own = await this.among(slug);
    const others = new Set(own.flatMap(({ fact }) => fact.about).filter((about) => about !== slug));
    const found = new Map<string, FactStanding[]>();
    for (const other of others) {
      for (const standing of await this.among(other)) {
        if (standing.ending !== 'replaced' && standing.fact.about.includes(slug)) continue;
        const key = keyOf(standing);
        found.set(key, [...(found.get(key) ?? []), standing]);
      }
    }
    return own.map((standing) => found.get(keyOf(standing))?.[0] ?? standing);
  }

  /** As far as the facts about one entity tell. */
  private among(slug: string): Promise<readonly FactStanding[]> {
    const known = this.known.get(slug);
    if (known !== undefined) return known;
    const slugOf = (name: string): string => this.reader.slugOf(name);
    const found = factStandings(this.reader.ofEntity(slug, MOST_FACTS), { ...this.day, slugOf });
    this.known.set(slug, found);
    return found;
  }
}

function keyOf({ fact, part }: FactStanding): string {
  return `${fact.id} ${part}`;
}

/** Judges facts by the day: opinions are beliefs, and are weighed elsewhere. */
async function factStandings(
  facts: readonly ReflectFact[],
  { today, openTimes, passingDays, slugOf }: StandingDay,
): Promise<readonly FactStanding[]> {
  const stated = facts
    .filter(({ kind }) => kind !== 'opinion')
    .map((fact) => (fact.saidOn === fact.day ? fact : { ...fact, day: fact.saidOn }));
  const times = await openTimes(stated.map(({ text }) => text).join('\n'));
  return standingsOn(stated, today, { times, passingDays, slugOf });
}
