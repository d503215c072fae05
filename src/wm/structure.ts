import type { Heading as Block } from '../markdown/block.js';
import { scanMarkdown } from '../markdown/scan.js';

/** A heading of a Markdown text. `startLine` and `endLine` are 0-based and inclusive. */
export interface HeadingLine {
  readonly depth: number;
  /**
   * Source text of the heading, trimmed and without its `#`. The lines of a setext heading are joined by a line feed.
   */
  readonly text: string;
  readonly startLine: number;
  /** Last line of the heading. It includes the underline of a setext heading. */
  readonly endLine: number;
  /** False inside a list item or a block quote. Such a heading does not divide the document. */
  readonly root: boolean;
}

/**
 * The headings of `text` (line ends LF), as the parser mdast finds them. Lines in fences, HTML blocks and indented code
 * are not headings. Our line scanner finds the same headings, a hundred times as fast.
 */
export function readHeadings(text: string): readonly HeadingLine[] {
  const { lines, blocks } = scanMarkdown(NO_FRONT_MATTER + text);
  const headings: HeadingLine[] = [];
  let lastLineOfItems = 0;
  for (const block of blocks) {
    if (block.type === 'item') lastLineOfItems = Math.max(lastLineOfItems, block.endLine);
    if (block.type !== 'heading') continue;
    const quoted = /^ {0,3}>/u.test(lines[block.startLine - 1] ?? '');
    headings.push(toHeading(block, !quoted && block.startLine > lastLineOfItems));
  }
  return headings;
}

// This text is put before a body that is parsed alone. The body is not the beginning of a file, so a `---` on its first
// line must not be read as front matter.
const NO_FRONT_MATTER = '\n';

function toHeading({ depth, text, startLine, endLine }: Block, root: boolean): HeadingLine {
  return { depth, text, startLine: startLine - 2, endLine: endLine - 2, root };
}

/**
 * The closing fence or tag that a body lacks, on its own line. Without it, a heading after the body would be part of
 * the open block. Empty if nothing is missing.
 */
function missingCloser(body: string): string {
  const { lines, blocks } = scanMarkdown(`${NO_FRONT_MATTER}${body}\n\n## end`);
  const last = blocks.at(-1);
  if (last === undefined || last.type === 'heading' || last.endLine < lines.length) return '';
  const opening = (lines[last.startLine - 1] ?? '').trimStart();
  if (last.type === 'fence') return `\n${/^(?:`{3,}|~{3,})/u.exec(opening)?.[0] ?? '```'}`;
  return `\n${htmlCloser(opening)}`;
}

/** Whether a body ends in an HTML block. Text on the next line would be part of that block. */
export function endsInHtml(body: string): boolean {
  const { lines, blocks } = scanMarkdown(NO_FRONT_MATTER + body);
  const last = blocks.at(-1);
  return last !== undefined && (last.type === 'html' || last.type === 'comment') && last.endLine >= lines.length;
}

const HTML_CLOSERS: readonly (readonly [string, string])[] = [
  ['<!--', '-->'],
  ['<![cdata[', ']]>'],
  ['<?', '?>'],
  ['<script', '</script>'],
  ['<style', '</style>'],
  ['<textarea', '</textarea>'],
  ['<pre', '</pre>'],
];

function htmlCloser(opening: string): string {
  const lower = opening.slice(0, 20).toLowerCase();
  return HTML_CLOSERS.find(([open]) => lower.startsWith(open))?.[1] ?? '>';
}

/** The text of an ATX heading line, without the `#` at its beginning and end. */
export function headingText(line: string): string {
  const text = trimSpaces(trimSpaces(line).replace(/^#{1,6}/u, ''));
  let end = text.length;
  while (end > 0 && text[end - 1] === '#') end--;
  return end === 0 || /[ \t]/u.test(text[end - 1] ?? '') ? trimSpaces(text.slice(0, end)) : text;
}

/** Removes spaces and tabs at both ends. Other white space is text to Markdown and must stay. */
export function trimSpaces(line: string): string {
  let end = line.length;
  while (end > 0 && (line[end - 1] === ' ' || line[end - 1] === '\t')) end--;
  return line.slice(0, end).replace(/^[ \t]+/u, '');
}

/**
 * Makes a model's text safe inside a section: demotes headings of depth 1 and 2, and closes an open block that would
 * include the headings after it. Line ends become LF. Idempotent.
 */
export function makeContentSafe(content: string): string {
  const text = trimBody(content.replace(/\r\n?/gu, '\n'));
  return closeBlocks(demoteHeadings(text));
}

/** The body with its last open fence, comment or raw HTML block closed. */
export function closeBlocks(body: string): string {
  return body + missingCloser(body);
}

/** Removes blank lines before and after a body, and white space at its end. Indentation that has a meaning stays. */
export function trimBody(text: string): string {
  let end = text.length;
  while (end > 0 && isBlank(text[end - 1])) end--;
  let start = 0;
  for (let at = 0; at < end && isBlank(text[at]); at++) if (text[at] === '\n') start = at + 1;
  const body = text.slice(start, end);
  return /\n[ \t]/u.test(body) || /^(?: {4}| {0,3}\t)/u.test(body) ? body : body.replace(/^ {1,3}/u, '');
}

// Whether a character is white space for Markdown. A byte order mark and a no-break space are not white space for
// Markdown. If a line begins with one of these, a `#` after it begins no heading, and this must stay so.
function isBlank(character: string | undefined): boolean {
  return character === ' ' || character === '\t' || character === '\n';
}

const MAX_ROUNDS = 3;

function demoteHeadings(text: string): string {
  let demoted = text;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const tall = readHeadings(demoted).filter((heading) => heading.depth < 3);
    if (tall.length === 0) return demoted;
    demoted = rewrite(demoted, tall);
  }
  return readHeadings(demoted).some((heading) => heading.depth < 3) ? quoteUnderlines(demoted) : demoted;
}

function rewrite(text: string, headings: readonly HeadingLine[]): string {
  const lines = text.split('\n');
  for (const { startLine, endLine, depth } of headings) {
    const line = lines[endLine] ?? '';
    if (startLine === endLine) lines[endLine] = line.replace('#', '#'.repeat(4 - depth));
    else lines[endLine] = line.replace(/(=+|-+)([ \t]*)$/u, '\\$1$2');
  }
  return lines.join('\n');
}

// Escapes every line of `=` or `-` that could underline a setext heading. {@link demoteHeadings} escapes only a few of them
// in a row. If a text has more, this function does the rest.
function quoteUnderlines(text: string): string {
  return text.replace(/^([ \t>]*)(=+|-+)[ \t]*$/gmu, '$1\\$2');
}
