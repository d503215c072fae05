import { addAll } from '../../base/order.js';
import type { MarkdownScan } from '../../markdown/block.js';
import { type FrontMatterField, readFrontMatterFields } from '../../markdown/front-matter.js';
import type { Page } from '../pages.js';
import { nameSlugs, pageNames } from './names.js';

/** A field of the front matter that is searchable, with its lines and its text. */
type HeadField = Pick<FrontMatterField, 'startLine' | 'endLine'> & { readonly text: string };

/** The names, tags and fields at the beginning of a page: in its front matter, and in the `key:: value` lines below. */
export type PageHead = ReturnType<typeof readHead>;

/** Names and tags from the head of a page. */
type Given = Readonly<Record<'title' | 'alias' | 'tags', string[]>>;

/** Reads the front matter of a page and the properties at the start of its text. */
export function readHead(path: string, page: Page, scan: MarkdownScan) {
  const [front] = scan.blocks;
  const endLine = front?.type === 'frontMatter' ? front.endLine : 0;
  const matter = endLine === 0 ? [] : readFrontMatterFields(scan.lines);
  const given: Given = { title: [], alias: [], tags: [] };
  const fields = matter.flatMap((field) => headField(field, scan.lines, given) ?? []);
  readProperties(scan.lines.slice(endLine), given);
  const titles = given.title.filter((title) => title !== '');
  const names = pageNames(path, page, titles);
  return {
    /** Names of the page as written: its titles, the name of its file, then its aliases. */
    names: [...names, ...given.alias],
    /** Keys by which the page itself is found. */
    keys: nameSlugs(names, given.alias),
    tags: given.tags,
    /** Fields of the front matter, without names and machine fields. */
    fields,
    /** Last line of the front matter. */
    endLine,
    /** Whether it is an Excalidraw drawing stored as a page. */
    isDrawing: matter.some(({ key }) => key === 'excalidraw-plugin'),
  };
}

/** Adds the names or tags that a field gives to the page to `given`. Returns the field if it is searchable itself. */
function headField(field: FrontMatterField, lines: readonly string[], given: Given): HeadField | undefined {
  const { key, value, startLine, endLine } = field;
  const use = fieldRole(key);
  // In tags `#` does not begin a comment.
  const items = use === 'tags' ? writtenItems(lines.slice(startLine - 1, endLine)) : [value].flat();
  if (use === 'title') addAll(given.title, items);
  if (use === 'title' || use === 'machine') return undefined;
  const names = items.flatMap(namesInList);
  if (use !== 'value') addAll(given[use], names);
  if (use === 'alias') return undefined;
  const rest = lines
    .slice(startLine, endLine)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
  const isList = rest.every((line) => /^-(?:\s|$)/.test(line));
  const first = typeof value === 'string' && !BLOCK_MARK.test(value) ? [value] : [];
  const listed = use === 'tags' ? names : typeof value === 'string' ? first : value;
  // Keep nested keys and multi-line text as written.
  const said = isList || use === 'tags' ? listed.join(', ') : [...first, ...rest].join(' ');
  return said === '' ? undefined : { startLine, endLine, text: `${key}: ${said}` };
}

/** YAML indicator of a block scalar (multi-line text). */
const BLOCK_MARK = /^[|>][+-]?\d?[+-]?$/;

function writtenItems(lines: readonly string[]): readonly string[] {
  return lines.map((line) => line.replace(/^[^\s:]+\s*:|^\s*-\s/, '').trim());
}

/** Reads the `key:: value` lines before the page's text begins. */
function readProperties(lines: readonly string[], given: Given): void {
  for (const line of lines) {
    const property = readProperty(line.replace(/^\s*[-*+]\s+/, ''));
    if (property === undefined) return;
    const use = fieldRole(property.key);
    if (use === 'title') given.title.push(property.value);
    else if (use === 'alias' || use === 'tags') addAll(given[use], namesInList(property.value));
  }
}

/** Role of a field in the head of a page or in a block. */
type FieldRole = 'title' | 'alias' | 'tags' | 'machine' | 'value';

/** Keys of fields that programs write for themselves. */
const MACHINE_KEY =
  /^(?:id|u?uid|guid|collapsed|heading|created|updated|modified|(?:date[-_ ]?)?(?:created|updated|modified)(?:[-_ ]?(?:at|on|time|date|by))?|last[-_ ]?(?:modified|updated|edited)|.*[-_ ]colou?r|colou?r|background|css-?class(?:es)?|publish|public|permalink|slug|draft|layout|weight|icon|banner.*|cover.*|kanban-plugin|excalidraw.*|sr-.*|card-.*|fsrs.*|hl-.*|ls-.*|logseq\..*|query-.*|template(?:-.*)?|filters|exclude-from-graph-view|position|doing|done|now|later|todo|wait(?:ing)?|repeated|background-.*|file(?:-path)?|file-name)$/i;

/**
 * The role of a field, by its key.
 * @param key as written
 */
export function fieldRole(key: string): FieldRole {
  const name = key.trim().toLowerCase();
  if (name === 'title') return 'title';
  if (name === 'alias' || name === 'aliases') return 'alias';
  if (name === 'tag' || name === 'tags' || name === 'keywords') return 'tags';
  return MACHINE_KEY.test(name) ? 'machine' : 'value';
}

const PROPERTY = /^([\p{L}_][\p{L}\p{N}_./-]*(?: [\p{L}\p{N}_./-]+){0,2})::(?:\s+(.*))?$/u;

/** Parses a `key:: value` line without its list marker. */
export function readProperty(line: string): { readonly key: string; readonly value: string } | undefined {
  if (!line.includes('::')) return undefined;
  const [, key, value = ''] = PROPERTY.exec(line) ?? [];
  return key === undefined ? undefined : { key, value: value.trim() };
}

/** Names in a handwritten list: separated by commas, as links, with or without `#` and brackets. */
function namesInList(value: string): readonly string[] {
  const links = [...value.matchAll(/\[\[([^[\]]+)\]\]/g)].map(([, name = '']) => name);
  const others = value.replace(/#?\[\[[^[\]]+\]\]/g, ',').replace(/\s+(?=#)/g, ',');
  return [...links, ...others.split(/[,，、;]/)]
    .map((name) => name.replace(/^[\s"'#[\]]+|[\s"'[\]]+$/g, ''))
    .filter((name) => name !== '');
}
