import type { Failure } from '../base/failure.js';
import { isRecord, parseJson } from '../base/json.js';
import { err, ok, type Result } from '../base/result.js';

/** A message of a session as far as a prompt needs it. */
export interface Message {
  readonly role: string;
  readonly body: string;
}

/**
 * Reads messages from a JSON list, `{"messages":[…]}` or JSON lines. A message has a `role` and a `content` (text, or
 * parts) or `parts`; a text, tool or context part each becomes a line.
 */
export function parseMessages(text: string): Result<readonly Message[]> {
  const values = readValues(text.replace(/^\uFEFF/u, '').trim());
  if (values === undefined) return err(notMessages('neither JSON nor JSON lines'));
  const messages: Message[] = [];
  for (const [index, value] of values.entries()) {
    if (!isRecord(value) || typeof value.role !== 'string') return err(notMessages(`message ${index + 1} has no role`));
    messages.push({ role: value.role, body: bodyOf(value.parts ?? value.content) });
  }
  return ok(messages);
}

/** The messages as a prompt shows them: `[role]: body`, one after the other. */
export function renderTranscript(messages: readonly Message[]): string {
  return messages.map(({ role, body }) => `[${role}]: ${body === '' ? '(no content)' : body}`).join('\n');
}

function readValues(text: string): readonly unknown[] | undefined {
  if (text === '') return [];
  const whole = parseJson(text);
  if (Array.isArray(whole)) return whole;
  if (isRecord(whole)) return Array.isArray(whole.messages) ? whole.messages : [whole];
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const values = lines.map(parseJson);
  return values.includes(undefined) ? undefined : values;
}

function bodyOf(content: unknown): string {
  const parts: readonly unknown[] = Array.isArray(content) ? content : [content];
  return parts
    .map(partText)
    .filter((text) => text.trim() !== '')
    .join('\n');
}

function partText(part: unknown): string {
  if (typeof part === 'string') return part;
  if (!isRecord(part)) return '';
  const name = part.tool_name ?? part.name;
  if (typeof name === 'string') {
    const status = part.tool_status ?? part.status;
    const output = part.tool_output ?? part.output ?? part.content ?? '';
    const text = typeof output === 'string' ? output : JSON.stringify(output);
    return `[tool:${name} (${typeof status === 'string' ? status : 'completed'})] ${text}`;
  }
  if (typeof part.abstract === 'string') return `[context] ${part.abstract}`;
  return typeof part.text === 'string' ? part.text : '';
}

function notMessages(what: string): Failure {
  return {
    type: 'usage',
    message: `the messages are not usable: ${what}`,
    hint: 'give a JSON list or JSON lines of {"role","content"}, as in messages.jsonl',
  };
}
