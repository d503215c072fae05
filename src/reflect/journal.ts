import { join } from 'node:path';
import { decodeBytes } from '../text/bytes.js';
import { exchange, type FileChange } from '../workspace/changes.js';
import { containedPath } from '../workspace/contained.js';
import { editFile, readVersion, removeFile } from '../workspace/files.js';
import { EVIDENCE_PATH, OPINIONS_PATH } from './scope.js';
import { parseChange, storeChanges, storedRuns } from './undo-store.js';

/** What is being written, and by which run. A crash between two files must not leave half of it. */
function pendingPath(stateFolder: string): string {
  return join(stateFolder, 'reflect', 'pending');
}

/** Keeps what a run is about to write, and that it is about to. */
export function beginWriting(stateFolder: string, run: string, changes: readonly FileChange[]): void {
  storeChanges(stateFolder, run, changes);
  const lines = [run, ...changes.map((change) => JSON.stringify(change))];
  editFile(pendingPath(stateFolder), () => lines.join('\n'));
}

export function endWriting(stateFolder: string): void {
  removeFile(pendingPath(stateFolder));
}

/** Beliefs, and what they rest on: one without the other would look like the work of a person. */
const JOINT: ReadonlySet<string> = new Set([EVIDENCE_PATH, OPINIONS_PATH]);

/**
 * Writes what a run that was killed has not written yet: each file that is still what it was before. Under the writer
 * lock. A file that somebody has changed since is left alone: the next run looks at it anew; when it is one of beliefs or
 * evidence, what the run had written is taken back instead. A run that was taken back in between stays so.
 */
export function rollForward(root: string, stateFolder: string): void {
  const [run, ...lines] = readVersion(pendingPath(stateFolder))?.bytes.toString('utf8').split('\n') ?? [];
  if (run === undefined) return;
  const changes = lines.flatMap((line) => parseChange(line) ?? []);
  const isKept = storedRuns(stateFolder).some((stored) => stored.run === run && !stored.isUndone);
  if (isKept) {
    const joint = changes.filter(({ path }) => JOINT.has(path));
    if (joint.every((change) => isOurs(root, change))) {
      for (const change of changes) exchange(root, change);
    } else takeBack(root, changes);
  }
  endWriting(stateFolder);
}

/** Makes files what they were before these changes, as far as nobody has touched them since. */
export function takeBack(root: string, changes: readonly FileChange[]): void {
  for (const { path, before, after } of changes) exchange(root, { path, before: after, after: before });
}

function isOurs(root: string, { path, before, after }: FileChange): boolean {
  const now = readVersion(containedPath(root, path));
  const text = now === undefined ? null : decodeBytes(now.bytes);
  return text === before || text === after;
}
