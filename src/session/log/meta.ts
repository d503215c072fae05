import { join } from 'node:path';
import { fail } from '../../base/failure.js';
import { asRecord, type FieldsOf, parseRecord, readKnownFields, type UnknownFields } from '../../base/json.js';
import { editFile, readVersion } from '../../workspace/files.js';

/**
 * The fields of a session's `.meta.json`, and the function that reads each. With these fields, the status of a session can
 * be shown without reading its messages.
 */
const FIELDS = {
  created_at: textOrNull,
  updated_at: textOrNull,
  /** Number of messages that no commit has archived. */
  live_count: readCount,
  pending_tokens: readCount,
  /** Number of newest messages that the last commit was asked to keep; 0 before the first commit. */
  keep_recent_count: readCount,
  /** Size in bytes of the log that the counts describe. If the log has another size, the counts are out of date. */
  log_bytes: readCount,
  /**
   * `counted_count`: number of live messages, from the oldest on, whose tokens are in `pending_tokens`. `window_offset`:
   * byte offset in the log of the first message after them.
   */
  counted_count: readCount,
  window_offset: readCount,
  /** Number of messages archived so far. */
  archived_count: readCount,
  last_commit_at: textOrNull,
  /** Number of the newest archive whose messages were removed from the log; 0 before the first. */
  last_archive: readCount,
  archives: (value: unknown) =>
    readKnownFields({ completed: readCount, failed: readCount, pending: readCount }, asRecord(value)),
  /** Number of compactions: how often `session compact` has archived messages. An ordinary commit does not count. */
  compaction_count: readCount,
  /**
   * The memory flush that ended the last cycle. `memory_flush_at`: time of its end in Unix ms.
   * `memory_flush_compaction_count`: the compaction count at that time.
   */
  memory_flush_at: countOrNull,
  memory_flush_compaction_count: countOrNull,
  /**
   * `memory_flush_saved`: number of facts that this flush saved. `memory_flush_to`: id of the last message that any flush
   * has read.
   */
  memory_flush_saved: readCount,
  memory_flush_to: textOrNull,
  /** Start of the running flush in Unix ms; null if none is running. */
  memory_flush_running_since: countOrNull,
  /** Number of failures of the flush in this cycle. */
  memory_flush_failures: readCount,
  /** Recent idempotency keys, newest last, and the number of messages that each added. */
  keys: (value: unknown): readonly UsedRequestKey[] => (Array.isArray(value) ? value.flatMap(readKey) : []),
};

export type SessionMeta = FieldsOf<typeof FIELDS> & {
  /** Unknown fields; they are written back unchanged. */
  readonly extra: UnknownFields;
};

export type UsedRequestKey = readonly [name: string, count: number];

export const EMPTY_META: SessionMeta = { ...readKnownFields(FIELDS, {}), extra: {} };

/** Reads `.meta.json`; undefined if it is missing or damaged. The messages of the log are then counted again. */
export function readMeta(paths: SessionPaths): SessionMeta | undefined {
  const fields = parseRecord(readVersion(paths.meta)?.bytes.toString('utf8') ?? '');
  if (fields === undefined) return undefined;
  const extra = Object.entries(fields).filter(([name]) => !Object.hasOwn(FIELDS, name));
  return { ...readKnownFields(FIELDS, fields), extra: Object.fromEntries(extra) };
}

/** Replaces `.meta.json`. Call it under the session's log lock. */
export function writeMeta(paths: SessionPaths, { extra, ...known }: SessionMeta): void {
  editFile(paths.meta, () => `${JSON.stringify({ ...known, ...extra }, undefined, 2)}\n`);
}

function readKey(value: unknown): readonly UsedRequestKey[] {
  if (!Array.isArray(value)) return [];
  const [name, used]: readonly unknown[] = value;
  return typeof name === 'string' ? [[name, readCount(used)]] : [];
}

/** Reads a count from a file as a whole number of at least 0, whatever value the file has. */
export function readCount(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) ? Math.max(0, Math.trunc(value)) : 0;
}

function countOrNull(value: unknown): number | null {
  return typeof value === 'number' ? readCount(value) : null;
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

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
