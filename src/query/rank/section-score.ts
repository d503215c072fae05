import type { FoundUnit } from '../../index/search.js';
import type { RankedUnit } from './ranked.js';

/**
 * The best score of each section's lines: what a question is about is talked of there, and its answer need not say the
 * words again. A fact says all by itself, whatever stands beside it.
 */
export class SectionScore {
  private readonly scores = new Map<string, number>();

  constructor(ranked: readonly RankedUnit[]) {
    for (const { unit, score } of ranked)
      if (isTold(unit)) this.scores.set(talkOf(unit), Math.max(score, this.best(unit)));
  }

  /** The best score of the lines in the section of a unit. 0 if no line has one. */
  best(unit: FoundUnit): number {
    return isTold(unit) ? (this.scores.get(talkOf(unit)) ?? 0) : 0;
  }
}

function talkOf({ section, file }: FoundUnit): string {
  return `${section} ${file.path}`;
}

/** Whether a unit is a line of a text: no fact, no field and no heading. */
function isTold({ key, section, fact, detail }: FoundUnit): boolean {
  return fact === null && section !== key && detail?.field === undefined;
}
