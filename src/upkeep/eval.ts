import type { RecallAnswer, RecallRequest } from '../recall/request.js';
import type { EvalCase } from './eval-case.js';
import { type CaseScore, scoreCase } from './eval-score.js';

export interface EvalFigures {
  readonly cases: number;
  readonly passed: number;
  /** Means over the cases that expect something, 0..1. */
  readonly recall: number;
  readonly mrr: number;
  readonly ndcg10: number;
  /** Mean tokens of an answer. */
  readonly tokens: number;
}

export interface EvalReport extends EvalFigures {
  readonly byKind: Readonly<Record<string, EvalFigures>>;
  readonly failures: readonly EvalFailure[];
  /** Of the answers, each once: above all, why they are by words alone. */
  readonly warnings: readonly string[];
}

export interface EvalFailure extends CaseScore {
  readonly id: string;
  readonly kind: string;
  readonly question: string;
  readonly expect: readonly string[];
  /** The best results instead. */
  readonly found: readonly { readonly source: string; readonly content: string; readonly why?: string }[];
  /** How the question was read; only with `explain`. */
  readonly explain?: readonly string[];
}

/** Answers one case's question at its own instant. */
export type AskCase = (asked: EvalCase, request: RecallRequest) => Promise<RecallAnswer>;

/** Asks every question of a case file and counts how good the answers are. */
export async function evaluate(cases: readonly EvalCase[], ask: AskCase, explain: boolean): Promise<EvalReport> {
  const scored: { asked: EvalCase; score: CaseScore; tokens: number }[] = [];
  const failures: EvalFailure[] = [];
  const warnings = new Set<string>();
  for (const asked of cases) {
    const answer = await ask(asked, { query: asked.question, k: Math.max(asked.k, 10), explain, ...asked.options });
    for (const warning of answer.warnings) warnings.add(warning);
    // Metrics look at ten ranks; whether a case passes, at its own k.
    const score = scoreCase(asked, answer.results);
    scored.push({ asked, score, tokens: answer.tokens });
    if (!score.passed) failures.push(failureOf(asked, score, answer));
  }
  const kinds = [...new Set(cases.map(({ kind }) => kind))].sort();
  const byKind = Object.fromEntries(
    kinds.map((kind) => [kind, figures(scored.filter(({ asked }) => asked.kind === kind))]),
  );
  return { ...figures(scored), byKind, failures, warnings: [...warnings] };
}

function failureOf(asked: EvalCase, score: CaseScore, answer: RecallAnswer): EvalFailure {
  const found = answer.results
    .slice(0, 3)
    .map(({ source, content, why }) => (why === undefined ? { source, content } : { source, content, why }));
  const explained = answer.explain === undefined ? {} : { explain: answer.explain };
  return {
    id: asked.id,
    kind: asked.kind,
    question: asked.question,
    expect: asked.expect,
    ...score,
    found,
    ...explained,
  };
}

function figures(scored: readonly { asked: EvalCase; score: CaseScore; tokens: number }[]): EvalFigures {
  const expecting = scored.filter(({ asked }) => asked.expect.length > 0);
  const mean = (values: readonly number[]): number =>
    values.length === 0 ? 1 : values.reduce((sum, value) => sum + value, 0) / values.length;
  return {
    cases: scored.length,
    passed: scored.filter(({ score }) => score.passed).length,
    recall: mean(expecting.map(({ score }) => score.recall)),
    mrr: mean(expecting.map(({ score }) => score.reciprocalRank)),
    ndcg10: mean(expecting.map(({ score }) => score.ndcg10)),
    tokens: scored.length === 0 ? 0 : mean(scored.map(({ tokens }) => tokens)),
  };
}
