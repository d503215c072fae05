import {
  FORGOTTEN_PAGE_PATH,
  ForgottenStatements,
  readSaltKeys,
  readTombstones,
  SALT_FILE_PATH,
} from '../memory/forgotten.js';
import { readTextIfThere } from '../workspace/files.js';

/** Reads the tombstones of the workspace from their page, and the keys that their hashes need. */
export function readForgotten(root: string): ForgottenStatements {
  const page = readTextIfThere(`${root}/${FORGOTTEN_PAGE_PATH}`) ?? '';
  if (page === '') return ForgottenStatements.NOTHING;
  return new ForgottenStatements(
    readTombstones(page),
    readSaltKeys(readTextIfThere(`${root}/${SALT_FILE_PATH}`) ?? ''),
  );
}
