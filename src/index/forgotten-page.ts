import { FORGOTTEN_PAGE, Forgotten, readKeys, readTombstones, SALT_FILE } from '../memory/forgotten.js';
import { readTextIfThere } from '../workspace/files.js';

/** The tombstones of the workspace, read from their page and keys. */
export function readForgotten(root: string): Forgotten {
  const page = readTextIfThere(`${root}/${FORGOTTEN_PAGE}`) ?? '';
  if (page === '') return Forgotten.NOTHING;
  return new Forgotten(readTombstones(page), readKeys(readTextIfThere(`${root}/${SALT_FILE}`) ?? ''));
}
