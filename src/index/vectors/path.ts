import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileOfError } from '../../db/open.js';

const VECTORS = 'vectors.sqlite';

export function vectorsPath(stateFolder: string): string {
  return join(stateFolder, VECTORS);
}

/** Whether an error comes from the vectors, not from the index. */
export function isVectorError(error: unknown): boolean {
  return fileOfError(error)?.path.endsWith(VECTORS) ?? false;
}

/**
 * Whether there may be vectors. Only checks whether the file exists, so that it can be called before other code is loaded.
 */
export function hasVectors(stateFolder: string): boolean {
  return existsSync(vectorsPath(stateFolder));
}
