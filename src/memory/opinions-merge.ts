import { type ConflictSide, nextSide } from '../markdown/conflict.js';
import { splitLines } from '../markdown/lines.js';
import { type PageOpinion, readOpinionsPage } from './opinions-page.js';

/** A page of opinions after a merge by git. */
export interface MergedPage {
  readonly text: string;
  /** Ids of the opinions that were put together from several versions: what their notes say of a confidence is void. */
  readonly merged: ReadonlySet<string>;
  /** A conflict is about more than opinions: it is a person's to settle, and the page is left as it is. */
  readonly isUnsettled: boolean;
}

/**
 * Settles what a merge left in a page of opinions: both sides of a conflict stay, and copies of one opinion become one
 * with all their notes. A page that no merge has touched comes back as it is. Pure.
 */
export function settleOpinions(text: string): MergedPage {
  const unmarked = withoutConflicts(text);
  if (unmarked === undefined) return { text, merged: new Set(), isUnsettled: true };
  const merged = new Set<string>();
  let settled = unmarked;
  // One at a time, as each changes the lines of the others.
  for (;;) {
    const pair = firstCopies(readOpinionsPage(settled));
    if (pair === undefined) break;
    merged.add(pair[0].id);
    settled = joined(settled, ...pair);
  }
  // A conflict inside of one opinion leaves some of its notes twice. From the last, so that lines keep their numbers.
  for (const opinion of [...readOpinionsPage(settled)].reverse()) {
    const single = withOneNoteEach(settled, opinion);
    if (single !== settled) merged.add(opinion.id);
    settled = single;
  }
  return { text: settled, merged, isUnsettled: false };
}

/** Both sides of every conflict, one after the other; undefined when one is about more than list items. */
function withoutConflicts(text: string): string | undefined {
  if (!/^<{7} /m.test(text)) return text;
  const kept: string[] = [];
  let side: ConflictSide = 'none';
  for (const line of rawLines(text)) {
    const bare = line.trimEnd();
    const next = nextSide(side, bare);
    if (next === null) return undefined;
    const isMarker = next !== side;
    side = next;
    if (isMarker || side === 'base') continue;
    if (side !== 'none' && !IN_LIST.test(bare)) return undefined;
    kept.push(line);
  }
  return side === 'none' ? kept.join('') : undefined;
}

/** What both sides of a conflict may hold to be settled without a person. */
const IN_LIST = /^(?:\s*[-+*]\s|\s+\S|\s*$|##?\s*(?:Retired|已退役)\s*$)/i;

function firstCopies(opinions: readonly PageOpinion[]): readonly [PageOpinion, PageOpinion] | undefined {
  const seen = new Map<string, PageOpinion>();
  for (const opinion of opinions) {
    const first = seen.get(opinion.id);
    if (first !== undefined) return [first, opinion];
    seen.set(opinion.id, opinion);
  }
  return undefined;
}

/** The second copy's notes that the first does not have go under the first; the rest of it goes. */
function joined(text: string, first: PageOpinion, second: PageOpinion): string {
  const lines = rawLines(text);
  const known = new Set(lines.slice(first.textEndLine, first.endLine).map((line) => line.trim()));
  const notes = lines
    .slice(second.textEndLine, second.endLine)
    .filter((line) => line.trim() !== '' && !known.has(line.trim()));
  const eol = /\r\n|\r|\n/.exec(text)?.[0] ?? '\n';
  return [
    ...lines.slice(0, first.endLine).map((line) => (/[\r\n]$/.test(line) ? line : line + eol)),
    ...notes.map((line) => (/[\r\n]$/.test(line) ? line : line + eol)),
    ...lines.slice(first.endLine, second.startLine - 1),
    ...lines.slice(second.endLine),
  ].join('');
}

/** Of several `prior` or `updated` notes the one with the latest day stays. */
function withOneNoteEach(text: string, { textEndLine, endLine }: PageOpinion): string {
  const lines = rawLines(text);
  const drop = new Set<number>();
  for (const name of ['prior', 'updated']) {
    const notes = lines
      .slice(textEndLine, endLine)
      .map((line, i) => ({ line, index: textEndLine + i }))
      .filter(({ line }) => new RegExp(`^\\s+[-+*]\\s+${name}\\s*[:：]`, 'i').test(line));
    const sorted = notes.toSorted((a, b) => (dayIn(a.line) < dayIn(b.line) ? 1 : -1));
    for (const { index } of sorted.slice(1)) drop.add(index);
  }
  return drop.size === 0 ? text : lines.filter((_, index) => !drop.has(index)).join('');
}

function dayIn(line: string): string {
  return `${/\d{4}-\d{2}-\d{2}/.exec(line)?.[0] ?? '0000'} ${line.trim()}`;
}

function rawLines(text: string): string[] {
  const { starts } = splitLines(text);
  const lines = starts.map((start, index) => text.slice(start, starts[index + 1] ?? text.length));
  return (starts[0] ?? 0) > 0 ? [text.slice(0, starts[0]) + (lines[0] ?? ''), ...lines.slice(1)] : lines;
}
