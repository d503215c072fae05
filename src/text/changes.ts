import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';
import { diff3Merge } from 'node-diff3';
import { addAll } from '../base/order.js';
import { err, ok, type Result } from '../base/result.js';
import { byteOrderMark, dominantEnd } from './bytes.js';

/** The first place where both sides changed the same lines, or put other lines in the same place: line of `ours`, 1-based. */
type MergeConflict = { readonly line: number };

/**
 * Merges two changed versions of a text, line by line. A change on one side is taken, and so is an equal change on both
 * sides; anything else is a conflict. Unlike git, changes of adjacent lines are independent, because lines of a list are.
 * Each line keeps its own line end. A byte order mark and a missing final line end are merged separately, so that adding one
 * does not touch the first or last line. Pure.
 */
export function merge3(base: string, ours: string, theirs: string): Result<string, MergeConflict> {
  if (base === theirs || ours === theirs) return ok(ours);
  if (base === ours) return ok(theirs);
  // Join with a space: a text that ends with `\r` and one that begins with `\n` must not form `\r\n`.
  const end = dominantEnd([base, ours, theirs].join(' '));
  const [o, a, b] = [readText(base, end), readText(ours, end), readText(theirs, end)];
  const merged = mergeLines(o.lines, a.lines, b.lines);
  if (!merged.ok) return merged;
  const text = merged.value.join('');
  const mark = mergeFlag(o.mark, a.mark, b.mark);
  const isOpen = mergeFlag(o.isOpen, a.isOpen, b.isOpen);
  return ok(mark + (isOpen ? text.replace(/(?:\r\n|\r|\n)$/, '') : text));
}

/** The lines with their ends, including the last one; the byte order mark; whether the last line had no end. */
function readText(text: string, end: string) {
  const mark = byteOrderMark(text);
  const bare = text.slice(mark.length);
  const isOpen = bare !== '' && !/[\r\n]$/.test(bare);
  return { lines: (isOpen ? bare + end : bare).match(/[^\r\n]*(?:\r\n|\r|\n)/g) ?? [], mark, isOpen };
}

/** With two possible values, two of three always agree: the side that differs from the base changed it. */
function mergeFlag<T extends string | boolean>(base: T, ours: T, theirs: T): T {
  return ours === base ? theirs : ours;
}

type Texts = readonly string[];

/** Maximum number of lines for a full comparison, if changes of both sides are mixed: its time is quadratic. */
const MOST_LINES = 10_000;

function mergeLines(base: Texts, ours: Texts, theirs: Texts): Result<Texts, MergeConflict> {
  const apart = mergeApart(base, ours, theirs);
  if (apart !== undefined) return ok(apart);
  const [left, right] = [changedWindow(base, ours), changedWindow(base, theirs)];
  const from = Math.min(left.from, right.from);
  const rest = base.length - Math.max(left.to, right.to);
  const [o, a, b] = [middle(base, from, rest), middle(ours, from, rest), middle(theirs, from, rest)];
  if (o.length + a.length + b.length > MOST_LINES) return err({ line: from + 1 });
  const merged = base.slice(0, from);
  for (const { ok: agreed, conflict } of diff3Merge(a, o, b, { excludeFalseConflicts: true })) {
    const lines = agreed ?? (conflict && mergeApart(conflict.o, conflict.a, conflict.b));
    if (lines === undefined) return err({ line: from + (conflict?.aIndex ?? 0) + 1 });
    addAll(merged, lines);
  }
  return ok([...merged, ...base.slice(base.length - rest)]);
}

/** The merge if all changes of one side come before all changes of the other; else undefined. */
function mergeApart(base: Texts, ours: Texts, theirs: Texts): Texts | undefined {
  const [left, right] = [changedWindow(base, ours), changedWindow(base, theirs)];
  const areInserts = left.from === left.to && right.from === right.to;
  if (areInserts && left.from === right.from) return undefined;
  if (left.to <= right.from) return inOrder(base, ours, left.to, theirs, right.from);
  if (right.to <= left.from) return inOrder(base, theirs, right.to, ours, left.from);
  return undefined;
}

/** @param to end of the first side's changes in the base @param from start of the second side's changes in the base */
function inOrder(base: Texts, first: Texts, to: number, second: Texts, from: number): Texts {
  return [...first.slice(0, first.length - (base.length - to)), ...base.slice(to, from), ...second.slice(from)];
}

function middle(lines: Texts, from: number, rest: number): string[] {
  return lines.slice(from, lines.length - rest);
}

/** The range of base lines that a side changed, from the first to the last. */
function changedWindow(base: Texts, side: Texts) {
  const most = Math.min(base.length, side.length);
  let from = 0;
  while (from < most && base[from] === side[from]) from++;
  let same = 0;
  while (same < most - from && base[base.length - 1 - same] === side[side.length - 1 - same]) same++;
  return { from, to: base.length - same };
}

/** A file before and after a change; null if the file does not exist. */
type Change = { readonly path: string; readonly before: string | null; readonly after: string | null };

/** The content of a file after a change is reverted, or the reason why it can't be. Pure. */
export function revertChange({ path, before, after }: Change, now: string | null): Result<string | null, string> {
  if (now === after) return ok(before);
  if (now === before) return ok(now);
  if (now === null) return err('it is gone');
  if (after === null) return err('it was removed by the run, and made again');
  const appended = after.startsWith(before ?? '') ? after.slice(before?.length ?? 0) : undefined;
  if (appended !== undefined && path.endsWith('.jsonl')) {
    const rest = withoutLines(now, appended);
    return ok(rest === '' ? before : rest);
  }
  if (before === null) return err('it was made by the run, and edited');
  const merged = merge3(after, now, before);
  return merged.ok ? ok(merged.value) : err(`line ${merged.error.line}`);
}

/** Removes lines from a log that several processes append to and merges reorder: each line is independent. */
function withoutLines(text: string, appended: string): string {
  const lines = new Set(appended.split('\n').filter((line) => line !== ''));
  const kept = text.split(/(?<=\n)/).filter((line) => !lines.has(line.replace(/\n$/, '')));
  return kept.join('');
}

/** A change as a unified diff; empty when nothing changes. */
export function unifiedDiff({ path, before, after }: Change): string {
  if (before === after) return '';
  const [from, to] = [before === null ? '/dev/null' : `a/${path}`, after === null ? '/dev/null' : `b/${path}`];
  const options = { context: 3, headerOptions: FILE_HEADERS_ONLY };
  return createTwoFilesPatch(from, to, before ?? '', after ?? '', undefined, undefined, options);
}

/** Only the hunks of a change of a text. @param context number of lines around each hunk */
export function lineHunks(before: string, after: string, context: number): string {
  const patch = createTwoFilesPatch('a', 'b', before, after, undefined, undefined, { context });
  return patch.slice(Math.max(0, patch.indexOf('\n@@ ') + 1)).replace(/\n*$/, '\n');
}
