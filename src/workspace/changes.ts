import { join } from 'node:path';
import { fail } from '../base/failure.js';
import { isRecord, parseJson } from '../base/json.js';
import type { Result } from '../base/result.js';
import { decodeBytes, encodeBytes } from '../text/bytes.js';
import { containedPath } from './contained.js';
import { editFile, type FileVersion, readVersion, removeFile } from './files.js';

/** What a writing verb did to one file, or would do: the input of `--dry-run` and of `--commit`. */
export interface FileChange {
  /** Relative to the workspace, with `/`. */
  readonly path: string;
  /** null when the file did not exist. */
  readonly before: string | null;
  /** null when the file is removed. */
  readonly after: string | null;
}

/** What became of a git commit of written files. */
export interface CommitReport {
  /** The new commit's hash; null when there was nothing to commit or it could not be made. */
  readonly commit: string | null;
  /** Why it could not be made, the files being written all the same; or what is odd about where it was made. */
  readonly warning?: string;
  /** Git did not make it: the next one that is asked for makes it, too. */
  readonly isRefused?: boolean;
}

/** What somebody with the writer lock is about to write, so that who has it next can finish it. */
function pendingPath(stateFolder: string): string {
  return join(stateFolder, 'pending-changes.json');
}

/** Writes some files one after the other, all of them even when this is killed in between: the next writer goes on. */
export function writeAll(root: string, stateFolder: string, changes: readonly FileChange[]): void {
  if (changes.length === 0) return;
  editFile(pendingPath(stateFolder), () => JSON.stringify(changes));
  finishPending(root, stateFolder);
}

/** Writes what is pending: each file that is still what it was before. What somebody has changed since stays. */
export function finishPending(root: string, stateFolder: string): void {
  const pending = readVersion(pendingPath(stateFolder));
  if (pending === undefined) return;
  const changes: unknown = parseJson(pending.bytes.toString('utf8'));
  for (const change of Array.isArray(changes) ? changes.filter(isChange) : []) exchange(root, change);
  removeFile(pendingPath(stateFolder));
}

/** Makes a change, as far as its page is still what it was before. */
export function exchange(root: string, { path, before, after }: FileChange): void {
  const full = containedPath(root, path);
  if (after !== null) {
    editFile(full, (current) => (textOf(current) === before ? encodeBytes(after) : undefined));
  } else if (textOf(readVersion(full)?.bytes) === before) removeFile(full);
}

function textOf(bytes: Buffer | undefined): string | null {
  return bytes === undefined ? null : decodeBytes(bytes);
}

/** Whether some changes hold one of some texts, however it is spaced and cased. */
export function holdOneOf(changes: readonly FileChange[], texts: readonly string[]): boolean {
  const held = folded(changes.flatMap(({ before, after }) => [before ?? '', after ?? '']).join('\n'));
  return texts.some((text) => folded(text) !== '' && held.includes(folded(text)));
}

function folded(text: string): string {
  return text.normalize('NFKC').toLowerCase().replace(/\s+/gu, ' ').trim();
}

/** A page as it is, by its absolute path, and what it is to be again. */
export type TakingBack = {
  readonly full: string;
  readonly version: FileVersion | undefined;
  readonly change: FileChange;
};

/**
 * What takes a run back: pages that nobody has changed since are as they were; out of others comes what the run did.
 * @param outOf what a page becomes without a change
 * @throws MemoryError `conflict` that names the pages out of which it does not come
 */
export function planTakingBack(
  root: string,
  changes: readonly FileChange[],
  outOf: (change: FileChange, now: string | null) => Result<string | null, string>,
): readonly TakingBack[] {
  const refused: string[] = [];
  const steps = changes.flatMap((change): readonly TakingBack[] => {
    const full = containedPath(root, change.path);
    const version = readVersion(full);
    const before = textOf(version?.bytes);
    const after = outOf(change, before);
    if (!after.ok) refused.push(`${change.path} (${after.error})`);
    return after.ok ? [{ full, version, change: { path: change.path, before, after: after.value } }] : [];
  });
  if (refused.length === 0) return steps;
  const hint = 'nothing was written; put back by hand what you changed there, or edit the pages yourself';
  return fail('conflict', `the run can not be taken back; changed since: ${refused.join(', ')}`, hint);
}

export function isChange(value: unknown): value is FileChange {
  const isText = (text: unknown): boolean => text === null || typeof text === 'string';
  return isRecord(value) && typeof value.path === 'string' && isText(value.before) && isText(value.after);
}

/**
 * Edits a page of the workspace as text, by compare-and-rename; bytes that are no UTF-8 stay as they are.
 * @param path relative to `root`
 * @param edit gets null when there is no such page; what it returns is written when it differs, null is not written
 * @param dryRun only find out
 */
export function editPage(root: string, path: string, edit: (before: string | null) => string | null, dryRun = false) {
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
