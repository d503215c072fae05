import { isUtf8 } from 'node:buffer';
import { lstatSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fail } from '../../base/failure.js';
import { isUtf16 } from '../../text/bytes.js';
import { type Glob, pathGlob } from '../../text/glob.js';
import type { WorkspaceContext } from '../read-scope.js';
import { SETTINGS_FILE } from '../settings.js';

/** A larger page is not read, in bytes. */
export const LARGEST_PAGE = 8 * 1024 * 1024;

/** Why a page is not read, and what mends it. The reason goes on from the page's path. */
export interface Unread {
  readonly reason: string;
  readonly hint: string;
}

type Place = Pick<WorkspaceContext, 'root' | 'reads'>;

/**
 * Why questions would not find what stands in a page; undefined when they do. The index leaves out the same files by the
 * same rules, so a writer that asks this writes nothing that nobody reads.
 * @param path relative to the workspace, of what its name makes a page
 * @param bytes of the page as it is; undefined when there is none yet
 */
export function whyNotRead(place: Place, path: string, bytes: Buffer | undefined): Unread | undefined {
  return whyPathNotRead(place, path) ?? (bytes && (whyTooLarge(bytes.length) ?? whyNoText(bytes)));
}

/** Why a page may not grow to a size, in bytes. */
export function whyNotToGrow(before: number, after: number): Unread | undefined {
  return after > before ? whyTooLarge(after, 'would be') : undefined;
}

export function refuseUnread(path: string, { reason, hint }: Unread): never {
  return fail('refused', `nothing was written: ${path} ${reason}`, hint);
}

/** Why no file of a path is read, whatever is in it. */
export function whyPathNotRead({ root, reads }: Place, path: string): Unread | undefined {
  const folders = foldersOf(path);
  for (const glob of reads?.ignore ?? []) {
    const pattern = pathGlob(glob);
    if (![...folders, path].some((part) => isIgnored([pattern], part))) continue;
    const reason = `is not read: "ignore" in ${SETTINGS_FILE} has "${glob}"`;
    return { reason, hint: `take "${glob}" out of "ignore" in ${SETTINGS_FILE}, or name another page` };
  }
  const link = folders.find((folder) => lstatSync(join(root, folder), { throwIfNoEntry: false })?.isSymbolicLink());
  if (link === undefined) return undefined;
  return { reason: `is not read: ${link} is a link to a folder`, hint: `put a folder in the place of ${link}` };
}

/** The folders that a page lies in, without that at the top, which is read whatever it is. */
function foldersOf(path: string): readonly string[] {
  const folders: string[] = [];
  for (let folder = dirname(path); folder.includes('/'); folder = dirname(folder)) folders.unshift(folder);
  return folders;
}

/** @param path relative to the workspace, with `/` */
export function isIgnored(patterns: readonly Glob[], path: string): boolean {
  return patterns.length > 0 && patterns.some((pattern) => pattern.test(path.normalize('NFC')));
}

/** @param size in bytes */
export function whyTooLarge(size: number, verb = 'is'): Unread | undefined {
  if (size <= LARGEST_PAGE) return undefined;
  const reason = `${verb} larger than ${LARGEST_PAGE / 1024 / 1024} MB and not read`;
  return { reason, hint: 'move the older part of it into a page of its own' };
}

/** Git calls binary what has a NUL among so many first bytes. A text that shows one is a text all the same. */
const PROBE_BYTES = 8_000;
/** UTF-16 has one in every second byte; a conversation that an attachment was written into, one in twenty. */
const TEXT_NUL_SHARE = 0.2;

/** Why the bytes of a page are no text. */
export function whyNoText(bytes: Buffer): Unread | undefined {
  if (isUtf16(bytes)) return undefined;
  const probe = bytes.subarray(0, PROBE_BYTES);
  if (!probe.includes(0)) return undefined;
  if (isUtf8(bytes) && probe.filter((byte) => byte === 0).length <= TEXT_NUL_SHARE * probe.length) return undefined;
  const encoding = unmarkedEncoding(probe);
  if (encoding === undefined) return { reason: 'is binary and not read', hint: 'put a text in its place' };
  return {
    reason: `is ${encoding} without a whole byte order mark, and not read`,
    hint: `save it as UTF-8: iconv -f ${encoding} -t UTF-8 OLD > NEW`,
  };
}

/** Fewer bytes say nothing of how they are encoded. */
const SHORTEST_GUESS = 16;

/** UTF-16 of mostly Latin text, by where its NULs stand. */
function unmarkedEncoding(probe: Buffer): 'UTF-16LE' | 'UTF-16BE' | undefined {
  let [even, odd] = [0, 0];
  for (const [at, byte] of probe.entries()) if (byte === 0) at % 2 === 0 ? even++ : odd++;
  const most = Math.max(even, odd);
  if (probe.length < SHORTEST_GUESS || most < probe.length / 4 || Math.min(even, odd) > most / 10) return undefined;
  return odd > even ? 'UTF-16LE' : 'UTF-16BE';
}

/** What is wrong with a text that is read all the same. */
export function whyBadBytes(bytes: Buffer): string | undefined {
  if (isUtf16(bytes) || isUtf8(bytes)) return undefined;
  return 'is not valid UTF-8; the bad bytes are read as U+FFFD';
}
