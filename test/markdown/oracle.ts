import type { Code, Heading, Html, ListItem, Node, Root } from 'mdast';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import type { Block, MarkdownScan } from '../../src/markdown/block.js';

/** A block as both parsers can describe it: its line range and further properties from remark. */
type Outline = Record<string, unknown> & { readonly type: string; readonly startLine: number };

const parser = unified().use(remarkParse);

/** The blocks that remark finds in a text. Front matter is not Markdown: the caller blanks it first. */
export function remarkOutline(text: string, lineCount: number): Outline[] {
  // All line ends mean the same; the value of a code block could not tell `\r` `\n` from `\r\n`.
  const source = text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
  const root: Root = parser.parse(source);
  const found: Outline[] = [];
  // remark lets some nodes end on the line of the next one, or after a final line end: no node goes beyond `last`.
  const visit = (node: Node, level: number, last: number): number => {
    const index = found.length;
    let inner = node.position?.start.line ?? 0;
    const children = blockChildren(node);
    children.forEach((child, i) => {
      const next = children[i + 1]?.position?.start.line;
      const childLevel = node.type === 'listItem' ? level + 1 : level;
      inner = Math.max(inner, visit(child, childLevel, next === undefined ? last : Math.min(last, next - 1)));
    });
    const endLine = ownEnd(node, source) ?? (isList(node) ? inner : Math.min(node.position?.end.line ?? 0, last));
    const outline = outlineOf(node, source, level, endLine);
    if (outline) found.splice(index, 0, outline);
    return endLine;
  };
  visit(root, 0, lineCount);
  return found;
}

/** Returns the number of lines that remark counts; it counts an empty line after a final line end. */
export function remarkLineCount(text: string): number {
  const end = parser.parse(text).position?.end;
  return end === undefined ? 0 : end.line - (end.column === 1 ? 1 : 0);
}

/** The last line with text of indented code: remark counts white space after it in, CommonMark does not. */
function ownEnd(node: Node, source: string): number | null {
  if (!isCode(node) || !isIndented(node, source)) return null;
  const lines = node.value.split('\n');
  while (/^[ \t]*$/.test(lines.at(-1) ?? 'x')) lines.pop();
  return (node.position?.start.line ?? 0) + lines.length - 1;
}

function isList(node: Node): boolean {
  return node.type === 'list' || node.type === 'listItem';
}

function isIndented(node: Code, source: string): boolean {
  return !'`~'.includes(source.charAt(node.position?.start.offset ?? 0));
}

function blockChildren(node: Node): Node[] {
  if (node.type === 'paragraph' || node.type === 'heading' || !('children' in node)) return [];
  return Array.isArray(node.children) ? node.children : [];
}

/** Returns the result of the scan in the same form. */
export function scanOutline(scan: MarkdownScan): Outline[] {
  return scan.blocks.filter((block) => block.type !== 'frontMatter').map(comparable);
}

function comparable(block: Block): Outline {
  const { type, startLine, endLine } = block;
  const range = { startLine, endLine };
  if (block.type === 'heading') return { type, ...range, depth: block.depth, text: plainLines(block.text) };
  if (block.type === 'fence') return { type, ...range, info: plainInfo(block.info) };
  if (block.type !== 'item') return { type: type === 'comment' ? 'html' : type, ...range };
  const { level, ordered, textEndLine, text } = block;
  return { type, ...range, level, ordered, textEndLine, text: plainLines(text) };
}

function outlineOf(node: Node, source: string, level: number, endLine: number): Outline | null {
  const startLine = node.position?.start.line ?? 0;
  const range = { startLine, endLine };
  if (isHeading(node)) {
    // remark lets a heading start at the link reference definitions before it.
    const textLine = node.children[0]?.position?.start.line ?? startLine;
    return {
      type: 'heading',
      startLine: textLine,
      endLine,
      depth: node.depth,
      text: plainLines(inlineSource(node, source)),
    };
  }
  if (isCode(node)) {
    if (isIndented(node, source)) return { type: 'code', ...range };
    return { type: 'fence', ...range, info: plainInfo(`${node.lang ?? ''} ${node.meta ?? ''}`) };
  }
  if (isItem(node)) return itemOutline(node, source, level, range);
  return isHtmlBlock(node) ? { type: 'html', ...range } : null;
}

function itemOutline(
  node: ListItem,
  source: string,
  level: number,
  range: { startLine: number; endLine: number },
): Outline {
  const marker = source.charAt(node.position?.start.offset ?? 0);
  const ordered = marker >= '0' && marker <= '9';
  const [from, to] = [node.children[0], node.children[lastOfText(node)]];
  const start = from?.position?.start.offset;
  const isText = to !== undefined && start !== undefined;
  const text = isText ? plainLines(source.slice(start, to.position?.end.offset)) : '';
  const textEndLine = isText ? (to.position?.end.line ?? 0) : range.startLine;
  return { type: 'item', ...range, level, ordered, textEndLine, text };
}

/** The last child of the item's first run of text: a paragraph, and the link reference definitions at its head. */
function lastOfText(item: ListItem): number {
  let last = -1;
  for (const child of item.children) {
    const follows = last < 0 || child.position?.start.line === (item.children[last]?.position?.end.line ?? 0) + 1;
    if (!follows || (child.type !== 'definition' && child.type !== 'paragraph')) break;
    last++;
    if (child.type === 'paragraph') break;
  }
  return last;
}

/** The source of a heading's inline content, container prefixes of further lines included. */
function inlineSource(node: Heading, source: string): string {
  const start = node.children[0]?.position?.start.offset;
  const end = node.children.at(-1)?.position?.end.offset;
  return start === undefined ? '' : source.slice(start, end);
}

/** Returns lines without the marks of their containers, to compare the text alone. */
function plainLines(text: string): string {
  return text
    .split('\n')
    .map((line) => line.replace(/^[\s>]+|[ \t]+$/g, ''))
    .join('\n')
    .trim();
}

/** remark decodes escapes and character references in it. */
function plainInfo(info: string): string {
  return info
    .replace(/[\\&;\0\uFFFD]/g, '')
    .replace(/[ \t]+/g, ' ')
    .trim();
}

function isHeading(node: Node): node is Heading {
  return node.type === 'heading';
}
function isCode(node: Node): node is Code {
  return node.type === 'code';
}
function isItem(node: Node): node is ListItem {
  return node.type === 'listItem';
}
function isHtmlBlock(node: Node): node is Html {
  return node.type === 'html';
}
