import { splitLines } from '../../markdown/lines.js';
import type { Problem } from './problem.js';

/**
 * Puts the fixes of one page into its text, every other byte kept. A line that is not what it was in `seen` any more is
 * left alone. Pure.
 */
export function mendLines(text: string, seen: string, fixes: readonly Problem[]): string {
  const { lines, starts, ends } = splitLines(text);
  const before = splitLines(seen).lines;
  let mended = text;
  const done = new Set<number>();
  for (const { line, fix } of [...fixes].sort((a, b) => (b.line ?? 0) - (a.line ?? 0))) {
    if (line === null || fix === undefined || done.has(line) || lines[line - 1] !== before[line - 1]) continue;
    done.add(line);
    mended = mended.slice(0, starts[line - 1]) + fix + mended.slice(ends[line - 1]);
  }
  return mended;
}
