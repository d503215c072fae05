import { asRecord, type Fields, type FieldsOf, parseRecord, readKnownFields } from '../../base/json.js';
import { editFile, readVersion } from '../../workspace/files.js';
import type { SessionPaths } from './paths.js';

/** Fields of a session's `.meta.json`, readable without its messages, and how each is read. */
const FIELDS = {
  created_at: textOrNull,
  updated_at: textOrNull,
  /** Number of messages that no commit has archived. */
  live_count: readCount,
  pending_tokens: readCount,
  /** Keep count of the last commit; 0 before the first. */
  keep_recent_count: readCount,
  /** Size in bytes of the log that the counts describe. Another size means that they are out of date. */
  log_bytes: readCount,
  /** Number of oldest live messages counted in `pending_tokens`, and byte offset of the next one in the log. */
  counted_count: readCount,
  window_offset: readCount,
  /** Number of messages archived so far. */
  archived_count: readCount,
  last_commit_at: textOrNull,
  /** Number of the newest archive that the log was shrunk for; 0 before the first. */
  last_archive: readCount,
  archives: (value: unknown) =>
    readKnownFields({ completed: readCount, failed: readCount, pending: readCount }, asRecord(value)),
  /** Counted by `session compact` only. */
  compaction_count: readCount,
  /** End of the memory flush that closed the last cycle, Unix ms, and its compaction count. */
  memory_flush_at: countOrNull,
  memory_flush_compaction_count: countOrNull,
  /** Number of facts that it saved, and id of the last message that a flush has read. */
  memory_flush_saved: readCount,
  memory_flush_to: textOrNull,
  /** Start of the running flush, Unix ms. */
  memory_flush_running_since: countOrNull,
  /** Consecutive failures in this cycle. */
  memory_flush_failures: readCount,
  /** Recent idempotency keys, newest last, and the number of messages that each added. */
  keys: (value: unknown): readonly UsedKey[] => (Array.isArray(value) ? value.flatMap(readKey) : []),
};

export type SessionMeta = FieldsOf<typeof FIELDS> & {
  /** Unknown fields; they are written back unchanged. */
  readonly extra: Fields;
};

export type UsedKey = readonly [name: string, count: number];

export const EMPTY_META: SessionMeta = { ...readKnownFields(FIELDS, {}), extra: {} };

/** Reads `.meta.json`; undefined if it is missing or damaged. The log is counted anew then. */
export function readMeta(paths: SessionPaths): SessionMeta | undefined {
  const fields = parseRecord(readVersion(paths.meta)?.bytes.toString('utf8') ?? '');
  if (fields === undefined) return undefined;
  const extra = Object.entries(fields).filter(([name]) => !Object.hasOwn(FIELDS, name));
  return { ...readKnownFields(FIELDS, fields), extra: Object.fromEntries(extra) };
}

/** Replaces `.meta.json`. Under the session's log lock. */
export function writeMeta(paths: SessionPaths, { extra, ...known }: SessionMeta): void {
  editFile(paths.meta, () => `${JSON.stringify({ ...known, ...extra }, undefined, 2)}\n`);
}

function readKey(value: unknown): readonly UsedKey[] {
  if (!Array.isArray(value)) return [];
  const [name, used]: readonly unknown[] = value;
  return typeof name === 'string' ? [[name, readCount(used)]] : [];
}

/** Reads a count as a whole number of at least 0, whatever the file has. */
export function readCount(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) ? Math.max(0, Math.trunc(value)) : 0;
}

function countOrNull(value: unknown): number | null {
  return typeof value === 'number' ? readCount(value) : null;
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
