import { constants, copyFileSync, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

/** Maximum number of attempts to copy, if the files keep changing meanwhile. */
const TRIES = 5;

/**
 * Copies files to a temporary folder. Another process may be writing them: if one changes meanwhile, all are copied again,
 * so that the copies fit together. After the last attempt the copies are returned even if a file changed again.
 * @returns the path of the first copy, and a function that removes all copies
 */
export function copyToTemporaryFolder(paths: readonly [string, ...string[]]) {
  const folder = mkdtempSync(join(tmpdir(), 'openclaw-memory-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    for (let round = 0; round < TRIES; round++) {
      const before = paths.map(stamp);
      for (const path of paths) {
        const copy = join(folder, basename(path));
        rmSync(copy, { force: true });
        // If the file system supports it, the copy shares its data with the file, which is fast.
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
