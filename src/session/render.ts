import { binaryPlaceholder, withoutBase64 } from './log/binary.js';
import type { Part, SessionMessage } from './message.js';

/** A message as a person reads it: everything that was said, called and answered, nothing shortened. */
export function renderMessage({
  id,
  role,
  parts,
}: Pick<SessionMessage, 'role' | 'parts'> & { id?: string | undefined }): string {
  const texts = parts.map((part) => renderPart(part, id ?? '')).filter((text) => text !== '');
  return texts.length === 0 ? `[${role}]: (empty)` : `[${role}]:\n${texts.join('\n\n')}`;
}

function renderPart(part: Part, id: string): string {
  switch (part.type) {
    case 'text':
      return withoutBase64(part.text);
    case 'tool_call':
      return `[Tool call: ${part.name}]\nInput: ${withoutBase64(JSON.stringify(part.input, undefined, 2) ?? '')}`;
    case 'tool_result':
      return `[Tool${part.name === '' ? '' : `: ${part.name}`}] (${part.status})\nOutput:\n${withoutBase64(part.output)}`;
    case 'context':
      return `[Context: ${part.uri}] ${part.abstract}`;
    case 'other':
      return binaryPlaceholder(part.value, `message ${id}`) ?? withoutBase64(JSON.stringify(part.value));
  }
}
