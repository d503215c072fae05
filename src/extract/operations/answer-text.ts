import { jsonrepair } from 'jsonrepair';
import { findJsonTextEnd, isRecord, parseJson, type UnknownFields } from '../../base/json.js';
import { findJsonCandidates, repairJson } from '../../model/answer.js';

/** An operations document as a JSON object, before it is checked. */
export type OperationsJson = UnknownFields;

/** Key that is added to the JSON object of a truncated answer. */
export const TRUNCATED_ANSWER_KEY = 'the answer';

/**
 * Parses the JSON object of an answer, repaired if needed; several objects are merged. If the answer is truncated, its
 * unfinished last item is dropped and the key `TRUNCATED_ANSWER_KEY` is set. Returns `undefined` if there is no object.
 */
export function parseOperationsJson(text: string): OperationsJson | undefined {
  const candidates = findJsonCandidates(text).map(withoutTwinKeys);
  for (const candidate of candidates) {
    const value = asOne(parseJson(candidate));
    if (value !== undefined) return value;
  }
  for (const candidate of candidates) {
    const whole = withoutOpen(candidate);
    const value = asOne(parseJson(whole) ?? repairJson(whole, jsonrepair));
    if (value !== undefined) return whole === candidate ? value : { ...value, [TRUNCATED_ANSWER_KEY]: true };
  }
  return undefined;
}

/** Merges a list of documents into one with all of their operations. */
function asOne(value: unknown): UnknownFields | undefined {
  if (isRecord(value)) return value;
  if (!Array.isArray(value) || !value.every(isRecord)) return undefined;
  const one: Record<string, unknown> = {};
  for (const fields of value) {
    for (const [key, more] of Object.entries(fields)) {
      const before = one[key];
      const isList = [before, more].every((part) => typeof part === 'object' && part !== null);
      one[key] = isList ? [before, more].flat() : (before ?? more);
    }
  }
  return one;
}

/**
 * Splits the JSON text of an object with repeated keys into a list of objects. A parser would keep only the last value of
 * each key.
 */
function withoutTwinKeys(json: string): string {
  if (!json.startsWith('{')) return json;
  const parts: string[] = [];
  const seen = new Set<string>();
  let [open, from, comma] = [0, 0, 0];
  for (const { sign, at, end } of signsOf(json)) {
    if (sign === ',' && open === 1) comma = at;
    else if (isOpening(sign)) open++;
    else if (isClosing(sign)) open--;
    else if (sign === '"' && open === 1 && /^\s*:/u.test(json.slice(end + 1, end + 20))) {
      const key = json.slice(at, end);
      if (seen.has(key)) {
        parts.push(json.slice(from, comma));
        from = comma + 1;
        seen.clear();
      }
      seen.add(key);
    }
  }
  return parts.length === 0 ? json : `[${[...parts, json.slice(from)].join('},{')}${open > 0 ? '' : ']'}`;
}

/** Cuts truncated JSON after its last complete item, and closes the open brackets. */
function withoutOpen(json: string): string {
  const open: string[] = [];
  const lists = json.startsWith('[') ? 1 : 0;
  let whole = { end: 0, closing: '' };
  for (const { sign, end } of signsOf(json)) {
    if (isOpening(sign)) open.push(sign === '{' ? '}' : ']');
    else if (isClosing(sign)) open.pop();
    else if (sign === '"') continue;
    const depth = open.length - lists;
    const isBetween = depth <= 1 || (depth === 2 && open.at(-1) === ']' && !isOpening(sign));
    if (isBetween) whole = { end: sign === ',' ? end : end + 1, closing: open.toReversed().join('') };
  }
  return open.length === 0 ? json : json.slice(0, whole.end) + whole.closing;
}

const isOpening = (sign: string): boolean => sign === '{' || sign === '[';
const isClosing = (sign: string): boolean => sign === '}' || sign === ']';

/**
 * Lists the brackets, commas and strings of JSON with their positions. Stops at an unterminated string. Takes linear time.
 */
function* signsOf(json: string): Iterable<{ readonly sign: string; readonly at: number; readonly end: number }> {
  for (let at = 0; at < json.length; at++) {
    const sign = json[at] ?? '';
    const end = sign === '"' ? findJsonTextEnd(json, at) : at;
    if (end < 0) return;
    if (sign === '"' || sign === ',' || isOpening(sign) || isClosing(sign)) yield { sign, at, end };
    at = end;
  }
}
