import type { Part, SessionMessage, ToolCallPart, ToolResultPart } from '../message.js';

/**
 * Puts every result next to its call, gives calls that have none an error for a result, and drops results of calls
 * that are not there: models refuse anything else. A call in the last message still waits and stays as it is. Parts
 * without an id are left alone. Pure.
 */
export function repairPairs(messages: readonly SessionMessage[]): readonly SessionMessage[] {
  const results = new Map<string, { part: ToolResultPart; from: SessionMessage }>();
  for (const message of messages) {
    for (const part of message.parts) {
      if (part.type === 'tool_result' && part.id !== '' && !results.has(part.id))
        results.set(part.id, { part, from: message });
    }
  }
  const repaired: SessionMessage[] = [];
  for (const [index, message] of messages.entries()) {
    const own = message.parts.filter((part) => part.type !== 'tool_result' || part.id === '');
    if (own.length > 0) repaired.push({ ...message, parts: own });
    for (const call of own.filter(isCall)) {
      const answer = results.get(call.id);
      if (answer !== undefined) repaired.push({ ...answer.from, role: 'tool', parts: [answer.part] });
      else if (index < messages.length - 1) repaired.push(missingResult(message, call));
    }
  }
  return repaired;
}

function isCall(part: Part): part is ToolCallPart {
  return part.type === 'tool_call' && part.id !== '';
}

function missingResult(message: SessionMessage, { id, name }: ToolCallPart): SessionMessage {
  const part: Part = { type: 'tool_result', id, name, output: '(no result was recorded)', status: 'error' };
  return { id: `${message.id}-missing`, role: 'tool', parts: [part], timestamp: message.timestamp };
}
