import { messageTokens, type Part, type SessionMessage } from '../message.js';

export interface Fitted {
  readonly messages: readonly SessionMessage[];
  readonly tokens: number;
  /** Tool outputs that were shortened, and messages that were left out, both the oldest. */
  readonly shortened: number;
  readonly leftOut: number;
}

/** A shortened output keeps so many characters of its beginning. */
const KEPT_CHARS = 200;

/**
 * Makes messages fit: the oldest tool outputs are shortened first, then the oldest messages are left out. The newest one
 * always stays. Pure, linear.
 * @param budget in tokens
 */
export function fitMessages(messages: readonly SessionMessage[], budget: number): Fitted {
  const fitted = [...messages];
  const tokens = fitted.map(messageTokens);
  let total = tokens.reduce((sum, count) => sum + count, 0);
  let shortened = 0;
  for (let i = 0; i < fitted.length - 1 && total > budget; i++) {
    const message = fitted[i];
    if (message === undefined || !message.parts.some(isLongOutput)) continue;
    const short = { ...message, parts: message.parts.map(shorten) };
    total += messageTokens(short) - (tokens[i] ?? 0);
    tokens[i] = messageTokens(short);
    fitted[i] = short;
    shortened++;
  }
  let first = 0;
  while (total > budget && first < fitted.length - 1) total -= tokens[first++] ?? 0;
  return { messages: fitted.slice(first), tokens: total, shortened, leftOut: first };
}

function isLongOutput(part: Part): boolean {
  return part.type === 'tool_result' && part.output.length > 2 * KEPT_CHARS;
}

function shorten(part: Part): Part {
  if (part.type !== 'tool_result' || !isLongOutput(part)) return part;
  const left = part.output.length - KEPT_CHARS;
  return { ...part, output: `${part.output.slice(0, KEPT_CHARS)}\n[… ${left} characters left out for lack of room …]` };
}
