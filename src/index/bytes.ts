import { hash } from 'node:crypto';
import { whyUnread } from '../base/failure.js';
import { readBytes as readFileBytes } from '../workspace/files.js';
import { LARGEST_PAGE, whyTooLarge } from '../workspace/pages/readable.js';
import { fileOf } from '../workspace/read-scope.js';
import type { TreeFile } from './tree-files.js';

/** A file written within the same clock tick of its file system as the read keeps its state: compare its content later. */
export const RACY_MS = 2_000;

/** Stored in place of a hash: the reason why a file can't be read may go away without a change of the file's own state. */
export const UNREADABLE = '';

export function currentHash(root: string, file: TreeFile): string {
  const bytes = readFileContent(root, file);
  return typeof bytes === 'string' ? UNREADABLE : hashOf(bytes, originalBytes(root, file));
}

/** @param original the content of the page that the file may be a copy of: whether it is a copy depends on both */
export function hashOf(bytes: Buffer, original: Buffer | undefined): string {
  return hash('sha1', original === undefined ? bytes : Buffer.concat([bytes, original]));
}

/** The content of the page that a file may be a copy of; undefined when there is no such page that can be read. */
export function originalBytes(root: string, { page, size }: TreeFile): Buffer | undefined {
  if (page.copy?.of == null) return undefined;
  const bytes = readFileContent(root, { path: page.copy.of, size });
  return typeof bytes === 'string' ? undefined : bytes;
}

/** The content of a file, or the reason why it can't be read. */
export function readFileContent(root: string, file: Pick<TreeFile, 'path' | 'size'>): Buffer | string {
  const tooLarge = whyTooLarge(file.size);
  if (tooLarge !== undefined) return tooLarge.reason;
  try {
    return readFileBytes(fileOf(root, file.path), LARGEST_PAGE);
  } catch (error) {
    return whyUnread(error);
  }
}
