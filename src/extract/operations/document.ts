import { createHash } from 'node:crypto';
import { type Fields, isRecord } from '../../base/json.js';
import type { Result } from '../../base/result.js';
import { err, ok } from '../../base/result.js';
import { readAnswer } from '../../model/answer.js';
import type { MemoryType } from '../types/memory-type.js';

/** A page as a prompt showed it. */
export interface PageRef {
  readonly page_id: number;
  /** Relative to the workspace. */
  readonly path: string;
  /** Of its bytes; the beginning of it is enough. */
  readonly hash: string;
}

/** How an operation names a page: by its number in the prompt, or by path or URI. */
export type PageName = number | string;

export type Operation =
  | {
      readonly kind: 'write';
      /** What is said of it in reports, for example `preferences[0]`. */
      readonly where: string;
      readonly type: MemoryType;
      readonly page: PageName | undefined;
      readonly given: Fields;
      readonly sources: readonly string[];
    }
  | { readonly kind: 'delete'; readonly where: string; readonly page: PageName; readonly replacement: PageName | undefined }
  | { readonly kind: 'link'; readonly where: string; readonly from: PageName; readonly to: PageName; readonly about: Fields };

/** An operation that was not carried out, and why. */
export interface Rejected {
  readonly operation: string;
  readonly page?: string;
  readonly reason: string;
}

/** What is to be done to the pages of a bank. */
export interface OperationsDocument {
  readonly id: string;
  /** Hash of what it says, without its id and pages. */
  readonly content: string;
  /** The pages that its writer has read. */
  readonly pages: readonly PageRef[];
  readonly operations: readonly Operation[];
  readonly rejected: readonly Rejected[];
}

/** Keys of an operations document that are no types. */
const OWN_KEYS: ReadonlySet<string> = new Set(['id', 'pages', 'deletes', 'delete_ids', 'links', 'reasoning']);

/**
 * Reads an operations document out of a text: JSON, mended where it can be, several objects as one. What is not usable
 * in it is named, the rest is read.
 * @returns an error in words when there is no such document in the text
 */
export async function readOperations(text: string, types: readonly MemoryType[]): Promise<Result<OperationsDocument, string>> {
  const read = await readAnswer(text, {
    safeParse: (value) => {
      const data = asOne(value);
      return data === undefined
        ? { success: false, error: { issues: [{ path: [], message: 'is no object with operations' }] } }
        : { success: true, data };
    },
  });
  return read.ok ? ok(documentOf(read.value, types)) : err(read.problems.join('; '));
}

/** A list of documents is one with all of their operations. */
function asOne(value: unknown): Fields | undefined {
  if (isRecord(value)) return value;
  if (!Array.isArray(value) || !value.every(isRecord)) return undefined;
  const one: Record<string, unknown> = {};
  for (const fields of value) {
    for (const [key, more] of Object.entries(fields)) {
      const before = one[key];
      one[key] = Array.isArray(before) && Array.isArray(more) ? [...before, ...more] : (before ?? more);
    }
  }
  return one;
}

function documentOf(fields: Fields, types: readonly MemoryType[]): OperationsDocument {
  const { id, pages, ...said } = fields;
  const content = hashOf(said);
  const rejected: Rejected[] = [];
  const operations: Operation[] = [];
  const take = (where: string, operation: Operation | string): void => {
    if (typeof operation === 'string') rejected.push({ operation: where, reason: operation });
    else operations.push(operation);
  };
  for (const [key, value] of Object.entries(said)) {
    const type = types.find(({ name }) => name === key);
    if (type === undefined && !OWN_KEYS.has(key)) take(key, `there is no memory type "${key.slice(0, 60)}" here`);
    if (value === null || key === 'reasoning') continue;
    const items: readonly unknown[] = Array.isArray(value) ? value : [value];
    for (const [index, item] of items.entries()) {
      const where = `${key}[${index}]`;
      if (type !== undefined) take(where, isRecord(item) ? writeOf(where, type, item) : 'is no object with fields');
      else if (key === 'links') take(where, linkOf(where, item));
      else if (key === 'deletes' || key === 'delete_ids') take(where, deleteOf(where, item));
    }
  }
  return {
    id: typeof id === 'string' && id.trim() !== '' ? id.trim().slice(0, 200) : `x-${content.slice(0, 13)}`,
    content,
    pages: readPages(pages),
    operations,
    rejected,
  };
}

function writeOf(where: string, type: MemoryType, item: Fields): Operation {
  const { page_id, uri, path, sources, ...given } = item;
  const named = type.fields.some(({ name }) => name === 'path') ? { path } : {};
  return {
    kind: 'write',
    where,
    type,
    page: pageName(page_id) ?? pageName(uri) ?? ('path' in named ? undefined : pageName(path)),
    given: { ...given, ...named },
    sources: (Array.isArray(sources) ? sources : [sources]).flatMap((source) => (typeof source === 'string' || typeof source === 'number' ? [String(source)] : [])),
  };
}

function deleteOf(where: string, item: unknown): Operation | string {
  const fields = isRecord(item) ? item : { page_id: item };
  const page = pageName(fields.page_id) ?? pageName(fields.delete_page_id) ?? pageName(fields.uri);
  if (page === undefined) return 'names no page';
  return { kind: 'delete', where, page, replacement: pageName(fields.replacement ?? fields.replacement_page_id) };
}

function linkOf(where: string, item: unknown): Operation | string {
  if (!isRecord(item)) return 'is no link';
  const [from, to] = [pageName(item.from ?? item.f), pageName(item.to ?? item.t)];
  return from === undefined || to === undefined ? 'does not name two pages' : { kind: 'link', where, from, to, about: item };
}

function pageName(value: unknown): PageName | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value : undefined;
  if (typeof value !== 'string' || value.trim() === '') return undefined;
  return /^\d{1,9}$/u.test(value.trim()) ? Number(value) : value.trim();
}

export function readPages(value: unknown): readonly PageRef[] {
  return (Array.isArray(value) ? value : []).flatMap((page: unknown) => {
    const { page_id, path, hash } = isRecord(page) ? page : {};
    return typeof page_id === 'number' && typeof path === 'string' && typeof hash === 'string' ? [{ page_id, path, hash }] : [];
  });
}

/** Equal for the same JSON, whatever the order of its keys. */
function hashOf(value: unknown): string {
  const sorted = JSON.stringify(value, (_, one: unknown) =>
    isRecord(one) ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1))) : one,
  );
  return createHash('sha256').update(sorted).digest('hex');
}
