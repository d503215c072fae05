import { createRequire } from 'node:module';
import type { Failure } from '../base/failure.js';
import type { Database } from './database.js';

/**
 * Adds sqlite-vec's functions to an open database. It is no part of our bundle, for its compiled half is a file of its
 * own for each platform, and some platforms have none.
 * @returns why it can't be done here, or undefined when it was
 */
export function addVectorFunctions(db: Database): Failure | undefined {
  try {
    const { getLoadablePath }: typeof import('sqlite-vec') = createRequire(import.meta.url)('sqlite-vec');
    db.loadExtension(getLoadablePath());
    return undefined;
  } catch {
    return {
      type: 'model_unavailable',
      message: `there is no vector search for ${process.platform}-${process.arch}: sqlite-vec could not be loaded`,
      hint: 'install the package again with its optional dependencies; recall by words works without',
    };
  }
}

/** As sqlite-vec reads it: float32, little-endian. */
export function toBlob(vector: Float32Array): Buffer {
  return Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength);
}
