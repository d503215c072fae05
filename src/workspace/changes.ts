import { join } from 'node:path';
import { Cache } from '../base/cache.js';
import { fail } from '../base/failure.js';
import { isRecord, parseJson } from '../base/json.js';
import type { Result } from '../base/result.js';
import { decodeBytes, encodeBytes } from '../text/bytes.js';
import { containedPath } from './contained.js';
import { editFile, readVersion, removeFile } from './files.js';
import { LARGEST_PAGE, refuseUnread, whyNotToGrow } from './pages/readable.js';

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
export interface GitCommitReport {
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

/** A change that is made with all others that are joint, or not at all: one without the other would mean something else. */
export type PendingChange = FileChange & { readonly isJoint?: boolean };

/**
 * Writes some files one after the other, all of them even when this is killed in between: the next writer goes on.
 * @returns those that are not written, since somebody has changed the page
 * @throws MemoryError `refused` for a page that would be too large to be read; nothing is written then
 */
export function writeAll(root: string, stateFolder: string, changes: readonly PendingChange[]): readonly FileChange[] {
  if (changes.length === 0) return [];
  for (const { path, before, after } of changes) checkGrowth(path, before ?? '', after ?? '');
  editFile(pendingPath(stateFolder), () => JSON.stringify(changes));
  return finishPending(root, stateFolder);
}

/**
 * Writes what is pending: each file that is still what it was before. What somebody has changed since stays; when that is
 * one of the joint ones, what was written is taken back instead.
 */
export function finishPending(root: string, stateFolder: string): readonly FileChange[] {
  const pending = readVersion(pendingPath(stateFolder));
  if (pending === undefined) return [];
  const read: unknown = parseJson(pending.bytes.toString('utf8'));
  const changes = Array.isArray(read) ? read.filter(isChange) : [];
  const isTorn = changes.some((change) => change.isJoint && !isOurs(root, change));
  if (isTorn) for (const change of changes) exchange(root, inverseChange(change));
  const left = isTorn ? changes : changes.filter((change) => !exchange(root, change));
  removeFile(pendingPath(stateFolder));
  return left;
}

/** @throws MemoryError `refused` for a page that would be too large to be read */
function checkGrowth(path: string, before: string, after: string): void {
  // No character has more bytes than this in any encoding.
  if (!path.endsWith('.md') || after.length * 3 <= LARGEST_PAGE || after === before) return;
  const why = whyNotToGrow(encodeBytes(before).length, encodeBytes(after).length);
  if (why !== undefined) refuseUnread(path, why);
}

/** What makes a file what it was before a change. */
export function inverseChange({ path, before, after }: FileChange): FileChange {
  return { path, before: after, after: before };
}

function isOurs(root: string, { path, before, after }: FileChange): boolean {
  const now = readPageText(root, path);
  return now === before || now === after;
}

/** Makes a change, as far as its page is still what it was before. @returns whether the page is what it was to become */
function exchange(root: string, { path, before, after }: FileChange): boolean {
  const full = containedPath(root, path);
  const now = readPageText(root, path);
  if (now === after) return true;
  if (after === null) {
    if (now === before) removeFile(full);
    return now === before;
  }
  return editFile(full, (current) => (textOf(current) === before ? encodeBytes(after) : undefined));
}

/** Pages as they were when they were first read. */
export class PageSnapshot {
  private readonly pages = new Cache<string, { readonly text: string; readonly hash: string } | null>();

  constructor(readonly root: string) {}

  /** A page with the hash of its bytes. @throws MemoryError `refused` for a path that leads out of the workspace */
  disk(path: string) {
    return this.pages.of(path, () => {
      const version = readVersion(containedPath(this.root, path));
      return version === undefined ? null : { text: decodeBytes(version.bytes), hash: version.hash };
    });
  }

  isUnchanged(path: string): boolean {
    return readVersion(containedPath(this.root, path))?.hash === this.disk(path)?.hash;
  }
}

function textOf(bytes: Buffer | undefined): string | null {
  return bytes === undefined ? null : decodeBytes(bytes);
}

/** Whether some changes hold one of some texts, however it is spaced and cased. */
export function containAny(changes: readonly FileChange[], texts: readonly string[]): boolean {
  const held = folded(changes.flatMap(({ before, after }) => [before ?? '', after ?? '']).join('\n'));
  return texts.some((text) => folded(text) !== '' && held.includes(folded(text)));
}

function folded(text: string): string {
  return text.normalize('NFKC').toLowerCase().replace(/\s+/gu, ' ').trim();
}

/**
 * What takes a run back: pages that nobody has changed since are as they were; out of others comes what the run did.
 * @param outOf what a page becomes without a change
 * @throws MemoryError `conflict` that names the pages out of which it does not come
 */
export function planRevert(
  root: string,
  changes: readonly FileChange[],
  outOf: (change: FileChange, now: string | null) => Result<string | null, string>,
): readonly FileChange[] {
  const refused: string[] = [];
  const steps = changes.flatMap((change): readonly FileChange[] => {
    const { path } = change;
    const before = readPageText(root, path);
    const after = outOf(change, before);
    if (!after.ok) refused.push(`${path} (${after.error})`);
    return after.ok ? [{ path, before, after: after.value }] : [];
  });
  if (refused.length === 0) return steps;
  const hint = 'nothing was written; put back by hand what you changed there, or edit the pages yourself';
  return fail('conflict', `the run can not be taken back; changed since: ${refused.join(', ')}`, hint);
}

/** The text of a page of the workspace, null when there is none; bytes that are no UTF-8 are kept. */
export function readPageText(root: string, path: string): string | null {
  return textOf(readVersion(containedPath(root, path))?.bytes);
}

export function isChange(value: unknown): value is PendingChange {
  const isText = (text: unknown): boolean => text === null || typeof text === 'string';
  return isRecord(value) && typeof value.path === 'string' && isText(value.before) && isText(value.after);
}

/**
 * Edits a page of the workspace as text, by compare-and-rename; bytes that are no UTF-8 stay as they are.
 * @param path relative to `root`
 * @param edit gets null when there is no such page; what it returns is written when it differs, null is not written
 * @param dryRun only find out
 * @param hint where another program keeps changing the page
 * @throws MemoryError `refused` for a page that would be too large to be read
 */
export function editPage(
  root: string,
  path: string,
  edit: (before: string | null) => string | null,
  dryRun = false,
  hint?: string,
) {
  const full = containedPath(root, path);
  let change: FileChange = { path, before: null, after: null };
  const apply = (current: Buffer | undefined): Buffer | undefined => {
    const before = current === undefined ? null : decodeBytes(current);
    const after = edit(before);
    change = { path, before, after };
    checkGrowth(path, before ?? '', after ?? '');
    return after === null || after === before ? undefined : encodeBytes(after);
  };
  if (dryRun) apply(readVersion(full)?.bytes);
  else editFile(full, apply, hint);
  return change;
}
