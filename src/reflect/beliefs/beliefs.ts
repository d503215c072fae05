import type { Day } from '../../base/clock.js';
import { daysBetween } from '../../language/time/calendar.js';
import { type ConfidenceStep, confidenceSteps, type EvidenceStep, type Prior } from '../../memory/confidence.js';
import type { Verdict } from '../../memory/evidence.js';
import { DEFAULT_CONFIDENCE, opinionId } from '../../memory/fact.js';
import { type Judged, likeness, prepare } from '../../memory/judge/rules.js';
import type { PageOpinion } from '../../memory/opinions-page.js';
import type { ReflectFact } from '../facts.js';

/** An opinion that evidence moves: one of the page, or one that this run adds. */
export class Belief {
  readonly id: string;
  readonly entities: readonly string[];
  readonly slugs: readonly string[];
  readonly text: string;
  /** Null when it is new. */
  readonly page: PageOpinion | null;
  /** What evidence moves: the prior, or the belief as a person wrote it. */
  prior: Prior;
  readonly judged: Judged;

  constructor({
    id,
    entities,
    slugs,
    text,
    page,
    prior,
  }: Pick<Belief, 'id' | 'entities' | 'slugs' | 'text' | 'page' | 'prior'>) {
    this.id = id;
    this.entities = entities;
    this.slugs = slugs;
    this.text = text;
    this.page = page;
    this.prior = prior;
    this.judged = prepare(text, entities);
  }
}

/** A belief that is less than this for so many days is retired. */
export const RETIRED = { below: 0.35, days: 30 } as const;
/** Of the beliefs about the same entities so many may be meant by a fact, the most alike: a model knows other words. */
const MOST_CANDIDATES = 8;
/** How alike an earlier run's fact must be to be judged once more, against a belief that came later. */
const LEAST_LIKENESS = 0.3;

/** How near a fact is to a belief by meaning, 0..1; 0 where nobody knows. */
export type Near = (fact: Pick<ReflectFact, 'id'>, belief: Pick<Belief, 'id'>) => number;

/** The beliefs of a workspace, to be found by what a fact is about. */
export class Beliefs {
  private readonly bySlug = new Map<string, Belief[]>();
  private readonly byId = new Map<string, Belief>();

  /** @param near by vectors, when there are some */
  constructor(private readonly near: Near = () => 0) {}

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
      const known = this.bySlug.get(slug);
      if (known === undefined) this.bySlug.set(slug, [belief]);
      else known.push(belief);
    }
  }

  /** The beliefs that a fact may speak for or against: those about the same entities, of many the most alike ones. */
  candidates(fact: ReflectFact, judged: Judged): readonly Belief[] {
    const about = new Set((fact.slugs.length === 0 ? [''] : fact.slugs).flatMap((slug) => this.about(slug)));
    if (about.size <= MOST_CANDIDATES) return [...about].sort((a, b) => (a.id < b.id ? -1 : 1));
    return [...about]
      .map((belief) => ({ belief, likeness: this.likeness(fact, belief, judged) }))
      .sort((a, b) => b.likeness - a.likeness || (a.belief.id < b.belief.id ? -1 : 1))
      .slice(0, MOST_CANDIDATES)
      .map(({ belief }) => belief);
  }

  /** Whether a fact is alike enough to a belief about the same entity to be judged. */
  isCandidate(fact: ReflectFact, belief: Belief, judged: Judged): boolean {
    return this.likeness(fact, belief, judged) >= LEAST_LIKENESS;
  }

  /** By words or by meaning, whichever says more. */
  private likeness(fact: ReflectFact, belief: Belief, judged: Judged): number {
    return Math.max(likeness(belief.judged, judged), this.near(fact, belief));
  }
}

/** A belief that a fact states for the first time. */
export function statedBelief(fact: ReflectFact, day: Day): Belief {
  const { entities, slugs, text } = fact;
  const confidence = fact.kind === 'opinion' ? fact.confidence : DEFAULT_CONFIDENCE;
  return new Belief({ id: opinionId(fact), entities, slugs, text, page: null, prior: { confidence, day } });
}

/** What the evidence makes of a belief. */
export interface Conviction {
  readonly confidence: number;
  readonly steps: readonly ConfidenceStep[];
  readonly isRetired: boolean;
}

/** Folds the verdicts about a belief; those that say neither count for nothing. Pure. */
export function convictionOf(prior: Prior, verdicts: readonly Verdict[], today: Day): Conviction {
  const evidence = verdicts.flatMap(({ direction, day, weight }): EvidenceStep[] =>
    direction === 'none' ? [] : [{ day, supports: direction === 'supports', weight }],
  );
  const steps = confidenceSteps(prior, evidence);
  const confidence = steps.at(-1)?.after ?? prior.confidence;
  return { confidence, steps, isRetired: isRetired(prior, steps, today) };
}

function isRetired(prior: Prior, steps: readonly ConfidenceStep[], today: Day): boolean {
  let since = prior.confidence < RETIRED.below ? prior.day : null;
  for (const { day, after } of steps) {
    if (after >= RETIRED.below) since = null;
    else since ??= day;
  }
  return since !== null && daysBetween(since, today) >= RETIRED.days;
}
