import { randomBytes } from 'node:crypto';
import type { Day } from '../base/clock.js';
import * as forgotten from '../memory/forgotten.js';
import { editPage, type FileChange } from '../workspace/changes.js';
import { resolveContainedPath } from '../workspace/contained.js';
import { readVersion } from '../workspace/files.js';

/** A new random nonce for one act of forgetting. */
export function newNonce(): string {
  return randomBytes(4).toString('hex');
}

/**
 * Adds a tombstone for each statement, all with one nonce. Creates the secret key of the hashes if there is none. The caller
 * holds the lock.
 */
export function writeTombstones(
  root: string,
  statements: readonly forgotten.Forgettable[],
  day: Day,
  nonce: string,
): readonly FileChange[] {
  const [known] = forgotten.readSaltKeys(
    readVersion(resolveContainedPath(root, forgotten.SALT_FILE_PATH))?.bytes.toString('utf8') ?? '',
  );
  const key = known ?? randomBytes(32).toString('hex');
  const addKey = (text: string | null): string => `${text ?? ''}${!text || text.endsWith('\n') ? '' : '\n'}${key}\n`;
  const made = known === undefined ? [editPage(root, forgotten.SALT_FILE_PATH, addKey)] : [];
  const hashes = new Set(statements.flatMap((statement) => forgotten.tombstoneHashes(key, statement)));
  const lines = [...hashes].map((hash) => forgotten.formatForgottenLine({ hash, nonce }, day));
  return [...made, addLines(root, () => lines)];
}

/** Revokes tombstones by their nonces. A killed `forget --undo` may have revoked them already. */
export function revokeTombstones(root: string, nonces: readonly string[], day: Day, dryRun = false): FileChange {
  return addLines(root, (page) => nonces.flatMap((nonce) => forgotten.restoredLine(page, nonce, day)), dryRun);
}

function addLines(root: string, linesFor: (page: string) => readonly string[], dryRun = false): FileChange {
  const add = (page: string | null): string => {
    const head = page || forgotten.FORGOTTEN_PAGE_HEAD;
    const lines = linesFor(head).map((line) => `${line}\n`);
    return lines.length === 0 ? head : `${head}${head.endsWith('\n') ? '' : '\n'}${lines.join('')}`;
  };
  return editPage(root, forgotten.FORGOTTEN_PAGE_PATH, add, dryRun);
}

/** The kind of the runs of forget in the store. The name of a run is the nonce of its tombstone. */
export const FORGET = 'forget';

/** What is stored for the undo of an act of forgetting: the texts that it removed. They are not in git. */
export interface UndoCopy {
  readonly day: Day;
  readonly id: string;
  readonly removed: readonly { readonly path: string; readonly text: string }[];
}

/**
 * The comment that replaces a forgotten statement. It contains the nonce of the tombstone, so that `forget --undo` finds
 * the place again.
 */
export function forgottenComment(day: Day, nonce: string): string {
  return `<!-- forgotten ${day} n-${nonce} -->`;
}
