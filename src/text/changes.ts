import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';
import { diff3Merge } from 'node-diff3';
import { err, ok, type Result } from '../base/failure.js';
import { addAll, commonStartAndEndLengths } from '../base/order.js';
import { byteOrderMark, dominantLineEnd } from './bytes.js';

/**
 * The first line of `ours` (1-based) where both sides changed the same lines, or inserted different lines in the same place.
 */
type MergeConflict = { readonly line: number };

/**
 * Merges two changed versions of a text, line by line. If one side changed a line, or both made the same change, the change
 * is kept. Anything else is a conflict. Unlike in git, changes of adjacent lines never conflict, because the lines of a list
 * are independent. Each line keeps its own line end. The byte order mark and the line end after the last line are merged
 * separately, so that adding one does not count as a change of the first or last line. Pure.
 */
export function mergeBothChanges(base: string, ours: string, theirs: string): Result<string, MergeConflict> {
  if (base === theirs || ours === theirs) return ok(ours);
  if (base === ours) return ok(theirs);
  // Joined with a space, because a text that ends with `\r` and one that begins with `
  // ` must not form `\r
  // `.
  const end = dominantLineEnd([base, ours, theirs].join(' '));
  const [o, a, b] = [readText(base, end), readText(ours, end), readText(theirs, end)];
  const merged = mergeLines(o.lines, a.lines, b.lines);
  if (!merged.ok) return merged;
  const text = merged.value.join('');
  const mark = mergeFlag(o.mark, a.mark, b.mark);
  const isOpen = mergeFlag(o.isOpen, a.isOpen, b.isOpen);
  return ok(mark + (isOpen ? text.replace(/(?:\r\n|\r|\n)$/, '') : text));
}

/**
 * Splits a text into lines with their line ends, also the last one. Returns the byte order mark, and whether the last line
 * had no end.
 */
function readText(text: string, end: string) {
  const mark = byteOrderMark(text);
  const bare = text.slice(mark.length);
  const isOpen = bare !== '' && !/[\r\n]$/.test(bare);
  return { lines: (isOpen ? bare + end : bare).match(/[^\r\n]*(?:\r\n|\r|\n)/g) ?? [], mark, isOpen };
}

/**
 * Merges a value that has only two possible states, such as "the last line has an end". If `ours` differs from the base, our
 * side has changed it. Otherwise `theirs` is right, changed or not.
 */
function mergeFlag<T extends string | boolean>(base: T, ours: T, theirs: T): T {
  return ours === base ? theirs : ours;
}

type Texts = readonly string[];

/**
 * Maximum number of lines for a full comparison, which is needed if the changes of both sides are mixed. With twice as
 * many lines, the comparison takes four times as long.
 */
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

/** Merges two sides if all changes of one come before all changes of the other. Otherwise undefined. */
function mergeApart(base: Texts, ours: Texts, theirs: Texts): Texts | undefined {
  const [left, right] = [changedWindow(base, ours), changedWindow(base, theirs)];
  const areInserts = left.from === left.to && right.from === right.to;
  if (areInserts && left.from === right.from) return undefined;
  if (left.to <= right.from) return inOrder(base, ours, left.to, theirs, right.from);
  if (right.to <= left.from) return inOrder(base, theirs, right.to, ours, left.from);
  return undefined;
}

/**
 * Joins two sides whose changes are in separate parts of the base: those of `first` come before those of `second`.
 * @param to index of the line of the base at which the changes of `first` end
 * @param from index of the line of the base at which the changes of `second` start
 */
function inOrder(base: Texts, first: Texts, to: number, second: Texts, from: number): Texts {
  return [...first.slice(0, first.length - (base.length - to)), ...base.slice(to, from), ...second.slice(from)];
}

function middle(lines: Texts, from: number, rest: number): string[] {
  return lines.slice(from, lines.length - rest);
}

/** The lines of the base that a side changed, from the first to the last. */
function changedWindow(base: Texts, side: Texts) {
  const [from, same] = commonStartAndEndLengths(base, side);
  return { from, to: base.length - same };
}

/** A file before and after a change; null if the file does not exist. */
type Change = { readonly path: string; readonly before: string | null; readonly after: string | null };

/** Computes the content of a file after a change is reverted, or returns the reason why it can't be. Pure. */
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
  const merged = mergeBothChanges(after, now, before);
  return merged.ok ? ok(merged.value) : err(`line ${merged.error.line}`);
}

/**
 * Removes lines from a log that several processes append to. Git may put its lines into another order, so each is removed on
 * its own.
 */
function withoutLines(text: string, appended: string): string {
  const lines = new Set(appended.split('\n').filter((line) => line !== ''));
  const kept = text.split(/(?<=\n)/).filter((line) => !lines.has(line.replace(/\n$/, '')));
  return kept.join('');
}

/** Formats a change as a unified diff. Empty if nothing changes. */
export function unifiedDiff({ path, before, after }: Change): string {
  if (before === after) return '';
  const [from, to] = [before === null ? '/dev/null' : `a/${path}`, after === null ? '/dev/null' : `b/${path}`];
  const options = { context: 3, headerOptions: FILE_HEADERS_ONLY };
  return createTwoFilesPatch(from, to, before ?? '', after ?? '', undefined, undefined, options);
}

/**
 * Formats a change as a diff without the lines that name the files. @param context number of unchanged lines around each
 * change
 */
export function lineHunks(before: string, after: string, context: number): string {
  const patch = createTwoFilesPatch('a', 'b', before, after, undefined, undefined, { context });
  return patch.slice(Math.max(0, patch.indexOf('\n@@ ') + 1)).replace(/\n*$/, '\n');
}
