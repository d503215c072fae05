import { isUtf8 } from 'node:buffer';
import { lstatSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fail } from '../base/failure.js';
import { compareWithOriginal, originalFileName, originalNoteName } from '../memory/conflict-copy.js';
import { isUtf16 } from '../text/bytes.js';
import { type Glob, pathGlob } from '../text/glob.js';
import { MAX_TEXT_FILE_BYTES, namesIn, readVersion } from './files.js';
import type { WorkspaceContext } from './read-scope.js';
import { SETTINGS_FILE } from './settings.js';

/** Maximum size of a page that is read, in bytes. */
export const MAX_PAGE_BYTES = 8 * 1024 * 1024;

/**
 * Why a page is not read, and how to change that. The reason is the end of a sentence that begins with the path:
 * "memory/a.md is binary and not read".
 */
export interface UnreadReason {
  readonly reason: string;
  readonly hint: string;
}

type Place = Pick<WorkspaceContext, 'root' | 'reads'>;

/**
 * Why recall would not find the content of a page; undefined if it would. The index decides in the same way, so a writer
 * that calls this never writes text that is not indexed.
 * @param path path of the page, relative to the workspace
 * @param bytes the bytes of the page; undefined if there is no page yet
 */
export function whyNotRead(place: Place, path: string, bytes: Buffer | undefined): UnreadReason | undefined {
  return whyPathNotRead(place, path) ?? (bytes && (whyTooLarge(bytes.length) ?? whyBytesAreNoText(bytes)));
}

/** Why a page may not grow to a new size; undefined if it may. Sizes are in bytes. */
export function whyPageMayNotGrow(before: number, after: number): UnreadReason | undefined {
  return after > before ? whyTooLarge(after, 'would be') : undefined;
}

export function refuseUnreadPage(path: string, { reason, hint }: UnreadReason): never {
  return fail('refused', `nothing was written: ${path} ${reason}`, hint);
}

/** Why a path is not read, whatever the file contains; undefined if nothing prevents it. */
function whyPathNotRead({ root, reads }: Place, path: string): UnreadReason | undefined {
  const folders = foldersOf(path);
  for (const glob of reads?.ignore ?? []) {
    const pattern = pathGlob(glob);
    if (![...folders, path].some((part) => isIgnored([pattern], part))) continue;
    const reason = `is not read: "ignore" in ${SETTINGS_FILE} has "${glob}"`;
    return { reason, hint: `remove "${glob}" from "ignore" in ${SETTINGS_FILE}, or use another page` };
  }
  const link = folders.find((folder) => lstatSync(join(root, folder), { throwIfNoEntry: false })?.isSymbolicLink());
  if (link === undefined) return undefined;
  return { reason: `is not read: ${link} is a link to a folder`, hint: `replace ${link} by a real folder` };
}

/**
 * The folders that contain a page, the outermost first. The top folder is left out, because it is always read. Example:
 * only `memory/a` for `memory/a/page.md`.
 */
function foldersOf(path: string): readonly string[] {
  const folders: string[] = [];
  for (let folder = dirname(path); folder.includes('/'); folder = dirname(folder)) folders.unshift(folder);
  return folders;
}

/** Whether the setting `ignore` excludes a path. @param path relative to the workspace, with `/` */
export function isIgnored(patterns: readonly Glob[], path: string): boolean {
  return patterns.length > 0 && patterns.some((pattern) => pattern.test(path.normalize('NFC')));
}

/**
 * Why a file of this size is not read; undefined if it is read.
 * @param size in bytes
 * @param verb begins the reason: `is larger than 8 MB …`, or `would be larger …` for a file that is not written yet
 */
export function whyTooLarge(size: number, verb = 'is'): UnreadReason | undefined {
  if (size <= MAX_PAGE_BYTES) return undefined;
  const reason = `${verb} larger than ${MAX_PAGE_BYTES / 1024 / 1024} MB and not read`;
  return { reason, hint: 'move the older part to a new page' };
}

/**
 * How many bytes at the start of a file are searched for NUL. For git, a file with a NUL there is binary. This program
 * accepts a text with a few NULs.
 */
const PROBE_BYTES = 8_000;
/**
 * Maximum share of NUL in a text. In UTF-16 about every second byte is NUL; in a conversation that contains an attachment,
 * about one in twenty.
 */
const TEXT_NUL_SHARE = 0.2;

/** Why the bytes of a page are not text; undefined if they are. */
export function whyBytesAreNoText(bytes: Buffer): UnreadReason | undefined {
  if (isUtf16(bytes)) return undefined;
  const probe = bytes.subarray(0, PROBE_BYTES);
  if (!probe.includes(0)) return undefined;
  if (isUtf8(bytes) && probe.filter((byte) => byte === 0).length <= TEXT_NUL_SHARE * probe.length) return undefined;
  const encoding = unmarkedEncoding(probe);
  if (encoding === undefined) return { reason: 'is binary and not read', hint: 'replace it by a text file' };
  return {
    reason: `is ${encoding} without a byte order mark, and not read`,
    hint: `save it as UTF-8: iconv -f ${encoding} -t UTF-8 OLD > NEW`,
  };
}

/** Minimum number of bytes that are needed to guess an encoding. */
const SHORTEST_GUESS = 16;

/** Detects UTF-16 of mostly Latin text by the positions of its NULs. */
function unmarkedEncoding(probe: Buffer): 'UTF-16LE' | 'UTF-16BE' | undefined {
  let [even, odd] = [0, 0];
  for (const [at, byte] of probe.entries()) if (byte === 0) at % 2 === 0 ? even++ : odd++;
  const most = Math.max(even, odd);
  if (probe.length < SHORTEST_GUESS || most < probe.length / 4 || Math.min(even, odd) > most / 10) return undefined;
  return odd > even ? 'UTF-16LE' : 'UTF-16BE';
}

/**
 * The reason why some bytes of a text can't be decoded. Undefined if all bytes can be decoded. A text with such bytes
 * is still read.
 */
export function whyBytesAreInvalid(bytes: Buffer): string | undefined {
  if (isUtf16(bytes) || isUtf8(bytes)) return undefined;
  return 'is not valid UTF-8; the bad bytes are read as U+FFFD';
}

/**
 * The path of the page that a file is a conflict copy of. Undefined if the file is not a conflict copy or does not
 * exist. The index uses the same rule to recognise conflict copies.
 * @param names the names in the folder of the file, as on disk, by their form in Unicode NFC; if missing, the folder is
 * read
 */
export function originalOfCopy(root: string, path: string, names?: ReadonlyMap<string, string>): string | undefined {
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  const name = path.slice(folder.length);
  // A quick test before the folder is read: most names do not have the form of the name of a copy.
  if (originalNoteName(name, (other) => other) === undefined) return undefined;
  const beside = names ?? namesByNfc(namesIn(join(root, folder)));
  const original = originalNoteName(name, (other) => beside.get(other));
  if (original === undefined) return undefined;
  const [copied, text] = [original, name].map((one) => textOf(root, `${folder}${one}`));
  if (copied === undefined || text === undefined) return undefined;
  return compareWithOriginal(text, copied).isCopy ? `${folder}${original}` : undefined;
}

/** Refuses to write to a conflict copy, because a sync program or a person will remove it. @throws MemoryError `refused` */
export function refuseConflictCopy(root: string, path: string): void {
  const original = originalOfCopy(root, path);
  if (original !== undefined)
    fail('refused', `${path} is a conflict copy of ${original}, so nothing was written to it`, `write to ${original}`);
}

/** A conflict copy, with the lines that its original lacks. */
interface CopiedLines {
  readonly path: string;
  readonly of: string;
  /** The lines that the original lacks. Line numbers are 1-based. */
  readonly lines: readonly { readonly line: number; readonly text: string }[];
}

/**
 * The conflict copies of files in JSON lines, such as `bank/evidence.jsonl`. The program reads only the originals. A
 * file counts as a copy by its name alone, because people keep no notes in such files. For a page, its text is
 * compared, too.
 * @param paths the originals, which may be missing
 */
export function findJsonLinesCopies(root: string, paths: readonly string[]): readonly CopiedLines[] {
  return paths.flatMap((path) => {
    const folder = path.slice(0, path.lastIndexOf('/') + 1);
    const own = path.slice(folder.length);
    const named = (name: string): boolean =>
      originalFileName(name, '.jsonl', (other) => (other === own ? own : undefined)) !== undefined;
    const copies = namesIn(join(root, folder)).filter(named).sort();
    if (copies.length === 0) return [];
    const original = textOf(root, path) ?? '';
    return copies.map((name) => {
      const text = compareWithOriginal(textOf(root, folder + name) ?? '', original).own;
      const lines = text.split('\n').flatMap((line, at) => (line === '' ? [] : [{ line: at + 1, text: line }]));
      return { path: folder + name, of: path, lines };
    });
  });
}

/**
 * The names of files as they are written on disk, by their form in Unicode NFC. On macOS, both may differ for names
 * with accents.
 */
export function namesByNfc(names: readonly string[]): ReadonlyMap<string, string> {
  return new Map(names.map((name) => [name.normalize('NFC'), name]));
}

function textOf(root: string, path: string): string | undefined {
  return readVersion(join(root, path), MAX_TEXT_FILE_BYTES)?.bytes.toString('utf8');
}
