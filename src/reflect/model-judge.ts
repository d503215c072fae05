import type { Result } from '../base/failure.js';
import { MemoryError } from '../base/failure.js';
import { formatCitedLine } from '../line/generated.js';
import { isSupported } from '../memory/supported.js';
import type { ChatModel, Question } from '../model/model.js';
import { UnusableAnswerLimit } from '../model/unusable.js';
import { judgeWithoutModel } from './judge-facts.js';
import { buildStatementPairKey as nameOfStatements } from './judge-statements.js';
import type { BeliefJudgement, JudgeBeliefPairs, JudgeStatementPairs, Judges, StatementJudgement } from './judges.js';
import {
  buildBeliefPairKey,
  buildBeliefQuestion,
  buildStatementQuestion,
  buildSummaryQuestion,
  type ReflectTemplates,
} from './questions.js';

interface ModelJudgeOptions {
  readonly templates: ReflectTemplates;
  /** Maximum number of calls of the model in one run. Further questions wait for the next run. */
  readonly maxCalls?: number | undefined;
  /** Whether the time limit of the run has passed. */
  readonly isOver: () => boolean;
  readonly signal?: AbortSignal | undefined;
}

/** Number of pairs in one prompt. It is low, because a small model miscounts in a long prompt. */
const PAIRS_A_CALL = 8;
const FACTS_IN_SUMMARY = 30;

/** The tasks of the model in a run. After too many unusable answers to one task, the run stops asking for that task. */
type Task = 'beliefs' | 'statements' | 'summaries';

/**
 * Lets a model judge pairs and write sentences. Keeps the answers during the run. If pages change meanwhile, the run
 * plans again and does not repeat the questions. If the model fails, the rules judge the rest of the run.
 */
export class ModelJudge {
  calls = 0;
  readonly warnings: string[] = [];
  private readonly judged = new Map<string, BeliefJudgement>();
  private readonly settled = new Map<string, StatementJudgement | null>();
  private readonly told = new Map<string, readonly string[]>();
  private readonly limits: Readonly<Record<Task, UnusableAnswerLimit>> = {
    beliefs: new UnusableAnswerLimit(),
    statements: new UnusableAnswerLimit(),
    summaries: new UnusableAnswerLimit(),
  };
  private isGone = false;

  constructor(
    private readonly model: ChatModel,
    private readonly options: ModelJudgeOptions,
  ) {}

  readonly judge: JudgeBeliefPairs = async (pairs) => {
    const open = pairs.filter((pair) => !this.judged.has(buildBeliefPairKey(pair)));
    for (let from = 0; from < open.length; from += PAIRS_A_CALL) {
      const some = open.slice(from, from + PAIRS_A_CALL);
      const answer = await this.ask(buildBeliefQuestion(some, this.options.templates.judge), 'beliefs');
      if (answer === undefined || this.isGone) break;
      const by = `model:${this.model.name}` as const;
      // The rules judge a pair about which the answer has no verdict, or two different ones.
      const ruled = await judgeWithoutModel(some);
      for (const [index, pair] of some.entries()) {
        const direction = answer.ok ? answer.value.get(index) : undefined;
        const judgement = direction === undefined ? ruled[index] : { direction, by };
        if (judgement !== undefined) this.judged.set(buildBeliefPairKey(pair), judgement);
      }
    }
    const ruled = this.isAtEnd('beliefs') ? await judgeWithoutModel(pairs) : [];
    return pairs.map((pair, index) => this.judged.get(buildBeliefPairKey(pair)) ?? ruled[index]);
  };

  /** Puts all pairs into one prompt: the caller passes at most as many as fit. */
  readonly settle: JudgeStatementPairs = async (pairs) => {
    const open = pairs.filter((pair) => !this.settled.has(nameOfStatements(pair)));
    const numbered = open.map((pair, index) => [index + 1, pair] as const);
    const question = buildStatementQuestion(numbered, this.options.templates.settle);
    const answer = open.length > 0 ? await this.ask(question, 'statements', 'these statements stay open') : undefined;
    if (answer !== undefined && !this.isGone) {
      for (const [number, pair] of numbered) {
        const said = answer.ok ? answer.value.get(number) : undefined;
        const own = said === undefined ? null : ({ ...said, by: `model:${this.model.name}` } as const);
        this.settled.set(nameOfStatements(pair), own);
      }
    }
    return pairs.map((pair) => this.settled.get(nameOfStatements(pair)));
  };

  readonly narrate: Judges['narrate'] = async (entity, facts) => {
    const shown = facts.filter(({ kind }) => kind !== 'observation').slice(0, FACTS_IN_SUMMARY);
    const key = JSON.stringify([entity, shown.map(({ id }) => id)]);
    const known = this.told.get(key);
    if (known !== undefined || shown.length < 2) return known ?? [];
    const answer = await this.ask(buildSummaryQuestion(entity, shown, this.options.templates.summary), 'summaries');
    if (answer === undefined) return this.isAtEnd('summaries') ? [] : undefined;
    const sentences = (answer.ok ? answer.value : [])
      .filter(({ text, facts: cited }) => isSupported(text, cited))
      .map(({ text, facts: cited }) => formatCitedLine(text.trim(), [...new Set(cited)]));
    this.told.set(key, sentences);
    return sentences;
  };

  /** Whether the run asks the model no more about this, so that the rules do what is left. */
  private isAtEnd(about: Task): boolean {
    return this.isGone || this.limits[about].isReached;
  }

  /** Asks the model a question. Undefined if the run must not ask the model any more such questions. */
  private async ask<T>(
    question: Question<T>,
    about: Task,
    otherwise = 'the rules judge these facts',
  ): Promise<Result<T> | undefined> {
    const { maxCalls, isOver, signal } = this.options;
    if (this.isAtEnd(about) || isOver() || this.calls >= (maxCalls ?? Number.POSITIVE_INFINITY)) return undefined;
    this.calls++;
    const answer = await this.model.ask(question, signal);
    this.limits[about].note(answer.ok);
    if (answer.ok) return answer;
    if (answer.error.type === 'interrupted') throw new MemoryError(answer.error);
    // An unusable answer affects this question only; an unavailable model affects all questions.
    if (answer.error.type === 'model_unavailable') this.isGone = true;
    this.warnings.push(`${answer.error.message}; ${this.isAtEnd(about) ? 'the rules judge the rest' : otherwise}`);
    return answer;
  }
}
