import { join } from 'node:path';
import type { FileChange } from '../workspace/changes.js';
import { containedPath } from '../workspace/contained.js';
import { editFile, readVersion, removeFile } from '../workspace/files.js';

/** The changes of a run that is being written. A crash between two files must not leave half of a run. */
function journalPath(stateFolder: string): string {
  return join(stateFolder, 'reflect', 'pending.json');
}

export function writeJournal(stateFolder: string, changes: readonly FileChange[]): void {
  editFile(journalPath(stateFolder), () => JSON.stringify(changes));
}

export function removeJournal(stateFolder: string): void {
  removeFile(journalPath(stateFolder));
}

/**
 * Writes what a run that was killed has not written yet: each file that is still what it was before. Under the writer
 * lock. A file that somebody has changed since is left alone: the next run looks at it anew.
 */
export function rollForward(root: string, stateFolder: string): void {
  for (const { path, before, after } of readJournal(stateFolder)) {
    if (after === null) continue;
    editFile(containedPath(root, path), (current) =>
      (current?.toString('utf8') ?? null) === before ? after : undefined,
    );
  }
  removeJournal(stateFolder);
}

function readJournal(stateFolder: string): readonly FileChange[] {
  const text = readVersion(journalPath(stateFolder))?.bytes.toString('utf8');
  if (text === undefined) return [];
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value.filter(isChange) : [];
  } catch {
    // It was being written itself: nothing else was.
    return [];
  }
}

function isChange(value: unknown): value is FileChange {
  if (typeof value !== 'object' || value === null) return false;
  const { path, before, after } = value as Partial<Record<keyof FileChange, unknown>>;
  return typeof path === 'string' && isText(before) && isText(after);
}

function isText(value: unknown): value is string | null {
  return value === null || typeof value === 'string';
}
