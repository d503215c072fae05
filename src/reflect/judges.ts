import type { Direction, Judge, Verdict } from '../memory/evidence.js';
import type { LazyStance } from '../memory/judge/rules.js';
import type { PairJudge, PairVerdict, Relation } from '../memory/threads/verdicts.js';
import type { Belief } from './beliefs.js';
import type { ReflectFact } from './facts.js';

/** Who judges, as a verdict names it. */
export interface VerdictSource extends Pick<Verdict, 'digest'> {
  readonly by: Judge;
}

/** A fact and a belief that it may support or contradict. */
export interface BeliefPair {
  readonly fact: ReflectFact;
  readonly belief: Belief;
  readonly judged: LazyStance;
}

export interface BeliefJudgement extends Pick<Verdict, 'proposed' | 'digest'> {
  readonly direction: Direction;
  readonly by: Judge;
  /** The rules judged, because the model was unavailable: ask the model later. */
  readonly isProvisional?: boolean | undefined;
}

/** Judges pairs and returns one answer for each. Undefined: not judged now; a later run must ask again. */
export type JudgeBeliefPairs = (pairs: readonly BeliefPair[]) => Promise<readonly (BeliefJudgement | undefined)[]>;

/** Two statements about one subject. No judge has said yet how the later one affects the earlier. */
export interface StatementPair {
  /** Name of the subject as written, with its `@`. */
  readonly subject: string;
  readonly earlier: ReflectFact;
  readonly later: ReflectFact;
}

/** Verdict of a judge about two statements, with the name of the judge. */
export interface StatementJudgement extends Pick<PairVerdict, 'proposed' | 'digest'> {
  readonly relation: Relation;
  /** With `partly`: the words of the earlier statement that no longer hold. */
  readonly over?: string | undefined;
  readonly by: PairJudge;
}

/**
 * Judges pairs of statements and returns one answer for each. Null: no answer; a later run asks again. Undefined: the
 * judge gives no more answers in this run.
 */
export type JudgeStatementPairs = (
  pairs: readonly StatementPair[],
) => Promise<readonly (StatementJudgement | null | undefined)[]>;

/**
 * Lets a model write sentences about an entity, and checks the sentences against the facts of the entity. Undefined if
 * there is no answer now; a later run asks again.
 */
type Narrate = (entity: string, facts: readonly ReflectFact[]) => Promise<readonly string[] | undefined>;

/** What a run will ask about, as far as is known when it begins. */
export interface ExpectedQuestions {
  /** Pairs of facts and beliefs. Those of one list are asked about together. */
  readonly beliefs: readonly (readonly BeliefPair[])[];
  readonly statements: readonly StatementPair[];
  /** Number of entities that may get a summary. */
  readonly entities: number;
}

/** The functions that judge in a run, and the function that writes sentences about an entity. */
export interface Judges {
  readonly judge: JudgeBeliefPairs;
  readonly narrate: Narrate;
  /**
   * Judges how later statements affect earlier ones. Without this function, pairs of statements get no verdict in the
   * run.
   */
  readonly settle?: JudgeStatementPairs | undefined;
  /** Receives what the run will ask about. Missing if nobody wants to know. */
  readonly expect?: ((questions: ExpectedQuestions) => Promise<void>) | undefined;
  /** The model that judges in this run. */
  readonly source?: (() => Promise<VerdictSource | undefined>) | undefined;
  /** Whether the judge of statements knows the language of a pair. Other pairs stay open. */
  readonly knows?: ((pair: StatementPair) => Promise<boolean>) | undefined;
}
