import type { Part, SessionMessage } from './message.js';

/** A message as a person reads it: everything that was said, called and answered, nothing shortened. */
export function renderMessage({ role, parts }: Pick<SessionMessage, 'role' | 'parts'>): string {
  const texts = parts.map(renderPart).filter((text) => text !== '');
  return texts.length === 0 ? `[${role}]: (empty)` : `[${role}]:\n${texts.join('\n\n')}`;
}

function renderPart(part: Part): string {
  switch (part.type) {
    case 'text':
      return part.text;
    case 'tool_call':
      return `[Tool call: ${part.name}]\nInput: ${JSON.stringify(part.input, undefined, 2)}`;
    case 'tool_result':
      return `[Tool${part.name === '' ? '' : `: ${part.name}`}] (${part.status})\nOutput:\n${part.output}`;
    case 'context':
      return `[Context: ${part.uri}] ${part.abstract}`;
    case 'other':
      return JSON.stringify(part.value);
  }
}
