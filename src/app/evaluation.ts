import { type RecallSource, recall } from '../recall/recall.js';
import { type EvalReport, type EvalWorkspace, evaluate } from '../upkeep/eval.js';
import type { EvalCase } from '../upkeep/eval-case.js';
import { textAt } from '../upkeep/eval-score.js';
import { openClock } from '../workspace/clock.js';
import { endIfInterrupted } from './answering.js';
import type { EvalOptions } from './requests.js';

/** Asks the cases of an opened index, each at its own instant. */
export function evaluateCases(
  cases: readonly EvalCase[],
  source: RecallSource,
  { explain = false, signal }: EvalOptions,
): Promise<EvalReport> {
  const workspace: EvalWorkspace = {
    clockOf: (now) => (now === undefined ? source.clock : openClock(source.clock.zone, now, source.clock.dateOrder)),
    ask: async (clock, query) => {
      const answer = await recall({ ...source, clock }, query);
      endIfInterrupted(signal);
      return answer;
    },
    textAt: (place) => textAt(source.search, place),
  };
  return evaluate(cases, workspace, explain);
}
