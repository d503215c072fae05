import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fail, isMissing, systemCode, withPath } from '../base/failure.js';
import { attempt } from '../base/result.js';

/** A file's bytes as they were read, and the hash by which a later change is noticed. */
export type FileVersion = { readonly bytes: Buffer; readonly hash: string };

export function contentHash(bytes: Buffer | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** What is larger is read by nobody: no page, log or transcript is. */
const LARGEST_FILE = 256 * 1024 * 1024;
/** Of what people write by hand: settings, types, tombstones. */
export const LARGEST_TEXT = 8 * 1024 * 1024;

/**
 * Opens a file to read it. Nothing but regular files: a pipe would be waited for, and a device never ends. Without
 * waiting, so that the look at what it is comes in time.
 * @throws MemoryError `refused`, and the system's errors
 */
export function openToRead(path: string): number {
  const file = openAtOnce(path, fs.constants.O_RDONLY);
  const stat = fs.fstatSync(file);
  if (stat.isFile() || stat.isDirectory()) return file;
  return withOpenFile(file, () => notRegular(path));
}

/** Works on an open file, and closes it whatever comes of that. */
export function withOpenFile<T>(file: number, work: (file: number) => T): T {
  try {
    return work(file);
  } finally {
    fs.closeSync(file);
  }
}

/** Without waiting for who is at the other end; a socket, and a pipe that nobody reads, can't be opened so. */
function openAtOnce(path: string, flags: number, mode?: number): number {
  try {
    return fs.openSync(path, flags | (fs.constants.O_NONBLOCK ?? 0), mode);
  } catch (error) {
    if (systemCode(error) === 'ENXIO') return notRegular(path);
    throw error;
  }
}

/**
 * Reads a file: the one way to do so.
 * @param atMost bytes
 * @throws MemoryError `refused` for what is no regular file or larger, and the system's errors
 */
export function readBytes(path: string, atMost = LARGEST_FILE): Buffer {
  return reading(path, (file) => {
    const { size } = fs.fstatSync(file);
    const chunks: Buffer[] = [];
    // A file may be longer than it says, as those of the kernel are, and grow meanwhile.
    for (let read = 0, room = size + 1; ; room = 64 * 1024) {
      if (size > atMost || read > atMost)
        return fail('refused', `${path} is larger than ${atMost / 1024 / 1024} MB`, 'nothing so large is read');
      const chunk = Buffer.allocUnsafe(room);
      const length = fs.readSync(file, chunk, 0, room, null);
      read += length;
      chunks.push(chunk.subarray(0, length));
      if (length < room && (length === 0 || read === size)) break;
    }
    return chunks.length === 1 ? (chunks[0] ?? Buffer.alloc(0)) : Buffer.concat(chunks);
  });
}

/** The first bytes of a file: so many, or all of a shorter one. */
export function readBeginning(path: string, bytes: number): Buffer {
  return reading(path, (file) => {
    const beginning = Buffer.allocUnsafe(bytes);
    return beginning.subarray(0, fs.readSync(file, beginning, 0, bytes, 0));
  });
}

/** What goes wrong with an open file says of which one. */
function reading<T>(path: string, work: (file: number) => T): T {
  return withOpenFile(openToRead(path), (file) => {
    try {
      return work(file);
    } catch (error) {
      throw withPath(error, path);
    }
  });
}

/** As {@link readStream}, as UTF-8; undefined when there is no such file. */
export function readTextIfThere(path: string): string | undefined {
  return ifThere(() => readBytes(path, LARGEST_TEXT).toString('utf8'), undefined);
}

/** What some work with files gives, or something else where it says that nothing is there. */
function ifThere<T, E>(work: () => T, otherwise: E): T | E {
  try {
    return work();
  } catch (error) {
    if (isMissing(error)) return otherwise;
    throw error;
  }
}

/**
 * The lines of a file that have some ASCII text, for who only shows: none where it can't be read, which who lists the files
 * says. That no file can be opened just now says nothing of this one, and is thrown.
 */
export function readLinesWith(path: string, text: string): string {
  const lines: string[] = [];
  let bytes: Buffer;
  try {
    bytes = readBytes(path);
  } catch (error) {
    if (systemCode(error) === 'EMFILE' || systemCode(error) === 'ENFILE') throw error;
    return '';
  }
  for (let at = bytes.indexOf(text); at >= 0; ) {
    const start = bytes.lastIndexOf(0x0a, at) + 1;
    const end = bytes.indexOf(0x0a, at);
    lines.push(bytes.toString('utf8', start, end < 0 ? bytes.length : end));
    at = end < 0 ? -1 : bytes.indexOf(text, end);
  }
  return lines.join('\n');
}

/** Reads a file, or undefined when there is none. */
export function readVersion(path: string, atMost?: number): FileVersion | undefined {
  const bytes = ifThere(() => readBytes(path, atMost), undefined);
  return bytes && { bytes, hash: contentHash(bytes) };
}

/** Opens a regular file to append to it. What else stands there is not waited for. */
function openToAppend(path: string, flags = 0, mode?: number): number {
  const file = openAtOnce(path, fs.constants.O_WRONLY | fs.constants.O_APPEND | flags, mode);
  return fs.fstatSync(file).isFile() ? file : withOpenFile(file, () => notRegular(path));
}

function notRegular(path: string): never {
  return fail('refused', `${path} is no regular file`, 'put a file in its place; pipes and devices are not read');
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
  fs.mkdirSync(dirname(path), { recursive: true });
  const mode = fs.statSync(path, { throwIfNoEntry: false })?.mode;
  const temporary = join(dirname(path), `.${basename(path).slice(0, 80)}.${process.pid}.tmp`);
  try {
    writeFlushed(temporary, content, mode === undefined ? newMode : mode & 0o777);
    if (readVersion(path)?.hash !== expected?.hash) return false;
    fs.renameSync(temporary, path);
    flushFolder(dirname(path));
    return true;
  } finally {
    fs.rmSync(temporary, { force: true });
  }
}

/**
 * Applies `edit` to a file until nobody has changed it between reading and renaming. `edit` returns the new content, or
 * undefined to leave the file alone.
 * @returns whether the file was written.
 * @throws MemoryError `conflict` when another program keeps changing the file.
 */
export function editFile(
  path: string,
  edit: (current: Buffer | undefined) => string | Buffer | undefined,
  hint = 'try again when it is done',
): boolean {
  for (let attempt = 0; attempt < 20; attempt++) {
    const version = readVersion(path);
    const content = edit(version?.bytes);
    if (content === undefined) return false;
    if (replaceFile(path, version, content)) return true;
  }
  return fail('conflict', `${path} is being changed by another program`, hint);
}

/** In bytes: a write that a kill ends breaks off between two of these of the file, or nowhere. */
const KERNEL_PAGE = 4_096;

/**
 * Appends with one `O_APPEND` write and flushes it: other appenders' bytes are never overwritten. What is cut short (full
 * disk) or could not be flushed is taken back before the error is thrown. What a kill could cut is written by
 * {@link replaceFile}, so that either all of it is there or nothing.
 * @returns false when the file is not `expected` any more; nothing is written then.
 */
export function appendToFile(path: string, expected: FileVersion, bytes: Buffer): boolean {
  const start = expected.bytes.length;
  if (Math.floor(start / KERNEL_PAGE) !== Math.floor((start + bytes.length - 1) / KERNEL_PAGE))
    return replaceFile(path, expected, Buffer.concat([expected.bytes, bytes]));
  return withOpenFile(openToAppend(path), (file) => {
    if (fs.fstatSync(file).size !== start || readVersion(path)?.hash !== expected.hash) return false;
    let written = 0;
    try {
      written = fs.writeSync(file, bytes);
      const hint = 'free some space and try again; nothing was half-written';
      if (written < bytes.length) fail('disk_full', `${path} could not be written: the disk is full`, hint);
      fs.fsyncSync(file);
    } catch (error) {
      if (written > 0) fs.ftruncateSync(file, start);
      throw error;
    }
    return true;
  });
}

/**
 * Appends with one write and flushes it, when the file has `expectedBytes` (0: also when there is none). What is in the
 * file is not read, so that the cost is that of the text alone; the caller holds a lock that all writers of it take.
 * @returns false when the file has another size; nothing is written then.
 */
export function appendAtSize(path: string, expectedBytes: number, text: string): boolean {
  if (expectedBytes === 0) fs.mkdirSync(dirname(path), { recursive: true });
  return withOpenFile(openToAppend(path, fs.constants.O_CREAT, 0o644), (file) => {
    if (fs.fstatSync(file).size !== expectedBytes) return false;
    try {
      writeAll(file, Buffer.from(text));
    } catch (error) {
      fs.ftruncateSync(file, expectedBytes);
      throw error;
    }
    if (expectedBytes === 0) flushFolder(dirname(path));
    return true;
  });
}

/** Writes all of it, and flushes it. */
function writeAll(file: number, bytes: Buffer): void {
  for (let written = 0; written < bytes.length; ) written += fs.writeSync(file, bytes, written);
  fs.fsyncSync(file);
}

/** Writes a note over the one before: it need neither be whole nor last. */
export function writeNote(path: string, text: string): void {
  withOpenFile(openAtOnce(path, fs.constants.O_WRONLY | fs.constants.O_CREAT, 0o644), (file) => {
    fs.ftruncateSync(file, 0);
    fs.writeSync(file, text);
  });
}

/** Cuts a file off behind its first `bytes`. */
export function truncateFile(path: string, bytes: number): void {
  withOpenFile(fs.openSync(path, 'r+'), (file) => {
    fs.ftruncateSync(file, bytes);
    fs.fsyncSync(file);
  });
}

/**
 * Makes a folder with its files at once: it is there complete, or not at all.
 * @param files content by name
 * @throws the file system's error when the folder exists and is not empty
 */
export function createFolder(path: string, files: Readonly<Record<string, string | Buffer>>): void {
  const temporary = join(dirname(path), `.${basename(path)}.tmp`);
  fs.rmSync(temporary, { recursive: true, force: true });
  fs.mkdirSync(temporary, { recursive: true });
  try {
    for (const [name, content] of Object.entries(files)) writeFlushed(join(temporary, name), content, 0o644);
    flushFolder(temporary);
    fs.renameSync(temporary, path);
    flushFolder(dirname(path));
  } finally {
    fs.rmSync(temporary, { recursive: true, force: true });
  }
}

/** Whether this user may write to what is at a path, or do something else with it. */
export function mayAccess(path: string, mode = fs.constants.W_OK): boolean {
  return attempt(() => fs.accessSync(path, mode), false) !== false;
}

/** What is in a folder; nothing where there is none. @throws what the system says of one that can't be read */
export function entriesOf(folder: string): readonly fs.Dirent[] {
  return ifThere(() => fs.readdirSync(folder, { withFileTypes: true }), []);
}

/** The names in a folder, as {@link entriesOf}. */
export function namesIn(folder: string): readonly string[] {
  return entriesOf(folder).map(({ name }) => name);
}

/** Makes a folder with its parents. Node's own way never ends where a folder takes none, as in `/proc`. */
export function makeFolder(path: string): void {
  if (fs.existsSync(path) || dirname(path) === path) return;
  makeFolder(dirname(path));
  try {
    fs.mkdirSync(path);
  } catch (error) {
    // Somebody else was faster.
    if (systemCode(error) !== 'EEXIST') throw error;
  }
}

/** Removes a file; one that is gone already is fine. */
export function removeFile(path: string): void {
  fs.rmSync(path, { force: true });
}

/** Removes a folder and those above it up to another, as far as nothing is in them. */
export function removeEmptyFolders(path: string, top: string): void {
  // Unless something is in it, or it is gone.
  const isRemoved = attempt(() => fs.rmdirSync(path), false) !== false;
  if (isRemoved && path !== top && path.startsWith(top)) removeEmptyFolders(dirname(path), top);
}

/** Removes a folder with all that is in it; one that is gone already is fine. */
export function removeFolder(path: string): void {
  fs.rmSync(path, { recursive: true, force: true });
}

/** Puts a folder in the place of another, which goes with all that is in it. */
export function replaceFolder(from: string, path: string): void {
  removeFolder(path);
  fs.renameSync(from, path);
}

/** Copies a folder; what is neither folder nor regular file stays behind. */
export function copyFolder(from: string, to: string): void {
  const isPlain = (path: string): boolean => {
    const stat = fs.lstatSync(path);
    return stat.isFile() || stat.isDirectory();
  };
  fs.cpSync(from, to, { recursive: true, filter: isPlain });
}

/** Opens a file to append a process's output to, and makes its folder. @returns the file's descriptor */
export function openLogFile(path: string): number {
  fs.mkdirSync(dirname(path), { recursive: true });
  return openToAppend(path, fs.constants.O_CREAT, 0o600);
}

function writeFlushed(path: string, content: string | Buffer, mode: number): void {
  // Nobody else's: what a killed process has left under the name goes, and a link or pipe that was put there, too.
  fs.rmSync(path, { force: true });
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  withOpenFile(fs.openSync(path, 'wx', mode), (file) => writeAll(file, bytes));
}

// A rename is only durable when its folder is; Windows can't open folders.
function flushFolder(path: string): void {
  try {
    withOpenFile(fs.openSync(path, 'r'), fs.fsyncSync);
  } catch (error) {
    if (!['EPERM', 'EISDIR', 'EACCES', 'EINVAL'].includes(systemCode(error) ?? '')) throw error;
  }
}
