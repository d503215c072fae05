import { err, ok, type Result } from '../../base/failure.js';
import { isRecord } from '../../base/json.js';
import { type FieldValue, isEmptyValue, type MemoryField, toFieldValue } from '../types/memory-type.js';
import { applyPatch, type PatchBlock, readPatch } from './patch.js';

export interface MergeContext {
  /**
   * Whether the writer has read the current version of the page. Only then may a new text replace the old text as a whole.
   */
  readonly isRead: boolean;
  /**
   * Whether another operation of the same operations document wrote the page. Then a new text is appended to the old one.
   */
  readonly isWritten?: boolean;
  /** How many values the current average was computed from. */
  readonly count?: number | undefined;
}

/**
 * Merges a value into a field by its merge operation, or returns why it can't. The result has the field's type. A
 * missing value changes nothing. Pure.
 */
export function mergeField(
  field: Pick<MemoryField, 'name' | 'type' | 'mergeOp'>,
  current: FieldValue,
  given: unknown,
  context: MergeContext,
): Result<FieldValue, string> {
  if (given === null || given === undefined) return ok(current);
  if (field.type === 'string' && field.mergeOp === 'patch') return mergeText(current, given, context);
  const value = toFieldValue(field.type, given);
  if (value === undefined) return err(`${field.name} must be ${field.type}, not ${JSON.stringify(given).slice(0, 80)}`);
  if (isEmptyValue(value)) return ok(current);
  switch (field.mergeOp) {
    case 'immutable':
      if (isEmptyValue(current) || JSON.stringify(current) === JSON.stringify(value)) return ok(value);
      return err(`${field.name} is "${String(current)}" and can't be changed`);
    case 'sum':
      return typeof value === 'number' ? sum(field, current, value) : ok(value);
    case 'avg':
      return typeof value === 'number' ? ok(average(current, value, context.count ?? 0)) : ok(value);
    case 'append_unique':
      return ok(appended(current, value));
    case 'patch':
    case 'replace':
      return ok(value);
  }
}

/**
 * Appends a text to the old text. If the old text ends with a list item and the new text begins with a list item, the
 * items form one list.
 */
function below(old: string, text: string): string {
  const isList = [old.trimEnd().split('\n').at(-1), text.trimStart()].every((line) => /^\s*[-*+]\s/u.test(line ?? ''));
  return `${old.trimEnd()}${isList ? '\n' : '\n\n'}${text.trim()}`;
}

function mergeText(
  current: FieldValue,
  given: unknown,
  { isRead, isWritten }: MergeContext,
): Result<FieldValue, string> {
  const patch = readPatch(given);
  if (patch !== undefined && !patch.ok) return patch;
  const old = typeof current === 'string' ? current : '';
  if (patch !== undefined) return patchText(old, patch.value);
  const text = toFieldValue('string', given);
  if (typeof text !== 'string' || isRecord(given))
    return err(`must be a text or a patch, not ${JSON.stringify(given).slice(0, 80)}`);
  if (text.trim() === '' || text === old) return ok(current);
  if (old !== '' && isWritten) return ok(below(old, text));
  if (old !== '' && !isRead)
    return err('would replace a text that was not read, or has changed since: read the page again, or use a patch');
  return ok(text);
}

function patchText(old: string, blocks: readonly PatchBlock[]): Result<string, string> {
  const [only] = blocks;
  const creates = old === '' && blocks.length === 1 && only !== undefined && 'replace' in only && only.search === '';
  if (creates) return ok(only.replace);
  if (old === '' && blocks.every((block) => 'delete' in block)) return ok('');
  // A block without a search text is skipped if another block has a search text. If no block has a search text, all new
  // texts would be lost without a message. So reject the patch.
  const hasNoPlace = (block: PatchBlock) => 'replace' in block && block.search === '' && block.replace.trim() !== '';
  if (blocks.length > 0 && blocks.every(hasNoPlace)) return err('block 1 has no text to search for');
  return applyPatch(old, blocks);
}

/** Significant digits of floating-point results. Further digits are rounding errors. */
const DIGITS = 12;

function sum(
  field: Pick<MemoryField, 'name' | 'type'>,
  current: FieldValue,
  value: number,
): Result<FieldValue, string> {
  const before = isEmptyValue(current) ? 0 : current;
  if (typeof before !== 'number') return err(`${field.name} is not a number, so nothing can be added to it`);
  const total = field.type === 'int64' ? before + value : Number((before + value).toPrecision(DIGITS));
  return toFieldValue(field.type, total) === undefined ? err(`${field.name} would be too large`) : ok(total);
}

function average(current: FieldValue, value: number, count: number): number {
  const before = typeof current === 'number' ? current : 0;
  // The page may not store how many values the current average covers. Then the average counts as one value.
  const known = typeof current === 'number' ? Math.max(1, count) : 0;
  return Number((before + (value - before) / (known + 1)).toPrecision(DIGITS));
}

function appended(current: FieldValue, value: FieldValue): readonly string[] {
  const list = (one: FieldValue): readonly string[] =>
    typeof one === 'string' ? [one] : typeof one === 'object' && one !== null ? one : [];
  const key = (text: string): string =>
    text
      .normalize('NFKC')
      .toLowerCase()
      .replace(/\s+/gu, ' ')
      .replace(/[.。]$/u, '')
      .trim();
  const known = new Map(list(current).map((text) => [key(text), text]));
  for (const text of list(value)) if (!known.has(key(text))) known.set(key(text), text);
  return [...known.values()];
}
