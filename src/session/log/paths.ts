import { join } from 'node:path';
import { fail } from '../../base/failure.js';

/** Folder of all sessions, relative to the workspace. */
export const SESSIONS_FOLDER = 'sessions';

/** Files of an archive. The log is written first, `.done` last. */
export const ARCHIVE_FILES = {
  log: 'messages.jsonl',
  meta: '.meta.json',
  overview: '.overview.md',
  abstract: '.abstract.md',
  guard: 'guard.json',
  ledger: 'ledger.json',
  memoryDiff: 'memory_diff.json',
  done: '.done',
  failed: '.failed.json',
} as const;

/** Absolute paths of the files of one session. */
export type SessionPaths = { readonly log: string; readonly meta: string; readonly history: string };

/**
 * Paths of a session. An id is a folder name: no separators, no `..`, not hidden.
 * @throws MemoryError `usage` when `id` is not a valid session id
 */
export function sessionPaths(root: string, id: string): SessionPaths {
  const hint = 'use up to 128 letters, digits and . _ - @ + =, and begin with a letter or digit';
  if (typeof id !== 'string' || !isSessionId(id))
    fail('usage', `"${String(id).slice(0, 80)}" is not a valid session id`, hint);
  const folder = join(root, SESSIONS_FOLDER, id);
  return { log: join(folder, 'messages.jsonl'), meta: join(folder, '.meta.json'), history: join(folder, 'history') };
}

const SESSION_ID = /^[\p{L}\p{N}_][\p{L}\p{M}\p{N}._@+=-]{0,127}$/u;

/** True for a valid session id. */
export function isSessionId(id: string): boolean {
  return SESSION_ID.test(id) && !id.endsWith('.');
}

const ARCHIVE_ID = /^archive_(\d{3,})$/;

/** The id of an archive, with at least three digits: `archive_007`. */
export function archiveId(number: number): string {
  return `archive_${String(number).padStart(3, '0')}`;
}

/** The number in the id of an archive; undefined for any other name. */
export function archiveNumber(id: string): number | undefined {
  const digits = ARCHIVE_ID.exec(id)?.[1];
  return digits === undefined ? undefined : Number(digits);
}
