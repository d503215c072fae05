import { parseDocument } from 'yaml';
import { tryWithFallback } from '../../base/failure.js';
import { isRecord, parseJson, type UnknownFields } from '../../base/json.js';
import { findManagedBlocks } from '../../markdown/blocks.js';
import { frontMatterEnd } from '../../markdown/front-matter.js';
import { splitLines } from '../../markdown/lines.js';
import { byteOrderMark } from '../../text/bytes.js';
import { type FieldValues, toFieldValue } from '../memory-type.js';

/** A page of plain Markdown: front matter, a title and text. Managed blocks in it belong to other parts of the program. */
interface SimplePage {
  /** The front matter with its fences, as written; '' if there is none. */
  readonly front: string;
  /** The text between front matter and content: blank lines and the heading. */
  readonly heading: string;
  /** The title of the page, which is the text of the heading. Null if the page has no title, or its type needs none. */
  readonly title: string | null;
  /** The text below the heading. Each managed block is replaced by a placeholder that no search text can contain. */
  readonly content: string;
  readonly blocks: readonly string[];
  /** White space at the end of the page. */
  readonly tail: string;
}

/** Placeholder of a managed block in `content`. */
const placeholder = (index: number): string => `\ue000${index}\ue001`;
const PLACEHOLDER = /\ue000(\d+)\ue001/gu;

/** Makes a page without content. If the title is null, it has no heading either. */
export function createSimplePage(title: string | null): SimplePage {
  return { front: '', heading: title === null ? '' : `# ${title}\n\n`, title, content: '', blocks: [], tail: '\n' };
}

/** Parses a page. @param named whether the first heading is the title of the page; otherwise it is part of the content */
export function parseSimplePage(text: string, named: boolean): SimplePage {
  const source = splitLines(text);
  const end = frontMatterEnd(source.lines);
  const bodyAt = end === 0 ? 0 : (source.starts[end] ?? text.length);
  const body = text.slice(bodyAt);
  const found = (named ? /^\s*#[ \t]+([^\r\n]*)\s*/u : /^\s*/u).exec(body) ?? /^\s*/u.exec(body);
  const heading = found?.[0] ?? '';
  const rest = body.slice(heading.length);
  const blocks: string[] = [];
  let content = '';
  let from = 0;
  for (const block of findManagedBlocks(rest)) {
    content += `${rest.slice(from, block.start)}${placeholder(blocks.length)}`;
    blocks.push(rest.slice(block.start, block.end));
    from = block.end;
  }
  content += rest.slice(from);
  const title = found?.[1]?.replace(/\s+#*\s*$/u, '').trim() ?? null;
  const tail = /\s*$/u.exec(content)?.[0] ?? '';
  return {
    front: text.slice(0, bodyAt),
    heading,
    title,
    content: content.slice(0, content.length - tail.length),
    blocks,
    tail,
  };
}

/** Formats a page. Blocks whose placeholders were lost go to the end. */
export function formatSimplePage(page: SimplePage): string {
  const { front, heading, content, blocks, tail } = page;
  const found = new Set([...content.matchAll(PLACEHOLDER)].map(([, index]) => Number(index)));
  const lost = blocks.flatMap((_, index) => (found.has(index) ? [] : [placeholder(index)]));
  const whole = [content.trim(), ...lost].filter((part) => part !== '').join('\n\n');
  const filled = whole.replace(PLACEHOLDER, (_, index: string) => blocks[Number(index)] ?? '');
  // At the top of a file, `---` would open front matter. So a horizontal rule is written as `***` there.
  const body = front === '' && heading.trim() === '' ? filled.replace(/^---(?=[ \t]*(?:\r?\n|$))/u, '***') : filled;
  return `${front}${heading}${body}${tail === '' ? '\n' : tail}`;
}

/**
 * The content without the placeholders of managed blocks. Used to compare it with the text that a model saw and gave back.
 */
export function visibleContent({ content }: SimplePage): string {
  return content
    .replace(PLACEHOLDER, '')
    .replace(/\n{3,}/gu, '\n\n')
    .trim();
}

/**
 * Returns the page with a new content. The new content has no placeholders of managed blocks. So `formatSimplePage`
 * will put all managed blocks at the end of the page.
 */
export function replaceContent(page: SimplePage, content: string): SimplePage {
  return { ...page, content: content.replace(/[\ue000\ue001]/gu, '').trim() };
}

/** Values of the front matter; null if it is not valid YAML. */
export function frontMatterValues(page: SimplePage): FieldValues | null {
  const document = parseDocument(innerOf(page), { prettyErrors: false });
  if (document.errors.length > 0) return null;
  // The YAML parser throws if aliases are nested so deeply that they would use up all memory.
  const values: unknown = tryWithFallback(() => document.toJS() ?? {}, null);
  if (!isRecord(values)) return null;
  return Object.fromEntries(
    Object.entries(values).flatMap(([key, value]) => {
      const read =
        typeof value === 'number' || typeof value === 'boolean'
          ? value
          : toFieldValue(Array.isArray(value) ? 'list' : 'string', value);
      return read === undefined ? [] : [[key, read]];
    }),
  );
}

/** Sets some keys of the front matter and keeps all others. */
export function setFrontMatter(page: SimplePage, values: FieldValues): SimplePage {
  const document = parseDocument(innerOf(page), { prettyErrors: false });
  const now: unknown = document.toJS() ?? {};
  const changed = Object.entries(values).filter(
    ([key, value]) => value !== null && isRecord(now) && JSON.stringify(now[key]) !== JSON.stringify(value),
  );
  if (changed.length === 0) return page;
  for (const [key, value] of changed) document.set(key, document.createNode(value, { flow: true }));
  const gap = page.front === '' && page.heading.trim() !== '' ? '\n' : '';
  return { ...page, front: `---\n${document.toString(YAML).trim()}\n---\n`, heading: gap + page.heading };
}

function innerOf({ front }: SimplePage): string {
  return front
    .slice(byteOrderMark(front).length)
    .replace(/^---[^\n]*\n/u, '')
    .replace(/(?:^|\n)---\s*$/u, '');
}

/** Options of the YAML writer. Long values stay on one line: people and simple parsers read front matter by lines. */
const YAML = { lineWidth: 0, defaultStringType: 'QUOTE_DOUBLE', defaultKeyType: 'PLAIN' } as const;

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

/**
 * Merges new links into the links of a page. There is one link for each pair of pages and matched text. If a new link
 * repeats an existing one, the greater weight (default 1) and the older `created_at` are kept. For all other keys, the new
 * value is kept. Pure.
 */
export function mergeLinks(
  existing: readonly UnknownFields[],
  incoming: readonly UnknownFields[],
): readonly UnknownFields[] {
  const links = new Map<string, UnknownFields>();
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

function weightOf({ weight }: UnknownFields): number {
  return typeof weight === 'number' && Number.isFinite(weight) ? Math.min(1, Math.max(0, weight)) : 1;
}

/** Reads the list of links in `MEMORY_FIELDS`. Anything that is not an object is left out. */
export function readLinks(value: unknown): readonly UnknownFields[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}
