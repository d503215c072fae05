import { decodeBytes, encodeBytes } from '../text/bytes.js';
import type { FileChange } from './changes.js';
import { containedPath } from './contained.js';
import { editFile, readVersion } from './files.js';

/**
 * Edits a page of the workspace as text, by compare-and-rename; bytes that are no UTF-8 stay as they are.
 * @param path relative to `root`
 * @param edit gets null when there is no such page; what it returns is written when it differs, null is not written
 * @param dryRun only find out
 */
export function editPage(
  root: string,
  path: string,
  edit: (before: string | null) => string | null,
  dryRun = false,
): FileChange {
  const full = containedPath(root, path);
  let change: FileChange = { path, before: null, after: null };
  const apply = (current: Buffer | undefined): Buffer | undefined => {
    const before = current === undefined ? null : decodeBytes(current);
    const after = edit(before);
    change = { path, before, after };
    return after === null || after === before ? undefined : encodeBytes(after);
  };
  if (dryRun) apply(readVersion(full)?.bytes);
  else editFile(full, apply);
  return change;
}
