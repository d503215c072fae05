import { parseDocument } from 'yaml';
import { isRecord } from '../../base/json.js';
import { findManagedBlocks } from '../../markdown/blocks.js';
import { frontMatterEnd } from '../../markdown/front-matter.js';
import { splitLines } from '../../markdown/lines.js';
import { byteOrderMark } from '../../text/bytes.js';
import { type FieldValues, fieldValue } from '../types/memory-type.js';

/** A page of plain Markdown: front matter, a title that names it, and text. Generated blocks in it are others'. */
export interface SimplePage {
  /** The front matter with its fences, as it stands there; '' when there is none. */
  readonly front: string;
  /** What stands between that and the text: blank lines and the heading. */
  readonly heading: string;
  /** The heading's text; null when the page has none, or needs none. */
  readonly title: string | null;
  /** The text below. A generated block is one line of it that no search can name. */
  readonly content: string;
  readonly blocks: readonly string[];
  /** White space at the end. */
  readonly tail: string;
}

/** Stands for a generated block in `content`. */
const placeholder = (index: number): string => `\ue000${index}\ue001`;
const PLACEHOLDER = /\ue000(\d+)\ue001/gu;

/** A page that is not there yet. */
export function newSimplePage(title: string | null): SimplePage {
  return { front: '', heading: title === null ? '' : `# ${title}\n\n`, title, content: '', blocks: [], tail: '\n' };
}

/** Takes a page apart. @param named whether its first heading is its name and no text */
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

/** Puts a page together again; blocks that the text has lost go to its end. */
export function formatSimplePage(page: SimplePage): string {
  const { front, heading, content, blocks, tail } = page;
  const found = new Set([...content.matchAll(PLACEHOLDER)].map(([, index]) => Number(index)));
  const lost = blocks.flatMap((_, index) => (found.has(index) ? [] : [placeholder(index)]));
  const whole = [content.trim(), ...lost].filter((part) => part !== '').join('\n\n');
  const filled = whole.replace(PLACEHOLDER, (_, index: string) => blocks[Number(index)] ?? '');
  // At the top of a file, a rule would open front matter.
  const body = front === '' && heading.trim() === '' ? filled.replace(/^---(?=[ \t]*(?:\r?\n|$))/u, '***') : filled;
  return `${front}${heading}${body}${tail === '' ? '\n' : tail}`;
}

/** What of a text a person or model sees: without the places of generated blocks. */
export function visibleContent({ content }: SimplePage): string {
  return content
    .replace(PLACEHOLDER, '')
    .replace(/\n{3,}/gu, '\n\n')
    .trim();
}

/** A new text in the place of the old one; generated blocks stay behind it. */
export function replacedContent(page: SimplePage, content: string): SimplePage {
  return { ...page, content: content.replace(/[\ue000\ue001]/gu, '').trim() };
}

/** The values of the front matter; null when it can't be read as YAML. */
export function frontMatterValues(page: SimplePage): FieldValues | null {
  const document = parseDocument(innerOf(page), { prettyErrors: false });
  if (document.errors.length > 0) return null;
  let values: unknown;
  try {
    values = document.toJS();
  } catch {
    // Aliases of aliases, which would fill the memory.
    return null;
  }
  if (!isRecord(values)) return values === null || values === undefined ? {} : null;
  return Object.fromEntries(
    Object.entries(values).flatMap(([key, value]) => {
      const read =
        typeof value === 'number' || typeof value === 'boolean'
          ? value
          : fieldValue(Array.isArray(value) ? 'list' : 'string', value);
      return read === undefined ? [] : [[key, read]];
    }),
  );
}

/** Front matter with some keys set, all else as it is. */
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

/** Long values stay on their line: people and simple readers read front matter by lines. */
const YAML = { lineWidth: 0, defaultStringType: 'QUOTE_DOUBLE', defaultKeyType: 'PLAIN' } as const;
