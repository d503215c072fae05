import { existsSync, renameSync, rmSync } from 'node:fs';

/** Removes a database with everything that SQLite keeps beside it. */
export function removeDatabase(path: string): void {
  rmSync(path, { force: true });
  removeLogs(path);
}

/**
 * Moves a database, without its logs: left behind they would bring old rows into whatever is put in its place. They go
 * after it, so that nobody opens a database whose log is gone.
 */
export function moveDatabase(path: string, target: string): void {
  if (existsSync(path)) renameSync(path, target);
  removeLogs(path);
}

/** Puts a database that nobody has open in the place of another one, which whoever has it open goes on reading. */
export function replaceDatabase(path: string, next: string): void {
  removeDatabase(path);
  renameSync(next, path);
}

function removeLogs(path: string): void {
  for (const suffix of ['-wal', '-shm', '-journal']) rmSync(path + suffix, { force: true });
}
