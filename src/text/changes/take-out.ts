import { err, ok, type Result } from '../../base/result.js';
import { merge3 } from './merge3.js';

/** A file before and after a change; null where there is none. */
interface Change {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** What a file becomes when a change is taken out of it, or why that can't be done. Pure. */
export function takeOut({ path, before, after }: Change, now: string | null): Result<string | null, string> {
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

/** A log that several append to, and merges mix: each line stands for itself. */
function withoutLines(text: string, appended: string): string {
  const lines = new Set(appended.split('\n').filter((line) => line !== ''));
  return text
    .split(/(?<=\n)/)
    .filter((line) => !lines.has(line.replace(/\n$/, '')))
    .join('');
}
