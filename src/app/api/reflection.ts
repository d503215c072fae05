import type { AppliedReport, ReflectPrompt } from '../../reflect/by-agent.js';
import type { ReflectReport, UndoneReflect } from '../../reflect/reflect.js';
import type { OpinionWhy } from '../../reflect/why.js';
import type { ReflectApplyRequest, ReflectOptions, ReflectPromptRequest } from '../requests.js';

export type { AppliedReport, ReflectPrompt };

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
   * The pairs of a fact and a belief that a run would judge now, as a question for the calling agent's own model; where
   * they do not fit into one prompt, a part of them.
   * @throws MemoryError `usage` for a part that there is not
   * @example
   * const { pairs } = await reflection.prompt();
   * pairs; // => 2
   */
  prompt(request?: ReflectPromptRequest): Promise<ReflectPrompt>;

  /**
   * Reflects with the verdicts that the calling agent's model answered; the rules judge what it left out, other parts
   * stay open.
   * @throws MemoryError `invalid_answer`, also without any verdict, `conflict` for a part out of turn, and as `run` does
   * @example
   * const verdict = { fact: 'f-8x2m5q7r9t1a3', opinion: 'o-7k3m2q9x1a4bc', verdict: 'none' };
   * const { facts } = await reflection.apply(JSON.stringify({ verdicts: [verdict] }));
   * facts; // => 3
   */
  apply(text: string, request?: ReflectApplyRequest): Promise<AppliedReport>;

  /**
   * Takes a run back; the last one when none is named.
   * @throws MemoryError `not_found`, `conflict` that names files that were changed since, `busy`, `interrupted`
   * @example
   * const { run } = await reflection.run({ maxCalls: 0 });
   * const undone = await reflection.undo(run);
   * undone.run === run; // => true
   */
  undo(run?: string, dryRun?: boolean): Promise<UndoneReflect>;

  /**
   * How the confidence of the opinions that an id or a text names came about.
   * @example
   * const [why] = await reflection.why('tea');
   * why?.confidence; // => 0.8
   */
  why(wanted: string): Promise<readonly OpinionWhy[]>;
}
