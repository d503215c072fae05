import type { Message } from '../../wm/transcript.js';
import type { MessageDraft, Part } from '../message.js';

/** Most characters of a tool's input or output in a prompt; the middle of longer ones is left out. */
const LONGEST_TOOL_TEXT = 8_000;

/** A message as a prompt shows it. */
export function toTranscript({ role, parts }: MessageDraft): Message {
  const lines = parts.map(partText).filter((text) => text.trim() !== '');
  return { role, body: lines.join('\n') };
}

function partText(part: Part): string {
  switch (part.type) {
    case 'text':
      return part.text;
    case 'tool_call':
      return `[tool call:${part.name}] ${withoutMiddle(JSON.stringify(part.input), LONGEST_TOOL_TEXT)}`;
    case 'tool_result':
      return `[tool:${part.name} (${part.status})] ${withoutMiddle(part.output, LONGEST_TOOL_TEXT)}`;
    case 'context':
      return `[context] ${part.abstract}`;
    case 'other':
      return '';
  }
}

/** A text of at most about `most` characters: two thirds from its beginning, the rest from its end. */
export function withoutMiddle(text: string, most: number): string {
  if (text.length <= most) return text;
  const head = Math.floor((most * 2) / 3);
  const tail = most - head;
  return `${text.slice(0, head)}\n[… ${text.length - most} characters left out …]\n${text.slice(-tail)}`;
}
