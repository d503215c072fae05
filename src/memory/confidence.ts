import type { Day } from '../base/clock.js';
import { daysBetween } from '../language/time/calendar.js';

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

/** What one day of evidence did. */
export interface ConfidenceStep {
  readonly day: Day;
  readonly before: number;
  readonly after: number;
  readonly supports: boolean;
  /** The evidence was so strong and so often repeated that its step was doubled. */
  readonly isBigJump: boolean;
}

/** How far a supporting day moves the confidence towards 1, and a contradicting one towards 0. */
export const STEP = { support: 0.08, contradict: 0.12 } as const;
/** One bad day changes no belief, a month of them does: so many contradicting days in so many, each so sure. */
const BIG_JUMP = { days: 3, within: 30, weight: 0.8, factor: 2 } as const;

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
  const strong: Day[] = [];
  let confidence = prior.confidence;
  for (const { day, supports, weight } of netDays(evidence)) {
    if (prior.day !== null && day <= prior.day) continue;
    if (!supports && weight >= BIG_JUMP.weight) strong.push(day);
    const isBigJump = !supports && weight >= BIG_JUMP.weight && isRepeated(strong, day);
    const after = supports
      ? confidence + STEP.support * weight * (1 - confidence)
      : confidence - STEP.contradict * weight * (isBigJump ? BIG_JUMP.factor : 1) * confidence;
    steps.push({ day, before: confidence, after, supports, isBigJump });
    confidence = after;
  }
  return steps;
}

interface NetDay {
  readonly day: Day;
  readonly supports: boolean;
  readonly weight: number;
}

/** Each day with the side that outweighs the other, in the order of days. */
function netDays(evidence: readonly EvidenceStep[]): readonly NetDay[] {
  const days = new Map<Day, EvidenceStep[]>();
  for (const step of evidence) days.set(step.day, [...(days.get(step.day) ?? []), step]);
  return [...days.entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([day, steps]) => {
      // Summed in an order of its own: floating-point sums depend on it.
      const sorted = steps.toSorted((a, b) => weightOf(a) - weightOf(b));
      const balance = sorted.reduce((sum, step) => sum + (step.supports ? weightOf(step) : -weightOf(step)), 0);
      if (Math.abs(balance) < 1e-9) return [];
      const supports = balance > 0;
      const winning = sorted.filter((step) => step.supports === supports).map(weightOf);
      return [{ day, supports, weight: Math.max(...winning) }];
    });
}

function weightOf({ weight = 1 }: EvidenceStep): number {
  return weight;
}

/** `days`: in order, up to `day`. */
function isRepeated(days: readonly Day[], day: Day): boolean {
  const earliest = days.at(-BIG_JUMP.days);
  return earliest !== undefined && daysBetween(earliest, day) < BIG_JUMP.within;
}
