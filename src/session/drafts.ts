import { fail } from '../base/failure.js';
import { type Fields, isRecord, parseJson } from '../base/json.js';
import { type MessageDraft, readDraft } from './message.js';

/**
 * Reads messages from a JSON list, `{"messages":[…]}`, or one JSON object a line.
 * @param role of messages that have none
 * @throws MemoryError `usage` that names the first line or message that is none: all are read, or none
 */
export function readDrafts(text: string, role?: string): readonly MessageDraft[] {
  return readRecords(text).map(({ record, place }) => {
    const draft = readDraft(role === undefined ? record : { role, ...record });
    return draft ?? fail('usage', `${place} has no known role`, 'use user, assistant, tool or system');
  });
}

/** The same without reading what each message says. */
export function readRecords(text: string): readonly { readonly record: Fields; readonly place: string }[] {
  const bare = text.replace(/^\uFEFF/u, '').trim();
  const whole = parseJson(bare);
  const list = isRecord(whole) ? whole.messages : whole;
  if (Array.isArray(list)) return list.map((value, index) => recordAt(value, `message ${index + 1}`));
  const lines = bare.split(/\r?\n/).entries();
  return [...lines].flatMap(([index, line]) =>
    line.trim() === '' ? [] : [recordAt(parseJson(line), `line ${index + 1}`)],
  );
}

function recordAt(record: unknown, place: string): { readonly record: Fields; readonly place: string } {
  if (isRecord(record)) return { record, place };
  return fail('usage', `${place} is no JSON object`, 'give one {"role","content"} a line, or a list of them');
}
