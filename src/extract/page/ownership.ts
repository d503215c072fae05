import { createHash } from 'node:crypto';
import { diffArrays } from 'diff';
import { addAll, commonStartAndEndLengths } from '../../base/order.js';
import { linesWithLineEnds, splitLines } from '../../markdown/lines.js';
import { dominantLineEnd } from '../../text/bytes.js';

/** Tests whether the program wrote a line of a page and nobody has edited it since. All other lines belong to a person. */
export type IsProgramLine = (line: string) => boolean;

/** The hash by which the program recognises a line that it wrote. It excludes the line end, because git may change it. */
export function lineHash(line: string): string {
  return createHash('sha256').update(line).digest('hex').slice(0, 12);
}

/**
 * Maximum number of changed lines that are compared one by one, which is slow. If there are more, all old lines count as
 * replaced by the new ones.
 */
const MOST_COMPARED = 4_000;

/**
 * Compares a page with its new text, and says which lines of a person would change. Unchanged lines keep their bytes. Pure.
 * @param after the new text; null if the page is deleted
 */
export function comparePageText(before: string, after: string | null, isOurs: IsProgramLine) {
  const [old, made] = [linesIn(before), linesIn(after ?? '')];
  const end = dominantLineEnd(before);
  const touched: number[] = [];
  const added: string[] = [];
  const parts: string[] = [];
  let isOpen = false;
  let [at, to] = [0, 0];
  const isTheirs = theirLines(old, isOurs);
  // If an added line equals a person's line, no hash is recorded for it. Otherwise the person's line would count as ours.
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
      // Insert a line end if the previous line has none.
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
    /** Hashes of the added lines. By these hashes, {@link IsProgramLine} recognises the lines later. */
    added,
    /** 1-based numbers of a person's lines that the change would remove. */
    touched,
  };
}

/**
 * Builds a test for lines that belong to a person. A blank line belongs to a person only if the lines above and below it do.
 */
function theirLines(lines: ReturnType<typeof linesIn>, isOurs: IsProgramLine): (index: number) => boolean {
  const said = lines.map(({ line }) => line.trim() !== '');
  const isTheirs = (index: number): boolean => index < 0 || !isOurs(lines[index]?.line ?? '');
  return (index) => {
    if (said[index]) return isTheirs(index);
    const above = said.lastIndexOf(true, index);
    return isTheirs(above) && isTheirs(said.indexOf(true, index));
  };
}

function linesIn(text: string) {
  return linesWithLineEnds(text).map((whole) => {
    const line = whole.replace(/(?:\r\n|\r|\n)$/u, '');
    return { line, end: whole.slice(line.length) };
  });
}

function compared(old: readonly string[], made: readonly string[]) {
  const [from, rest] = commonStartAndEndLengths(old, made);
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

/** Formats sorted line numbers: `line 3`, `lines 1, 3–7`. Pure. */
export function formatLineNumbers(numbers: readonly number[]): string {
  const runs: [number, number][] = [];
  for (const number of numbers) {
    const last = runs.at(-1);
    if (last !== undefined && last[1] === number - 1) last[1] = number;
    else runs.push([number, number]);
  }
  const named = runs.map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`));
  return `${numbers.length === 1 ? 'line' : 'lines'} ${named.join(', ')}`;
}

/** How often `changedPagePart` adds a single line above a change. After that, it adds more lines at a time. */
const CLOSE = 20;

/**
 * The part of a page from the first changed line to the last. Lines above are added until the part occurs only once in the
 * page. Pure.
 */
export function changedPagePart(before: string, after: string | null): { readonly old: string; readonly text: string } {
  const [{ lines: left }, { lines: right }] = [splitLines(before), splitLines(after ?? '')];
  if (after === null) return { old: left.join('\n'), text: '' };
  const [start, rest] = commonStartAndEndLengths(left, right);
  let from = start;
  const all = `\n${left.join('\n')}\n`;
  const cut = (lines: readonly string[]): string => lines.slice(from, lines.length - rest).join('\n');
  const isOnce = (): boolean => all.split(`\n${cut(left)}\n`).length === 2;
  // Each attempt searches the whole page. So after `CLOSE` attempts, each step adds twice as many lines as the step before.
  for (let looks = 0; from > 0 && (left[from] === undefined || cut(left).trim() === '' || !isOnce()); looks++)
    from = Math.max(0, from - 2 ** Math.max(0, looks - CLOSE));
  return { old: cut(left), text: cut(right) };
}
