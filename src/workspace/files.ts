import { createHash } from 'node:crypto';
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fail, systemCode, withPath } from '../base/failure.js';

/** A file's bytes as they were read, and the hash by which a later change is noticed. */
export interface FileVersion {
  readonly bytes: Buffer;
  readonly hash: string;
}

export function contentHash(bytes: Buffer | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Reads a file, or undefined when there is none. */
export function readVersion(path: string): FileVersion | undefined {
  try {
    const bytes = readFileSync(path);
    return { bytes, hash: contentHash(bytes) };
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw withPath(error, path);
  }
}

/**
 * Replaces a file by compare-and-rename: temporary file beside it, flushed, renamed over it after checking that it is
 * still what was read (`expected`; undefined means that it must not exist). Returns false, and leaves no trace, when
 * somebody changed it meanwhile. The mode of an existing file is kept.
 * @param newMode of a file that is not there yet
 */
export function replaceFile(
  path: string,
  expected: FileVersion | undefined,
  content: string | Buffer,
  newMode = 0o644,
): boolean {
  mkdirSync(dirname(path), { recursive: true });
  const mode = statSync(path, { throwIfNoEntry: false })?.mode;
  const temporary = join(dirname(path), `.${basename(path).slice(0, 80)}.${process.pid}.tmp`);
  try {
    writeFlushed(temporary, content, mode === undefined ? newMode : mode & 0o777);
    if (readVersion(path)?.hash !== expected?.hash) return false;
    renameSync(temporary, path);
    flushFolder(dirname(path));
    return true;
  } finally {
    rmSync(temporary, { force: true });
  }
}

/**
 * Applies `edit` to a file until nobody has changed it between reading and renaming. `edit` returns the new content, or
 * undefined to leave the file alone.
 * @returns whether the file was written.
 * @throws MemoryError `conflict` when another program keeps changing the file.
 */
export function editFile(path: string, edit: (current: Buffer | undefined) => string | Buffer | undefined): boolean {
  for (let attempt = 0; attempt < 20; attempt++) {
    const version = readVersion(path);
    const content = edit(version?.bytes);
    if (content === undefined) return false;
    if (replaceFile(path, version, content)) return true;
  }
  return fail('conflict', `${path} is being changed by another program`, 'try again when it is done');
}

/**
 * Appends with one `O_APPEND` write and flushes it: other appenders' bytes are never overwritten, and a crash leaves
 * either all of it or nothing. What is cut short (full disk) or could not be flushed is taken back before the error is
 * thrown.
 * @returns false when the file is not `expected` any more; nothing is written then.
 */
export function appendToFile(path: string, expected: FileVersion, text: string): boolean {
  const file = openSync(path, constants.O_WRONLY | constants.O_APPEND);
  try {
    const before = fstatSync(file).size;
    if (before !== expected.bytes.length || readVersion(path)?.hash !== expected.hash) return false;
    const bytes = Buffer.from(text);
    let written = 0;
    let isDurable = false;
    try {
      written = writeSync(file, bytes);
      if (written === bytes.length) {
        fsyncSync(file);
        isDurable = true;
      }
    } finally {
      if (written > 0 && !isDurable) ftruncateSync(file, before);
    }
    if (written < bytes.length)
      fail(
        'disk_full',
        `${path} could not be written: the disk is full`,
        'free some space and try again; nothing was half-written',
      );
    return true;
  } finally {
    closeSync(file);
  }
}

/**
 * Appends with one write and flushes it, when the file has `expectedBytes` (0: also when there is none). What is in the
 * file is not read, so that the cost is that of the text alone; the caller holds a lock that all writers of it take.
 * @returns false when the file has another size; nothing is written then.
 */
export function appendAtSize(path: string, expectedBytes: number, text: string): boolean {
  if (expectedBytes === 0) mkdirSync(dirname(path), { recursive: true });
  const file = openSync(path, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT, 0o644);
  try {
    if (fstatSync(file).size !== expectedBytes) return false;
    const bytes = Buffer.from(text);
    let isDurable = false;
    try {
      for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written);
      fsyncSync(file);
      isDurable = true;
    } finally {
      if (!isDurable) ftruncateSync(file, expectedBytes);
    }
  } finally {
    closeSync(file);
  }
  if (expectedBytes === 0) flushFolder(dirname(path));
  return true;
}

/** Cuts a file off behind its first `bytes`. */
export function cutFile(path: string, bytes: number): void {
  const file = openSync(path, 'r+');
  try {
    ftruncateSync(file, bytes);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/**
 * Makes a folder with its files at once: it is there complete, or not at all.
 * @param files content by name
 * @throws the file system's error when the folder exists and is not empty
 */
export function createFolder(path: string, files: Readonly<Record<string, string | Buffer>>): void {
  const temporary = join(dirname(path), `.${basename(path)}.tmp`);
  rmSync(temporary, { recursive: true, force: true });
  mkdirSync(temporary, { recursive: true });
  try {
    for (const [name, content] of Object.entries(files)) writeFlushed(join(temporary, name), content, 0o644);
    flushFolder(temporary);
    renameSync(temporary, path);
    flushFolder(dirname(path));
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

/** Makes a folder with its parents. Node's own way never ends where a folder takes none, as in `/proc`. */
export function makeFolder(path: string): void {
  if (existsSync(path) || dirname(path) === path) return;
  makeFolder(dirname(path));
  try {
    mkdirSync(path);
  } catch (error) {
    // Somebody else was faster.
    if (systemCode(error) !== 'EEXIST') throw error;
  }
}

/** Removes a file; one that is gone already is fine. */
export function removeFile(path: string): void {
  rmSync(path, { force: true });
}

/** Removes a folder with all that is in it; one that is gone already is fine. */
export function removeFolder(path: string): void {
  rmSync(path, { recursive: true, force: true });
}

/** Opens a file to append a process's output to, and makes its folder. @returns the file's descriptor */
export function openLogFile(path: string): number {
  mkdirSync(dirname(path), { recursive: true });
  return openSync(path, 'a', 0o600);
}

function writeFlushed(path: string, content: string | Buffer, mode: number): void {
  const file = openSync(path, 'w', mode);
  try {
    const bytes = typeof content === 'string' ? Buffer.from(content) : content;
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

// A rename is only durable when its folder is; Windows can't open folders.
function flushFolder(path: string): void {
  try {
    const folder = openSync(path, 'r');
    try {
      fsyncSync(folder);
    } finally {
      closeSync(folder);
    }
  } catch (error) {
    if (!['EPERM', 'EISDIR', 'EACCES', 'EINVAL'].includes(systemCode(error) ?? '')) throw error;
  }
}
