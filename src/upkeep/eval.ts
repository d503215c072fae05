import type { Clock } from '../base/clock.js';
import { fail, throwWithName } from '../base/failure.js';
import { compareText, groupBy } from '../base/order.js';
import { type RecallSource, recall } from '../recall/recall.js';
import { type RecallAnswer, type RecallQuery, readRecallRequest } from '../recall/request.js';
import { openClock } from '../workspace/clock.js';
import { type CheckedCase, checkCases, type EvalCase } from './eval-case.js';
import { type CaseScore, isAtCitation, readTextAtCitation, scoreCase } from './eval-score.js';

export interface EvalFigures {
  readonly cases: number;
  readonly passed: number;
  /** Mean recall of the cases that expect a source, 0..1. `mrr` and `ndcg10` are means over the same cases. */
  readonly recall: number;
  readonly mrr: number;
  readonly ndcg10: number;
  /** Mean number of tokens of an answer. */
  readonly tokens: number;
}

export interface EvalReport extends EvalFigures {
  readonly byKind: Readonly<Record<string, EvalFigures>>;
  readonly failures: readonly EvalFailure[];
  /** Warnings that every answer had. The most important one says why the search used only words, and no vectors. */
  readonly warnings: readonly string[];
}

export interface EvalFailure extends CaseScore {
  readonly id: string;
  readonly kind: string;
  readonly query: string;
  readonly expect: readonly ExpectedSource[];
  /** The best results of the failed case, found instead of the expected sources. */
  readonly found: readonly { readonly source: string; readonly content: string; readonly why?: string }[];
  /** The warnings of the answer. */
  readonly warnings: readonly string[];
  /** How recall understood the question; only with `explain`. */
  readonly explain?: readonly string[];
}

/** An expected source, with its rank. */
export interface ExpectedSource {
  readonly source: string;
  /** The text at the source; null if there is none. */
  readonly content: string | null;
  /** Rank of the source among {@link LONG_ANSWER} results; null if it is not one of them. */
  readonly rank: number | null;
  /** Why the source has that rank; only with `explain`. */
  readonly why?: string;
}

/** Number of results to ask for after a failed question, to find the ranks of the expected sources. */
const LONG_ANSWER = 100;

/**
 * Asks every question of a case file, as if the current time were the one that its case gives, and scores the answers. Reads
 * all cases before it asks the first question.
 * @throws MemoryError `usage` for the first invalid case, `interrupted` if it was stopped
 */
export async function evaluateCases(
  given: readonly EvalCase[],
  source: RecallSource,
  { explain = false, signal }: { readonly explain?: boolean | undefined; readonly signal?: AbortSignal | undefined },
): Promise<EvalReport> {
  const ask = async (clock: Clock, query: RecallQuery): Promise<RecallAnswer> => {
    const answer = await recall({ ...source, clock }, query);
    if (signal?.aborted) fail('interrupted', 'the evaluation was interrupted', 'run the command again');
    return answer;
  };
  const { cases, warnings: old } = checkCases(given);
  const questions: Awaited<ReturnType<typeof questionOf>>[] = [];
  for (const asked of cases) questions.push(await questionOf(asked, source.clock, explain));
  const scored: { asked: CheckedCase; score: CaseScore; tokens: number }[] = [];
  const failures: EvalFailure[] = [];
  const warnings = new Map<string, number>();
  for (const { asked, clock, query } of questions) {
    const answer = await ask(clock, query);
    for (const warning of answer.warnings) warnings.set(warning, (warnings.get(warning) ?? 0) + 1);
    // Score all results, because the mean figures need the first ten. Whether the case passes depends only on the first
    // `k` of the case.
    const score = scoreCase(asked, answer.results);
    scored.push({ asked, score, tokens: answer.tokens });
    if (score.passed) continue;
    const long = await ask(clock, { ...query, k: LONG_ANSWER });
    const expect = asked.expect.map((place) => expected(place, long, readTextAtCitation(source.search, place)));
    const found = answer.results.slice(0, 3).map(({ source: at, content, why }) => {
      return { source: at, content, ...(why === undefined ? {} : { why }) };
    });
    const explained = answer.explain === undefined ? {} : { explain: answer.explain };
    const { id, kind, query: asks } = asked;
    failures.push({ id, kind, query: asks, ...score, expect, found, warnings: answer.warnings, ...explained });
  }
  const kinds = [...groupBy(scored, ({ asked }) => asked.kind)].sort(([a], [b]) => compareText(a, b));
  const byKind = Object.fromEntries(kinds.map(([kind, some]) => [kind, figures(some)]));
  // Warnings of single answers are reported with the failed cases only.
  const general = [...warnings].filter(([, count]) => count === cases.length).map(([warning]) => warning);
  return { ...figures(scored), byKind, failures, warnings: [...old, ...general] };
}

async function questionOf(asked: CheckedCase, usual: Clock, explain: boolean) {
  try {
    const clock = asked.now === undefined ? usual : openClock(usual.zone, asked.now, usual.dateOrder);
    const request = { query: asked.query, k: Math.max(asked.k, 10), explain, ...asked.options };
    return { asked, clock, query: await readRecallRequest(request, clock) };
  } catch (error) {
    return throwWithName(`case ${asked.id}`, error);
  }
}

function expected(source: string, { results }: RecallAnswer, text: string | undefined): ExpectedSource {
  const index = results.findIndex((result) => isAtCitation(result, source));
  const why = results[index]?.why;
  return { source, content: text ?? null, rank: index < 0 ? null : index + 1, ...(why === undefined ? {} : { why }) };
}

function figures(scored: readonly { asked: CheckedCase; score: CaseScore; tokens: number }[]): EvalFigures {
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
