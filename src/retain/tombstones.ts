import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Day } from '../base/clock.js';
import { isRecord, parseJson } from '../base/json.js';
import { compareText } from '../base/order.js';
import * as forgotten from '../memory/forgotten.js';
import { editPage, type FileChange } from '../workspace/changes.js';
import { resolveContainedPath } from '../workspace/contained.js';
import { namesIn, readVersion, replaceFile } from '../workspace/files.js';

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
  const addKey = (text: string): string => `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${key}\n`;
  const made = known === undefined ? [edit(root, forgotten.SALT_FILE_PATH, addKey)] : [];
  const hashes = new Set(statements.flatMap((statement) => forgotten.tombstoneHashes(key, statement)));
  const lines = [...hashes].map((hash) => forgotten.formatForgottenLine({ hash, nonce }, day));
  return [...made, addLines(root, lines)];
}

/** Revokes tombstones by their nonces. */
export function revokeTombstones(root: string, nonces: readonly string[], day: Day): FileChange {
  return addLines(
    root,
    nonces.map((nonce) => forgotten.formatRestoredLine(nonce, day)),
  );
}

function addLines(root: string, lines: readonly string[]): FileChange {
  return edit(root, forgotten.FORGOTTEN_PAGE_PATH, (text) => {
    const head = text === '' ? forgotten.FORGOTTEN_PAGE_HEAD : text;
    return `${head}${head.endsWith('\n') ? '' : '\n'}${lines.join('\n')}\n`;
  });
}

function edit(root: string, path: string, change: (text: string) => string): FileChange {
  return editPage(root, path, (before) => change(before ?? ''));
}

/** Local copy of forgotten texts, kept outside of git for `--undo`. */
export interface UndoCopy {
  readonly nonce: string;
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

export function saveUndoCopy(stateFolder: string, copy: UndoCopy): void {
  replaceFile(join(stateFolder, 'forgotten', `${copy.nonce}.json`), undefined, `${JSON.stringify(copy)}\n`);
}

/** All undo copies, newest first. */
export function readUndoCopies(stateFolder: string): readonly UndoCopy[] {
  const copies: UndoCopy[] = [];
  for (const name of namesIn(join(stateFolder, 'forgotten'))) {
    if (!/^[0-9a-f]{8}\.json$/.test(name)) continue;
    const copy = parseJson(readVersion(join(stateFolder, 'forgotten', name))?.bytes.toString('utf8') ?? '');
    if (isUndoCopy(copy)) copies.push(copy);
  }
  return copies.sort((a, b) => compareText(b.day, a.day));
}

function isUndoCopy(value: unknown): value is UndoCopy {
  if (!isRecord(value)) return false;
  const { nonce, day, id, removed } = value;
  return typeof nonce === 'string' && typeof day === 'string' && typeof id === 'string' && Array.isArray(removed);
}
