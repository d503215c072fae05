import { Cache, lazy } from '../../base/cache.js';
import type { Day } from '../../base/clock.js';
import { groupBy } from '../../base/order.js';
import { CUES_OF_CANCELLATIONS } from '../../memory/statement/ended-value.js';
import { type FactStatus, factStatuses, prepareFactStatuses } from '../../memory/threads/fact-status.js';
import type { FactSimilarityTest, ThreadOptions } from '../../memory/threads/threads.js';
import type { FinalPairVerdicts } from '../../memory/threads/verdicts.js';
import { type FactReader, type ReflectFact, withLogDate } from '../facts.js';
import { Cancellations } from './cancelled-facts.js';

/** Status of a fact, or of a part of it, on a day. */
export type PageFactStatus = FactStatus<ReflectFact>;

/** Maximum number of facts about an entity to read, newest first. The page of the entity has room for fewer. */
export const MAX_ENTITY_FACTS = 1_000;
/** Maximum number of facts about an entity to read if all facts are wanted. */
export const MAX_ALL_ENTITY_FACTS = 4_000;

/**
 * Maximum number of facts to read about another entity, latest first. A fact about that entity may mention the entity of
 * the page. To find the status of such a fact, it is compared with these facts.
 */
const MOST_OF_OTHER = 150;

/** Fact statuses by entity, cached. */
export class EntityStatuses {
  private readonly options: ThreadOptions;
  private readonly known = new Cache<string, readonly PageFactStatus[]>();
  private readonly all = new Cache<string, readonly PageFactStatus[]>();
  private readonly parts = new Cache<string, ReadonlyMap<string, readonly PageFactStatus[]>>();
  private readonly against = new Cache<string, (fact: ReflectFact) => readonly PageFactStatus[]>();
  private readonly ids = new Cache<string, ReadonlySet<string>>();

  private readonly cancellations = lazy(
    () => new Cancellations(this.reader.withoutEntityHaving(CUES_OF_CANCELLATIONS)),
  );

  constructor(
    readonly reader: FactReader,
    readonly day: Day,
    readonly verdicts: FinalPairVerdicts,
    private readonly mostFacts = MAX_ENTITY_FACTS,
    alike?: FactSimilarityTest | undefined,
  ) {
    this.options = { day, verdicts, alike };
  }

  /**
   * Statuses of the facts about an entity, and of the facts about other entities that mention this entity. A fact about
   * another entity is compared with the latest facts about that other entity to find its status.
   */
  of(slug: string): readonly PageFactStatus[] {
    return this.all.of(slug, () => {
      const facts = this.about(slug).filter(({ subjects }) => !subjects.includes(slug));
      const others = facts.flatMap((fact) => this.ofFact(slug, fact));
      return [...this.told(slug), ...others.map((standing) => ({ ...standing, earlier: [] }))];
    });
  }

  /** Statuses of the parts of one fact about an entity. */
  ofFact(slug: string, fact: ReflectFact): readonly PageFactStatus[] {
    const [other] = fact.subjects;
    if (other === undefined || fact.isJob) return [];
    if (fact.subjects.includes(slug)) {
      const parts = this.partsOf(slug, () => this.told(slug)).get(fact.id);
      if (parts !== undefined || this.isAbout(slug, fact)) return parts ?? [];
      return this.againstAll(slug)(withLogDate(fact));
    }
    if (this.reader.isAmongLatest(fact, other, MOST_OF_OTHER))
      return this.partsOf(`latest ${other}`, () => this.latest(other)).get(fact.id) ?? [];
    return this.among([fact, ...this.judgedWith(fact)], fact);
  }

  /**
   * Statuses of the parts of a fact that names no entity. It has no subject, so it is compared only with the facts
   * that cancel it, and with those that a judge compared it with.
   */
  ofFactWithoutEntity(fact: ReflectFact): readonly PageFactStatus[] {
    return this.among([fact, ...this.cancellations().of(fact), ...this.judgedWith(fact)], fact);
  }

  /** The later facts that a judge compared with a fact. */
  private judgedWith({ id }: ReflectFact): readonly ReflectFact[] {
    return (this.verdicts.get(id) ?? []).flatMap((verdict) => this.reader.byId(verdict.fact) ?? []);
  }

  /**
   * Returns a function that finds the statuses of a fact that the limit left out, by comparing it with the facts that
   * were read.
   */
  private againstAll(slug: string): (fact: ReflectFact) => readonly PageFactStatus[] {
    return this.against.of(slug, () => prepareFactStatuses(this.facts(slug), this.options));
  }

  private isAbout(slug: string, { id }: ReflectFact): boolean {
    return this.ids.of(slug, () => new Set(this.about(slug).map((fact) => fact.id))).has(id);
  }

  private among(facts: readonly ReflectFact[], { id }: ReflectFact): readonly PageFactStatus[] {
    const options = { ...this.options, asked: new Set([id]) };
    const distinct = new Map(facts.map((one) => [one.id, withLogDate(one)]));
    return factStatuses([...distinct.values()], options).filter(({ fact }) => fact.id === id);
  }

  /** Statuses of the facts whose subject is the entity. */
  told(slug: string): readonly PageFactStatus[] {
    return this.known.of(slug, () => factStatuses(this.facts(slug), this.options));
  }

  /** Statuses of the latest facts whose subject is the entity. Older facts are not considered. */
  latest(slug: string): readonly PageFactStatus[] {
    return factStatuses(this.own(slug, this.reader.latest(slug, MOST_OF_OTHER)), this.options);
  }

  /** Facts whose subject is the entity. A curated fact has the day of the log that it cites. */
  facts(slug: string): readonly ReflectFact[] {
    return this.own(slug, this.about(slug));
  }

  /** Facts about an entity and facts that mention it, up to the limit. */
  about(slug: string): readonly ReflectFact[] {
    return this.reader.ofEntity(slug, this.mostFacts);
  }

  private own(slug: string, facts: readonly ReflectFact[]): readonly ReflectFact[] {
    return facts.filter(({ subjects, isJob }) => subjects.includes(slug) && !isJob).map(withLogDate);
  }

  private partsOf(key: string, find: () => readonly PageFactStatus[]): ReadonlyMap<string, readonly PageFactStatus[]> {
    return this.parts.of(key, () => groupBy(find(), ({ fact }) => fact.id));
  }
}
