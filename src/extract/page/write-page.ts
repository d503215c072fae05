import { err, ok, type Result } from '../../base/failure.js';
import { asText, type UnknownFields } from '../../base/json.js';
import { isDay } from '../../language/time/calendar.js';
import { pageOfPath } from '../../memory/pages.js';
import { mergeBothChanges } from '../../text/changes.js';
import { entitySlug, safeFileName } from '../../text/slug.js';
import {
  type FieldValue,
  type FieldValues,
  isEmptyValue,
  type MemoryField,
  type MemoryType,
  toFieldValue,
  valueCountFieldName,
} from '../memory-type.js';
import { type MergeContext, mergeField } from '../merge.js';
import { type MergedStatement, mergeStatements } from '../operations/guard.js';
import type { Templates } from '../types.js';
import {
  createSimplePage,
  formatMemoryFile,
  formatSimplePage,
  frontMatterValues,
  mergeLinks,
  parseMemoryFile,
  parseSimplePage,
  readLinks,
  readMemoryPage,
  replaceContent,
  setFrontMatter,
  visibleContent,
} from './form.js';
import { comparePageText, type IsProgramLine } from './ownership.js';
import type { ExtractSource } from './sources.js';

/** A planned write of one page. */
interface PageWrite {
  readonly type: MemoryType;
  readonly path: string;
  /** Current text; null if the page does not exist. */
  readonly before: string | null;
  /** The new values, without what must not be written. */
  readonly given: UnknownFields;
  readonly sources: readonly ExtractSource[];
  /** Whether the writer has read the current version. */
  readonly isRead: boolean;
  /** Whether another operation of the same document has already written the page. */
  readonly isWritten: boolean;
  /** Tests whether the program wrote a line of the page and nobody has edited the line. */
  readonly isOurs: IsProgramLine;
  readonly templates: Templates;
}

interface WrittenPage {
  readonly text: string;
  readonly merged: readonly MergedStatement[];
  /** Values that were rejected, each with its field and the reason. All other values were accepted. */
  readonly refused: readonly { readonly field: string; readonly reason: string }[];
}

/**
 * A page that is open for writing. A type with a `content_template` stores its values in a comment at the end of the page,
 * and its body is rendered from them. Other types store their values in front matter, title and body.
 */
interface OpenPage {
  readonly values: FieldValues;
  /** The body as a model sees it, if the body is the value of a field. */
  readonly visible?: string;
  readonly save: (values: FieldValues) => Result<WrittenPage, string>;
}

/** Computes the new text of a page, or returns the reason why it stays unchanged. Pure. */
export function writePage(write: PageWrite): Result<WrittenPage, string> {
  const page = write.type.content_template === null ? openPlainPage(write) : openRenderedPage(write);
  if (!page.ok) return page;
  const merged = mergeAll(write, page.value);
  if (!merged.ok) return merged;
  const { values, refused } = merged.value;
  const saved = page.value.save(values);
  return saved.ok ? ok({ ...saved.value, refused: [...refused, ...saved.value.refused] }) : saved;
}

/**
 * Adds a link to a page: to its stored links if its body is rendered, else as a list item below "See also".
 * @returns the new text of the page
 */
export function linkPage(type: MemoryType, text: string, link: PageLink, templates: Templates): Result<string, string> {
  if (type.content_template === null) {
    if (text.includes(`](${link.to_uri})`)) return ok(text);
    const line = `- [${link.match_text.replace(/[[\]]/gu, '')}](${link.to_uri}) – ${link.link_type.replaceAll('_', ' ')}`;
    const heading = /^## See also[ \t]*$/mu.test(text) ? '' : '\n## See also\n\n';
    return ok(`${text.trimEnd()}\n${heading}${line}\n`);
  }
  const { body, fields, state } = readMemoryPage(text);
  const before = readLinks(fields.links);
  const links = mergeLinks(before, [{ ...link }]);
  const [old, made] = [before, links].map((of) => renderPageBody(type, readFieldValues(type, fields), of, templates));
  if (state !== 'fields' || old?.ok !== true || made?.ok !== true) return err('has no fields that can be read');
  return ok(formatMemoryFile(body === old.value ? made.value : body, { ...fields, links }));
}

interface PageLink {
  /** Path of the other page, relative to the page. */
  readonly to_uri: string;
  readonly match_text: string;
  readonly link_type: string;
  readonly weight: unknown;
}

/** The title that distinguishes a page from others of its type. */
export function titleOfPage(type: MemoryType, text: string): string | null {
  if (type.content_template === null) return parseSimplePage(text, type.identity.length > 0).title;
  const { body, fields, state } = parseMemoryFile(text);
  // Damaged fields can't be read, so the title is unknown. For null, the caller keeps the path of this page, and
  // creates no second page for the same thing.
  if (state === 'damaged') return null;
  const values = readFieldValues(type, fields);
  const isNamed = type.identity.every((name) => !isEmptyValue(values[name]));
  return isNamed ? titleFromValues(type, values) : parseSimplePage(body, true).title;
}

/** Key of a field in the front matter. The category of an entity is stored as `type`. */
function frontKey(type: MemoryType, field: string): string {
  return type.directory === ENTITIES_FOLDER && field === 'category' ? 'type' : field;
}

/** The values of a page: those that it stores or, on a new page, the initial ones. Null for a field without a value. */
function storedValues(type: MemoryType, isNew: boolean, stored: UnknownFields): FieldValues {
  const initial = type.fields.map(({ name, init_value }) => [name, isNew ? init_value : null] as const);
  return { ...Object.fromEntries(initial), ...readFieldValues(type, stored) };
}

function openPlainPage({ type, path, before, given, sources, isOurs }: PageWrite): Result<OpenPage, string> {
  const page =
    before === null
      ? createSimplePage(titleFromValues(type, readFieldValues(type, given)))
      : parseSimplePage(before, type.identity.length > 0);
  const front = frontMatterValues(page);
  if (front === null) return err('its front matter is not valid YAML: fix it first');
  const [only = '', ...more] = type.identity;
  const title = page.title !== null && more.length === 0 ? { [only]: page.title } : {};
  const category = front[frontKey(type, 'category')];
  const stored = { ...front, category, ...title, content: page.content };
  const save = (values: FieldValues): Result<WrittenPage, string> => {
    const content = typeof values.content === 'string' ? values.content : '';
    if (before === null && content.trim() === '') return err('it has no text to remember');
    const settled = mergeStatements(page.content, content, path, sources);
    const isNewEntity = before === null && type.directory === ENTITIES_FOLDER;
    const shown: FieldValues = { ...(isNewEntity ? { name: page.title } : {}), ...frontMatterOf(type, values) };
    const replaced = settled.text.includes('\ue000')
      ? { ...page, content: settled.text }
      : replaceContent(page, settled.text);
    const written = settled.text === page.content ? page : replaced;
    const set = setFrontMatter(written, shown);
    const isTheirs = comparePageText(page.front, set.front, isOurs).touched.length > 0;
    const text = formatSimplePage(isTheirs ? written : set);
    const refused = isTheirs ? Object.keys(shown).filter((key) => shown[key] !== (front[key] ?? null)) : [];
    return ok({
      text: before !== null && text.trim() === before.trim() ? before : text,
      merged: settled.merged,
      refused: refused.map((field) => ({ field, reason: 'a person wrote the front matter' })),
    });
  };
  return ok({ values: storedValues(type, before === null, stored), visible: visibleContent(page), save });
}

/** The values that stand in front matter: all but the content and the fields that name the page. */
function frontMatterOf(type: MemoryType, values: FieldValues): FieldValues {
  const shown: Record<string, FieldValue> = {};
  for (const { name, merge_op } of type.fields) {
    if (name === 'content' || type.identity.includes(name)) continue;
    shown[frontKey(type, name)] = values[name] ?? null;
    if (merge_op === 'avg') shown[valueCountFieldName(name)] = values[valueCountFieldName(name)] ?? null;
  }
  return shown;
}

const MOST_SOURCES = 20;

function openRenderedPage({ type, before, templates, sources: added }: PageWrite): Result<OpenPage, string> {
  const file = readMemoryPage(before ?? '');
  if (file.state === 'damaged') return err("its MEMORY_FIELDS comment can't be read: fix it first");
  if (file.state === 'none' && file.body !== '') return err('it has no MEMORY_FIELDS, so a person wrote it');
  if (file.fields.memory_type !== undefined && file.fields.memory_type !== type.name)
    return err(`it is of the type ${String(file.fields.memory_type)}`);
  const links = readLinks(file.fields.links);
  const stored = storedValues(type, before === null, file.fields);
  const rendered = renderPageBody(type, stored, links, templates);
  if (!rendered.ok) return rendered;
  const isEdited = before !== null && rendered.value !== file.body;
  const taken = isEdited && links.length === 0 ? editedFields(type, stored, file.body, templates) : undefined;
  const current = { ...stored, ...taken };
  const save = (values: FieldValues): Result<WrittenPage, string> => {
    const after = renderPageBody(type, values, links, templates);
    if (!after.ok) return after;
    const body = isEdited && taken === undefined ? keptEdits(rendered.value, file.body, after.value) : after.value;
    if (body === undefined) return err('a person has edited the place of the new values: make this change by hand');
    const isSame = body === file.body && JSON.stringify(values) === JSON.stringify(current);
    if (before !== null && isSame && taken === undefined) return ok({ text: before, merged: [], refused: [] });
    const { version, sources: known, ...rest } = file.fields;
    const sources = sourcesWith(known, added);
    const fields = {
      memory_type: type.name,
      ...Object.fromEntries(Object.entries(rest).filter(([name]) => !(name in stored) && name !== 'memory_type')),
      ...Object.fromEntries(Object.entries(values).filter(([, value]) => !isEmptyValue(value))),
      ...(sources.length === 0 ? {} : { sources }),
      version: (typeof version === 'number' ? version : 0) + 1,
    };
    return ok({ text: formatMemoryFile(body, fields), merged: [], refused: [] });
  };
  return ok({ values: current, save });
}

/** The stored sources of a page with new ones appended; keeps the newest `MOST_SOURCES`. */
function sourcesWith(known: unknown, added: readonly ExtractSource[]): readonly string[] {
  const texts = Array.isArray(known) ? known.flatMap((one) => asText(one) ?? []) : [];
  const named = added.map(({ path, isTrusted }) => (isTrusted ? path : `${path} (untrusted)`));
  return [...new Set([...texts, ...named])].slice(-MOST_SOURCES);
}

/** Renders the body of a page from its fields and links. */
function renderPageBody(
  type: MemoryType,
  values: FieldValues,
  links: readonly UnknownFields[],
  templates: Templates,
): Result<string, string> {
  const body = renderBody(type, values, templates);
  if (!body.ok || links.length === 0) return body;
  const lines = links.map(
    ({ to_uri, match_text, link_type }) =>
      `- [${String(match_text ?? to_uri)}](${String(to_uri)})${link_type === undefined ? '' : ` – ${String(link_type)}`}`,
  );
  return ok(`${body.value}\n\n## See also\n\n${lines.join('\n')}`);
}

/** Reads the field values of a type from JSON. Values of a wrong type are omitted. */
export function readFieldValues(type: MemoryType, given: UnknownFields): FieldValues {
  const values: Record<string, FieldValue> = {};
  for (const { name, type: of, merge_op } of type.fields) {
    const value = toFieldValue(of, given[name]);
    if (value !== undefined && value !== null) values[name] = value;
    const count = toFieldValue('int64', given[valueCountFieldName(name)]);
    if (merge_op === 'avg' && typeof count === 'number') values[valueCountFieldName(name)] = count;
  }
  return values;
}

/**
 * Merges all given values into the current ones. Nothing is written if a patch does not fit, or if a value is bad for a
 * field that names the page. If another value is bad, only this value is refused.
 */
function mergeAll(write: PageWrite, { values: current, visible }: OpenPage) {
  const { type, given } = write;
  const known = new Set(type.fields.map(({ name }) => name));
  const refused = Object.keys(given).flatMap((field) =>
    known.has(field) ? [] : [{ field: field.slice(0, 60), reason: `is not a field of ${type.name}` }],
  );
  const values: Record<string, FieldValue> = { ...current };
  for (const field of type.fields) {
    const { name, merge_op } = field;
    const before = current[name] ?? null;
    const value = valueFor(write, field, before);
    if (typeof value === 'string' && value.trim() === visible) continue;
    const counted = current[valueCountFieldName(name)];
    // The page may not store how many values the number covers. Then the number counts as one value.
    const count = typeof counted === 'number' ? counted : Number(typeof before === 'number');
    const isRead = write.isRead || visible === '';
    const merged = mergeChecked(field, before, value, { isRead, isWritten: write.isWritten, count });
    if (merged.ok) {
      if (merge_op === 'avg' && value !== null && value !== undefined) values[valueCountFieldName(name)] = count + 1;
      values[name] = merged.value;
    } else if (type.identity.includes(name) || (field.type === 'string' && merge_op === 'patch')) {
      return err(`${name}: ${merged.error}`);
    } else refused.push({ field: name, reason: merged.error });
  }
  return ok({ values, refused });
}

/** Like {@link mergeField}, but a field whose description contains `YYYY-MM-DD` accepts only a date. */
function mergeChecked(field: MemoryField, before: FieldValue, value: unknown, context: MergeContext) {
  const isGiven = value !== null && value !== undefined && /\bYYYY-MM-DD\b/u.test(field.description);
  const isDated = typeof value === 'string' && isDay(value.trim());
  return isGiven && !isDated ? err('is not a date like YYYY-MM-DD') : mergeField(field, before, value, context);
}

/**
 * The value for a field. Null means that the current value stays. It is returned if the field names the page and the new
 * value differs only in spelling.
 */
function valueFor({ type, given }: PageWrite, { name }: MemoryField, before: FieldValue): unknown {
  const value = given[name];
  if (!type.identity.includes(name)) return value;
  return typeof before === 'string' && typeof value === 'string' && isSameTitle(before, value) ? null : value;
}

/** Renders the body from field values. Returns an error message if the template fails. */
function renderBody(
  { content_template, fields }: MemoryType,
  values: FieldValues,
  templates: Templates,
): Result<string, string> {
  const given = Object.fromEntries(fields.map(({ name, type }) => [name, toFieldValue(type, values[name]) ?? null]));
  const body = templates.render(content_template ?? '', given);
  return body.ok ? ok(body.value.replace(/\n{3,}/gu, '\n\n')) : err(`its template can't be filled in: ${body.error}`);
}

/**
 * The body of a page is rendered from its fields, and a person may edit it. Finds out which field values the edits
 * change. Returns `undefined` unless each edit belongs to one field: the fixed parts of the template must be unchanged,
 * and the new values must render exactly the edited body.
 */
function editedFields(
  type: MemoryType,
  values: FieldValues,
  body: string,
  templates: Templates,
): FieldValues | undefined {
  const texts = type.fields.filter(
    ({ name, type: of, merge_op }) =>
      of === 'string' && merge_op !== 'immutable' && typeof values[name] === 'string' && values[name] !== '',
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

/**
 * A placeholder that is rendered instead of a field value, so that the place of the value can be found. No template changes
 * it, and no page contains it.
 */
const mark = (index: number): string => `\ue000${index}\ue001`;
const MARK = /\ue000(\d+)\ue001/u;

/** Index of a text at or after `from` if it occurs there exactly once. */
function onlyPlace(body: string, text: string, from: number): number | undefined {
  if (text === '') return undefined;
  const at = body.indexOf(text, from);
  return at < 0 || body.indexOf(text, at + 1) >= 0 ? undefined : at;
}

/**
 * Adds the edits of a person to the new body. Returns `undefined` if the person and the new values changed the same lines.
 * @param before body rendered from the old fields
 * @param edited body in the file
 * @param after body rendered from the new fields
 */
function keptEdits(before: string, edited: string, after: string): string | undefined {
  if (edited === before) return after;
  const merged = mergeBothChanges(before, edited, after);
  return merged.ok ? merged.value : undefined;
}

/**
 * Builds the path of a page from its values, without a number suffix. Whatever a model writes into a field, each part of the
 * path has at most 120 bytes, the path lies below the folder of the type, and it is not a reserved name.
 */
export function pagePath(type: MemoryType, values: FieldValues, templates: Templates): Result<string, string> {
  const missing = type.identity.find((name) => isEmptyValue(values[name]) || entitySlug(String(values[name])) === '');
  if (missing !== undefined) return err(`${missing} is missing, but the name of the page needs it`);
  const parts: string[] = [];
  for (const part of type.filename_template.split('/')) {
    const name = templates.render(part, slugged(type, values));
    if (!name.ok) return err(name.error);
    parts.push(safeFileName(name.value));
  }
  const name = parts.pop() ?? '';
  const paths = [name, `${name}-page`, `page-${name}`, `page-${name}-page`].map((one) =>
    [type.directory, ...parts, `${one}.md`].join('/'),
  );
  const free = type.identity.length === 0 ? paths[0] : paths.find(isFree);
  return free === undefined ? err(`"${name}" can't be the name of a page`) : ok(free);
}

/**
 * Whether a new page may be created at a path. The index must read this path: it is no copy, draft or editor file. And it
 * must not be a reserved page of the bank.
 */
function isFree(path: string): boolean {
  return pageOfPath(path) !== undefined && !TAKEN.has(path.toLowerCase());
}

const TAKEN: ReadonlySet<string> = new Set([
  'bank/world.md',
  'bank/experience.md',
  'bank/opinions.md',
  'bank/profile.md',
]);

/** Values for the template of the file name: as written for entities, as slugs for other types. */
function slugged(type: MemoryType, values: FieldValues): FieldValues {
  const written = type.directory === ENTITIES_FOLDER;
  return Object.fromEntries(
    type.fields.map(({ name }) => [name, written ? (values[name] ?? null) : entitySlug(String(values[name] ?? ''))]),
  );
}

/** Folder of entity pages. `reflect` writes in it, too. */
export const ENTITIES_FOLDER = 'bank/entities';

/** Title of a page, from the fields that name it; null if the type has a single page. */
export function titleFromValues(type: MemoryType, values: FieldValues): string | null {
  if (type.identity.length === 0) return null;
  return type.identity
    .map((name) =>
      String(values[name] ?? '')
        .replace(/\s+/gu, ' ')
        .trim(),
    )
    .join(' – ');
}

/** Whether two titles name the same thing. */
export function isSameTitle(a: string, b: string): boolean {
  return entitySlug(a) === entitySlug(b);
}
