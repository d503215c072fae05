import type { Part, SessionMessage } from '../message.js';
import { binaryPlaceholder, withoutBase64 } from './binary.js';

/**
 * A message as it is shown: what is no text is a placeholder that says where the original is. The same object where
 * there is nothing to replace. Pure.
 * @param log the file that has the original, relative to the workspace
 */
export function readable(message: SessionMessage, log: string): SessionMessage {
  const place = `message ${message.id} in ${log}`;
  const parts = message.parts.map((part) => readablePart(part, place));
  return parts.every((part, index) => part === message.parts[index]) ? message : { ...message, parts };
}

function readablePart(part: Part, place: string): Part {
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
