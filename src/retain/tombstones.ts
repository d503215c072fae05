import { randomBytes } from 'node:crypto';
import type { Day } from '../base/clock.js';
import {
  FORGOTTEN_HEAD,
  FORGOTTEN_PAGE,
  type Forgettable,
  forgottenLine,
  readKeys,
  restoredLine,
  SALT_FILE,
  tombstoneHash,
} from '../memory/forgotten.js';
import { editPage, type FileChange } from '../workspace/changes.js';
import { containedPath } from '../workspace/contained.js';
import { readVersion } from '../workspace/files.js';

/** A name for one act of forgetting. */
export function newNonce(): string {
  return randomBytes(4).toString('hex');
}

/**
 * Adds a tombstone for each statement, all under one name. The key is made when there is none. Holds no lock: its
 * caller does.
 */
export function bury(root: string, statements: readonly Forgettable[], day: Day, nonce: string): readonly FileChange[] {
  const changes: FileChange[] = [];
  const salt = containedPath(root, SALT_FILE);
  let key = readKeys(readVersion(salt)?.bytes.toString('utf8') ?? '')[0];
  if (key === undefined) {
    const made = randomBytes(32).toString('hex');
    key = made;
    changes.push(edit(root, SALT_FILE, (text) => `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${made}\n`));
  }
  const used = key;
  const hashes = new Set(statements.map((statement) => tombstoneHash(used, statement)));
  const lines = [...hashes].map((hash) => forgottenLine({ hash, nonce }, day));
  changes.push(addLines(root, lines));
  return changes;
}

/** Takes tombstones back, by their names. */
export function takeBack(root: string, nonces: readonly string[], day: Day): FileChange {
  return addLines(
    root,
    nonces.map((nonce) => restoredLine(nonce, day)),
  );
}

function addLines(root: string, lines: readonly string[]): FileChange {
  return edit(root, FORGOTTEN_PAGE, (text) => {
    const head = text === '' ? FORGOTTEN_HEAD : text;
    return `${head}${head.endsWith('\n') ? '' : '\n'}${lines.join('\n')}\n`;
  });
}

function edit(root: string, path: string, change: (text: string) => string): FileChange {
  return editPage(root, path, (before) => change(before ?? ''));
}
