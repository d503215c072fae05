import { existsSync } from 'node:fs';
import { join } from 'node:path';

export function vectorsPath(stateFolder: string): string {
  return join(stateFolder, 'vectors.sqlite');
}

/** Whether there may be vectors: cheap enough to ask before anything else is loaded. */
export function hasVectors(stateFolder: string): boolean {
  return existsSync(vectorsPath(stateFolder));
}
