import { binaryPlaceholder, withoutBase64 } from './log/binary.js';
import type { MessagePart, SessionMessage } from './message.js';

/** Renders a message for a person: all texts, calls and results, unshortened. */
export function renderMessage(message: Pick<SessionMessage, 'role' | 'parts'> & { id?: string | undefined }): string {
  const texts = message.parts.map((part) => renderPart(part, message.id ?? '')).filter((text) => text !== '');
  return texts.length === 0 ? `[${message.role}]: (empty)` : `[${message.role}]:\n${texts.join('\n\n')}`;
}

function renderPart(part: MessagePart, id: string): string {
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

/**
 * A copy of a message to show. A part that is not text becomes a placeholder that says where the original is. Pure.
 * @param log the file with the original, relative to the workspace
 */
export function readableMessage(message: SessionMessage, log: string): SessionMessage {
  const place = `message ${message.id} in ${log}`;
  return { ...message, parts: message.parts.map((part) => readablePart(part, place)) };
}

function readablePart(part: MessagePart, place: string): MessagePart {
  switch (part.type) {
    case 'text':
      return { ...part, text: withoutBase64(part.text) };
    case 'tool_result':
      return { ...part, output: withoutBase64(part.output) };
    case 'tool_call': {
      const input = JSON.stringify(part.input) ?? '';
      const bare = withoutBase64(input);
      return bare === input ? part : { ...part, input: bare };
    }
    case 'context':
      return part;
    case 'other':
      return { type: 'text', text: binaryPlaceholder(part.value, place) ?? withoutBase64(JSON.stringify(part.value)) };
  }
}

/** Maximum nesting of a value that is shown; no real input is nested so deep. */
const DEEPEST = 40;

/** The text of a part without labels and JSON syntax. */
export function plainPartText(part: MessagePart): string {
  switch (part.type) {
    case 'text':
      return part.text;
    case 'tool_call':
      return [part.name, valueText(part.input, 0)].filter((text) => text !== '').join('\n');
    case 'tool_result':
      return part.output;
    case 'context':
      return part.abstract;
    case 'other':
      return valueText(part.value, 0);
  }
}

/** A value as lines: texts as they are, fields as `name: value`. */
function valueText(value: unknown, depth: number): string {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined || depth > DEEPEST) return '';
  if (typeof value !== 'object') return String(value);
  if (Array.isArray(value)) return value.map((item) => valueText(item, depth + 1)).join('\n');
  return Object.entries(value)
    .map(([name, item]) => `${name}: ${valueText(item, depth + 1)}`)
    .join('\n');
}
