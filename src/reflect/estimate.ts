import { opinionId } from '../memory/fact.js';
import { type Belief, BeliefStore, createBeliefFromFact } from './beliefs.js';
import type { ReflectFact } from './facts.js';
import { openPairsByDay, readFact } from './judge-facts.js';
import { buildStatementPairKey, type OpenPairFinder, pagesToJudge, statementsOfPage } from './judge-statements.js';
import type { StatementPair } from './judges.js';
import { readWaitingEntities } from './progress.js';
import { beliefPairsOf, findVerdictsToJudgeAgain, statementPairsOf } from './rejudge.js';
import type { ReflectRun } from './run.js';

/** Maximum number of pairs of statements that the estimate looks for. */
const MOST_PAIRS = 2_000;

/**
 * Tells the judge about how much this run will ask it, so that it can show the progress. Does nothing if nobody wants to
 * know. New opinions count as beliefs, although some of them say the same as others.
 */
export async function reportExpectedQuestions(
  run: ReflectRun,
  facts: readonly ReflectFact[],
  finder: OpenPairFinder,
): Promise<void> {
  if (run.expect === undefined) return;
  const isWanted = await findVerdictsToJudgeAgain(run);
  const again = isWanted === undefined ? [] : beliefPairsOf(run, isWanted, readFact);
  const open = new Map<string, StatementPair>();
  const add = (pairs: readonly StatementPair[]): void => {
    for (const pair of pairs) open.set(buildStatementPairKey(pair), pair);
  };
  add(isWanted === undefined ? [] : statementPairsOf(run, isWanted));
  for (const page of run.settle === undefined ? [] : pagesToJudge(run)) {
    if (open.size >= MOST_PAIRS) break;
    for (const fact of statementsOfPage(run, page)) add(finder.of(fact));
  }
  const entities = new Set([
    ...facts.flatMap(({ slugs, isJob }) => (isJob ? [] : slugs)),
    ...readWaitingEntities(run.progress).map(([slug]) => slug),
  ]);
  const beliefs = [again, ...openPairsByDay(run, facts, beliefsAfter(run, facts))];
  await run.expect({ beliefs, statements: [...open.values()], entities: entities.size });
}

/** The beliefs that there are, and those that the facts may begin. */
function beliefsAfter({ beliefs, near }: ReflectRun, facts: readonly ReflectFact[]): BeliefStore {
  const all = new Map<string, Belief>(beliefs.all().map((belief) => [belief.id, belief]));
  for (const fact of facts.toSorted((a, b) => ((a.day ?? '') < (b.day ?? '') ? -1 : 1)))
    if (fact.kind === 'opinion' && fact.isEvidence && fact.day !== null && !all.has(opinionId(fact)))
      all.set(opinionId(fact), createBeliefFromFact(fact, fact.day));
  const store = new BeliefStore(near);
  for (const belief of all.values()) store.add(belief);
  return store;
}
