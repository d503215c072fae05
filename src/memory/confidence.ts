import type { Day } from '../base/clock.js';
import { groupBy, largest, smallest } from '../base/order.js';
import { daysBetween } from '../language/time/calendar.js';
import { DEFAULT_CONFIDENCE } from './fact.js';

/** One piece of evidence for or against an opinion, by the day of its source. */
export interface EvidenceStep {
  readonly day: Day;
  readonly supports: boolean;
  /** How sure the fact itself is, 0..1; 1 when not given. */
  readonly weight?: number | undefined;
}

/** The belief that evidence moves. */
export interface Prior {
  /** 0..1 */
  readonly confidence: number;
  /** The day it was stated: evidence up to that day is in it already. Null: nobody knows, and all evidence counts. */
  readonly day: Day | null;
}

/** Whether two priors are written the same. */
export function isSamePrior(a: Prior | null, b: Prior): boolean {
  return a !== null && a.day === b.day && Math.abs(a.confidence - b.confidence) < 1e-9;
}

/** Less than this apart, two confidences are written the same. */
export const ROUNDING = 0.005_001;

/** What one day of evidence did. */
export interface ConfidenceStep {
  readonly day: Day;
  readonly before: number;
  readonly after: number;
  readonly supports: boolean;
  /** `doubled`, `anew`: days in a row said the same, against it or for it, which is more than a slip of somebody. */
  readonly change: 'step' | 'doubled' | 'anew';
}

/** How far a supporting day moves the confidence towards 1, and a contradicting one towards 0. */
const STEP = { support: 0.08, contradict: 0.12, doubled: 2 } as const;
/**
 * One bad day changes no belief: somebody was wrong. So many days in so many, none of which says otherwise and each
 * likelier than not, are a change of what is true.
 */
const CHANGE = { days: 3, within: 30, weight: 0.5 } as const;

/** The confidence that evidence leads to: the last of {@link confidenceSteps}. Pure. */
export function foldConfidence(prior: Prior, evidence: readonly EvidenceStep[]): number {
  return confidenceSteps(prior, evidence).at(-1)?.after ?? prior.confidence;
}

/**
 * The way of a confidence under its evidence, folded in the order of source days from the prior: one net step a day,
 * none when a day's evidence is balanced; the step is as large as the surest fact of the winning side is sure. So it is
 * the same however often and in which order one reflects. Pure.
 */
export function confidenceSteps(prior: Prior, evidence: readonly EvidenceStep[]): readonly ConfidenceStep[] {
  const steps: ConfidenceStep[] = [];
  let row: readonly NetDay[] = [];
  let { confidence } = prior;
  for (const net of netDays(evidence)) {
    if (prior.day !== null && net.day <= prior.day) continue;
    row = rowOf(row, net);
    const step = stepOf(confidence, net, isChange(row, net) ? row : []);
    steps.push(step);
    confidence = step.after;
  }
  return steps;
}

/** @param change the days of a change of what is true that this day completes; none where it is only one more day */
function stepOf(before: number, { day, supports, weight }: NetDay, change: readonly NetDay[]): ConfidenceStep {
  const isChange = change.length > 0;
  if (supports) {
    const after = before + STEP.support * weight * (1 - before);
    // Whatever was thought before, a belief that nobody had thought of would begin as sure as that.
    const anew = smallest(
      change.map((one) => one.weight),
      DEFAULT_CONFIDENCE,
    );
    if (isChange && after < anew) return { day, before, after: anew, supports, change: 'anew' };
    return { day, before, after, supports, change: 'step' };
  }
  const after = before - STEP.contradict * weight * (isChange ? STEP.doubled : 1) * before;
  return { day, before, after, supports, change: isChange ? 'doubled' : 'step' };
}

/** The newest sure days up to `net` that say what it says, with none between that says otherwise. */
function rowOf(row: readonly NetDay[], net: NetDay): readonly NetDay[] {
  const same = row.at(-1)?.supports === net.supports ? row : [];
  return net.weight < CHANGE.weight ? same : [...same, net].slice(-CHANGE.days);
}

function isChange(row: readonly NetDay[], net: NetDay): boolean {
  const first = row.at(-CHANGE.days);
  return first !== undefined && row.at(-1) === net && daysBetween(first.day, net.day) < CHANGE.within;
}

type NetDay = ReturnType<typeof netDays>[number];

/** Each day with the side that outweighs the other, in the order of days. */
function netDays(evidence: readonly EvidenceStep[]) {
  return [...groupBy(evidence, ({ day }) => day)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([day, steps]) => {
      // Summed in an order of its own: floating-point sums depend on it.
      const sorted = steps.toSorted((a, b) => weightOf(a) - weightOf(b));
      const balance = sorted.reduce((sum, step) => sum + (step.supports ? weightOf(step) : -weightOf(step)), 0);
      if (Math.abs(balance) < 1e-9) return [];
      const supports = balance > 0;
      const winning = sorted.filter((step) => step.supports === supports).map(weightOf);
      return [{ day, supports, weight: largest(winning) }];
    });
}

function weightOf({ weight = 1 }: EvidenceStep): number {
  return weight;
}
