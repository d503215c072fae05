import { isSpace } from './scan/containers.js';

/** The values of a page's front matter, by key, as written. */
type FrontMatter = Readonly<Record<string, string | readonly string[]>>;

const FENCE = /^---[ \t]*$/;
const KEY = /^([\p{L}_][\p{L}\p{N}_. -]{0,100}):(?:[ \t]|$)/u;

/**
 * The last line (1-based) of the YAML front matter that starts on line 1; 0 if there is none. A log may begin with a
 * thematic break, so the block counts only if every line between the two `---` can be YAML and the first one is a key.
 */
export function frontMatterEnd(lines: readonly string[]): number {
  if (!FENCE.test(lines[0] ?? '')) return 0;
  let keys = 0;
  for (let index = 1; index < lines.length; index++) {
    const line = lines[index] ?? '';
    if (FENCE.test(line)) return keys > 0 || index === 1 ? index + 1 : 0;
    if (KEY.test(line)) keys++;
    else if (line !== '' && !line.startsWith('#') && (keys === 0 || !CONTINUATION.test(line))) return 0;
  }
  return 0;
}

/** Matches lines that may continue the value of a key. */
const CONTINUATION = /^(?:[ \t]|-[ \t]|-$|[\]}])/;

/**
 * Reads the small part of YAML that people write at the head of a note: `key: value`, quoted strings, `[a, b]` lists
 * and `- item` lists. Values in any other syntax are left out. Never throws.
 * @param lines the physical lines of the page, as `scanMarkdown` gives them
 */
export function readFrontMatter(lines: readonly string[]): FrontMatter {
  return Object.fromEntries(readFrontMatterFields(lines).map(({ key, value }) => [key, value]));
}

/** One key of the front matter, its value, and the numbers of its first and last line (from 1). */
export interface FrontMatterField {
  readonly key: string;
  readonly value: string | readonly string[];
  readonly startLine: number;
  readonly endLine: number;
}

/** The fields of {@link readFrontMatter} in order, with their lines. */
export function readFrontMatterFields(lines: readonly string[]): readonly FrontMatterField[] {
  const fields: (FrontMatterField & { endLine: number })[] = [];
  const end = frontMatterEnd(lines);
  let list: string[] | null = null;
  for (let index = 1; index < end - 1; index++) {
    const line = lines[index] ?? '';
    const key = KEY.exec(line)?.[1];
    const last = fields.at(-1);
    if (key !== undefined) {
      const raw = line.slice(key.length + 1).trim();
      list = [];
      fields.push({ key: key.trim(), value: readValue(raw) ?? list, startLine: index + 1, endLine: index + 1 });
      // Block scalars, anchors, aliases, tags and maps are not supported.
      if (/^[|>&*!{]/.test(raw)) list = null;
    } else if (last !== undefined && line.trim() !== '') {
      last.endLine = index + 1;
      const item = /^[ \t]*-[ \t]+(.*)$/.exec(line)?.[1];
      if (item !== undefined) list?.push(readScalar(item.trim()));
    }
  }
  return fields;
}

function readValue(raw: string): string | string[] | null {
  const text = withoutComment(raw);
  if (text === '') return null;
  if (text.startsWith('[') && text.endsWith(']')) return splitFlow(text.slice(1, -1));
  return readScalar(raw);
}

function readScalar(raw: string): string {
  const text = withoutComment(raw);
  const quote = text[0];
  if (text.length >= 2 && (quote === '"' || quote === "'") && text.endsWith(quote)) {
    const inner = text.slice(1, -1);
    return quote === '"' ? inner.replace(/\\(["\\/])/g, '$1') : inner.replaceAll("''", "'");
  }
  return text;
}

/** A `#` after white space starts a comment, unless it is in quotes. */
function withoutComment(raw: string): string {
  for (let i = 0; i < raw.length; i = skipQuoted(raw, i) + 1) {
    if (raw[i] === '#' && (i === 0 || isSpace(raw.charCodeAt(i - 1)))) return raw.slice(0, i).trim();
  }
  return raw.trim();
}

function splitFlow(inner: string): string[] {
  const items: string[] = [];
  let start = 0;
  for (let i = 0; i <= inner.length; i = skipQuoted(inner, i) + 1) {
    if (i < inner.length && inner[i] !== ',') continue;
    items.push(inner.slice(start, i));
    start = i + 1;
  }
  return items.map((item) => readScalar(item.trim())).filter((item) => item !== '');
}

/**
 * If a quoted text begins at `pos`, returns the offset of its closing quote. Returns `pos` if no quoted text begins there,
 * or if no quote closes it.
 */
function skipQuoted(text: string, pos: number): number {
  const quote = text[pos];
  if (quote !== '"' && quote !== "'") return pos;
  if (pos > 0 && !' \t,['.includes(text[pos - 1] ?? '')) return pos;
  for (let i = pos + 1; i < text.length; i++) {
    if (text[i] === quote) return i;
    if (quote === '"' && text[i] === '\\') i++;
  }
  return pos;
}
