import { binaryPlaceholder, withoutBase64 } from '../log/binary.js';
import { isHarnessText } from '../log/harness.js';
import { type Part, plainText, type SessionMessage } from '../message.js';
import { measured, type Said } from './fit.js';
import type { Placed } from './timeline.js';

/** A message as a model is shown it: what is no text is a placeholder that says where the original is. */
export function present({ message, archive, age }: Placed, session: string): Said {
  const log = archive === undefined ? 'messages.jsonl' : `history/${archive}/messages.jsonl`;
  const place = `message ${message.id} in sessions/${session}/${log}`;
  const parts = message.parts.map((part) => shown(part, place));
  const same = parts.every((part, index) => part === message.parts[index]);
  return measured(same ? message : { ...message, parts }, archive, age);
}

function shown(part: Part, place: string): Part {
  switch (part.type) {
    case 'text': {
      const text = withoutBase64(part.text);
      return text === part.text ? part : { ...part, text };
    }
    case 'tool_result': {
      const output = withoutBase64(part.output);
      return output === part.output ? part : { ...part, output };
    }
    case 'tool_call': {
      const input = JSON.stringify(part.input) ?? '';
      const bare = withoutBase64(input);
      return bare === input ? part : { ...part, input: bare };
    }
    case 'context':
      return part;
    case 'other': {
      const text = binaryPlaceholder(part.value, place) ?? withoutBase64(JSON.stringify(part.value));
      return { type: 'text', text };
    }
  }
}

/** Whether a person said something with it: no result of a tool, nothing that a harness wrote. */
export function isAsked(message: SessionMessage): boolean {
  if (message.role !== 'user') return false;
  const text = plainText(message);
  if (text.trim() === '') return message.parts.some(({ type }) => type === 'other');
  return !isHarnessText(text);
}

/** Whether the agent said something with it. */
export function isAnswer(message: SessionMessage): boolean {
  return message.role === 'assistant' && plainText(message).trim() !== '';
}
