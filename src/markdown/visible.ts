import { addToGroup, findFirstNotBelow } from '../base/order.js';
import type { MarkdownScan, Position, TextSpan } from './block.js';
import { replaceCodeSpans } from './inline.js';

const WORD_END = /\w$/;
const WORD_START = /^\w/;
const DREAMING = /^openclaw:dreaming:([\w-]+):(start|end)$/;

/**
 * The lines of a document without text that must not be indexed: front matter, comments of HTML, Obsidian and Logseq, and
 * dreaming blocks. A fully removed line is `''`.
 * A dreaming block is text that OpenClaw writes into a daily note by itself, in the background process that it calls
 * dreaming. It begins with `<!-- openclaw:dreaming:PHASE:start -->` and ends with the `end` of the same phase. If the end is
 * missing, the block extends to the next heading, to the next block of its phase, or to the end of the file: text that a
 * person wrote below must stay visible.
 */
export function visibleLines(scan: MarkdownScan): readonly string[] {
  const first = scan.blocks[0];
  const front = first?.type === 'frontMatter' ? first.endLine : 0;
  const ofNotes = noteCommentSpans(scan);
  if (front === 0 && scan.comments.length + ofNotes.length === 0) return scan.lines;
  const visible = [...scan.lines];
  visible.fill('', 0, front);
  const dreams = dreamingEnds(scan);
  const hidden = scan.comments.map(({ from, to }, index) => ({ from, to: dreams.get(index) ?? to }));
  cut(scan.lines, disjoint([...hidden, ...ofNotes]), visible);
  return visible;
}

/** Removes spans from the visible lines. The spans must be in order and must not overlap. */
function cut(lines: readonly string[], spans: readonly TextSpan[], visible: string[]): void {
  const cuts = new Map<number, [from: number, to: number][]>();
  for (const { from, to } of spans)
    for (let line = from.line; line <= to.line; line++)
      addToGroup(cuts, line, [line === from.line ? from.column : 0, line === to.line ? to.column : Infinity]);
  for (const [line, parts] of cuts) {
    const starts = [0, ...parts.map(([, to]) => to)];
    const kept = starts.map((start, place) => (lines[line - 1] ?? '').slice(start, parts[place]?.[0])).reduce(apart);
    visible[line - 1] = kept.trim() === '' ? '' : kept;
  }
}

/** Joins two texts. If two words would become one, puts a space between the texts. */
function apart(one: string, other: string): string {
  return WORD_END.test(one) && WORD_START.test(other) ? `${one} ${other}` : one + other;
}

/** Sorts spans and drops those that begin inside another one. */
function disjoint(spans: readonly TextSpan[]): readonly TextSpan[] {
  let end: Position = { line: 0, column: 0 };
  return spans
    .toSorted((a, b) => a.from.line - b.from.line || a.from.column - b.from.column)
    .filter(({ from, to }) => {
      const isInside = from.line < end.line || (from.line === end.line && from.column < end.column);
      if (!isInside) end = to;
      return !isInside;
    });
}

/**
 * The position at which each dreaming block ends (see {@link visibleLines}). The key is the index, in `scan.comments`, of
 * the comment that starts the block.
 */
function dreamingEnds(scan: MarkdownScan): Map<number, Position> {
  const ends = new Map<number, Position>();
  const next = new Map<string, TextSpan & { readonly edge: string }>();
  const headings = scan.blocks.filter((block) => block.type === 'heading').map((block) => block.startLine);
  for (const [index, { from, to, text }] of [...scan.comments.entries()].reverse()) {
    const [, phase, edge] = DREAMING.exec(text) ?? [];
    if (phase === undefined || edge === undefined) continue;
    const following = next.get(phase);
    next.set(phase, { edge, from, to });
    if (edge !== 'start') continue;
    if (following?.edge === 'end') ends.set(index, following.to);
    else {
      const stop = Math.min(firstAfter(headings, to.line), following?.from.line ?? Number.POSITIVE_INFINITY);
      const last = Math.max(to.line, Math.min(stop - 1, scan.lines.length));
      ends.set(index, { line: last, column: scan.lines[last - 1]?.length ?? 0 });
    }
  }
  return ends;
}

/** The first of the ascending `values` above `value`, or `Infinity`. */
function firstAfter(values: readonly number[], value: number): number {
  return values[findFirstNotBelow(values.length, (place) => (values[place] ?? 0) <= value)] ?? Number.POSITIVE_INFINITY;
}

const MARK = '%%';
const DRAWER = /^\s*:(?:LOGBOOK|PROPERTIES):\s*$/i;
const DRAWER_END = /^\s*:END:\s*$/i;

/**
 * Text that note programs hide: `%%comments%%` of Obsidian and drawers (`:LOGBOOK:` … `:END:`) of Logseq. A comment of
 * several lines must begin at the start of a line. A comment without an end is ordinary text. Fenced code contains no
 * comments.
 */
function noteCommentSpans(scan: MarkdownScan): readonly TextSpan[] {
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
