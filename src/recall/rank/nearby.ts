import type { FoundUnit, UnitKey } from '../../index/search.js';

/** So many lines above and below one are of the same talk. */
const REACH = 12;

/**
 * The best score near a line of a section: what a question is about is talked of there, and its answer need not say the
 * words again. A fact says all by itself, whatever stands beside it.
 */
export class Nearby {
  private readonly scores = new Map<UnitKey, { readonly unit: FoundUnit; readonly score: number }>();

  /** @param scored lines with their scores; lines that are not among them say nothing */
  constructor(scored: Iterable<readonly [FoundUnit, number]>) {
    for (const [unit, score] of scored) if (isTold(unit)) this.scores.set(unit.key, { unit, score });
  }

  /** The best score of the lines around a unit, 0 where there is none. */
  best(unit: FoundUnit): number {
    if (!isTold(unit)) return 0;
    let best = 0;
    for (let at = unit.key - REACH; at <= unit.key + REACH; at++) {
      const near = this.scores.get(at);
      if (near === undefined || near.score <= best) continue;
      if (near.unit.section === unit.section && near.unit.file.path === unit.file.path) best = near.score;
    }
    return best;
  }
}

/** Whether a unit is a line of a text: no fact, no field and no heading. */
function isTold({ key, section, fact, detail }: FoundUnit): boolean {
  return fact === null && section !== key && detail?.field === undefined;
}
