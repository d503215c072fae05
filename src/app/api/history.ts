import type { HistoryReport, PastReport } from '../../upkeep/history.js';

/** How pages, and the lines of facts, opinions and log text, changed in git, and what extraction did to pages. */
export interface History {
  /**
   * The changes, the newest first.
   * @param which an id, or a page relative to the workspace
   * @throws MemoryError `workspace` without a repository, `not_found` for what neither the files nor git know
   * @example
   * const { changes } = await history.of('memory/2026-03-12.md');
   * changes.length; // => 1
   */
  of(which: string): Promise<HistoryReport>;

  /**
   * What it was at the end of a day.
   * @param which an id, or a page relative to the workspace
   * @param at a day, or what `--as-of` takes
   * @throws MemoryError `usage`, `workspace`, `not_found`
   * @example
   * const past = await history.at('MEMORY.md', '2026-03-14');
   * past.path; // => 'MEMORY.md'
   */
  at(which: string, at: string): Promise<PastReport>;
}
