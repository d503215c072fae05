import { Cache } from '../base/cache.js';
import { decodeBytes, encodeBytes } from '../text/bytes.js';
import { editFile, readVersion, removeFile, resolveContainedPath } from './files.js';
import { MAX_PAGE_BYTES, refuseUnreadPage, whyPageMayNotGrow } from './readable.js';
import { type Entry, readEntry, storeEntries } from './state.js';

/**
 * The change of one file by a command that writes, done or only planned. `--dry-run` shows it, and `--commit` commits it.
 */
export interface FileChange {
  /** Path of the file, relative to the workspace, with `/`. */
  readonly path: string;
  /** The old text; null if the file did not exist. */
  readonly before: string | null;
  /** The new text; null if the file is removed. */
  readonly after: string | null;
}

/** The result of a git commit of written files. */
export interface GitCommitReport {
  /** The hash of the new commit; null when there was nothing to commit or the commit failed. */
  readonly commit: string | null;
  /** Why the commit failed although the files are written, or what is unusual about it. */
  readonly warning?: string;
  /** Whether git refused the commit. The next commit will include the files. */
  readonly isRefused?: boolean;
}

/**
 * A change to write. If `isJoint` is set, this change and all other joint changes are made together or not at all,
 * because the files must fit together.
 */
export type PendingChange = FileChange & { readonly isJoint?: boolean };

/** The kind of the entry with the changes that the holder of the writer lock is about to write. */
const PENDING = 'pending';

/**
 * Writes files one after the other. If the process is killed in between, the next holder of the lock continues, so that all
 * are written.
 * @param run the entries of the run that makes the changes. They are stored before the first file is written
 * @returns the changes that were not written, because somebody edited the file meanwhile
 * @throws MemoryError `refused` for a page that would be too large to be read; nothing is written then
 */
export function writeAllChanges(
  root: string,
  stateFolder: string,
  changes: readonly PendingChange[],
  run: readonly Entry[] = [],
): readonly FileChange[] {
  if (changes.length === 0) return [];
  for (const { path, before, after } of changes) checkGrowth(path, before ?? '', after ?? '');
  storeEntries(stateFolder, [...run, { kind: PENDING, value: changes }]);
  return finishPendingChanges(root, stateFolder);
}

/** Writes the changes that are stored as pending. @returns the changes that were not written */
export function finishPendingChanges(root: string, stateFolder: string): readonly FileChange[] {
  const changes = readEntry<readonly PendingChange[]>(stateFolder, PENDING);
  if (changes === undefined) return [];
  const left = finishChanges(root, changes);
  storeEntries(stateFolder, [{ kind: PENDING, value: undefined }]);
  return left;
}

/**
 * Writes changes, or the rest of them. A file is written only if it is still as it was before the change. If a file with a
 * joint change was edited meanwhile, everything that was already written is reverted.
 * @returns the changes that were not written
 */
export function finishChanges(root: string, changes: readonly PendingChange[]): readonly FileChange[] {
  const isTorn = changes.some((change) => change.isJoint && !isOurs(root, change));
  if (isTorn) for (const change of changes) exchange(root, inverseChange(change));
  return isTorn ? changes : changes.filter((change) => !exchange(root, change));
}

/** Checks that a change does not make a page too large to be read. @throws MemoryError `refused` */
function checkGrowth(path: string, before: string, after: string): void {
  // A quick test before the bytes are counted: in every encoding, a UTF-16 unit takes at most 3 bytes.
  if (!path.endsWith('.md') || after.length * 3 <= MAX_PAGE_BYTES || after === before) return;
  const why = whyPageMayNotGrow(encodeBytes(before).length, encodeBytes(after).length);
  if (why !== undefined) refuseUnreadPage(path, why);
}

/**
 * Joins two sets of changes, of which `then` was made after `first`: one change a path, with the text before the first
 * write and after the last. If the second change of a file does not start from the result of the first, somebody edited
 * the file in between, and the work was planned again. Then the first change is ignored.
 */
export function joinChanges(first: readonly FileChange[], then: readonly FileChange[]): readonly FileChange[] {
  const all = new Map(first.map((change) => [change.path, change]));
  for (const { path, before, after } of then) {
    const earlier = all.get(path);
    all.set(path, { path, before: earlier?.after === before ? earlier.before : before, after });
  }
  return [...all.values()].filter(({ before, after }) => before !== after);
}

/** Swaps before and after, so that the change undoes the given one. */
export function inverseChange({ path, before, after }: FileChange): FileChange {
  return { path, before: after, after: before };
}

function isOurs(root: string, { path, before, after }: FileChange): boolean {
  const now = readPageText(root, path);
  return now === before || now === after;
}

/**
 * Makes a change if its file still has the old text of the change.
 * @returns whether the file is now as it should be after the change
 */
function exchange(root: string, { path, before, after }: FileChange): boolean {
  const full = resolveContainedPath(root, path);
  const now = readPageText(root, path);
  if (now === after) return true;
  if (after === null) {
    if (now === before) removeFile(full);
    return now === before;
  }
  return editFile(full, (current) => (textOf(current) === before ? encodeBytes(after) : undefined));
}

/**
 * The pages as they were when they were first read. Each page is read only once. Later, its text here can be compared
 * with the page on disk.
 */
export class PageSnapshot {
  private readonly pages = new Cache<string, { readonly text: string; readonly hash: string } | null>();

  constructor(readonly root: string) {}

  /**
   * The page as it was at the first call, with the hash of its bytes. Null if there was no such page.
   * @throws MemoryError `refused` for a path that leads out of the workspace
   */
  disk(path: string) {
    return this.pages.of(path, () => {
      const version = readVersion(resolveContainedPath(this.root, path));
      return version === undefined ? null : { text: decodeBytes(version.bytes), hash: version.hash };
    });
  }

  isUnchanged(path: string): boolean {
    return readVersion(resolveContainedPath(this.root, path))?.hash === this.disk(path)?.hash;
  }
}

function textOf(bytes: Buffer | undefined): string | null {
  return bytes === undefined ? null : decodeBytes(bytes);
}

/** The text of a page, null if there is none. Bytes that are not UTF-8 are kept. */
export function readPageText(root: string, path: string): string | null {
  return textOf(readVersion(resolveContainedPath(root, path))?.bytes);
}

/**
 * Edits a page as text. The new file replaces the old one only if nobody changed it meanwhile; otherwise it is edited again.
 * Bytes that are not UTF-8 are kept.
 * @param path relative to `root`
 * @param edit gets null if there is no such page. Its result is written if it differs and is not null
 * @param dryRun only computes the change
 * @param hint shown if another program keeps changing the page
 * @throws MemoryError `refused` for a page that would be too large to be read
 */
export function editPage(
  root: string,
  path: string,
  edit: (before: string | null) => string | null,
  dryRun = false,
  hint?: string,
) {
  const full = resolveContainedPath(root, path);
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
