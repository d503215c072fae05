import { normaliseDescription, TEMPLATE_DESCRIPTIONS } from './sections.js';
import { headingText, makeContentSafe, trimSpaces } from './structure.js';

/** The text of one line without indentation, list markers and heading marks. `''` if it has no text (fences, rules). */
export function itemOfLine(line: string): string {
  const text = trimSpaces(line);
  const marks = MARKS.exec(text)?.[0] ?? '';
  const item = marks.includes('#') ? headingText(`# ${text.slice(marks.length)}`) : text.slice(marks.length);
  return /[\p{L}\p{N}\p{So}\p{Sc}]/u.test(item) ? item : '';
}

const MARKS = /^(?:(?:[-*+]|\d{1,9}[.)]|#{1,6})[ \t]+)*/u;

function isHeadingLine(text: string): boolean {
  return /^#{1,6}[ \t]/u.test(text);
}

/**
 * The items of a section that count as content: one per line, nested ones flattened, without
 * headings and without our own marker texts.
 */
export function contentItems(body: string): readonly string[] {
  const items: string[] = [];
  let described: string | undefined;
  for (const line of body.split('\n')) {
    const trimmed = trimSpaces(line);
    if (isHeadingLine(trimmed)) continue;
    const item = itemOfLine(trimmed);
    if (item === '' || isPlaceholderItem(item)) continue;
    if (items.length === 0 && described === undefined && isItalicLine(trimmed)) described = item;
    else items.push(item);
  }
  // An italic line before all other lines is the description of the section, which is not content. An italic line that
  // is the only line counts as content.
  return items.length === 0 && described !== undefined ? [described] : items;
}

/** Whether a text has anything that counts as content. */
export function hasContent(body: string): boolean {
  return contentItems(body).length > 0;
}

// The program OpenViking writes this into a section that is too large, in place of new facts. Old documents may have it.
const SENTINEL =
  '[⚠ CONSOLIDATION REQUIRED: Key Facts exceeds size limit. You MUST use UPDATE to merge and compress existing bullets before adding new facts.]';

/**
 * Whether an item is a marker text of a program, not content. The whole item must match, so that a fact that quotes or
 * imitates a marker stays a fact.
 */
export function isPlaceholderItem(item: string): boolean {
  if (item === SENTINEL) return true;
  return item.length < 200 && /^[_*]/u.test(item) && TEMPLATE_DESCRIPTIONS.has(normaliseDescription(item));
}

function isItalicLine(line: string): boolean {
  return /^(?:_[^_\s](?:.*[^_\s])?_|\*[^*\s](?:.*[^*\s])?\*)$/u.test(line);
}

/**
 * The key by which items are compared. Two items have the same key if they differ only in Unicode form, case, emphasis,
 * white space or the full stop at the end.
 */
export function itemKey(item: string): string {
  return item
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\*\*|`/gu, '')
    .replace(/\s+/gu, ' ')
    .replace(/^[\s_*]+/u, '')
    .replace(/[\s_*`.。;]{1,20}$/u, '');
}

/** Writes an item as an item of a Markdown list. Further lines are indented so that they belong to it. */
export function formatItemAsBullet(item: string): string {
  return `- ${item.split('\n').join('\n  ')}`.replace(/[ \t]+$/gmu, '');
}

/**
 * Whether `longer` begins with the whole words of `key` and goes on after them. `use redis now` does so for the key `use
 * redis`; `use rediscovery` does not.
 */
export function startsWithWholeWords(longer: string, key: string): boolean {
  return key !== '' && longer.startsWith(key) && /^[^\p{L}\p{M}\p{N}_]/u.test(longer.slice(key.length, key.length + 2));
}

/**
 * Prepares a model's text for a list. Removes its own list markers, and makes headings and open blocks harmless ({@link
 * containContent}). Does not indent lines after the first; {@link formatItemAsBullet} does. Idempotent.
 */
export function itemTextWithoutMarker(text: string): string {
  const item = text.trim().replace(MARKERS, '');
  return makeContentSafe(formatItemAsBullet(item)).slice(2).replaceAll('\n  ', '\n');
}

// The number of a list item has at most three digits here, because four digits and a full stop may be a year.
const MARKERS = /^(?:(?:[-*+•‣◦]|\d{1,3}[.)])[ \t]+)+/u;
