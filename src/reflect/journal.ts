import { join } from 'node:path';
import { decodeBytes, encodeBytes } from '../text/bytes.js';
import type { FileChange } from '../workspace/changes.js';
import { containedPath } from '../workspace/contained.js';
import { editFile, readVersion, removeFile } from '../workspace/files.js';
import { readChanges, storeChanges, storedRuns } from './undo-store.js';

/** Names the run that is being written. A crash between two files must not leave half of a run. */
function pendingPath(stateFolder: string): string {
  return join(stateFolder, 'reflect', 'pending');
}

/** Keeps what a run is about to write, and that it is about to. */
export function beginWriting(stateFolder: string, run: string, changes: readonly FileChange[]): void {
  storeChanges(stateFolder, run, changes);
  editFile(pendingPath(stateFolder), () => run);
}

export function endWriting(stateFolder: string): void {
  removeFile(pendingPath(stateFolder));
}

/**
 * Writes what a run that was killed has not written yet: each file that is still what it was before. Under the writer
 * lock. A file that somebody has changed since is left alone: the next run looks at it anew. A run that was taken back in
 * between stays so.
 */
export function rollForward(root: string, stateFolder: string): void {
  const run = readVersion(pendingPath(stateFolder))?.bytes.toString('utf8');
  if (run === undefined) return;
  const isKept = storedRuns(stateFolder).some((stored) => stored.run === run && !stored.isUndone);
  for (const { path, before, after } of isKept ? readChanges(stateFolder, run) : []) {
    if (after === null) continue;
    editFile(containedPath(root, path), (current) =>
      (current === undefined ? null : decodeBytes(current)) === before ? encodeBytes(after) : undefined,
    );
  }
  endWriting(stateFolder);
}
