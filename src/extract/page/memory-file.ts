import { type Fields, isRecord, parseJson } from '../../base/json.js';

/** A page whose fields stand in a comment at its end. */
export interface MemoryFile {
  /** The page without the comment, trimmed. */
  readonly body: string;
  readonly fields: Fields;
  /** Whether there is such a comment, and what is in it can be read. */
  readonly state: 'fields' | 'none' | 'damaged';
}

const BEGIN = /<!--\s*MEMORY_FIELDS\b/gu;
/** What may follow: other comments, of people and programs, which stay in the body. */
const ONLY_COMMENTS = /^(?:\s*<!--(?:(?!-->)[\s\S])*-->)*\s*$/u;

/**
 * Reads the fields out of a page. Only the last comment of this name counts, and only with nothing but comments behind
 * it: one that is quoted, in a code fence for example, is text. An array stands for its first object. Pure.
 */
export function parseMemoryFile(text: string): MemoryFile {
  let state: MemoryFile['state'] = 'none';
  for (const { index, 0: begin } of [...text.matchAll(BEGIN)].reverse()) {
    const inner = index + begin.length;
    // A value of another writer may hold the sign that ends a comment: the JSON says where it really does.
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

/** The same of a file, whatever its line ends are: those of the body are `\n`. Pure. */
export function readMemoryPage(text: string): MemoryFile {
  return parseMemoryFile(text.replace(/\r\n?/gu, '\n'));
}

/** The page with its fields as the last thing in it. Values that are null are left out. Pure. */
export function formatMemoryFile(body: string, fields: Fields): string {
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined));
  // Escaped, so that no value can open or end a comment.
  const json = JSON.stringify(given, undefined, 2).replaceAll('--', '\\u002d\\u002d');
  const comment = `<!-- MEMORY_FIELDS\n${json}\n-->\n`;
  return body.trim() === '' ? comment : `${body.trim()}\n\n${comment}`;
}

/** A link from one page to another, as `MEMORY_FIELDS` keep it. Further keys are kept. */
export type Link = Fields;

/**
 * Links of a page with new ones: one a pair of pages and matched text. The greater weight wins, one that is missing is 1;
 * of all else but the time it was made, the newer. Pure.
 */
export function mergeLinks(existing: readonly Link[], incoming: readonly Link[]): readonly Link[] {
  const links = new Map<string, Link>();
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

function weightOf({ weight }: Link): number {
  return typeof weight === 'number' && Number.isFinite(weight) ? Math.min(1, Math.max(0, weight)) : 1;
}

/** The links in a value of `MEMORY_FIELDS`. */
export function readLinks(value: unknown): readonly Link[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}
