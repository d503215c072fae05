import type { Day } from '../base/clock.js';

/** One piece of evidence for or against an opinion, by the day of its source. */
export interface EvidenceStep {
  readonly day: Day;
  readonly supports: boolean;
}

/** How far a supporting day moves the confidence towards 1, and a contradicting one towards 0. */
export const STEP = { support: 0.08, contradict: 0.12 } as const;

/**
 * The confidence that evidence leads to, folded in the order of source days from the prior: one net step a day, none
 * when a day's evidence is balanced. Small steps, so that a big change needs repeated evidence (seed 003). Pure.
 * @param prior 0..1
 */
export function foldConfidence(prior: number, evidence: readonly EvidenceStep[]): number {
  const net = new Map<Day, number>();
  for (const { day, supports } of evidence) net.set(day, (net.get(day) ?? 0) + (supports ? 1 : -1));
  let confidence = prior;
  for (const day of [...net.keys()].sort()) {
    const balance = net.get(day) ?? 0;
    if (balance > 0) confidence += STEP.support * (1 - confidence);
    if (balance < 0) confidence -= STEP.contradict * confidence;
  }
  return confidence;
}
