import { FORGOTTEN_PAGE, Forgotten, readKeys, readTombstones, SALT_FILE } from '../memory/forgotten.js';
import { readTextIfThere } from '../workspace/files.js';

/** Reads the tombstones of the workspace from their page, and the keys that their hashes need. */
export function readForgotten(root: string): Forgotten {
  const page = readTextIfThere(`${root}/${FORGOTTEN_PAGE}`) ?? '';
  if (page === '') return Forgotten.NOTHING;
  return new Forgotten(readTombstones(page), readKeys(readTextIfThere(`${root}/${SALT_FILE}`) ?? ''));
}
