import { hash } from 'node:crypto';
import { unreadableReason } from '../base/failure.js';
import { readBytes as readFileBytes } from '../workspace/files.js';
import { fullPathOf } from '../workspace/read-scope.js';
import { MAX_PAGE_BYTES, whyTooLarge } from '../workspace/readable.js';
import type { TreeFile } from './tree-files.js';

/**
 * Two writes to a file within this time (in ms) may leave its size and times the same. So if we read a file within this time
 * after a write, its content is compared again later.
 */
export const RACY_WINDOW_MS = 2_000;

/**
 * Stored in place of the hash of a file that can't be read. Such a file is read again each time: the reason may disappear
 * although the file does not change.
 */
export const UNREADABLE_HASH = '';

export function currentHash(root: string, file: TreeFile): string {
  const bytes = readFileContent(root, file);
  return typeof bytes === 'string' ? UNREADABLE_HASH : hashFileContent(bytes, readOriginalBytes(root, file));
}

/**
 * Hash of the content of a file. If the file may be a copy of a page, the content of that page is hashed, too: both
 * contents together decide whether the file is a copy.
 * @param original content of that page
 */
export function hashFileContent(bytes: Buffer, original: Buffer | undefined): string {
  return hash('sha1', original === undefined ? bytes : Buffer.concat([bytes, original]));
}

/** The content of the page that a file may be a copy of. Undefined if there is no such page, or if it can't be read. */
export function readOriginalBytes(root: string, { page, size }: TreeFile): Buffer | undefined {
  if (page.copy?.of == null) return undefined;
  const bytes = readFileContent(root, { path: page.copy.of, size });
  return typeof bytes === 'string' ? undefined : bytes;
}

/** The content of a file, or the reason why it can't be read. */
export function readFileContent(root: string, file: Pick<TreeFile, 'path' | 'size'>): Buffer | string {
  const tooLarge = whyTooLarge(file.size);
  if (tooLarge !== undefined) return tooLarge.reason;
  try {
    return readFileBytes(fullPathOf(root, file.path), MAX_PAGE_BYTES);
  } catch (error) {
    return unreadableReason(error);
  }
}
