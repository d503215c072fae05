import { statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fail, MemoryError } from '../../base/failure.js';
import { parseJson } from '../../base/json.js';
import { compareText } from '../../base/order.js';
import { decodeReadableText } from '../../text/bytes.js';
import { entriesOf, namesIn, readBeginning, readBytes } from '../../workspace/files.js';
import { filesOfZip, isZip } from './zip.js';

/** Maximum size of a file of an export. A chat of this size, with short messages, takes about 1.7 GB of memory. */
export const LARGEST_EXPORT = 64 * 1024 * 1024;
/** Maximum size of an archive, and of all files of an export that are read. */
const LARGEST_FOLDER = 4 * LARGEST_EXPORT;
const MOST_FILES = 200_000;
/** Maximum depth of folders in an export. */
const DEEPEST = 3;

export const ARCHIVE_HINT =
  'unpack it first, then import what is in it: the .txt file of a WhatsApp chat (_chat.txt), or the unpacked folder';

/** An export that consists of several files: a folder, or an archive. */
export interface ExportFolder {
  /** Absolute path of the folder, or of the archive without its ending. */
  readonly path: string;
  readonly isArchive: boolean;
  /** Names of the files below it, with `/`, sorted. */
  readonly names: readonly string[];
  /** The folder in it that was asked for; undefined for all of it. */
  readonly only: string | undefined;
  readonly read: (name: string) => Buffer;
  /** The value of a JSON file; undefined if there is no such file. */
  readonly json: (name: string) => unknown;
}

type Files = ReadonlyMap<string, () => Buffer>;

/**
 * Opens a folder or a ZIP archive. Undefined for any other file.
 * @param isRoot whether a folder with these names is a whole export, of which a path may name a part
 * @throws MemoryError `refused` if it is too large, `usage` if it can't be unpacked, and the system's errors
 */
export function openExportFolder(
  path: string,
  isRoot: (names: readonly string[]) => boolean,
): ExportFolder | undefined {
  if (!statSync(path).isDirectory()) {
    if (!isZip(readBeginning(path, 4))) return undefined;
    return folderOf(path.replace(/\.zip$/i, ''), true, withoutTopFolder(filesOfArchive(path)), undefined);
  }
  const root = [path, dirname(path)].find((folder) => isRoot(namesIn(folder))) ?? path;
  return folderOf(root, false, new Map(filesBelow(root)), root === path ? undefined : basename(path));
}

function folderOf(path: string, isArchive: boolean, files: Files, only: string | undefined): ExportFolder {
  if (files.size > MOST_FILES)
    fail('refused', `${path} has more than ${MOST_FILES} files`, 'import its folders one by one');
  let size = 0;
  const read = (name: string): Buffer => {
    const bytes = files.get(name)?.();
    size += bytes?.length ?? 0;
    if (size > LARGEST_FOLDER) failTooLarge(path, 'import its files or folders one by one');
    return bytes ?? Buffer.alloc(0);
  };
  const json = (name: string): unknown => parseJson(decodeReadableText(read(name)));
  return { path, isArchive, names: [...files.keys()].sort(compareText), only, read, json };
}

function filesBelow(folder: string, depth = DEEPEST): readonly (readonly [string, () => Buffer])[] {
  return entriesOf(folder).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isFile()) return [[entry.name, () => readBytes(path, LARGEST_EXPORT)] as const];
    const below = entry.isDirectory() && depth > 1 ? filesBelow(path, depth - 1) : [];
    return below.map(([name, read]) => [`${entry.name}/${name}`, read] as const);
  });
}

function filesOfArchive(path: string): Files {
  if (statSync(path).size > LARGEST_FOLDER) failTooLarge(path, ARCHIVE_HINT);
  const files = unpacked(path, () => filesOfZip(readBytes(path, LARGEST_FOLDER), LARGEST_EXPORT));
  const read = [...files].filter(([name]) => !/\/$|^__MACOSX\//.test(name));
  return new Map(read.map(([name, unpack]) => [name, () => unpacked(path, unpack)]));
}

/** Leaves out the folders in which all files are. */
function withoutTopFolder(files: Files): Files {
  const [first = '', ...others] = files.keys();
  let top = first.slice(0, first.lastIndexOf('/') + 1);
  for (const name of others) while (!name.startsWith(top)) top = top.slice(0, top.slice(0, -1).lastIndexOf('/') + 1);
  return new Map([...files].map(([name, read]) => [name.slice(top.length), read]));
}

function unpacked<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof MemoryError) throw error;
    return fail('usage', `${path} can't be read as a ZIP archive`, ARCHIVE_HINT, error);
  }
}

function failTooLarge(path: string, hint: string): never {
  fail('refused', `${path} has more than ${LARGEST_FOLDER / 1024 / 1024} MB`, hint);
}
