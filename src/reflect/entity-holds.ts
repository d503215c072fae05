import type { DateOrder, Day } from '../base/clock.js';
import type { Search } from '../index/search.js';
import { openTimes } from '../language/time/times.js';
import type { Ending, StandingPlace } from '../memory/holding/standing.js';
import { containedPath } from '../workspace/contained.js';
import { readVersion } from '../workspace/files.js';
import { FactReader } from './facts.js';
import { EntityStandings, type FactStanding } from './pages/entity-standings.js';
import { sentenceOf } from './pages/fact-line.js';

/** A part of a fact as it stands on a day. */
export interface HeldStatement {
  /** In its own words, with its subject where that is somebody else. */
  readonly text: string;
  /** `f-…` */
  readonly id: string;
  readonly source: string;
  /** From when to when it holds or held; the days of an event or a plan. Null where nobody knows. */
  readonly from: Day | null;
  readonly to: Day | null;
  /** Why it holds no more. */
  readonly ending: Ending | null;
  /** Others that hold, too, and can't be true with it: nobody knows which is. */
  readonly against?: readonly { readonly text: string; readonly source: string }[];
}

/** What holds of an entity on a day, what is planned, what happened, and what was before: as on its page, but all of it. */
export type EntityHolds = Readonly<Record<Exclude<StandingPlace, 'nowhere'>, readonly HeldStatement[]>>;

export interface EntityHoldsOptions {
  readonly today: Day;
  readonly dateOrder?: DateOrder | undefined;
  readonly passingDays: number;
  /** The workspace. */
  readonly root: string;
}

/** Judges the facts about an entity by the day. @param name or an alias */
export async function entityHolds(search: Search, name: string, options: EntityHoldsOptions): Promise<EntityHolds> {
  return new Holdings(search, options).of(name);
}

/** As {@link entityHolds} for several entities: what is told of one by facts about another is looked up once. */
export class Holdings {
  readonly reader: FactReader;
  private readonly known: EntityStandings;

  constructor(search: Search, { today, dateOrder, passingDays, root }: EntityHoldsOptions) {
    const readPage = (path: string) => readVersion(containedPath(root, path))?.bytes.toString('utf8') ?? null;
    this.reader = new FactReader(search, readPage, today);
    const open = (text: string) => openTimes(text, dateOrder);
    this.known = new EntityStandings(this.reader, { today, openTimes: open, passingDays });
  }

  /** @param name or an alias */
  async of(name: string): Promise<EntityHolds> {
    const slug = this.reader.slugOf(name);
    const standings = await this.standings(slug);
    const at = (place: StandingPlace) => standings.filter((one) => one.place === place).map((one) => held(one, slug));
    return { now: at('now'), planned: at('planned'), lately: at('lately'), before: at('before') };
  }

  standings(slug: string): Promise<readonly FactStanding[]> {
    return this.known.of(slug);
  }
}

function held(standing: FactStanding, slug: string): HeldStatement {
  const { fact, from, to, ending, against } = standing;
  const others = against.map((other) => ({ text: sentenceOf(other, slug), source: other.fact.source }));
  const disputed = others.length === 0 ? {} : { against: others };
  return { text: sentenceOf(standing, slug), id: fact.id, source: fact.source, from, to, ending, ...disputed };
}
