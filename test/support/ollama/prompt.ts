import type { ChatMode } from './model.js';

import type { ServerError } from './wire.js';

export interface ChatMessage {
  readonly role: string;
  readonly content: string;
}

export interface Fitted {
  /** The messages that the model sees. */
  readonly messages: readonly ChatMessage[];
  readonly tokens: number;
}

interface Window {
  readonly mode: ChatMode;
  readonly contextLength: number;
  readonly truncate: boolean;
  readonly shift: boolean;
}

/** Returns the part of a conversation that the model reads in a window, or the error if it does not fit. */
export function fitPrompt(messages: readonly ChatMessage[], window: Window): Fitted | ServerError {
  const { contextLength, mode, truncate, shift } = window;
  const size = (kept: readonly ChatMessage[]) => kept.reduce((sum, message) => sum + countTokens(rendered(message)), 0);
  if (size(messages) < contextLength) return { messages, tokens: size(messages) };
  if (!truncate) return exceeded(size(messages), contextLength);
  const kept = [...messages];
  while (size(kept) >= contextLength) {
    const oldest = kept.findIndex(({ role }, index) => role !== 'system' && index < kept.length - 1);
    if (oldest < 0) break;
    kept.splice(oldest, 1);
  }
  if (size(kept) < contextLength) return { messages: kept, tokens: size(kept) };
  if (mode === 'native') return exceeded(size(kept), contextLength);
  if (!shift) return { status: 400, message: TOO_LONG };
  return { messages: kept, tokens: halfWindow(contextLength) };
}

const KEPT_AT_HEAD = 4;
const TOO_LONG =
  'the prompt is longer than the context length currently available to the model; shorten the prompt, or raise num_ctx';

/** Tokens left of a silently cut prompt. */
export function halfWindow(contextLength: number): number {
  return contextLength - Math.floor((contextLength - KEPT_AT_HEAD) / 2);
}

/** An error of llama-server, as JSON text inside `error`. */
function exceeded(tokens: number, contextLength: number): ServerError {
  const error = {
    code: 400,
    message: `the request exceeds the available context size. try increasing the context size`,
    type: 'exceed_context_size_error',
    n_prompt_tokens: tokens,
    n_ctx: contextLength,
  };
  return { status: 400, message: JSON.stringify({ error }) };
}

function rendered({ role, content }: ChatMessage): string {
  return `<|${role}|>${content}\n`;
}

const BYTES_PER_TOKEN = 4;

/** The double's tokenizer: one token for four bytes, so that every count can be computed by hand. */
export function countTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);
}

/** Returns this number of tokens from the start of a text; never half a character. */
export function firstTokens(text: string, tokens: number): string {
  let bytes = tokens * BYTES_PER_TOKEN;
  let end = 0;
  for (const char of text) {
    bytes -= Buffer.byteLength(char);
    if (bytes < 0) break;
    end += char.length;
  }
  return text.slice(0, end);
}

/** The text in pieces of about one token. */
export function tokensOf(text: string): readonly string[] {
  const pieces: string[] = [];
  let piece = '';
  for (const char of text) {
    piece += char;
    if (Buffer.byteLength(piece) >= BYTES_PER_TOKEN) {
      pieces.push(piece);
      piece = '';
    }
  }
  return piece === '' ? pieces : [...pieces, piece];
}
