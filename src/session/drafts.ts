import { fail } from '../base/failure.js';
import { isRecord, parseJson } from '../base/json.js';
import { type MessageDraft, readDraft } from './message.js';

/**
 * Reads messages from a JSON list, `{"messages":[…]}`, or one JSON object a line.
 * @param role of messages that have none
 * @throws MemoryError `usage` that names the first line or message that is none: all are read, or none
 */
export function readDrafts(text: string, role?: string): readonly MessageDraft[] {
  const bare = text.replace(/^\uFEFF/u, '').trim();
  const whole = parseJson(bare);
  if (Array.isArray(whole)) return whole.map((value, index) => draftOf(value, `message ${index + 1}`, role));
  if (isRecord(whole) && Array.isArray(whole.messages)) {
    return whole.messages.map((value, index) => draftOf(value, `message ${index + 1}`, role));
  }
  const lines = bare.split(/\r?\n/).entries();
  return [...lines].flatMap(([index, line]) =>
    line.trim() === '' ? [] : [draftOf(parseJson(line), `line ${index + 1}`, role)],
  );
}

function draftOf(value: unknown, place: string, role: string | undefined): MessageDraft {
  if (!isRecord(value)) {
    return fail('usage', `${place} is no JSON object`, 'give one {"role","content"} a line, or a list of them');
  }
  const draft = readDraft(role === undefined ? value : { role, ...value });
  return draft ?? fail('usage', `${place} has no known role`, 'use user, assistant, tool or system');
}
