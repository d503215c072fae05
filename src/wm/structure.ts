import type { Heading as Block } from '../markdown/block.js';
import { scanMarkdown } from '../markdown/scan.js';

/** A heading of a Markdown text. Lines are 0-based; both are inclusive. */
export interface Heading {
  readonly depth: number;
  /** Inline source, trimmed, without the `#`s; lines of a setext heading joined by `\n`. */
  readonly text: string;
  readonly startLine: number;
  /** The underline of a setext heading belongs to it. */
  readonly endLine: number;
  /** False inside a list item or a block quote: such a heading does not divide the document. */
  readonly root: boolean;
}

/**
 * The headings of `text` (line ends LF) as mdast sees them: none in fences, HTML blocks or indented code. Read by the
 * line scanner, which equals mdast and is a hundred times as fast.
 */
export function readHeadings(text: string): readonly Heading[] {
  const { lines, blocks } = scanMarkdown(NO_FRONT_MATTER + text);
  const headings: Heading[] = [];
  let lastLineOfItems = 0;
  for (const block of blocks) {
    if (block.type === 'item') lastLineOfItems = Math.max(lastLineOfItems, block.endLine);
    if (block.type !== 'heading') continue;
    const quoted = /^ {0,3}>/u.test(lines[block.startLine - 1] ?? '');
    headings.push(toHeading(block, !quoted && block.startLine > lastLineOfItems));
  }
  return headings;
}

// What looks like front matter is text here: a body does not stand at the top of a file.
const NO_FRONT_MATTER = '\n';

function toHeading({ depth, text, startLine, endLine }: Block, root: boolean): Heading {
  return { depth, text, startLine: startLine - 2, endLine: endLine - 2, root };
}

/** What has to be added after `body` so that a heading that follows it is a heading: `''` or a fence or tag on a line. */
export function missingCloser(body: string): string {
  const { lines, blocks } = scanMarkdown(`${NO_FRONT_MATTER}${body}\n\n## end`);
  const last = blocks.at(-1);
  if (last === undefined || last.type === 'heading' || last.endLine < lines.length) return '';
  const opening = (lines[last.startLine - 1] ?? '').trimStart();
  if (last.type === 'fence') return `\n${/^(?:`{3,}|~{3,})/u.exec(opening)?.[0] ?? '```'}`;
  return `\n${htmlCloser(opening)}`;
}

/** True when the body ends in an HTML block: what stands on the next line would be HTML too. */
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

/** The text of an ATX heading line: without its `#`s, opening and closing. */
export function headingText(line: string): string {
  const text = trimSpaces(trimSpaces(line).replace(/^#{1,6}/u, ''));
  let end = text.length;
  while (end > 0 && text[end - 1] === '#') end--;
  return end === 0 || /[ \t]/u.test(text[end - 1] ?? '') ? trimSpaces(text.slice(0, end)) : text;
}

/** Without the spaces and tabs around it. Nothing else is white space to Markdown, and nothing else may vanish. */
export function trimSpaces(line: string): string {
  let end = line.length;
  while (end > 0 && (line[end - 1] === ' ' || line[end - 1] === '\t')) end--;
  return line.slice(0, end).replace(/^[ \t]+/u, '');
}
