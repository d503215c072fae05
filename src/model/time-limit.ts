import type { Result } from '../base/failure.js';
import { joinSignals, timeoutSignal } from './call.js';
import type { AnswerFailure, ChatModel, Question } from './model.js';

/** How long a run may ask a model by default, in minutes. */
export const DEFAULT_MODEL_TIME = 10;

/** The longest time that a timer can wait, in ms. */
const LONGEST = 2 ** 31 - 1;

/** The time that a run may spend with a model. It begins at once. */
export class ModelTimeLimit {
  private readonly end: number;

  constructor(minutes = DEFAULT_MODEL_TIME) {
    this.end = performance.now() + minutes * 60_000;
  }

  /** True if the model must not be asked any more in this run. */
  get isOver(): boolean {
    return performance.now() >= this.end;
  }

  /** Asks a model. Undefined if the time is over, or ends before the answer. */
  async ask<T>(
    model: ChatModel,
    question: Question<T>,
    signal?: AbortSignal,
  ): Promise<Result<T, AnswerFailure> | undefined> {
    if (this.isOver) return undefined;
    const left = timeoutSignal(Math.min(LONGEST, Math.ceil(this.end - performance.now())));
    const answer = await model.ask(question, joinSignals(signal, left));
    const isCut = !answer.ok && answer.error.type === 'interrupted' && signal?.aborted !== true;
    return isCut ? undefined : answer;
  }
}
