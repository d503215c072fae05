import { isRecord, parseJson, type UnknownFields } from '../../base/json.js';

/** A page that stores its fields as JSON in a comment at its end. */
interface MemoryFile {
  /** The page without the comment, trimmed. */
  readonly body: string;
  readonly fields: UnknownFields;
  /** `fields`: the comment was read. `none`: there is no such comment. `damaged`: it can't be parsed. */
  readonly state: 'fields' | 'none' | 'damaged';
}

const BEGIN = /<!--\s*MEMORY_FIELDS\b/gu;
/**
 * Matches the rest of a page after the comment with the fields. Only other comments may follow, by people and other
 * programs. They stay in the body.
 */
const ONLY_COMMENTS = /^(?:\s*<!--(?:(?!-->)[\s\S])*-->)*\s*$/u;

/**
 * Reads the fields of a page. Only the last `MEMORY_FIELDS` comment counts, and only if nothing but comments follows it. A
 * comment that is quoted, for example in a code fence, is text. If the JSON is an array, its first object counts. Pure.
 */
export function parseMemoryFile(text: string): MemoryFile {
  let state: MemoryFile['state'] = 'none';
  for (const { index, 0: begin } of [...text.matchAll(BEGIN)].reverse()) {
    const inner = index + begin.length;
    // Another program may have written `-->` inside of a value. So the comment ends at the first `-->` before which the
    // JSON is complete.
    for (let end = text.indexOf('-->', inner); end >= 0; end = text.indexOf('-->', end + 3)) {
      const rest = text.slice(end + 3);
      if (!ONLY_COMMENTS.test(rest)) continue;
      const value = parseJson(text.slice(inner, end));
      const fields: unknown = Array.isArray(value) ? value[0] : value;
      if (isRecord(fields)) {
        const { content: _, ...own } = fields;
        return { body: (text.slice(0, index).trimEnd() + rest.trimEnd()).trim(), fields: own, state: 'fields' };
      }
      state = 'damaged';
    }
  }
  return { body: text.trim(), fields: {}, state };
}

/** Like `parseMemoryFile`, but accepts any line ends. Each line of the returned body ends with a line feed only. Pure. */
export function readMemoryPage(text: string): MemoryFile {
  return parseMemoryFile(text.replace(/\r\n?/gu, '\n'));
}

/** Formats a page with its fields in a comment at its end. Null values are omitted. Pure. */
export function formatMemoryFile(body: string, fields: UnknownFields): string {
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined));
  // Escape `--`, so that no value can open or end a comment.
  const json = JSON.stringify(given, undefined, 2).replaceAll('--', '\\u002d\\u002d');
  const comment = `<!-- MEMORY_FIELDS\n${json}\n-->\n`;
  return body.trim() === '' ? comment : `${body.trim()}\n\n${comment}`;
}

/** A link from one page to another, as stored in `MEMORY_FIELDS`. Unknown keys are kept. */
export type StoredPageLink = UnknownFields;

/**
 * Merges new links into the links of a page. There is one link for each pair of pages and matched text. If a new link
 * repeats an existing one, the greater weight (default 1) and the older `created_at` are kept. For all other keys, the new
 * value is kept. Pure.
 */
export function mergeLinks(
  existing: readonly StoredPageLink[],
  incoming: readonly StoredPageLink[],
): readonly StoredPageLink[] {
  const links = new Map<string, StoredPageLink>();
  for (const link of [...existing, ...incoming]) {
    const key = JSON.stringify([link.from_uri, link.to_uri, link.match_text]);
    const before = links.get(key);
    const kept = before?.created_at === undefined ? {} : { created_at: before.created_at };
    links.set(
      key,
      before === undefined ? link : { ...before, ...link, weight: Math.max(weightOf(before), weightOf(link)), ...kept },
    );
  }
  return [...links.values()];
}

function weightOf({ weight }: StoredPageLink): number {
  return typeof weight === 'number' && Number.isFinite(weight) ? Math.min(1, Math.max(0, weight)) : 1;
}

/** Reads the list of links in `MEMORY_FIELDS`. Anything that is not an object is left out. */
export function readLinks(value: unknown): readonly StoredPageLink[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}
