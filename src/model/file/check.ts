import { createHash } from 'node:crypto';
import { closeSync, readSync, realpathSync, type Stats, statSync } from 'node:fs';
import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { type Failure, fail, toFailure } from '../../base/failure.js';
import { err, ok, type Result, tryWithFallback } from '../../base/result.js';
import { openToRead } from '../../workspace/files.js';
import { isOnNetwork } from '../../workspace/state-folder.js';
import {
  type AllowedModelFile,
  commandToAllowModel,
  findAllowedModel,
  isLocalPath,
  recordAllowedModel,
} from './allowed-models.js';
import { readModelFileHeader } from './gguf-header.js';

/**
 * Reads the description and the digest of a model file that a person has named. Reads the whole file.
 * @throws MemoryError `refused` if it is no embedding model, `interrupted`, and errors of the system
 */
export async function examineModelFile(path: string, signal?: AbortSignal): Promise<AllowedModelFile> {
  const stat = regularFile(path);
  const real = realpathSync(path);
  const facts = readModelFileHeader(real);
  const digest = await digestOf(real, signal);
  return { ...facts, path: real, digest, ...placeOf(stat), digestNow: digest };
}

/**
 * Checks whether a model file may be opened: it must be allowed and unchanged. A file that was never allowed is not opened.
 * A file with a new time stamp or inode is hashed again. Failures: `model_unavailable`, `interrupted`.
 */
export async function checkModelFileAllowed(
  configFolder: string,
  path: string,
  signal?: AbortSignal,
): Promise<Result<AllowedModelFile>> {
  try {
    const stat = regularFile(path);
    const known = findAllowedModel(configFolder, path);
    if (known === undefined) return err(notAllowed(path, `you have not allowed ${path} to be opened`));
    const now = await lookAgain(configFolder, known, stat, signal);
    return now.digestNow === now.digest ? ok(now) : err(notAllowed(path, `${path} has changed since you allowed it`));
  } catch (error) {
    const failure = toFailure(error);
    return err(failure.type === 'interrupted' ? failure : { ...failure, type: 'model_unavailable' });
  }
}

async function lookAgain(
  configFolder: string,
  known: AllowedModelFile,
  stat: Stats,
  signal: AbortSignal | undefined,
): Promise<AllowedModelFile> {
  const { size, mtimeMs, ino } = placeOf(stat);
  if (size !== known.size) return { ...known, digestNow: '' };
  if (mtimeMs === known.mtimeMs && ino === known.ino) return known;
  const now = { ...known, mtimeMs, ino, digestNow: await digestOf(known.path, signal) };
  // If this fails, the only effect is that the file is hashed again next time.
  tryWithFallback(() => recordAllowedModel(configFolder, now), undefined);
  return now;
}

/**
 * Size, times and inode of a regular local file.
 * @throws MemoryError `refused` for paths of other machines, folders, pipes and devices
 */
function regularFile(path: string): Stats {
  const hint = 'write the full path, or one from your home folder: file:~/…';
  if (!isLocalPath(path)) fail('refused', `file:${path} is not a full path`, hint);
  const stat = statSync(path);
  if (!stat.isFile()) fail('refused', `${path} is not a regular file`, 'use a real file, not a pipe, device or folder');
  if (isOnNetwork(path)) fail('refused', `${path} is on another machine`, 'copy it to this machine');
  return stat;
}

/** SHA-256 of a file. Can be interrupted, because the file may be large. */
async function digestOf(path: string, signal: AbortSignal | undefined): Promise<string> {
  const hash = createHash('sha256');
  const file = openToRead(path);
  const bytes = Buffer.allocUnsafe(4 * 1024 * 1024);
  try {
    for (let read = readSync(file, bytes); read > 0; read = readSync(file, bytes)) {
      hash.update(bytes.subarray(0, read));
      await yieldToOthers();
      if (signal?.aborted) fail('interrupted', `reading ${path} was interrupted`, 'run the command again');
    }
  } finally {
    closeSync(file);
  }
  return hash.digest('hex');
}

function placeOf({ size, mtimeMs, ino }: Stats) {
  return { size, mtimeMs, ino };
}

function notAllowed(path: string, message: string): Failure {
  return { type: 'model_unavailable', message, hint: `if you trust this file: ${commandToAllowModel(path)}` };
}
