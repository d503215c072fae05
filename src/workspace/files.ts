import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import { constants, copyFileSync, existsSync, lstatSync, mkdtempSync, realpathSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { addPathToError, fail, isMissingPathError, systemErrorCode, tryWithFallback } from '../base/failure.js';

/** The bytes of a file as they were read. Their hash shows whether the file has changed since. */
export type FileVersion = { readonly bytes: Buffer; readonly hash: string };

export function contentHash(bytes: Buffer | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Maximum size in bytes of a file that is read. It is larger than any page, log or transcript. */
const LARGEST_FILE = 256 * 1024 * 1024;
/** Maximum size in bytes of files that people write by hand: settings, types, tombstones. */
export const MAX_TEXT_FILE_BYTES = 8 * 1024 * 1024;

/**
 * Opens a regular file or a folder to read it. Other files are refused: a pipe would make us wait, and a device never ends.
 * The file is opened without waiting, so that its type can be checked first.
 * @throws MemoryError `refused`, and the system's errors
 */
export function openToRead(path: string): number {
  const file = openAtOnce(path, fs.constants.O_RDONLY);
  const stat = fs.fstatSync(file);
  if (stat.isFile() || stat.isDirectory()) return file;
  return withOpenFile(file, () => notRegular(path));
}

/** Calls a function with an open file, and closes the file even if the function fails. */
export function withOpenFile<T>(file: number, work: (file: number) => T): T {
  try {
    return work(file);
  } finally {
    fs.closeSync(file);
  }
}

/**
 * Opens a file without waiting. A pipe would otherwise wait for the program at its other end. A socket, and a pipe that
 * nobody reads, can't be opened in this way.
 */
function openAtOnce(path: string, flags: number, mode?: number): number {
  try {
    return fs.openSync(path, flags | (fs.constants.O_NONBLOCK ?? 0), mode);
  } catch (error) {
    if (systemErrorCode(error) === 'ENXIO') return notRegular(path);
    throw error;
  }
}

/**
 * Reads a file. All code reads files through this function.
 * @param atMost maximum size in bytes
 * @throws MemoryError `refused` for a file that is larger or not regular, and the system's errors
 */
export function readBytes(path: string, atMost = LARGEST_FILE): Buffer {
  return reading(path, (file) => {
    const { size } = fs.fstatSync(file);
    const chunks: Buffer[] = [];
    // A file may be longer than its reported size, because it grows meanwhile, or because the kernel reports 0 (as in
    // `/proc`).
    for (let read = 0, room = size + 1; ; room = 64 * 1024) {
      if (size > atMost || read > atMost)
        return fail(
          'refused',
          `${path} is larger than ${atMost / 1024 / 1024} MB`,
          'split the file, or use a smaller one',
        );
      const chunk = Buffer.allocUnsafe(room);
      const length = fs.readSync(file, chunk, 0, room, null);
      read += length;
      chunks.push(chunk.subarray(0, length));
      if (length < room && (length === 0 || read === size)) break;
    }
    return chunks.length === 1 ? (chunks[0] ?? Buffer.alloc(0)) : Buffer.concat(chunks);
  });
}

/** Reads the first bytes of a file. Returns fewer if the file is shorter. */
export function readBeginning(path: string, bytes: number): Buffer {
  return reading(path, (file) => {
    const beginning = Buffer.allocUnsafe(bytes);
    return beginning.subarray(0, fs.readSync(file, beginning, 0, bytes, 0));
  });
}

/**
 * Opens a file, and calls a function that reads it. If the function throws a system error, adds the path of the file to it.
 */
function reading<T>(path: string, work: (file: number) => T): T {
  return withOpenFile(openToRead(path), (file) => {
    try {
      return work(file);
    } catch (error) {
      throw addPathToError(error, path);
    }
  });
}

/**
 * Like {@link readBytes}, but returns UTF-8 text, at most {@link MAX_TEXT_FILE_BYTES} bytes. Undefined if there is no such file.
 */
export function readTextIfThere(path: string): string | undefined {
  return ifThere(() => readBytes(path, MAX_TEXT_FILE_BYTES).toString('utf8'), undefined);
}

/** Returns the result of a function that reads files, or another value if the file does not exist. */
function ifThere<T, E>(work: () => T, otherwise: E): T | E {
  try {
    return work();
  } catch (error) {
    if (isMissingPathError(error)) return otherwise;
    throw error;
  }
}

/**
 * Returns the lines of a file that contain an ASCII text, to show them to the user. Empty if the file can't be read.
 * The user sees that in the list of files, so no error is needed here. Throws if too many files are open, because then
 * the file itself may be readable.
 */
export function findLinesWithText(path: string, text: string): string {
  const lines: string[] = [];
  let bytes: Buffer;
  try {
    bytes = readBytes(path);
  } catch (error) {
    if (systemErrorCode(error) === 'EMFILE' || systemErrorCode(error) === 'ENFILE') throw error;
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

/** Reads a file with its hash. Undefined if there is none. */
export function readVersion(path: string, atMost?: number): FileVersion | undefined {
  const bytes = ifThere(() => readBytes(path, atMost), undefined);
  return bytes && { bytes, hash: contentHash(bytes) };
}

/** Opens a regular file to append to it. Never waits for a pipe or device. */
function openToAppend(path: string, flags = 0, mode?: number): number {
  const file = openAtOnce(path, fs.constants.O_WRONLY | fs.constants.O_APPEND | flags, mode);
  return fs.fstatSync(file).isFile() ? file : withOpenFile(file, () => notRegular(path));
}

function notRegular(path: string): never {
  return fail('refused', `${path} is not a regular file`, 'use a real file; pipes and devices are not read');
}

/**
 * Replaces a file, but only if nobody has changed it. First writes a temporary file beside it, and flushes that to the
 * disk. Then checks that the old file still has the content that was read (`expected`; undefined means that it must not
 * exist). Finally renames the temporary file. If the old file has changed, returns false and removes the temporary file. An
 * existing file keeps its permissions.
 * @param newMode permissions of a new file
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
 * Edits a file. If another program changes it between reading and renaming, `edit` is called again with the new content.
 * `edit` returns the new content, or undefined to leave the file unchanged.
 * @returns whether the file was written.
 * @throws MemoryError `conflict` when another program keeps changing the file.
 */
export function editFile(
  path: string,
  edit: (current: Buffer | undefined) => string | Buffer | undefined,
  hint = 'try again when that program is done',
): boolean {
  for (let attempt = 0; attempt < 20; attempt++) {
    const version = readVersion(path);
    const content = edit(version?.bytes);
    if (content === undefined) return false;
    if (replaceFile(path, version, content)) return true;
  }
  return fail('conflict', `${path} is being changed by another program`, hint);
}

/**
 * Size of a memory page of the kernel, in bytes. If a process is killed, its write can be cut only at a multiple of this
 * number in the file.
 */
const KERNEL_PAGE = 4_096;

/**
 * Appends bytes with a single `O_APPEND` write, and flushes the file. So it never overwrites what other processes append. If
 * the write is cut short (full disk) or can't be flushed, it is undone before the error is thrown. If the bytes cross a
 * multiple of {@link KERNEL_PAGE}, a killed process could leave a part of them. In that case {@link replaceFile} writes the
 * whole file instead.
 * @returns false if the file is not as `expected` any more; nothing is written then.
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
      const hint = 'free some space and try again; no file was left half-written';
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
 * Appends a text with a single write, and flushes the file. Appends only if the file has `expectedBytes` bytes. If that
 * is 0, the file may also be missing. Does not read the file, so the time does not depend on the size of the file. The
 * caller must hold a lock that all writers of the file take.
 * @returns false if the file has another size; nothing is written then.
 */
export function appendIfSizeIs(path: string, expectedBytes: number, text: string): boolean {
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

/** Writes all bytes and flushes the file. */
function writeAll(file: number, bytes: Buffer): void {
  for (let written = 0; written < bytes.length; ) written += fs.writeSync(file, bytes, written);
  fs.fsyncSync(file);
}

/**
 * Appends bytes to an open file without flushing it. Appends only if the file has `expectedBytes` bytes.
 * @returns false if another process has changed its size; nothing is written then.
 */
export function appendToOpenFile(file: number, expectedBytes: number, bytes: Buffer): boolean {
  if (fs.fstatSync(file).size !== expectedBytes) return false;
  for (let written = 0; written < bytes.length; ) written += fs.writeSync(file, bytes, written);
  return true;
}

/** Flushes a file that was written piece by piece, and gives it its name. Replaces a file of this name. */
export function renameFinishedFile(from: string, path: string): void {
  withOpenFile(fs.openSync(from, 'r+'), fs.fsyncSync);
  fs.renameSync(from, path);
  flushFolder(dirname(path));
}

/** Overwrites a small file that is not important. After a crash it may be missing or incomplete. */
export function writeNote(path: string, text: string): void {
  withOpenFile(openAtOnce(path, fs.constants.O_WRONLY | fs.constants.O_CREAT, 0o644), (file) => {
    fs.ftruncateSync(file, 0);
    fs.writeSync(file, text);
  });
}

/** Shortens a file to its first `bytes`. */
export function truncateFile(path: string, bytes: number): void {
  withOpenFile(fs.openSync(path, 'r+'), (file) => {
    fs.ftruncateSync(file, bytes);
    fs.fsyncSync(file);
  });
}

/**
 * Creates a folder with its files, completely or not at all.
 * @param files content by name
 * @throws the file system's error if the folder exists and is not empty
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

/** Whether this user may write to a path. `mode` asks for another right, for example to read. */
export function mayAccessPath(path: string, mode = fs.constants.W_OK): boolean {
  return tryWithFallback(() => fs.accessSync(path, mode), false) !== false;
}

/**
 * The entries of a folder; empty if the folder does not exist.
 * @throws the system's error if the folder can't be read
 */
export function entriesOf(folder: string): readonly fs.Dirent[] {
  return ifThere(() => fs.readdirSync(folder, { withFileTypes: true }), []);
}

/** The names in a folder; empty if the folder does not exist. Throws like {@link entriesOf}. */
export function namesIn(folder: string): readonly string[] {
  return entriesOf(folder).map(({ name }) => name);
}

/**
 * Creates a folder with its parents. Node's own option `recursive` never returns if a parent accepts no new entries, as in
 * `/proc`.
 */
export function makeFolder(path: string): void {
  if (fs.existsSync(path) || dirname(path) === path) return;
  makeFolder(dirname(path));
  try {
    fs.mkdirSync(path);
  } catch (error) {
    // Another process may have created the folder meanwhile.
    if (systemErrorCode(error) !== 'EEXIST') throw error;
  }
}

/** Removes a file. Does nothing if it does not exist. */
export function removeFile(path: string): void {
  fs.rmSync(path, { force: true });
}

/** Removes an empty folder, and then each parent up to `top` that is empty. */
export function removeEmptyFolders(path: string, top: string): void {
  // This fails if the folder is not empty, or does not exist any more.
  const isRemoved = tryWithFallback(() => fs.rmdirSync(path), false) !== false;
  if (isRemoved && path !== top && path.startsWith(top)) removeEmptyFolders(dirname(path), top);
}

/** Removes a folder with its content. Does nothing if it does not exist. */
export function removeFolder(path: string): void {
  fs.rmSync(path, { recursive: true, force: true });
}

/** Replaces a folder by another one. The old content is removed. */
export function replaceFolder(from: string, path: string): void {
  removeFolder(path);
  fs.renameSync(from, path);
}

/** Copies a folder; skips entries that are neither folders nor regular files. */
export function copyFolder(from: string, to: string): void {
  const isPlain = (path: string): boolean => {
    const stat = fs.lstatSync(path);
    return stat.isFile() || stat.isDirectory();
  };
  fs.cpSync(from, to, { recursive: true, filter: isPlain });
}

/**
 * Opens a file to append to it, which only this user may read. Creates it, and its folder.
 * @returns the file descriptor
 */
export function openPrivateFile(path: string): number {
  fs.mkdirSync(dirname(path), { recursive: true });
  return openToAppend(path, fs.constants.O_CREAT, 0o600);
}

function writeFlushed(path: string, content: string | Buffer, mode: number): void {
  // Remove a file that a killed process left under this name, or a link or pipe that was put there.
  fs.rmSync(path, { force: true });
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  withOpenFile(fs.openSync(path, 'wx', mode), (file) => writeAll(file, bytes));
}

// Flushes a folder to the disk after a file in it was renamed. Without this, a power failure may undo the rename.
// Windows can't open folders, so such errors are ignored.
function flushFolder(path: string): void {
  try {
    withOpenFile(fs.openSync(path, 'r'), fs.fsyncSync);
  } catch (error) {
    if (!['EPERM', 'EISDIR', 'EACCES', 'EINVAL'].includes(systemErrorCode(error) ?? '')) throw error;
  }
}

/**
 * Returns the absolute path of a page to write. Makes sure that no `..` and no link in the path leads out of the workspace.
 * The page need not exist yet.
 * @throws MemoryError `refused`
 */
export function resolveContainedPath(root: string, path: string): string {
  const full = resolve(root, path);
  if (!full.startsWith(resolve(root) + sep))
    return fail('refused', `${path} is outside of the workspace`, 'use a path inside the workspace');
  const realRoot = realpathSync(root);
  for (let at = full; at.length > resolve(root).length; at = dirname(at)) {
    if (lstatSync(at, { throwIfNoEntry: false }) === undefined) continue;
    // A link whose target does not exist has no real path. Writing to the link would create the target, so such a link
    // is refused, too.
    if ((tryWithFallback(() => realpathSync(at), '') + sep).startsWith(realRoot + sep)) break;
    const hint = 'replace the link by a real file or folder';
    return fail('refused', `${path} is a link to a place outside of the workspace`, hint);
  }
  return join(realRoot, path);
}

/**
 * Returns a path in the Unicode form that it has on disk, because macOS stores accents separately from letters. If two files
 * differ only in that form, the one with exactly the given name is used.
 * @param path relative to `root`, with `/`
 */
export function findPathOnDisk(root: string, path: string): string {
  let folder = '';
  for (const name of path.split('/')) {
    const names = /[^\0-\x7f]/.test(name) ? namesIn(join(root, folder)) : [];
    const form = name.normalize('NFC');
    const found = names.includes(name) ? name : names.find((other) => other.normalize('NFC') === form);
    folder = folder === '' ? (found ?? name) : `${folder}/${found ?? name}`;
  }
  return folder;
}

/** Maximum number of attempts to copy, if the files keep changing meanwhile. */
const TRIES = 5;

/**
 * Copies files to a temporary folder. Another process may be writing them: if one changes meanwhile, all are copied again,
 * so that the copies fit together. After the last attempt the copies are returned even if a file changed again.
 * @returns the path of the first copy, and a function that removes all copies
 */
export function copyToTemporaryFolder(paths: readonly [string, ...string[]]) {
  const folder = mkdtempSync(join(tmpdir(), 'openclaw-memory-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    for (let round = 0; round < TRIES; round++) {
      const before = paths.map(stamp);
      for (const path of paths) {
        const copy = join(folder, basename(path));
        rmSync(copy, { force: true });
        // If the file system supports it, the copy shares its data with the file, which is fast.
        if (existsSync(path)) copyFileSync(path, copy, constants.COPYFILE_FICLONE);
      }
      if (paths.every((path, index) => stamp(path) === before[index])) break;
    }
  } catch (error) {
    remove();
    throw error;
  }
  return { path: join(folder, basename(paths[0])), remove };
}

function stamp(path: string): string {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stat === undefined ? '' : `${stat.size} ${stat.mtimeNs}`;
}
