import type { Day } from '../base/clock.js';
import { groupBy, largest, smallest } from '../base/order.js';
import { daysBetween } from '../language/time/calendar.js';
import { DEFAULT_CONFIDENCE } from './fact.js';

/** One piece of evidence for or against an opinion, dated by its source. */
export interface EvidenceStep {
  readonly day: Day;
  readonly supports: boolean;
  /** Confidence of the fact itself, 0..1. Default: 1. */
  readonly weight?: number | undefined;
}

/** The confidence before any evidence. */
export interface Prior {
  /** A confidence from 0 to 1. */
  readonly confidence: number;
  /**
   * Day on which the belief was stated: evidence up to that day is already included. Null: unknown, and all evidence
   * counts.
   */
  readonly day: Day | null;
}

/** Whether two priors are equal, apart from floating-point errors. */
export function isSamePrior(a: Prior | null, b: Prior): boolean {
  return a !== null && a.day === b.day && Math.abs(a.confidence - b.confidence) < 1e-9;
}

/** Two confidences that differ by less than this look equal on a page, which shows two decimals. */
export const MAX_ROUNDING_ERROR = 0.005_001;

/** Effect of one day of evidence. */
export interface ConfidenceStep {
  readonly day: Day;
  readonly before: number;
  readonly after: number;
  readonly supports: boolean;
  /**
   * `step`: an ordinary step. `doubled`: several days in a row contradict the belief, so the step is twice as large. `anew`:
   * several days in a row support it, so it gets at least the confidence of a new belief.
   */
  readonly change: 'step' | 'doubled' | 'anew';
}

/** A belief of lower confidence is not shown as what somebody prefers. */
export const LEAST_SHOWN_CONFIDENCE = 0.5;

/**
 * Effect of the evidence of one day. Supporting evidence moves the confidence toward 1, by the share `support` of the
 * distance. Contradicting evidence moves it toward 0, by the share `contradict`. In a real change (`CHANGE`), the step of
 * contradicting evidence is multiplied by `doubled`.
 */
const STEP = { support: 0.08, contradict: 0.12, doubled: 2 } as const;
/**
 * Rule for a real change of what is true. One contradicting day may be a mistake. A real change needs `days` days in a row
 * whose evidence is on the same side. All of them must lie within `within` days, and each must have at least `weight`.
 */
const CHANGE = { days: 3, within: 30, weight: 0.5 } as const;

/** The confidence after all evidence: the last of {@link confidenceSteps}. Pure. */
export function finalConfidence(prior: Prior, evidence: readonly EvidenceStep[]): number {
  return confidenceSteps(prior, evidence).at(-1)?.after ?? prior.confidence;
}

/**
 * Computes the confidence day by day, starting with the prior. Each day with evidence gives one step. A day whose
 * evidence is balanced gives no step. The step is multiplied by the confidence of the most confident fact of the stronger
 * side. The result does not depend on how often, or in which order, `reflect` runs. Pure.
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

/**
 * Computes the step of one day.
 * @param change the days in a row up to this one whose evidence is on the same side, if together they are a real change;
 * empty for an ordinary step
 */
function stepOf(before: number, { day, supports, weight }: NetDay, change: readonly NetDay[]): ConfidenceStep {
  const isChange = change.length > 0;
  if (supports) {
    const after = before + STEP.support * weight * (1 - before);
    // A real change raises the confidence at least to that of a newly stated belief.
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

/**
 * Adds the day `net` to `row`, the latest days whose evidence is on the same side. Keeps the last `CHANGE.days` of them. A
 * day on the other side starts a new row. A day of too little weight is not added.
 */
function rowOf(row: readonly NetDay[], net: NetDay): readonly NetDay[] {
  const same = row.at(-1)?.supports === net.supports ? row : [];
  return net.weight < CHANGE.weight ? same : [...same, net].slice(-CHANGE.days);
}

function isChange(row: readonly NetDay[], net: NetDay): boolean {
  const first = row.at(-CHANGE.days);
  return first !== undefined && row.at(-1) === net && daysBetween(first.day, net.day) < CHANGE.within;
}

type NetDay = ReturnType<typeof netDays>[number];

/**
 * The side of the evidence that is stronger on each day, with its weight. Sorted by day. Days with balanced evidence are
 * left out.
 */
function netDays(evidence: readonly EvidenceStep[]) {
  return [...groupBy(evidence, ({ day }) => day)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([day, steps]) => {
      // Sum in a fixed order, because floating-point sums depend on the order.
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
