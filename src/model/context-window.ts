import { estimateTokens } from '../text/tokens.js';
import { CallError } from './call-error.js';

export interface Spoken {
  readonly role: string;
  readonly content: string;
}

/** Tokens of a message beside its text: the chat template's marks. */
const PER_MESSAGE = 8;

/** Tokens of a conversation, by the project's estimate. Pure. */
function promptTokens(messages: readonly Spoken[]): number {
  return messages.reduce((sum, { content }) => sum + estimateTokens(content) + PER_MESSAGE, 0);
}

/** @throws CallError when prompt and answer together do not fit into the window: before the model reads for minutes. */
export function checkFits(messages: readonly Spoken[], maxTokens: number, window: number, model: string): void {
  const needed = promptTokens(messages);
  if (needed + maxTokens <= window) return;
  const message = `the prompt of about ${needed} tokens and an answer of ${maxTokens} do not fit into the ${window} of ${model}`;
  throw new CallError('too_long', message, 'set "numCtx" higher, or give it less to read');
}

/** What is near the mark of a prompt that a server has cut to half of its window. */
const NEAR_HALF = 8;

/**
 * Whether a server seems to have cut the prompt though it was told not to: it counts as many tokens as a cut one has,
 * and far fewer than the prompt should have. Pure.
 */
export function wasCut(counted: number | undefined, messages: readonly Spoken[], window: number): boolean {
  if (counted === undefined) return false;
  const expected = promptTokens(messages);
  if (counted >= window) return true;
  return Math.abs(counted - window / 2) <= NEAR_HALF && expected > window * 0.6;
}
