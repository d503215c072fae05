import { Cache, lazy, memoize } from '../base/cache.js';
import type { Day } from '../base/clock.js';
import { addToGroup, compareText, groupBy } from '../base/order.js';
import { CUES_OF_CANCELLATIONS, termsInCancellations } from '../line/statement/ended-value.js';
import { contentTerms } from '../line/statement/terms.js';
import { type FactStatus, factStatuses, prepareFactStatuses } from '../memory/threads/fact-status.js';
import { termsAndDays } from '../memory/threads/link-index.js';
import type { FactSimilarityTest, ThreadOptions } from '../memory/threads/threads.js';
import type { FinalPairVerdicts } from '../memory/threads/verdicts.js';
import { type FactReader, type ReflectFact, withLogDate } from './facts.js';

/** Status of a fact, or of a part of it, on a day. */
export type PageFactStatus = FactStatus<ReflectFact>;

/** Maximum number of facts about an entity to read, newest first. The page of the entity has room for fewer. */
export const MAX_ENTITY_FACTS = 1_000;
/** Maximum number of facts about an entity to read if all facts are wanted. */
export const MAX_ALL_ENTITY_FACTS = 4_000;

/** Fact statuses by entity, cached. */
export class EntityStatuses {
  private readonly options: ThreadOptions;
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
  readonly of = memoize((slug: string): readonly PageFactStatus[] => {
    const facts = this.about(slug).filter(({ subjects }) => !subjects.includes(slug));
    const others = facts.flatMap((fact) => this.ofFact(slug, fact));
    return [...this.told(slug), ...others.map((standing) => ({ ...standing, earlier: [] }))];
  });

  /** Statuses of the parts of one fact about an entity. */
  ofFact(slug: string, fact: ReflectFact): readonly PageFactStatus[] {
    const [other] = fact.subjects;
    if (other === undefined || fact.isJob) return [];
    if (fact.subjects.includes(slug)) {
      const parts = this.partsOfTold(slug).get(fact.id);
      if (parts !== undefined || this.idsAbout(slug).has(fact.id)) return parts ?? [];
      return this.againstAll(slug)(withLogDate(fact));
    }
    if (this.reader.isAmongLatest(fact, other)) return this.partsOfLatest(other).get(fact.id) ?? [];
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
  private readonly againstAll = memoize((slug: string) => prepareFactStatuses(this.facts(slug), this.options));

  private readonly idsAbout = memoize((slug: string) => new Set(this.about(slug).map(({ id }) => id)));

  private among(facts: readonly ReflectFact[], { id }: ReflectFact): readonly PageFactStatus[] {
    const options = { ...this.options, asked: new Set([id]) };
    const distinct = new Map(facts.map((one) => [one.id, withLogDate(one)]));
    return factStatuses([...distinct.values()], options).filter(({ fact }) => fact.id === id);
  }

  /** Statuses of the facts whose subject is the entity. */
  readonly told = memoize((slug: string): readonly PageFactStatus[] => factStatuses(this.facts(slug), this.options));

  /** Statuses of the latest facts whose subject is the entity. Older facts are not considered. */
  latest(slug: string): readonly PageFactStatus[] {
    return factStatuses(this.own(slug, this.reader.latest(slug)), this.options);
  }

  /** Facts whose subject is the entity. A curated fact has the day of the log that it cites. */
  facts(slug: string): readonly ReflectFact[] {
    return this.own(slug, this.about(slug));
  }

  /** Facts about an entity and facts that mention it, up to the limit. */
  about(slug: string): readonly ReflectFact[] {
    return this.reader.ofEntity(slug, this.mostFacts);
  }

  /** The newest statement of the thread in which a fact stands below others. Undefined if it stands at the top, or is settled. */
  aboveFact(slug: string, id: string): ReflectFact | undefined {
    return this.above(slug).get(id);
  }

  private readonly above = memoize((slug: string): ReadonlyMap<string, ReflectFact> => {
    const pairs = this.told(slug).flatMap(({ fact, earlier }) => earlier.map((one) => [one.fact.id, fact] as const));
    return new Map(pairs);
  });

  private own(slug: string, facts: readonly ReflectFact[]): readonly ReflectFact[] {
    return facts.filter(({ subjects, isJob }) => subjects.includes(slug) && !isJob).map(withLogDate);
  }

  private readonly partsOfTold = memoize((slug: string) => groupBy(this.told(slug), ({ fact }) => fact.id));
  private readonly partsOfLatest = memoize((slug: string) => groupBy(this.latest(slug), ({ fact }) => fact.id));
}

interface NameAtRank {
  readonly other: string;
  readonly name: string;
}

/** Maximum number of rankings in the cache. */
const MOST_CACHED = 100;

/** Returns the first of the names that some facts have. */
export type RankNames = (standings: readonly PageFactStatus[]) => readonly NameAtRank[];

/**
 * Ranks the entities that some facts name, by the number of facts. Pages with the same facts share one ranking: a fact may
 * name 20,000 entities, and be the only one on the page of each.
 */
export function rankNamesUpTo(most: number): RankNames {
  const cache = new Cache<string, readonly NameAtRank[]>(MOST_CACHED);
  return (standings) => cache.of(standings.map(({ fact }) => fact.id).join(' '), () => rank(standings, most));
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

/** Minimum number of words that a fact without entities must share with its cancellation: no subject links the two. */
const MIN_SHARED = 2;
/** Minimum share of the words of a cancellation that the cancelled fact must have. */
const MIN_PART = 0.6;
/** A label such as `Decision:` in front of a text. */
const LABEL = /^[\s*_]*[^\s:：]+[:：]/u;
/** Terms of the words "decision" and "decided". They do not tell one decision from another. */
const DECISION = /^(?:decis|decid)/;

/** Terms of the things that a fact without entities says are cancelled; empty if it has entities or cancels nothing. Pure. */
export function readCancellations({ slugs, text, statement }: ReflectFact): readonly string[] {
  const isEnding = slugs.length === 0 && statement.some(({ ended }) => ended !== undefined);
  return isEnding ? withoutLabel(termsInCancellations(text), text) : [];
}

/** The facts without entities that cancel something, by the terms of what they cancel. */
class Cancellations {
  private readonly byTerm = new Map<string, ReflectFact[]>();

  constructor(facts: readonly ReflectFact[]) {
    for (const fact of facts) for (const term of readCancellations(fact)) addToGroup(this.byTerm, term, fact);
  }

  /** The later facts that cancel a fact without entities. */
  of(fact: ReflectFact): readonly ReflectFact[] {
    if (this.byTerm.size === 0) return [];
    const said = new Set(fact.statement.flatMap(termsAndDays));
    const near = new Set([...said].flatMap((term) => this.byTerm.get(term) ?? []));
    return [...near].filter((later) => later.id !== fact.id && cancels(later, fact, said));
  }
}

function cancels(later: ReflectFact, { day, text }: ReflectFact, said: ReadonlySet<string>): boolean {
  if ((later.day ?? '') < (day ?? '')) return false;
  const cancelled = withoutLabel(readCancellations(later), text);
  const shared = cancelled.filter((term) => said.has(term)).length;
  return shared >= MIN_SHARED && shared >= MIN_PART * cancelled.length;
}

function withoutLabel(terms: readonly string[], text: string): readonly string[] {
  const label = LABEL.exec(text)?.[0];
  const own = new Set(label === undefined ? [] : contentTerms(label));
  return terms.filter((term) => !own.has(term) && !DECISION.test(term));
}
