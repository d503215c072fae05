import { existsSync, renameSync, rmSync } from 'node:fs';

/** Removes a database with everything that SQLite keeps beside it. */
export function removeDatabase(path: string): void {
  removeLogs(path);
  rmSync(path, { force: true });
}

/**
 * Moves a database, without its logs: they go first, for left behind they would bring old rows into whatever is put in
 * its place.
 */
export function moveDatabase(path: string, target: string): void {
  removeLogs(path);
  if (existsSync(path)) renameSync(path, target);
}

function removeLogs(path: string): void {
  for (const suffix of ['-wal', '-shm', '-journal']) rmSync(path + suffix, { force: true });
}
