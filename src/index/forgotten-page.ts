import { readFileSync } from 'node:fs';
import { systemCode } from '../base/failure.js';
import { FORGOTTEN_PAGE, Forgotten, readKeys, readTombstones, SALT_FILE } from '../memory/forgotten.js';

/** What the workspace has forgotten, read from its page and keys. */
export function readForgotten(root: string): Forgotten {
  const page = readIfThere(`${root}/${FORGOTTEN_PAGE}`);
  if (page === '') return Forgotten.NOTHING;
  return new Forgotten(readTombstones(page), readKeys(readIfThere(`${root}/${SALT_FILE}`)));
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR') return '';
    throw error;
  }
}
