import { statSync } from 'node:fs';
import { join } from 'node:path';
import { namesIn } from '../workspace/files.js';
import { readEntry, storeEntries } from '../workspace/state.js';

/**
 * Whether pages were added, removed or changed since the summaries of their folders were written, for example by a person.
 * False if there are no summaries. Must be fast, because every writing command calls this. So it reads no page.
 */
export function areFolderSummariesStale(root: string, stateFolder: string): boolean {
  const now = signature(root);
  return now !== NO_SUMMARY && now !== readEntry(stateFolder, SUMMARIES);
}

/** Records that the summaries match the current pages. */
export function recordFolderSummaries(root: string, stateFolder: string): void {
  storeEntries(stateFolder, [{ kind: SUMMARIES, value: signature(root) }]);
}

const NO_SUMMARY = '0';
const SUMMARIES = 'folder summaries';

/**
 * A text that changes if a page is added, removed or changed. It consists of the number of folders with a summary, the
 * number of pages, and the time of the last change.
 */
function signature(root: string): string {
  const bank = join(root, 'bank');
  const folders = namesIn(bank).filter((name) => !name.includes('.') && isThere(join(bank, name, '.overview.md')));
  if (folders.length === 0 && !isThere(join(bank, '.overview.md'))) return NO_SUMMARY;
  const times = [join(bank, 'profile.md'), ...folders.flatMap((name) => pagesIn(join(bank, name)))].map(changedAt);
  return `${folders.length} ${times.length} ${times.reduce((last, one) => Math.max(last, one), 0)}`;
}

function pagesIn(folder: string): readonly string[] {
  return namesIn(folder).flatMap((name) => {
    const path = join(folder, name);
    if (name.startsWith('.')) return [];
    return name.endsWith('.md') ? [path] : pagesIn(path);
  });
}

function isThere(path: string): boolean {
  return changedAt(path) > 0;
}

/** Modification time in ms; 0 if the path does not exist or can't be read. */
function changedAt(path: string): number {
  try {
    return statSync(path).mtimeMs;
  } catch {
    return 0;
  }
}
