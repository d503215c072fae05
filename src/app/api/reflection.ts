import type { PromptForm } from '../../model/question.js';
import type { ReflectReport, ReflectRequest } from '../../reflect/reflect.js';
import type { UndoneRun } from '../../reflect/undo-store.js';
import type { OpinionWhy } from '../../reflect/why.js';
import type { ReflectOptions } from '../requests.js';

/** `reflect prompt --json` */
export interface ReflectPrompt extends PromptForm {
  /** How many it asks about; with 0 there is nothing to answer. */
  readonly pairs: number;
}

/** Reflection on the facts of a workspace. */
export interface Reflection {
  /**
   * Brings pages and beliefs up to date: with the chat model where there is one, else by rules.
   * @throws MemoryError `busy` when another run is on, `conflict`, `interrupted`
   * @example
   * const { written } = await reflection.run({ maxCalls: 0 });
   * written.includes('bank/entities/Peter.md'); // => true
   */
  run(options?: ReflectOptions): Promise<ReflectReport>;

  /**
   * The pairs of a fact and a belief that a run would judge now, as a question for the calling agent's own model.
   * @example
   * const { pairs } = await reflection.prompt();
   * pairs; // => 2
   */
  prompt(request?: ReflectRequest): Promise<ReflectPrompt>;

  /**
   * Reflects with the verdicts that the calling agent's model answered; the rules judge the rest.
   * @throws MemoryError `invalid_answer`, and as `run` does
   * @example
   * const { facts } = await reflection.apply('{"verdicts": []}');
   * facts; // => 3
   */
  apply(text: string, request?: ReflectRequest): Promise<ReflectReport>;

  /**
   * Takes a run back; the last one when none is named.
   * @throws MemoryError `not_found`, `conflict` that names files that were changed since, `busy`, `interrupted`
   * @example
   * const { run } = await reflection.run({ maxCalls: 0 });
   * const undone = await reflection.undo(run);
   * undone.run === run; // => true
   */
  undo(run?: string, dryRun?: boolean): Promise<UndoneRun>;

  /**
   * How the confidence of the opinions that an id or a text names came about.
   * @example
   * const [why] = await reflection.why('tea');
   * why?.confidence; // => 0.8
   */
  why(wanted: string): Promise<readonly OpinionWhy[]>;
}
