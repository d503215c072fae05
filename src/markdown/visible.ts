import { addToGroup, findFirstNotBelow } from '../base/order.js';
import type { MarkdownScan, Position, TextSpan } from './block.js';
import { noteCommentSpans } from './note-comments.js';

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
