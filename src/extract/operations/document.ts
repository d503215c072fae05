import { createHash } from 'node:crypto';
import { jsonrepair } from 'jsonrepair';
import { findJsonTextEnd, isRecord, parseJson, type UnknownFields } from '../../base/json.js';
import { findJsonCandidates, repairJson } from '../../model/answer.js';
import type { MemoryType } from '../memory-type.js';

/** A page as shown in a prompt. */
export interface PageRef {
  readonly page_id: number;
  /** Path of the page, relative to the workspace. */
  readonly path: string;
  /** Hash of the page's bytes, or the first characters of the hash. */
  readonly hash: string;
}

/** How an operation names a page: its number in the prompt, or its path or URI. */
export type PageNumberOrPath = number | string;

export type PageOperation =
  | {
      readonly kind: 'write';
      /** Name of the operation in reports, for example `preferences[0]`. */
      readonly where: string;
      readonly type: MemoryType;
      readonly page: PageNumberOrPath | undefined;
      readonly given: UnknownFields;
      readonly sources: readonly string[];
    }
  | {
      readonly kind: 'delete';
      readonly where: string;
      readonly page: PageNumberOrPath;
      readonly replacement: PageNumberOrPath | undefined;
    }
  | {
      readonly kind: 'link';
      readonly where: string;
      readonly from: PageNumberOrPath;
      readonly to: PageNumberOrPath;
      readonly about: UnknownFields;
    };

/** A rejected operation, and the reason. */
export interface RejectedOperation {
  readonly operation: string;
  readonly page?: string;
  readonly reason: string;
}

/** Operations to apply to the pages of a bank. */
export type OperationsDocument = ReturnType<typeof readPageOperations>;

/** Reads the valid operations of a document; invalid ones are listed in `rejected`. */
export function readPageOperations(fields: UnknownFields, types: readonly MemoryType[]) {
  const { id, pages, [TRUNCATED_ANSWER_KEY]: cut, ...said } = fields;
  const content = hashOf(said);
  const rejected: RejectedOperation[] =
    cut === true
      ? [{ operation: TRUNCATED_ANSWER_KEY, reason: 'ends too early: only the complete operations are applied' }]
      : [];
  const operations: PageOperation[] = [];
  for (const [key, value] of Object.entries(said)) {
    if (value === null || key === 'reasoning') continue;
    const items: readonly unknown[] = Array.isArray(value) ? value : [value];
    const read = readerOf(key, types);
    const name = key.slice(0, 60);
    if (read === undefined) {
      rejected.push({ operation: name, reason: `there is no memory type "${name}" here` });
      continue;
    }
    for (const [index, item] of items.entries()) {
      const where = `${key}[${index}]`;
      const operation = read(where, item);
      if (typeof operation === 'string') rejected.push({ operation: where, reason: operation });
      else operations.push(operation);
    }
  }
  return {
    id: typeof id === 'string' && id.trim() !== '' ? id.trim().slice(0, 200) : `x-${content.slice(0, 13)}`,
    /** Hash of the document without its id and pages. */
    content,
    /** Whether the answer was truncated. Its unfinished last item was dropped. */
    isCut: cut === true,
    /** Pages that the writer has read. */
    pages: readPageRefs(pages),
    operations,
    rejected,
  };
}

function readerOf(
  key: string,
  types: readonly MemoryType[],
): ((where: string, item: unknown) => PageOperation | string) | undefined {
  if (key === 'links') return linkOf;
  if (key === 'deletes' || key === 'delete_ids') return deleteOf;
  const type = types.find(({ name }) => name === key);
  if (type === undefined) return undefined;
  return (where, item) => (isRecord(item) ? writeOf(where, type, item) : 'is not an object with fields');
}

function writeOf(where: string, type: MemoryType, item: UnknownFields): PageOperation {
  const { page_id, uri, path, sources, ...said } = item;
  const given = Object.fromEntries(Object.entries(said).filter(([, value]) => !isNothing(value)));
  const named = type.fields.some(({ name }) => name === 'path') ? { path } : {};
  return {
    kind: 'write',
    where,
    type,
    page: pageName(page_id) ?? pageName(uri) ?? ('path' in named ? undefined : pageName(path)),
    given: { ...given, ...named },
    sources: (Array.isArray(sources) ? sources : [sources]).flatMap((source) =>
      typeof source === 'string' || typeof source === 'number' ? [String(source)] : [],
    ),
  };
}

/** Whether a value is a word that models write when they mean "no value", for example `None` or `N/A`. */
function isNothing(value: unknown): boolean {
  return typeof value === 'string' && /^\s*(?:None|null|undefined|NaN|N\/A)\s*$/u.test(value);
}

function deleteOf(where: string, item: unknown): PageOperation | string {
  const fields = isRecord(item) ? item : { page_id: item };
  const page = pageName(fields.page_id) ?? pageName(fields.delete_page_id) ?? pageName(fields.uri);
  if (page === undefined) return 'names no page';
  return { kind: 'delete', where, page, replacement: pageName(fields.replacement ?? fields.replacement_page_id) };
}

function linkOf(where: string, item: unknown): PageOperation | string {
  if (!isRecord(item)) return 'is not a link';
  const [from, to] = [pageName(item.from ?? item.f), pageName(item.to ?? item.t)];
  return from === undefined || to === undefined
    ? 'does not name two pages'
    : { kind: 'link', where, from, to, about: item };
}

function pageName(value: unknown): PageNumberOrPath | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value : undefined;
  if (typeof value !== 'string' || value.trim() === '') return undefined;
  return /^\d{1,9}$/u.test(value.trim()) ? Number(value) : value.trim();
}

function readPageRefs(value: unknown): readonly PageRef[] {
  return (Array.isArray(value) ? value : []).flatMap((page: unknown) => {
    const { page_id, path, hash } = isRecord(page) ? page : {};
    return typeof page_id === 'number' && typeof path === 'string' && typeof hash === 'string'
      ? [{ page_id, path, hash }]
      : [];
  });
}

/** Hash of a value as JSON. The order of its keys does not matter. */
function hashOf(value: unknown): string {
  const sorted = JSON.stringify(value, (_, one: unknown) =>
    isRecord(one) ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1))) : one,
  );
  return createHash('sha256').update(sorted).digest('hex');
}

/** Key that is added to the JSON object of a truncated answer. */
const TRUNCATED_ANSWER_KEY = 'the answer';

/**
 * Parses the JSON object of an answer, repaired if needed; several objects are merged. If the answer is truncated, its
 * unfinished last item is dropped and the key `TRUNCATED_ANSWER_KEY` is set. Returns `undefined` if there is no object.
 */
export function parseOperationsJson(text: string): UnknownFields | undefined {
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
