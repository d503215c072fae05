import { MemoryError } from '../base/failure.js';
import { checkArguments, checkRequest } from '../base/request.js';
import type { Result } from '../base/result.js';
import { orThrow } from '../base/result.js';
import type { ChatModel } from '../model/model.js';
import { applyAnswer, promptForm } from '../model/question.js';
import { readDayOptions } from '../recall/day-options.js';
import { byRules, type Pair } from '../reflect/judging.js';
import { ModelMinds } from '../reflect/model-minds.js';
import { openQuestion, pairName, type ReflectTemplates } from '../reflect/questions.js';
import {
  type ReflectContext,
  type ReflectMinds,
  type ReflectRequest,
  type ReflectScope,
  RULES_ALONE,
  reflect,
  undoReflect,
} from '../reflect/reflect.js';
import { readTemplate } from '../workspace/templates.js';
import type { Reflection } from './api/reflection.js';
import { REFLECT, REFLECT_ON, type ReflectOptions, TEXT, YES_NO } from './requests.js';

/** A prompt of more pairs than these is too long for most. */
const MOST_PAIRS = 100;

/** Reflection on the facts of a workspace. */
export class LocalReflection implements Reflection {
  constructor(
    private readonly context: ReflectContext,
    private readonly openModel: () => Promise<Result<ChatModel>>,
    private readonly signal?: AbortSignal,
  ) {}

  async run(options: ReflectOptions = {}) {
    checkRequest<ReflectOptions>('reflect', REFLECT, options);
    const { maxMinutes, maxCalls, ...request } = options;
    const scope = await this.scopeOf(request);
    const { signal } = this;
    const deadline = maxMinutes === undefined ? Number.POSITIVE_INFINITY : performance.now() + maxMinutes * 60_000;
    let minds: ModelMinds | undefined;
    // Asked for when there is something to judge, and no earlier: most nights there is nothing new.
    const open = async (): Promise<ReflectMinds> => {
      const model = maxCalls === 0 ? undefined : await this.openModel();
      if (model?.ok === false && model.error.type === 'interrupted') throw new MemoryError(model.error);
      if (model?.ok !== true) return RULES_ALONE;
      const isOver = () => performance.now() >= deadline;
      minds = new ModelMinds(model.value, { templates: templates(), maxCalls, isOver, signal });
      return minds;
    };
    let opened: Promise<ReflectMinds> | undefined;
    const once = () => {
      opened ??= open();
      return opened;
    };
    const report = await reflect(this.context, scope, {
      judge: async (pairs) => (pairs.length === 0 ? [] : (await once()).judge(pairs)),
      narrate: async (...about) => (await once()).narrate(...about),
    });
    return { ...report, warnings: [...report.warnings, ...(minds?.warnings ?? [])] };
  }

  async prompt(request: ReflectRequest = {}) {
    const scope = await this.scopeOf(request);
    const open: Pair[] = [];
    const judge: ReflectMinds['judge'] = async (pairs) => {
      open.push(...pairs);
      return byRules(pairs);
    };
    await reflect(this.context, { ...scope, dryRun: true }, { ...RULES_ALONE, judge });
    const once = new Map(open.map((pair) => [pairName(pair.fact.id, pair.belief.id), pair]));
    const asked = [...once.values()].slice(0, MOST_PAIRS);
    return { ...promptForm(openQuestion(asked, templates().judge)), pairs: asked.length };
  }

  async apply(text: string, request: ReflectRequest = {}) {
    checkArguments('reflect apply', { text: TEXT }, { text });
    const scope = await this.scopeOf(request);
    const answer = orThrow(await applyAnswer(openQuestion([], templates().judge), text));
    const judge: ReflectMinds['judge'] = async (pairs) => {
      const ruled = await byRules(pairs);
      return pairs.map(({ fact, belief }, index) => {
        const direction = answer.get(pairName(fact.id, belief.id));
        return direction === undefined ? ruled[index] : { direction, by: 'agent' };
      });
    };
    return reflect(this.context, scope, { ...RULES_ALONE, judge });
  }

  async undo(run?: string, dryRun = false) {
    checkArguments('reflect undo', { run: { type: 'text', doc: '' }, dryRun: YES_NO }, { run, dryRun });
    return undoReflect(this.context, run, dryRun);
  }

  async why(wanted: string) {
    checkArguments('why', { wanted: TEXT }, { wanted });
    const { explainOpinions } = await import('../reflect/why.js');
    return explainOpinions(this.context, wanted);
  }

  private async scopeOf(request: ReflectRequest): Promise<ReflectScope> {
    checkRequest<ReflectRequest>('reflect', REFLECT_ON, request);
    const { since, dryRun } = request;
    return { dryRun, ...(await readDayOptions({ since }, this.context.clock, 'key')) };
  }
}

function templates(): ReflectTemplates {
  return { judge: readTemplate('prompts/reflect-judge.md'), summary: readTemplate('prompts/reflect-summary.md') };
}
