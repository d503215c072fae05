import { memoize } from '../base/cache.js';
import type { Result } from '../base/failure.js';
import { MemoryError } from '../base/failure.js';
import { groupBy } from '../base/order.js';
import type { OnProgress } from '../base/request.js';
import { formatCitedLine } from '../line/generated.js';
import type { Direction } from '../memory/evidence.js';
import { explainUnsupportedSentence, type UnsupportedLine } from '../memory/supported.js';
import type { ChatLevel } from '../model/levels.js';
import type { ChatModel, Question } from '../model/model.js';
import type { ModelTimeLimit } from '../model/time-limit.js';
import { UnusableAnswerLimit } from '../model/unusable.js';
import { boundBeliefVerdict, boundRelation, type VerdictBounds } from './bounds.js';
import { buildBeliefChoice, buildStatementChoice, MOST_CHOSEN_PAIRS } from './choices.js';
import type { ReflectFact } from './facts.js';
import { judgePairsByRules, judgeWithoutModel } from './judge-facts.js';
import { buildStatementPairKey } from './judge-statements.js';
import type {
  BeliefJudgement,
  BeliefPair,
  ExpectedQuestions,
  JudgeBeliefPairs,
  JudgeStatementPairs,
  Judges,
  StatementJudgement,
  StatementPair,
} from './judges.js';
import { KeptAnswers } from './kept-answers.js';
import {
  buildBeliefPairKey,
  buildBeliefQuestion,
  buildStatementQuestion,
  buildSummaryQuestion,
  type ReflectTemplates,
  type SaidRelation,
} from './questions.js';

interface ModelJudgeOptions {
  readonly templates: ReflectTemplates;
  /** Where the answers are kept until the run is written. */
  readonly stateFolder: string;
  /** Maximum number of calls of the model in one run. Further questions wait for the next run. */
  readonly maxCalls?: number | undefined;
  /** Whether the model judges again what the rules have judged. Then it may take back what they found. */
  readonly isRejudging?: boolean | undefined;
  readonly time: ModelTimeLimit;
  /** Receives the number of answered questions, and about how many there are. */
  readonly onProgress?: OnProgress | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Number of pairs in one prompt. It is low, because a small model miscounts in a long prompt. */
const PAIRS_A_CALL = 8;
/** Maximum number of pairs of statements in one prompt. */
const STATEMENTS_A_CALL = 20;
const FACTS_IN_SUMMARY = 30;
/** Number of characters of a digest that a verdict keeps. */
const DIGEST_LENGTH = 12;

/** The tasks of the model in a run. After too many unusable answers to one task, the run stops asking for that task. */
type Task = 'beliefs' | 'statements' | 'summaries';

/**
 * Lets a model judge pairs and write sentences, as its level for the language of the texts allows. Keeps the answers until
 * the run is written. If pages change meanwhile, or the run is stopped, the questions are not repeated. If the model fails, does
 * not know a language, or has no time left, the rules judge.
 */
export class ModelJudge implements Judges {
  calls = 0;
  /** About how many questions the run has. */
  private expected = 0;
  readonly warnings: string[] = [];
  /** Sentences of summaries that the facts do not carry. */
  readonly refused: UnsupportedLine[] = [];
  private readonly judged = new Map<string, BeliefJudgement>();
  private readonly settled = new Map<string, StatementJudgement | null>();
  private readonly told = new Map<string, readonly string[]>();
  private readonly limits: Readonly<Record<Task, UnusableAnswerLimit>> = {
    beliefs: new UnusableAnswerLimit(),
    statements: new UnusableAnswerLimit(),
    summaries: new UnusableAnswerLimit(),
  };
  private isGone = false;

  private readonly kept: KeptAnswers;

  constructor(
    private readonly model: ChatModel,
    private readonly options: ModelJudgeOptions,
  ) {
    this.kept = new KeptAnswers(options.stateFolder, `${model.name} ${model.digest}`);
  }

  readonly judge: JudgeBeliefPairs = async (pairs) => {
    const open = pairs.filter((pair) => !this.judged.has(buildBeliefPairKey(pair)));
    await this.weigh(open.flatMap((pair) => pairWith(pair, this.kept.direction(this.beliefKey(pair)))));
    const unsaid = open.filter((pair) => !this.judged.has(buildBeliefPairKey(pair)));
    for (const { level, some } of batchesOf(unsaid, this.levelOfBeliefs, PAIRS_A_CALL)) {
      const answer = level === 'unused' ? null : await this.ask(this.beliefQuestion(level, some), 'beliefs');
      if (answer === undefined || this.isGone) break;
      const said = some.flatMap((pair, index) => pairWith(pair, answer?.ok ? answer.value.get(index) : undefined));
      this.kept.add(said.map(([pair, direction]) => [this.beliefKey(pair), direction] as const));
      await this.weigh(said);
      // The rules judge a pair about which the answer has no verdict, or two different ones.
      for (const [index, ruled] of (await judgeWithoutModel(some)).entries()) {
        const key = some[index] && buildBeliefPairKey(some[index]);
        if (key !== undefined && ruled !== undefined && !this.judged.has(key)) this.judged.set(key, ruled);
      }
    }
    const isLeft = this.isAtEnd('beliefs') || this.options.time.isOver;
    const ruled = isLeft ? await judgeWithoutModel(pairs) : [];
    return pairs.map((pair, index) => this.judged.get(buildBeliefPairKey(pair)) ?? ruled[index]);
  };

  readonly settle: JudgeStatementPairs = async (pairs) => {
    const bind = (pair: StatementPair, said: SaidRelation): void => {
      const bound = boundRelation(pair, said, this.boundsAt(this.levelOfStatements(pair)));
      this.settled.set(buildStatementPairKey(pair), { ...bound, ...this.self });
    };
    const open = pairs.filter((pair) => !this.settled.has(buildStatementPairKey(pair)));
    for (const [pair, said] of open.flatMap((one) => pairWith(one, this.kept.relation(this.statementKey(one)))))
      bind(pair, said);
    const unsaid = open.filter((pair) => !this.settled.has(buildStatementPairKey(pair)));
    for (const { level, some } of batchesOf(unsaid, this.levelOfStatements, STATEMENTS_A_CALL)) {
      const question = this.statementQuestion(level, some);
      const answer = await this.ask(question, 'statements', 'these statements stay open');
      if (answer === undefined || this.isGone) break;
      const said = some.flatMap((pair, index) => pairWith(pair, answer.ok ? answer.value.get(index + 1) : undefined));
      this.kept.add(said.map(([pair, relation]) => [this.statementKey(pair), relation] as const));
      for (const pair of some) this.settled.set(buildStatementPairKey(pair), null);
      for (const [pair, relation] of said) bind(pair, relation);
    }
    return pairs.map((pair) => this.settled.get(buildStatementPairKey(pair)));
  };

  readonly expect = async ({ beliefs, statements, entities }: ExpectedQuestions): Promise<void> => {
    const open = beliefs.map((pairs) =>
      pairs.filter((pair) => this.kept.direction(this.beliefKey(pair)) === undefined),
    );
    const unsettled = statements.filter((pair) => this.kept.relation(this.statementKey(pair)) === undefined);
    const asked = [
      ...open.flatMap((pairs) => batchesOf(pairs, this.levelOfBeliefs, PAIRS_A_CALL)),
      ...batchesOf(unsettled, this.levelOfStatements, STATEMENTS_A_CALL),
    ].filter(({ level }) => level !== 'unused').length;
    const sample = statements[0]?.later.text ?? beliefs.flat()[0]?.fact.text ?? '';
    const told = this.model.levelFor('facts', sample) === 'free' ? entities : 0;
    this.expected = Math.min(asked + told, this.options.maxCalls ?? asked + told);
    if (this.expected > 0) this.showProgress();
  };

  readonly source: Judges['source'] = async () => this.self;

  readonly knows: Judges['knows'] = async (pair) => this.levelOfStatements(pair) !== 'unused';

  readonly narrate: Judges['narrate'] = async (entity, facts) => {
    const shown = facts.filter(({ kind }) => kind !== 'observation').slice(0, FACTS_IN_SUMMARY);
    const key = JSON.stringify([entity, shown.map(({ id }) => id)]);
    const known = this.told.get(key);
    if (known !== undefined || shown.length < 2) return known ?? [];
    if (this.model.levelFor('facts', shown.map(({ text }) => text).join('\n')) !== 'free') return [];
    const said = await this.sentencesAbout(entity, shown, key);
    if (said === undefined) return this.isAtEnd('summaries') ? [] : undefined;
    const sentences = said.flatMap(({ text, facts: cited }) => {
      const reason = explainUnsupportedSentence(text, cited);
      if (reason === undefined) return [formatCitedLine(text.trim(), [...new Set(cited)])];
      this.refused.push({ line: text, reason });
      return [];
    });
    this.told.set(key, sentences);
    return sentences;
  };

  /** The sentences of the model, unchecked. Undefined if the run must not ask any more. */
  private async sentencesAbout(entity: string, facts: readonly ReflectFact[], key: string) {
    const byId = new Map(facts.map((fact) => [fact.id, fact]));
    const kept = this.kept.sentences(key);
    if (kept !== undefined)
      return kept.map(({ text, facts: cited }) => ({ text, facts: cited.flatMap((id) => byId.get(id) ?? []) }));
    const answer = await this.ask(buildSummaryQuestion(entity, facts, this.options.templates.summary), 'summaries');
    if (answer === undefined) return undefined;
    if (!answer.ok) return [];
    this.kept.add([[key, answer.value.map(({ text, facts: cited }) => ({ text, facts: cited.map(({ id }) => id) }))]]);
    return answer.value;
  }

  private beliefKey(pair: BeliefPair): string {
    return `${this.levelOfBeliefs(pair)} ${buildBeliefPairKey(pair)}`;
  }

  private statementKey(pair: StatementPair): string {
    return `${this.levelOfStatements(pair)} ${buildStatementPairKey(pair)}`;
  }

  private readonly levelOfText = memoize((text: string): ChatLevel => this.model.levelFor('verdicts', text));

  private readonly levelOfBeliefs = ({ fact, belief }: BeliefPair): ChatLevel =>
    this.levelOfText(`${fact.text}\n${belief.text}`);

  private readonly levelOfStatements = ({ earlier, later }: StatementPair): ChatLevel =>
    this.levelOfText(`${earlier.text}\n${later.text}`);

  private beliefQuestion(level: ChatLevel, pairs: readonly BeliefPair[]): Question<ReadonlyMap<number, Direction>> {
    const { judge, chooseVerdicts } = this.options.templates;
    return level === 'free' ? buildBeliefQuestion(pairs, judge) : buildBeliefChoice(pairs, chooseVerdicts);
  }

  private statementQuestion(
    level: ChatLevel,
    pairs: readonly StatementPair[],
  ): Question<ReadonlyMap<number, SaidRelation>> {
    const { settle, chooseRelations } = this.options.templates;
    if (level !== 'free') return buildStatementChoice(pairs, chooseRelations);
    const numbered = pairs.map((pair, index) => [index + 1, pair] as const);
    return buildStatementQuestion(numbered, settle);
  }

  /** Decides what counts of the verdicts of the model. */
  private async weigh(said: readonly (readonly [pair: BeliefPair, direction: Direction])[]): Promise<void> {
    const ruled = await judgePairsByRules(said.map(([pair]) => pair));
    for (const [index, [pair, direction]] of said.entries()) {
      const byRules = ruled[index];
      const bounds = this.boundsAt(this.levelOfBeliefs(pair));
      const bound = boundBeliefVerdict(pair, direction, byRules?.direction ?? 'none', bounds);
      const judgement = bound === 'rules' ? byRules : { ...bound, ...this.self };
      if (judgement !== undefined) this.judged.set(buildBeliefPairKey(pair), judgement);
    }
  }

  private boundsAt(level: ChatLevel): VerdictBounds {
    return { level, isRejudging: this.options.isRejudging === true };
  }

  /** Who judged, as a verdict names it. */
  private get self() {
    const digest = this.model.digest.replace(/^sha256:/, '').slice(0, DIGEST_LENGTH);
    return { by: `model:${this.model.name}`, ...(digest !== '' && { digest }) } as const;
  }

  /** Whether the run asks the model no more about this, so that the rules do what is left. */
  private isAtEnd(about: Task): boolean {
    return this.isGone || this.limits[about].isReached;
  }

  /** The estimate may be too low. Then one more question is left. */
  private showProgress(): void {
    const all = Math.max(this.expected, this.calls + 1);
    this.options.onProgress?.(this.calls, all, 'questions', true);
  }

  /** Asks the model a question. Undefined if the run must not ask the model any more such questions. */
  private async ask<T>(
    question: Question<T>,
    about: Task,
    otherwise = 'the rules judge these facts',
  ): Promise<Result<T> | undefined> {
    const { maxCalls, time, signal } = this.options;
    if (this.isAtEnd(about) || time.isOver || this.calls >= (maxCalls ?? Number.POSITIVE_INFINITY)) return undefined;
    this.showProgress();
    this.calls++;
    const answer = await time.ask(this.model, question, signal);
    this.showProgress();
    if (answer === undefined) return undefined;
    this.limits[about].note(answer.ok);
    if (answer.ok) return answer;
    if (answer.error.type === 'interrupted') throw new MemoryError(answer.error);
    // An unusable answer affects this question only; an unavailable model affects all questions.
    if (answer.error.type === 'model_unavailable') this.isGone = true;
    this.warnings.push(`${answer.error.message}; ${this.isAtEnd(about) ? 'the rules judge the rest' : otherwise}`);
    return answer;
  }
}

/** A list with the pair and what was said about it; empty if nothing was. */
function pairWith<Pair, Said>(pair: Pair, said: Said | undefined): readonly (readonly [Pair, Said])[] {
  return said === undefined ? [] : [[pair, said]];
}

/**
 * Divides pairs into prompts. All pairs of a prompt have the same level.
 * @param most maximum number of pairs in a prompt at the level `free`
 */
function batchesOf<Pair>(pairs: readonly Pair[], levelOf: (pair: Pair) => ChatLevel, most: number) {
  return [...groupBy(pairs, levelOf)].flatMap(([level, all]) => {
    const size = level === 'extractive' ? MOST_CHOSEN_PAIRS : most;
    const starts = Array.from({ length: Math.ceil(all.length / size) }, (_, index) => index * size);
    return starts.map((from) => ({ level, some: all.slice(from, from + size) }));
  });
}
