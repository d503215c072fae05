import { closeSync, openSync, readSync, statSync } from 'node:fs';

/** Whether a file is a SQLite database, by its first bytes. */
export function isDatabaseFile(path: string): boolean {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return false;
  const file = openSync(path, 'r');
  try {
    const head = Buffer.alloc(16);
    readSync(file, head, 0, 16, 0);
    return head.toString('latin1') === 'SQLite format 3\0';
  } finally {
    closeSync(file);
  }
}
