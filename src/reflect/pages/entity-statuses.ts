import { Cache } from '../../base/cache.js';
import type { Day } from '../../base/clock.js';
import { groupBy } from '../../base/order.js';
import { type FactStatus, factStatuses, standingAgainst } from '../../memory/threads/fact-status.js';
import type { AreSimilar, ThreadOptions } from '../../memory/threads/threads.js';
import type { PairVerdicts } from '../../memory/threads/verdicts.js';
import { datedByLog, type FactReader, type ReflectFact } from '../facts.js';

/** Where what a fact says stands on a day. */
export type PageFactStatus = FactStatus<ReflectFact>;

/** Of an entity's facts so many of the newest are looked at: what its page has room for is among fewer. */
export const MOST_FACTS = 1_000;
/** Where all of them are wanted. */
export const ALL_FACTS = 4_000;

/** So many facts, those indexed last, are looked at where only the latest count: of another one for the sake of who is mentioned. */
const MOST_OF_OTHER = 150;

/** Where the facts about entities stand, looked up once. */
export class EntityStatuses {
  private readonly options: ThreadOptions;
  private readonly known = new Cache<string, readonly PageFactStatus[]>();
  private readonly all = new Cache<string, readonly PageFactStatus[]>();
  private readonly parts = new Cache<string, ReadonlyMap<string, readonly PageFactStatus[]>>();
  private readonly against = new Cache<string, (fact: ReflectFact) => readonly PageFactStatus[]>();
  private readonly ids = new Cache<string, ReadonlySet<string>>();

  constructor(
    readonly reader: FactReader,
    readonly day: Day,
    readonly verdicts: PairVerdicts,
    private readonly mostFacts = MOST_FACTS,
    alike?: AreSimilar | undefined,
  ) {
    this.options = { day, verdicts, alike };
  }

  /** Of each fact about an entity; of one that is told of another and mentions it, as it stands among the latest of that one. */
  of(slug: string): readonly PageFactStatus[] {
    return this.all.of(slug, () => {
      const facts = this.about(slug).filter(({ subjects }) => !subjects.includes(slug));
      const others = facts.flatMap((fact) => this.ofFact(slug, fact));
      return [...this.told(slug), ...others.map((standing) => ({ ...standing, earlier: [] }))];
    });
  }

  /** Where the parts of one of the facts about an entity stand. */
  ofFact(slug: string, fact: ReflectFact): readonly PageFactStatus[] {
    const [other] = fact.subjects;
    if (other === undefined || fact.isJob) return [];
    if (fact.subjects.includes(slug)) {
      const parts = this.partsOf(slug, () => this.told(slug)).get(fact.id);
      if (parts !== undefined || this.isAbout(slug, fact)) return parts ?? [];
      return this.againstAll(slug)(datedByLog(fact));
    }
    if (this.reader.isAmongLatest(fact, other, MOST_OF_OTHER))
      return this.partsOf(`latest ${other}`, () => this.latest(other)).get(fact.id) ?? [];
    const judged = (this.verdicts.get(fact.id) ?? []).flatMap((verdict) => this.reader.byId(verdict.fact) ?? []);
    return this.among([fact, ...judged], fact);
  }

  /** An older fact, of one who has more than are looked at, is set against those that are. */
  private againstAll(slug: string): (fact: ReflectFact) => readonly PageFactStatus[] {
    return this.against.of(slug, () => standingAgainst(this.facts(slug), this.options));
  }

  private isAbout(slug: string, { id }: ReflectFact): boolean {
    return this.ids.of(slug, () => new Set(this.about(slug).map((fact) => fact.id))).has(id);
  }

  private among(facts: readonly ReflectFact[], { id }: ReflectFact): readonly PageFactStatus[] {
    const options = { ...this.options, asked: new Set([id]) };
    return factStatuses(facts.map(datedByLog), options).filter(({ fact }) => fact.id === id);
  }

  /** Where those stand that are told of an entity itself. */
  told(slug: string): readonly PageFactStatus[] {
    return this.known.of(slug, () => factStatuses(this.facts(slug), this.options));
  }

  /** Where the latest of what is told of an entity stands among itself. */
  latest(slug: string): readonly PageFactStatus[] {
    return factStatuses(this.own(slug, this.reader.latest(slug, MOST_OF_OTHER)), this.options);
  }

  /** What is told of an entity itself, as of the days on which it was said. */
  facts(slug: string): readonly ReflectFact[] {
    return this.own(slug, this.about(slug));
  }

  /** What is told of an entity and what mentions it, as far as it is looked at. */
  about(slug: string): readonly ReflectFact[] {
    return this.reader.ofEntity(slug, this.mostFacts);
  }

  private own(slug: string, facts: readonly ReflectFact[]): readonly ReflectFact[] {
    return facts.filter(({ subjects, isJob }) => subjects.includes(slug) && !isJob).map(datedByLog);
  }

  private partsOf(key: string, find: () => readonly PageFactStatus[]): ReadonlyMap<string, readonly PageFactStatus[]> {
    return this.parts.of(key, () => groupBy(find(), ({ fact }) => fact.id));
  }
}
