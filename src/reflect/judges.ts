import type { Direction, Judge } from '../memory/evidence.js';
import type { JudgedStatement } from '../memory/judge/rules.js';
import type { PairJudge, Relation } from '../memory/threads/verdicts.js';
import type { Belief } from './beliefs/beliefs.js';
import type { ReflectFact } from './facts.js';

/** A fact and a belief that it may support or contradict. */
export interface BeliefPair {
  readonly fact: ReflectFact;
  readonly belief: Belief;
  readonly judged: JudgedStatement;
}

export interface Judgement {
  readonly direction: Direction;
  readonly by: Judge;
  /** By rules in place of an unavailable model: ask the model later. */
  readonly isProvisional?: boolean | undefined;
}

/** Judges pairs, one answer each. Undefined: not judged now; a later run must ask again. */
export type JudgePairs = (pairs: readonly BeliefPair[]) => Promise<readonly (Judgement | undefined)[]>;

/** Two statements about one subject without a verdict on how the later affects the earlier. */
export interface StatementPair {
  /** As written, with its `@`. */
  readonly subject: string;
  readonly earlier: ReflectFact;
  readonly later: ReflectFact;
}

/** Verdict of a judge about two statements. */
export interface PairAnswer {
  readonly relation: Relation;
  /** With `partly`: the words of the earlier statement that no longer hold. */
  readonly over?: string | undefined;
  readonly by: PairJudge;
}

/**
 * Judges pairs of statements, one answer each. Null: no answer, a later run asks again. Undefined: the judge does not
 * answer any more in this run.
 */
export type JudgeStatements = (pairs: readonly StatementPair[]) => Promise<readonly (PairAnswer | null | undefined)[]>;

/**
 * Sentences of a model about an entity, checked against its facts; an empty list means none. Undefined: not now, a
 * later run asks again.
 */
type Narrate = (entity: string, facts: readonly ReflectFact[]) => Promise<readonly string[] | undefined>;

/** The judges of a run, and the writer of its sentences. */
export interface Judges {
  readonly judge: JudgePairs;
  readonly narrate: Narrate;
  /** Judges how later statements affect earlier ones; without it nothing is judged. */
  readonly settle?: JudgeStatements | undefined;
}
