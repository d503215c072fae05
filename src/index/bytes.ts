import { isUtf8 } from 'node:buffer';
import { hash } from 'node:crypto';
import { whyUnread } from '../base/failure.js';
import { readBytes as readFileBytes } from '../workspace/files.js';
import { fileOf } from '../workspace/reads.js';
import type { TreeFile } from './tree-files.js';

/** Larger files are no memory but somebody's data. */
const MAX_FILE_BYTES = 8 * 1024 * 1024;
/** A file written in the same tick of its file system's clock as it was read keeps its state: look again later. */
export const RACY_MS = 2_000;

/** In the place of a hash: why a file can't be read may pass without a trace in the file's own state. */
export const UNREADABLE = '';

/** The hash of a file's content. */
export function currentHash(root: string, file: TreeFile): string {
  const bytes = readBytes(root, file);
  return typeof bytes === 'string' ? UNREADABLE : hashOf(bytes, originalBytes(root, file));
}

/** @param original what the file may be a copy of: whether it is one depends on both */
export function hashOf(bytes: Buffer, original: Buffer | undefined): string {
  return hash('sha1', original === undefined ? bytes : Buffer.concat([bytes, original]));
}

/** The bytes of the page that a file may be a copy of; undefined when there is none that can be read. */
export function originalBytes(root: string, { page, size }: TreeFile): Buffer | undefined {
  if (page.copy?.of == null) return undefined;
  const bytes = readBytes(root, { path: page.copy.of, size });
  return typeof bytes === 'string' ? undefined : bytes;
}

/** The bytes of a file, or why they can't be read. */
export function readBytes(root: string, file: Pick<TreeFile, 'path' | 'size'>): Buffer | string {
  if (file.size > MAX_FILE_BYTES) return `is larger than ${MAX_FILE_BYTES / 1024 / 1024} MB and skipped`;
  try {
    return readFileBytes(fileOf(root, file.path), MAX_FILE_BYTES);
  } catch (error) {
    return whyUnread(error);
  }
}

/** Git calls binary what has a NUL among so many first bytes. A text that shows one is a text all the same. */
const BINARY_PROBE_BYTES = 8_000;
/** UTF-16 has one in every second byte; a conversation that an attachment was written into, one in twenty. */
const TEXT_NUL_SHARE = 0.2;

/** Whether a file is none of text, and is not read. */
export function isBinary(bytes: Buffer): boolean {
  const probe = bytes.subarray(0, BINARY_PROBE_BYTES);
  if (!probe.includes(0)) return false;
  return !isUtf8(bytes) || probe.filter((byte) => byte === 0).length > TEXT_NUL_SHARE * probe.length;
}
