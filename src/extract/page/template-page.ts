import { err, ok, type Result } from '../../base/result.js';
import { merge3 } from '../../text/changes.js';
import { type FieldValue, type FieldValues, fieldValue, type MemoryType } from '../types/memory-type.js';
import type { Templates } from '../types/template.js';

type Rendered = Pick<MemoryType, 'contentTemplate' | 'fields'>;

/** The body that the fields of a page make; an error in words when they make none. */
export function renderBody(
  { contentTemplate, fields }: Rendered,
  values: FieldValues,
  templates: Templates,
): Result<string, string> {
  const given = Object.fromEntries(fields.map(({ name, type }) => [name, fieldValue(type, values[name]) ?? null]));
  const body = templates.render(contentTemplate ?? '', given);
  return body.ok ? ok(body.value.replace(/\n{3,}/gu, '\n\n')) : err(`its template can't be filled in: ${body.error}`);
}

/**
 * What a person changed in a rendered body, as new values of the fields: undefined when it can't be said which field a
 * change belongs to. Each part of the body that no field made must be there as it was, and the new values must make this
 * body again.
 */
export function editedFields(
  type: Rendered,
  values: FieldValues,
  body: string,
  templates: Templates,
): FieldValues | undefined {
  const texts = type.fields.filter(
    ({ name, type: of, mergeOp }) =>
      of === 'string' && mergeOp !== 'immutable' && typeof values[name] === 'string' && values[name] !== '',
  );
  const marked = { ...values, ...Object.fromEntries(texts.map(({ name }, index) => [name, mark(index)])) };
  const skeleton = renderBody(type, marked, templates);
  if (!skeleton.ok) return undefined;
  const [first = '', ...rest] = skeleton.value.split(MARK);
  const places = rest.flatMap((part, index) =>
    index % 2 === 0 ? [{ field: texts[Number(part)], after: rest[index + 1] ?? '' }] : [],
  );
  const named = places.map(({ field }) => field?.name);
  if (new Set(named).size !== named.length || !body.startsWith(first)) return undefined;
  const found: Record<string, FieldValue> = {};
  let at = first.length;
  for (const [index, { field, after }] of places.entries()) {
    if (field === undefined) return undefined;
    const isLast = index === places.length - 1;
    const end = isLast ? body.length - after.length : onlyPlace(body, after, at);
    if (end === undefined || end < at || !body.startsWith(after, end)) return undefined;
    found[field.name] = body.slice(at, end);
    at = end + after.length;
  }
  const edited = { ...values, ...found };
  const again = renderBody(type, edited, templates);
  return at === body.length && again.ok && again.value === body ? edited : undefined;
}

/** A text that no template changes and no page has. */
const mark = (index: number): string => `\ue000${index}\ue001`;
const MARK = /\ue000(\d+)\ue001/u;

/** Where a text stands behind a place, when that is one place. */
function onlyPlace(body: string, text: string, from: number): number | undefined {
  if (text === '') return undefined;
  const at = body.indexOf(text, from);
  return at < 0 || body.indexOf(text, at + 1) >= 0 ? undefined : at;
}

/**
 * The body of new fields with what a person wrote into the old one; undefined when both changed the same lines.
 * @param before what the old fields make
 * @param edited what stands in the file
 */
export function keptEdits(before: string, edited: string, after: string): string | undefined {
  if (edited === before) return after;
  const merged = merge3(before, edited, after);
  return merged.ok ? merged.value : undefined;
}
