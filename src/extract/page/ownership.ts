import { createHash } from 'node:crypto';
import { diffArrays } from 'diff';
import { addAll, commonEnds } from '../../base/order.js';
import { splitLines, wholeLines } from '../../markdown/lines.js';
import { dominantEnd } from '../../text/bytes.js';

/** Whether a line of a page is ours: it is as we wrote it. Every other is a person's. */
export type IsOurs = (line: string) => boolean;

/** What is recorded of a line that we write, its end not counted: git may change those. */
export function lineHash(line: string): string {
  return createHash('sha256').update(line).digest('hex').slice(0, 12);
}

/** More lines than these that may have changed are not compared one by one: none of them stays. */
const MOST_COMPARED = 4_000;

/** A new text of a page, null when it goes, with every line that stays as its bytes are. Pure. */
export function changeOfPage(before: string, after: string | null, isOurs: IsOurs) {
  const [old, made] = [linesIn(before), linesIn(after ?? '')];
  const end = dominantEnd(before);
  const touched: number[] = [];
  const added: string[] = [];
  const parts: string[] = [];
  let isOpen = false;
  let [at, to] = [0, 0];
  const isTheirs = theirLines(old, isOurs);
  // A line of ours that says the same would make theirs look like ours.
  const said = new Set(old.flatMap(({ line }, index) => (isTheirs(index) ? [line] : [])));
  const runs = compared(
    old.map(({ line }) => line),
    made.map(({ line }) => line),
  );
  for (const { count, isOld, isNew } of runs) {
    const [kept, fresh] = [old.slice(at, at + count), isOld ? [] : made.slice(to, to + count)];
    if (isOld && !isNew)
      addAll(
        touched,
        kept.flatMap((_, offset) => (isTheirs(at + offset) ? [at + offset + 1] : [])),
      );
    for (const line of isOld && isNew ? kept : fresh.map((one) => ({ ...one, end: one.end && end }))) {
      // A line end, where what goes on has none.
      parts.push(isOpen ? end : '', line.line, line.end);
      isOpen = line.end === '';
    }
    addAll(
      added,
      fresh.flatMap(({ line }) => (line.trim() === '' || said.has(line) ? [] : [lineHash(line)])),
    );
    if (isOld) at += count;
    if (isNew) to += count;
  }
  return {
    text: parts.join(''),
    /** Hashes of the lines that are new, for {@link IsOurs} of later. */
    added,
    /** Numbers, from 1, of a person's lines that would not stay. */
    touched,
  };
}

/** Which lines are a person's. What is blank belongs to whom the lines around it belong to. */
function theirLines(lines: ReturnType<typeof linesIn>, isOurs: IsOurs): (index: number) => boolean {
  const said = lines.map(({ line }) => line.trim() !== '');
  const isTheirs = (index: number): boolean => index < 0 || !isOurs(lines[index]?.line ?? '');
  return (index) => {
    if (said[index]) return isTheirs(index);
    const above = said.lastIndexOf(true, index);
    return isTheirs(above) && isTheirs(said.indexOf(true, index));
  };
}

function linesIn(text: string) {
  return wholeLines(text).map((whole) => {
    const line = whole.replace(/(?:\r\n|\r|\n)$/u, '');
    return { line, end: whole.slice(line.length) };
  });
}

function compared(old: readonly string[], made: readonly string[]) {
  const [from, rest] = commonEnds(old, made);
  const [left = [], right = []] = [old, made].map((lines) => lines.slice(from, lines.length - rest));
  const middle =
    left.length + right.length > MOST_COMPARED
      ? [
          { count: left.length, isOld: true, isNew: false },
          { count: right.length, isOld: false, isNew: true },
        ]
      : diffArrays(left, right).map(({ count, added, removed }) => ({ count, isOld: !added, isNew: !removed }));
  const same = (count: number) => ({ count, isOld: true, isNew: true });
  return [same(from), ...middle, same(rest)].filter(({ count }) => count > 0);
}

/** Some lines by their numbers, in order: `line 3`, `lines 1, 3–7`. Pure. */
export function linesOf(numbers: readonly number[]): string {
  const runs: [number, number][] = [];
  for (const number of numbers) {
    const last = runs.at(-1);
    if (last !== undefined && last[1] === number - 1) last[1] = number;
    else runs.push([number, number]);
  }
  const named = runs.map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`));
  return `${numbers.length === 1 ? 'line' : 'lines'} ${named.join(', ')}`;
}

/** So many lines above are looked at one by one. */
const CLOSE = 20;

/** The lines that change, from the first to the last, and so many above them that they stand in the page once. Pure. */
export function regionOf(before: string, after: string | null): { readonly old: string; readonly text: string } {
  const [{ lines: left }, { lines: right }] = [splitLines(before), splitLines(after ?? '')];
  if (after === null) return { old: left.join('\n'), text: '' };
  const [start, rest] = commonEnds(left, right);
  let from = start;
  const all = `\n${left.join('\n')}\n`;
  const cut = (lines: readonly string[]): string => lines.slice(from, lines.length - rest).join('\n');
  const isOnce = (): boolean => all.split(`\n${cut(left)}\n`).length === 2;
  // By ever more at a time, for each look goes through the page.
  for (let looks = 0; from > 0 && (left[from] === undefined || cut(left).trim() === '' || !isOnce()); looks++)
    from = Math.max(0, from - 2 ** Math.max(0, looks - CLOSE));
  return { old: cut(left), text: cut(right) };
}
