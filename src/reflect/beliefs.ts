import { Cache } from '../base/cache.js';
import type { Day } from '../base/clock.js';
import { addToGroup, compareText } from '../base/order.js';
import { daysBetween } from '../language/time/calendar.js';
import { type ConfidenceStep, confidenceSteps, type EvidenceStep, type Prior } from '../memory/confidence.js';
import type { Verdict } from '../memory/evidence.js';
import { DEFAULT_CONFIDENCE, opinionId } from '../memory/fact.js';
import { SimilarityIndex } from '../memory/judge/like-index.js';
import { type LazyStance, prepareStatement, wordSimilarity } from '../memory/judge/rules.js';
import type { PageOpinion } from '../memory/opinions-page.js';
import type { ReflectFact } from './facts.js';

/** An opinion with its evidence: from the page, or added by this run. */
export interface Belief {
  readonly id: string;
  readonly entities: readonly string[];
  readonly slugs: readonly string[];
  readonly text: string;
  /** The opinion as it is on the page; null for a new belief. */
  readonly page: PageOpinion | null;
  /** The confidence before any evidence: that of the first statement, or one that a person set. */
  prior: Prior;
  readonly judged: LazyStance;
}

export function createBelief(given: Omit<Belief, 'judged'>): Belief {
  return { ...given, judged: prepareStatement(given.text, given.entities) };
}

/**
 * A belief is retired, which means moved to the retired opinions of the page, when its confidence has stayed below
 * `below` for `days` days.
 */
export const RETIRED_BELIEF_LIMITS = { below: 0.35, days: 30 } as const;
/**
 * Maximum number of beliefs that one fact is judged against. If there are more, the most similar beliefs are used. A
 * belief and a fact need no words in common, because a model knows synonyms.
 */
const MOST_CANDIDATES = 8;
/** An older fact is judged against a newer belief only if the two are at least this similar. */
const LEAST_LIKENESS = 0.3;

/** Similarity of a fact and a belief by meaning, 0..1; 0 if unknown. */
export type BeliefSimilarity = (fact: Pick<ReflectFact, 'id'>, belief: Pick<Belief, 'id'>) => number;

/** The beliefs of a workspace, indexed by entity. */
export class BeliefStore {
  private readonly bySlug = new Map<string, Belief[]>();
  private readonly byId = new Map<string, Belief>();
  /**
   * Word indexes of beliefs, only for entities with many beliefs. Each is built at its first query. `first` has some
   * beliefs that are used if too few others are similar to a fact.
   */
  private readonly indexes = new Cache<string, { readonly words: SimilarityIndex<Belief>; first: readonly Belief[] }>();

  /** @param near similarity by vectors, if there are any */
  constructor(private readonly near?: BeliefSimilarity) {}

  all(): readonly Belief[] {
    return [...this.byId.values()];
  }

  get(id: string): Belief | undefined {
    return this.byId.get(id);
  }

  about(slug: string): readonly Belief[] {
    return this.bySlug.get(slug) ?? [];
  }

  add(belief: Belief): void {
    this.byId.set(belief.id, belief);
    for (const slug of belief.slugs.length === 0 ? [''] : belief.slugs) {
      addToGroup(this.bySlug, slug, belief);
      const index = this.indexes.get(slug);
      index?.words.add(belief, belief.judged);
      if (index !== undefined) index.first = firstOf([...index.first, belief]);
    }
  }

  /**
   * The beliefs to judge a fact against: those about the same entities. If there are many, only the most similar ones.
   */
  candidates(fact: ReflectFact, judged: LazyStance): readonly Belief[] {
    const slugs = fact.slugs.length === 0 ? [''] : fact.slugs;
    if (slugs.every((slug) => this.about(slug).length <= MOST_CANDIDATES)) {
      const all = new Set(slugs.flatMap((slug) => this.about(slug)));
      if (all.size <= MOST_CANDIDATES) return [...all].sort(byId);
    }
    const likely = new Map<Belief, number>();
    for (const slug of slugs)
      for (const [belief, likeness] of this.likely(slug, fact, judged))
        likely.set(belief, Math.max(likeness, likely.get(belief) ?? 0));
    return [...likely]
      .sort(([a, likenessA], [b, likenessB]) => likenessB - likenessA || byId(a, b))
      .slice(0, MOST_CANDIDATES)
      .map(([belief]) => belief);
  }

  /**
   * The beliefs about an entity, with their similarity to a fact. If there are many beliefs and no vectors, returns
   * only the beliefs with the most similar words, and a few other beliefs with similarity 0.
   */
  private likely(slug: string, fact: ReflectFact, judged: LazyStance): readonly (readonly [Belief, number])[] {
    const about = this.about(slug);
    if (about.length <= MOST_CANDIDATES || this.near !== undefined)
      return about.map((belief) => [belief, this.likeness(fact, belief, judged)]);
    const { words, first } = this.indexOf(slug);
    return [...words.nearest(judged, MOST_CANDIDATES, byId), ...first.map((belief) => [belief, 0] as const)];
  }

  private indexOf(slug: string) {
    return this.indexes.of(slug, () => {
      const about = this.about(slug);
      const words = new SimilarityIndex<Belief>();
      for (const belief of about) words.add(belief, belief.judged);
      return { words, first: firstOf(about) };
    });
  }

  /**
   * Selects the facts that are similar enough to the belief to be judged. All facts must be about an entity of the
   * belief.
   */
  alikeTo<F extends { readonly fact: ReflectFact; readonly judged: LazyStance }>(
    belief: Belief,
    facts: readonly F[],
    words: SimilarityIndex<F>,
  ): readonly F[] {
    if (this.near === undefined) return words.alike(belief.judged, LEAST_LIKENESS);
    return facts.filter(({ fact, judged }) => this.likeness(fact, belief, judged) >= LEAST_LIKENESS);
  }

  /** Similarity of a fact and a belief: by words or by meaning, whichever is higher. */
  private likeness(fact: ReflectFact, belief: Belief, judged: LazyStance): number {
    return Math.max(wordSimilarity(belief.judged, judged), this.near?.(fact, belief) ?? 0);
  }
}

function firstOf(beliefs: readonly Belief[]): readonly Belief[] {
  return beliefs.toSorted(byId).slice(0, MOST_CANDIDATES);
}

function byId(a: Belief, b: Belief): number {
  return compareText(a.id, b.id);
}

/** Creates a belief from the fact that first states it. */
export function createBeliefFromFact(fact: ReflectFact, day: Day): Belief {
  const { entities, slugs, text } = fact;
  const confidence = fact.kind === 'opinion' ? fact.confidence : DEFAULT_CONFIDENCE;
  return createBelief({ id: opinionId(fact), entities, slugs, text, page: null, prior: { confidence, day } });
}

/** The confidence of a belief after its evidence, with the steps that led to it. */
export interface BeliefState {
  readonly confidence: number;
  readonly steps: readonly ConfidenceStep[];
  readonly isRetired: boolean;
}

/** Computes the state of a belief from its prior and the verdicts about it. `none` verdicts have no effect. Pure. */
export function evaluateBelief(prior: Prior, verdicts: readonly Verdict[], today: Day): BeliefState {
  const evidence = verdicts.flatMap(({ direction, day, weight }): EvidenceStep[] =>
    direction === 'none' ? [] : [{ day, supports: direction === 'supports', weight }],
  );
  const steps = confidenceSteps(prior, evidence);
  const confidence = steps.at(-1)?.after ?? prior.confidence;
  return { confidence, steps, isRetired: isRetired(prior, steps, today) };
}

function isRetired(prior: Prior, steps: readonly ConfidenceStep[], today: Day): boolean {
  let since = prior.confidence < RETIRED_BELIEF_LIMITS.below ? prior.day : null;
  for (const { day, after } of steps) {
    if (after >= RETIRED_BELIEF_LIMITS.below) since = null;
    else since ??= day;
  }
  return since !== null && daysBetween(since, today) >= RETIRED_BELIEF_LIMITS.days;
}
