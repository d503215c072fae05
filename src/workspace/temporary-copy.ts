import { constants, copyFileSync, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

/** How often a copy is made anew because the files changed meanwhile. */
const TRIES = 5;

/**
 * Copies files that somebody else may be writing to a folder of their own, all as they were at one moment as far as can be
 * told.
 * @returns the copy of the first of them, and what removes all
 */
export function copyToTemporary(paths: readonly [string, ...string[]]) {
  const folder = mkdtempSync(join(tmpdir(), 'openclaw-memory-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    for (let round = 0; round < TRIES; round++) {
      const before = paths.map(stamp);
      for (const path of paths) {
        const copy = join(folder, basename(path));
        rmSync(copy, { force: true });
        // Where the file system can, a copy shares its blocks with the file.
        if (existsSync(path)) copyFileSync(path, copy, constants.COPYFILE_FICLONE);
      }
      if (paths.every((path, index) => stamp(path) === before[index])) break;
    }
  } catch (error) {
    remove();
    throw error;
  }
  return { path: join(folder, basename(paths[0])), remove };
}

function stamp(path: string): string {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stat === undefined ? '' : `${stat.size} ${stat.mtimeNs}`;
}
