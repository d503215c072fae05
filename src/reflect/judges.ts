import type { Direction, Judge } from '../memory/evidence.js';
import type { JudgedStatement } from '../memory/judge/rules.js';
import type { PairJudge, Relation } from '../memory/threads/verdicts.js';
import type { Belief } from './beliefs/beliefs.js';
import type { ReflectFact } from './facts.js';

/** A fact and a belief that it may speak for or against. */
export interface BeliefPair {
  readonly fact: ReflectFact;
  readonly belief: Belief;
  readonly judged: JudgedStatement;
}

export interface Judgement {
  readonly direction: Direction;
  readonly by: Judge;
  /** Of rules that stand in for a model: it is to be asked when it is there again. */
  readonly isProvisional?: boolean | undefined;
}

/** Judges pairs, one answer each. Undefined: not now, the fact is to be looked at again by a later run. */
export type JudgePairs = (pairs: readonly BeliefPair[]) => Promise<readonly (Judgement | undefined)[]>;

/** Two statements of one subject of which nobody has said what the later does to the earlier. */
export interface StatementPair {
  /** As written, with its `@`. */
  readonly subject: string;
  readonly earlier: ReflectFact;
  readonly later: ReflectFact;
}

/** What a judge says of two statements. */
export interface PairAnswer {
  readonly relation: Relation;
  /** Words of the earlier that are over, with `partly`. */
  readonly over?: string | undefined;
  readonly by: PairJudge;
}

/**
 * Judges pairs of statements, one answer each. Null: this one has no answer, and a later run asks again; undefined: nobody
 * answers any more.
 */
export type JudgeStatements = (pairs: readonly StatementPair[]) => Promise<readonly (PairAnswer | null | undefined)[]>;

/**
 * Sentences of a model about an entity, checked against its facts; an empty list says that there are none. Undefined: not
 * now, the entity is to be told about by a later run.
 */
type Narrate = (entity: string, facts: readonly ReflectFact[]) => Promise<readonly string[] | undefined>;

/** Who judges and who tells, when it is not the rules. */
export interface Judges {
  readonly judge: JudgePairs;
  readonly narrate: Narrate;
  /** Says what later statements do to earlier ones; without it nobody does. */
  readonly settle?: JudgeStatements | undefined;
}
