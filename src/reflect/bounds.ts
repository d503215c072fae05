import type { Direction, Verdict } from '../memory/evidence.js';
import { haveCommonTopic } from '../memory/judge/rules.js';
import { haveCommonAttribute } from '../memory/threads/link-index.js';
import type { Relation } from '../memory/threads/verdicts.js';
import type { ChatLevel } from '../model/levels.js';
import type { BeliefPair, StatementJudgement, StatementPair } from './judges.js';
import type { SaidRelation } from './questions.js';

/** What limits the verdicts of a model. */
export interface VerdictBounds {
  readonly level: ChatLevel;
  /** Whether a person asked to judge again. Then the model may take back what the rules found. */
  readonly isRejudging: boolean;
}

/**
 * What becomes of a model's verdict about a fact and a belief. At the level `free` it counts. Otherwise what the rules found
 * stands, and a verdict counts only if both have a common topic; else it is a proposal. Pure.
 * @param ruled verdict of the rules
 * @returns `rules` if that of the rules stands
 */
export function boundBeliefVerdict(
  { belief, judged }: BeliefPair,
  said: Direction,
  ruled: Direction,
  { level, isRejudging }: VerdictBounds,
): Pick<Verdict, 'direction' | 'proposed'> | 'rules' {
  if (level === 'free') return { direction: said };
  if (ruled !== 'none' && !isRejudging) return 'rules';
  const counts = said === 'none' ? isRejudging : haveCommonTopic(belief.judged, judged);
  return counts ? { direction: said } : { direction: 'none', proposed: said };
}

/** Relations that leave the earlier statement as it is, and take it out of the thread of the later one. */
const LEAVING: ReadonlySet<Relation> = new Set(['both', 'plan']);

/**
 * What becomes of a model's verdict about two statements. At the level `free` it counts. Otherwise the order that the rules
 * found stands, and a statement ends only if both have a common attribute; else the verdict is a proposal. Pure.
 */
export function boundRelation(
  { earlier, later }: StatementPair,
  said: SaidRelation,
  { level, isRejudging }: VerdictBounds,
): Pick<StatementJudgement, 'relation' | 'proposed' | 'over'> {
  if (level === 'free') return said;
  const counts = LEAVING.has(said.relation) ? isRejudging : haveCommonAttribute(later, earlier);
  return counts ? said : { ...said, relation: 'both', proposed: said.relation };
}
