import type { Nodes, Root } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';

/** A heading of a Markdown text. Lines are 0-based; offsets are UTF-16 units. */
export interface Heading {
  readonly depth: number;
  /** Inline source, trimmed, without the `#`s; lines of a setext heading joined by `\n`. */
  readonly text: string;
  readonly startLine: number;
  /** Inclusive; the underline of a setext heading belongs to it. */
  readonly endLine: number;
  /** False inside a list item or a block quote: such a heading does not divide the document. */
  readonly root: boolean;
  readonly setext: boolean;
  readonly start: number;
  readonly end: number;
}

/**
 * The headings of `text` (line ends LF) as mdast sees them: none in fences, HTML blocks or indented code.
 * A text with nothing in it that only a parser can judge is read line by line: mdast takes 1 s for 1-2 MB.
 */
export function readHeadings(text: string): readonly Heading[] {
  return isPlain(text) ? plainHeadings(text) : treeHeadings(text);
}

/** What has to be added after `body` so that a heading that follows it is a heading: `''` or a fence or tag on a line. */
export function missingCloser(body: string): string {
  if (isPlain(body)) return '';
  const probe = `${body}\n\n## end\n`;
  const last = parse(probe).children.at(-1);
  const from = last?.position?.start.offset ?? 0;
  if (last === undefined || from >= body.length) return '';
  const opening = body.slice(from, from + 200).trimStart();
  if (last.type === 'code') return `\n${fenceAt(body, from)}`;
  return last.type === 'html' ? `\n${htmlCloser(opening)}` : '';
}

/** True when no line needs a parser: no fence, HTML, setext underline, indented or nested heading. */
export function isPlain(text: string): boolean {
  let start = 0;
  while (start <= text.length) {
    const next = text.indexOf('\n', start);
    const end = next === -1 ? text.length : next;
    if (needsParser(text, start, end)) return false;
    start = end + 1;
  }
  return true;
}

const CONTAINER_MARKS = new Set([...' \t>*+-.)0123456789']);

function needsParser(text: string, start: number, end: number): boolean {
  let at = start;
  let dash = false;
  for (; at < end && CONTAINER_MARKS.has(text[at] ?? ''); at++) dash ||= text[at] === '-';
  if (at === end) return dash && UNDERLINE.test(text.slice(start, end));
  const first = text[at] ?? '';
  if (first === '<' || first === '=') return true;
  if (first === '`' || first === '~') return text.startsWith(first.repeat(3), at);
  return first === '#' && at > start && HEADING.test(text.slice(at, at + 8));
}

const UNDERLINE = /^[ \t>]*-+[ \t]*$/u;
const HEADING = /^#{1,6}(?:[ \t\n]|$)/u;

function plainHeadings(text: string): Heading[] {
  const headings: Heading[] = [];
  const pattern = /^(#{1,6})(?:[ \t]+(.*))?$/gmu;
  let line = 0;
  let counted = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    line += countLines(text, counted, match.index);
    counted = match.index;
    headings.push({
      depth: match[1]?.length ?? 1,
      text: headingText(match[0]),
      startLine: line,
      endLine: line,
      root: true,
      setext: false,
      start: match.index,
      end: match.index + match[0].length,
    });
  }
  return headings;
}

function countLines(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = text.indexOf('\n', from); at !== -1 && at < to; at = text.indexOf('\n', at + 1)) count++;
  return count;
}

function treeHeadings(text: string): Heading[] {
  const headings: Heading[] = [];
  const visit = (node: Nodes, root: boolean): void => {
    const { position } = node;
    if (node.type === 'heading' && position !== undefined) {
      const start = position.start.offset ?? 0;
      const end = position.end.offset ?? start;
      const source = text.slice(start, end);
      const setext = !HEADING.test(source);
      headings.push({
        depth: node.depth,
        text: setext ? setextText(source) : headingText(source),
        startLine: position.start.line - 1,
        endLine: position.end.line - 1,
        root,
        setext,
        start,
        end,
      });
    }
    if ('children' in node) for (const child of node.children) visit(child, root && node.type === 'root');
  };
  visit(parse(text), true);
  return headings;
}

/** The text of an ATX heading line: without its `#`s, opening and closing. */
export function headingText(line: string): string {
  const text = line.trim().replace(/^#{1,6}/u, '');
  const trimmed = text.trim();
  const closing = trimmed.search(/#+$/u);
  if (closing === -1) return trimmed;
  return closing === 0 || /[ \t]/u.test(trimmed[closing - 1] ?? '') ? trimmed.slice(0, closing).trim() : trimmed;
}

function setextText(source: string): string {
  const lines = source.split('\n').map((line) => line.trim());
  return lines.slice(0, -1).join('\n');
}

// Only blocks matter here. Without its inline constructs micromark is three times as fast, and the quadratic ones go.
const BLOCKS_ONLY = {
  disable: {
    null: [
      'attention',
      'autolink',
      'characterEscape',
      'characterReference',
      'codeText',
      'hardBreakEscape',
      'htmlText',
      'labelEnd',
      'labelStartImage',
      'labelStartLink',
    ],
  },
};

function parse(text: string): Root {
  return fromMarkdown(shallow(text), { extensions: [BLOCKS_ONLY] });
}

// micromark is quadratic in the nesting of containers, so what opens more than 60 on one line is read as text.
function shallow(text: string): string {
  return text.replace(/^((?:[ \t]{0,3}(?:>|[*+-][ \t])){60})(.+)$/gmu, (_, deep: string, rest: string) => {
    return deep + 'x'.repeat(rest.length);
  });
}

function fenceAt(body: string, from: number): string {
  const fence = /`{3,}|~{3,}/uy;
  fence.lastIndex = from;
  return fence.exec(body)?.[0] ?? '```';
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
