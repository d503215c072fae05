import { redactSecrets } from '../../text/redact.js';
import { stripInjected } from '../../text/strip.js';
import type { MessageDraft, MessagePart } from '../message.js';

/**
 * Cleans a message for storage, because stored text is later shown to models. Removes injected blocks, and redacts secrets
 * in texts, tool inputs and tool outputs of every role.
 * @returns `draft`: the cleaned message, undefined if it had only injected blocks. `secrets`: the kinds of the redacted
 * secrets
 */
export function cleanDraft(draft: MessageDraft): { draft: MessageDraft | undefined; secrets: readonly string[] } {
  const secrets: string[] = [];
  const clean = (text: string): string => {
    const { text: redacted, found } = redactSecrets(stripInjected(text));
    for (const { kind } of found) secrets.push(kind);
    return redacted;
  };
  const parts = draft.parts
    .map((part) => cleanPart(part, clean))
    .filter((part) => part.type !== 'text' || part.text.trim() !== '');
  return { draft: parts.length === 0 ? undefined : { ...draft, parts }, secrets };
}

function cleanPart(part: MessagePart, clean: (text: string) => string): MessagePart {
  switch (part.type) {
    case 'text':
      return { ...part, text: clean(part.text) };
    case 'tool_call':
      return { ...part, input: cleanValue(part.input, clean, 0) };
    case 'tool_result':
      return { ...part, output: clean(part.output) };
    case 'context':
      return { ...part, abstract: clean(part.abstract) };
    case 'other':
      return { ...part, value: cleanValue(part.value, clean, 0) };
  }
}

/** Maximum nesting; no real input is nested so deep. Deeper values are stored as one cleaned text. */
const DEEPEST = 40;

function cleanValue(value: unknown, clean: (text: string) => string, depth: number): unknown {
  if (typeof value === 'string') return clean(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > DEEPEST) return clean(JSON.stringify(value));
  if (Array.isArray(value)) return value.map((item) => cleanValue(item, clean, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, cleanValue(item, clean, depth + 1)]));
}
