import type { MarkdownScan, TextSpan } from './block.js';
import { replaceCodeSpans } from './inline.js';

const MARK = '%%';
const DRAWER = /^\s*:(?:LOGBOOK|PROPERTIES):\s*$/i;
const DRAWER_END = /^\s*:END:\s*$/i;

/**
 * Text that note programs hide: `%%comments%%` of Obsidian and drawers (`:LOGBOOK:` … `:END:`) of Logseq. A comment of
 * several lines must begin at the start of a line. A comment without an end is ordinary text. Fenced code contains no
 * comments.
 */
export function noteCommentSpans(scan: MarkdownScan): readonly TextSpan[] {
  const { lines } = scan;
  if (!lines.some((line) => line.includes(MARK) || DRAWER.test(line))) return [];
  const code = lineNumbersInFences(scan);
  const spans: TextSpan[] = [];
  const lastEnd = lines.findLastIndex((line) => DRAWER_END.test(line));
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? '';
    if (code.has(index + 1)) continue;
    if (index < lastEnd && DRAWER.test(line)) {
      let end = index + 1;
      while (!DRAWER_END.test(lines[end] ?? '')) end++;
      spans.push({ from: { line: index + 1, column: 0 }, to: { line: end + 1, column: lines[end]?.length ?? 0 } });
      index = end;
      continue;
    }
    if (!line.includes(MARK)) continue;
    const open = commentsIn(line, index + 1, spans);
    if (open === undefined) continue;
    const close = lines.findIndex((other, i) => i > index && other.includes(MARK));
    // This `%%` has no closing `%%`, so it is ordinary text.
    if (close < 0) continue;
    const column = (lines[close]?.indexOf(MARK) ?? 0) + MARK.length;
    spans.push({ from: { line: index + 1, column: open }, to: { line: close + 1, column } });
    index = close;
  }
  return spans;
}

/** Adds the comments within a line. Returns the column of a comment that continues on the next line. */
function commentsIn(line: string, number: number, spans: TextSpan[]): number | undefined {
  const text = replaceCodeSpans(line);
  let at = text.indexOf(MARK);
  while (at >= 0) {
    const end = text.indexOf(MARK, at + MARK.length);
    if (end < 0) return /^[\s>*+-]*$/.test(text.slice(0, at)) ? at : undefined;
    spans.push({ from: { line: number, column: at }, to: { line: number, column: end + MARK.length } });
    at = text.indexOf(MARK, end + MARK.length);
  }
  return undefined;
}

/**
 * The numbers of the lines of fenced code. Indented code is not included: in Logseq, deeply indented lines are often items
 * of a list.
 */
export function lineNumbersInFences({ blocks }: MarkdownScan): ReadonlySet<number> {
  const code = new Set<number>();
  for (const { type, startLine, endLine } of blocks)
    if (type === 'fence') for (let line = startLine; line <= endLine; line++) code.add(line);
  return code;
}
