import type { FileChange } from '../../workspace/changes.js';
import type { RunInput } from '../run.js';
import { type PageRecord, UNWRITTEN_PAGE_HASH } from './page-records.js';

/**
 * Drops changes of pages that recall would not read. Marks the records of these pages as unwritten, so that the next run
 * tries to write them again.
 */
export function dropUnreadableChanges(
  changes: readonly FileChange[],
  whyNotRead: RunInput['whyNotRead'],
  records: Map<string, PageRecord>,
): { readonly changes: readonly FileChange[]; readonly warnings: readonly string[] } {
  const warnings: string[] = [];
  const kept = changes.filter(({ path, before, after }) => {
    const unread = whyNotRead(path, before, after ?? '');
    if (unread === undefined) return true;
    warnings.push(`not written: ${path} ${unread.reason}; ${unread.hint}`);
    const record = records.get(path);
    if (record !== undefined) records.set(path, { ...record, sha: UNWRITTEN_PAGE_HASH, lines: [], next: null });
    return false;
  });
  return { changes: kept, warnings };
}
