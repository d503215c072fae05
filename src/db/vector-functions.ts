import { createRequire } from 'node:module';
import type { Failure } from '../base/failure.js';
import type { Database } from './open.js';

/**
 * Adds the functions of sqlite-vec to an open database. sqlite-vec is not in our bundle, because its compiled part is a
 * separate file for each platform, and some platforms have none.
 * @returns the reason if the functions could not be added, otherwise undefined
 */
export function addVectorFunctions(db: Database): Failure | undefined {
  try {
    const { getLoadablePath }: typeof import('sqlite-vec') = createRequire(import.meta.url)('sqlite-vec');
    db.loadExtension(getLoadablePath());
    return undefined;
  } catch {
    return {
      type: 'model_unavailable',
      message: `vector search does not work on ${process.platform}-${process.arch}: sqlite-vec could not be loaded`,
      hint: 'install the package again with its optional dependencies; recall by words works without them',
    };
  }
}

/** Converts a vector to the format that sqlite-vec reads: float32, little-endian. */
export function vectorToBlob(vector: Float32Array): Buffer {
  return Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength);
}
