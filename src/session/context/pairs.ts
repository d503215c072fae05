import type { MessagePart, SessionMessage, ToolCallPart, ToolResultPart } from '../message.js';

/**
 * Puts every result next to its call, because models refuse any other order. Gives an error result to a call that has none,
 * and drops results without a call. Some servers use the same call ids again in each turn. So a call gets the result that
 * comes before the next call with the same id. A call in the last message still waits for its result, so it stays
 * unchanged. Parts without an id stay unchanged, too. Pure, linear.
 */
export function repairToolPairs(messages: readonly SessionMessage[]): readonly SessionMessage[] {
  const answers = pairUp(messages);
  const repaired: SessionMessage[] = [];
  for (const [index, message] of messages.entries()) {
    const own = message.parts.filter((part) => part.type !== 'tool_result' || part.id === '');
    if (own.length > 0) repaired.push(own.length === message.parts.length ? message : { ...message, parts: own });
    for (const call of own.filter(isCall)) {
      const answer = answers.get(call);
      if (answer !== undefined) repaired.push(asResult(answer));
      else if (index < messages.length - 1) repaired.push(missingResult(message, call));
    }
  }
  return repaired;
}

type Answer = { readonly part: ToolResultPart; readonly from: SessionMessage };

function asResult({ from, part }: Answer): SessionMessage {
  return from.role === 'tool' && from.parts.length === 1 ? from : { ...from, role: 'tool', parts: [part] };
}

/**
 * Finds the result of each call. A result may come before its call. It then belongs to the first call with the same id that
 * has no other result.
 */
function pairUp(messages: readonly SessionMessage[]): ReadonlyMap<ToolCallPart, Answer> {
  const answers = new Map<ToolCallPart, Answer>();
  const lastCall = new Map<string, ToolCallPart>();
  const early = new Map<string, Answer>();
  const parts = messages.flatMap((from) => from.parts.map((part) => ({ part, from })));
  for (const { part, from } of parts) {
    if (isCall(part)) lastCall.set(part.id, part);
    if (part.type !== 'tool_result' || part.id === '') continue;
    const call = lastCall.get(part.id);
    if (call === undefined) early.set(part.id, early.get(part.id) ?? { part, from });
    else if (!answers.has(call)) answers.set(call, { part, from });
  }
  for (const { part } of parts) {
    const answer = isCall(part) && !answers.has(part) ? early.get(part.id) : undefined;
    if (!isCall(part) || answer === undefined) continue;
    early.delete(part.id);
    answers.set(part, answer);
  }
  return answers;
}

function isCall(part: MessagePart): part is ToolCallPart {
  return part.type === 'tool_call' && part.id !== '';
}

function missingResult(message: SessionMessage, { id, name }: ToolCallPart): SessionMessage {
  const part: MessagePart = { type: 'tool_result', id, name, output: '(no result was recorded)', status: 'error' };
  return { id: `${message.id}-missing`, role: 'tool', parts: [part], timestamp: message.timestamp };
}
