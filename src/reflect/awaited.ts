import type { JudgePairs } from './judging.js';
import type { Progress } from './progress.js';

const AWAITED = 'awaits a model ';
/** So many facts that were judged without the model are looked at again by a run that has it. */
const MOST_A_RUN = 40;

/** Facts that the rules have judged because the model that somebody has set was away: they stay open for it. */
export class AwaitedFacts {
  readonly reopened: ReadonlySet<string>;
  /** How often each was put to the model in vain: those that it cannot answer come last. */
  private readonly before: ReadonlyMap<string, number>;
  private readonly unjudged = new Set<string>();

  /**
   * @param wanted ids of the facts that the model is asked about once more; without them some of those that wait
   */
  constructor(progress: Progress, wanted?: ReadonlySet<string>) {
    const waiting = [...progress].filter(([key, value]) => key.startsWith(AWAITED) && value !== '');
    this.before = new Map(waiting.map(([key, value]) => [key.slice(AWAITED.length), Number(value) || 0]));
    const byTries = [...this.before].sort(([, a], [, b]) => a - b).map(([id]) => id);
    this.reopened = wanted ?? new Set(byTries.slice(0, MOST_A_RUN));
  }

  /** The same judge; what it leaves to the model is noted. */
  watch(judge: JudgePairs): JudgePairs {
    return async (pairs) => {
      const judgements = await judge(pairs);
      for (const [index, { fact }] of pairs.entries()) {
        const judgement = judgements[index];
        // One that had to wait and is new is looked at again anyway.
        if (judgement === undefined ? this.reopened.has(fact.id) : judgement.isProvisional) this.unjudged.add(fact.id);
      }
      return judgements;
    };
  }

  /**
   * Remembers which facts wait for the model after the run.
   * @returns how many they are
   */
  note(isFact: (id: string) => boolean, seen: Map<string, string>): number {
    for (const id of this.before.keys()) if (this.reopened.has(id) || !isFact(id)) seen.set(AWAITED + id, '');
    for (const id of this.unjudged) seen.set(AWAITED + id, String((this.before.get(id) ?? 0) + 1));
    const left = new Set([...this.before.keys(), ...this.unjudged]);
    return [...left].filter((id) => seen.get(AWAITED + id) !== '').length;
  }
}
