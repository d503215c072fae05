import { join } from 'node:path';
import { lazy } from '../base/cache.js';
import { fail, MemoryError, valueOrThrow } from '../base/failure.js';
import { checkRequest, type OnProgress, readTypedRequest } from '../base/request.js';
import { EVIDENCE_PATH } from '../memory/evidence.js';
import { formatUnsupportedCount } from '../memory/supported.js';
import { checkAnswer } from '../model/answer.js';
import { ModelTimeLimit } from '../model/time-limit.js';
import { readDayOptions } from '../query/day-options.js';
import { applyReflectAnswer, buildReflectPrompt } from '../reflect/by-agent.js';
import { judgeWithoutModel } from '../reflect/judge-facts.js';
import type { Judges } from '../reflect/judges.js';
import { removeKeptAnswers } from '../reflect/kept-answers.js';
import { ModelJudge } from '../reflect/model-judge.js';
import type { ReflectReport } from '../reflect/plan.js';
import { AGENT_ANSWER_SCHEMA, type ReflectTemplates } from '../reflect/questions.js';
import {
  type ReflectContext,
  type ReflectScope,
  RULE_JUDGES,
  reflect,
  revokeJudge,
  undoReflect,
} from '../reflect/reflect.js';
import { findJudge } from '../reflect/rejudge.js';
import { findLinesWithText, readTextIfThere } from '../workspace/files.js';
import { readTemplate } from '../workspace/templates.js';
import { withIndex, withWholeIndex } from './asking.js';
import { chatModelOf } from './chat.js';
import { openStoredVectors } from './embedding.js';
import type { WorkspaceParts } from './open.js';
import * as requests from './requests.js';

/** Makes the context of reflection from the parts of a workspace. */
export function reflectContext(parts: WorkspaceParts): ReflectContext {
  return {
    ...parts.context,
    coreBudget: parts.settings.coreBudgetChars,
    read: (use) => withIndex(parts, 'reflect', ({ search }, { away }) => use(search, away)),
    readAll: (use) => withWholeIndex(parts, 'reflect', use),
    openVectors: () => openStoredVectors(parts),
  };
}

/** Reflection on the facts of a workspace. */
export class Reflection {
  private readonly context: ReflectContext;

  constructor(private readonly parts: WorkspaceParts) {
    this.context = reflectContext(parts);
  }

  /**
   * Brings pages and beliefs up to date: with the chat model where there is one, else by rules.
   * @throws MemoryError `busy` when another run is on, `conflict`, `interrupted`
   * @example
   * const { written } = await reflection.run({ maxCalls: 0 });
   * written.includes('bank/entities/Peter.md'); // => true
   */
  async run(given: requests.ReflectOptions = {}) {
    const options = readTypedRequest('reflect', requests.REFLECT_REQUEST, given);
    const { maxMinutes, maxCalls, rejudge = false, by, observe, ...request } = options;
    if (by !== undefined && !rejudge) fail('usage', '--by works only with --rejudge and --undo', 'add one of them');
    if (rejudge && maxCalls === 0)
      fail('usage', '--rejudge needs a model, but --max-calls 0 allows no call', 'use only one of them');
    const again = by === undefined ? { rejudge } : { rejudgedJudge: this.judgeNamed(by) };
    const scope = { ...(await this.scopeOf(request)), ...again, observe };
    const { signal, onProgress } = this.context;
    const time = new ModelTimeLimit(maxMinutes);
    let minds: ModelJudge | undefined;
    let away: string | undefined;
    // Asked for when there is something to judge, and no earlier: most nights there is nothing new.
    const open = async (): Promise<Judges> => {
      const model = maxCalls === 0 ? undefined : await chatModelOf(this.parts);
      if (model?.ok === false && (rejudge || model.error.type === 'interrupted')) throw new MemoryError(model.error);
      if (model?.ok === false && this.isMissed()) {
        away = `${model.error.message}; the rules judge the new facts, and a model can judge them later`;
        return { ...RULE_JUDGES, judge: judgeWithoutModel };
      }
      if (model?.ok !== true) return RULE_JUDGES;
      const limits = { maxCalls, isRejudging: rejudge, time, signal, onProgress };
      minds = new ModelJudge(model.value, {
        templates: readReflectTemplates(),
        stateFolder: this.context.stateFolder,
        ...limits,
      });
      return minds;
    };
    const opened = lazy(open);
    // A model that is away is told of where something new waits for it.
    let isMissed = false;
    // While a model judges, the questions are counted, and no pages: one question takes as long as thousands of pages.
    const shown: OnProgress = (...step) => minds === undefined && onProgress?.(...step);
    const report = await reflect({ ...this.context, onProgress: shown }, scope, {
      judge: async (pairs) => {
        isMissed ||= pairs.length > 0;
        return pairs.length === 0 ? [] : (await opened()).judge(pairs);
      },
      narrate: async (...about) => {
        isMissed = true;
        return (await opened()).narrate(...about);
      },
      ...(maxCalls === 0 ? {} : { settle: async (pairs) => (await opened()).settle?.(pairs) ?? [] }),
      ...(onProgress === undefined || maxCalls === 0
        ? {}
        : {
            expect: async (questions) => {
              const isNone = questions.statements.length + questions.entities + questions.beliefs.flat().length === 0;
              if (!isNone) await (await opened()).expect?.(questions);
            },
          }),
      source: async () => (await opened()).source?.(),
      knows: async (pair) => (await opened()).knows?.(pair) ?? true,
    });
    if (minds !== undefined && !scope.dryRun && !report.isOfThePast) removeKeptAnswers(this.context.stateFolder);
    const { refused = [], warnings: ofModel = [] } = minds ?? {};
    const missed = away === undefined || !isMissed ? ofModel : [away];
    const warnings = [...report.warnings, ...missed, ...formatUnsupportedCount(refused)];
    return this.withSummaries({ ...report, ...(refused.length > 0 && { refused }), warnings }, scope);
  }

  /**
   * The pairs that have no verdict, the newest first, as a question for the calling agent's own model: a fact and a
   * belief, or two statements. Where they do not fit into one prompt, a part of them.
   * @throws MemoryError `usage` for a part that there is not
   * @example
   * const { pairs } = await reflection.prompt();
   * pairs; // => 2
   */
  async prompt(given: requests.ReflectPromptRequest = {}) {
    const request = readTypedRequest('reflect prompt', requests.REFLECT_PROMPT_REQUEST, given);
    const { part, ...on } = request;
    return buildReflectPrompt(this.context, await this.askingOf(on), part);
  }

  /**
   * Reflects with the verdicts that the calling agent's model answered; the rules judge what it left out, other parts
   * stay open.
   * @throws MemoryError `invalid_answer`, also without any verdict, `conflict` for a part out of turn, and as `run` does
   * @example
   * const { user } = await reflection.prompt();
   * const [, fact, opinion] = /fact (\S+), opinion (\S+)/.exec(user) ?? [];
   * const { facts } = await reflection.apply(JSON.stringify({ verdicts: [{ fact, opinion, verdict: 'none' }] }));
   * facts; // => 3
   */
  async apply(text: string, given: requests.ReflectApplyRequest = {}) {
    checkRequest('reflect apply', { text: requests.TEXT_FIELD }, { text });
    const request = readTypedRequest('reflect apply', requests.REFLECT_APPLY_REQUEST, given);
    const asking = await this.askingOf(request);
    const answer = valueOrThrow(await checkAnswer({ schema: AGENT_ANSWER_SCHEMA }, text));
    return this.withSummaries(await applyReflectAnswer(this.context, answer, asking), asking.scope);
  }

  /**
   * Takes a run back; the last one when none is named.
   * @throws MemoryError `not_found`, `conflict` that names files that were changed since, `busy`, `interrupted`
   * @example
   * const { run } = await reflection.run({ maxCalls: 0 });
   * const undone = await reflection.undo(run);
   * undone.run === run; // => true
   */
  async undo(run?: string, dryRun = false) {
    checkRequest('reflect undo', { run: { type: 'text', doc: '' }, dryRun: requests.YES_NO_FIELD }, { run, dryRun });
    return undoReflect(this.context, run, dryRun);
  }

  /**
   * Revokes all verdicts of a judge, such as `model:NAME`, and brings the pages up to date. `undo` takes this back.
   * @throws MemoryError `not_found` that lists the judges that there are, `busy`, `conflict`, `interrupted`
   * @example
   * const { user } = await reflection.prompt();
   * const [, fact, opinion] = /fact (\S+), opinion (\S+)/.exec(user) ?? [];
   * await reflection.apply(JSON.stringify({ verdicts: [{ fact, opinion, verdict: 'none' }] }));
   * const { changes } = await reflection.undoJudge('agent', true);
   * changes[0]?.path; // => 'bank/evidence.jsonl'
   */
  async undoJudge(by: string, dryRun = false) {
    checkRequest('reflect undo', { by: requests.TEXT_FIELD, dryRun: requests.YES_NO_FIELD }, { by, dryRun });
    return revokeJudge(this.context, this.judgeNamed(by), dryRun);
  }

  /**
   * How the confidence of the opinions that an id or a text names came about.
   * @example
   * const [why] = await reflection.why('tea');
   * why?.confidence; // => 0.8
   */
  async why(wanted: string) {
    checkRequest('why', { wanted: requests.TEXT_FIELD }, { wanted });
    const { explainOpinions } = await import('../reflect/why.js');
    return explainOpinions(this.context, wanted);
  }

  private judgeNamed(by: string) {
    return findJudge(readTextIfThere(join(this.context.root, EVIDENCE_PATH)) ?? '', by);
  }

  /** A model that is away is missed when somebody has named it, or it has judged here before. */
  private isMissed(): boolean {
    if (this.parts.models.isChatModelNamed) return true;
    return findLinesWithText(join(this.context.root, EVIDENCE_PATH), '"by":"model:') !== '';
  }

  /**
   * Brings existing summaries of folders up to date: with the pages of the run, and with pages that a person has added or
   * deleted.
   */
  private async withSummaries<Report extends ReflectReport>(report: Report, { dryRun }: ReflectScope): Promise<Report> {
    if (dryRun || report.isOfThePast) return report;
    const { updateFolderSummaries } = await import('../extract/apply.js');
    const summaries = await updateFolderSummaries(this.context, false);
    const written = [...report.written, ...summaries.map(({ path }) => path)];
    return { ...report, written, changes: [...report.changes, ...summaries] };
  }

  private async askingOf({ maxTokens, maxPairs, rejudge, ...on }: requests.ReflectApplyRequest) {
    return { scope: { ...(await this.scopeOf(on)), rejudge }, templates: readReflectTemplates(), maxTokens, maxPairs };
  }

  private async scopeOf(request: {
    readonly since?: string | undefined;
    readonly dryRun?: boolean | undefined;
  }): Promise<ReflectScope> {
    const { since, dryRun } = request;
    return { dryRun, ...(await readDayOptions({ since }, this.context.clock, 'key')) };
  }
}

/** Reads the prompts of reflect. */
export function readReflectTemplates(): ReflectTemplates {
  return {
    judge: readTemplate('prompts/reflect-judge.md'),
    settle: readTemplate('prompts/reflect-settle.md'),
    chooseVerdicts: readTemplate('prompts/choose-verdicts.md'),
    chooseRelations: readTemplate('prompts/choose-relations.md'),
    summary: readTemplate('prompts/reflect-summary.md'),
  };
}
