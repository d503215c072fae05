import { asRecord, type Fields, type FieldsOf, parseRecord, readKnownFields } from '../../base/json.js';
import { editFile, readVersion } from '../../workspace/files.js';
import type { SessionPaths } from './paths.js';

/** What a session knows about itself without reading its messages: the fields of its `.meta.json`, and how each is read. */
const FIELDS = {
  created_at: textOrNull,
  updated_at: textOrNull,
  /** Messages that no commit has archived. */
  live_count: readCount,
  pending_tokens: readCount,
  /** That of the last commit; 0 before the first. */
  keep_recent_count: readCount,
  /** Bytes of the log that the counts here are about. Another size says that they are not of this log. */
  log_bytes: readCount,
  /** How many of the oldest live messages are counted in `pending_tokens`, and where in the log the next one begins. */
  counted_count: readCount,
  window_offset: readCount,
  /** Messages archived so far. */
  archived_count: readCount,
  last_commit_at: textOrNull,
  /** Number of the newest archive that the log was shrunk for; 0 before the first. */
  last_archive: readCount,
  archives: (value: unknown) =>
    readKnownFields({ completed: readCount, failed: readCount, pending: readCount }, asRecord(value)),
  /** Counted by `session compact` only. */
  compaction_count: readCount,
  /** When the memory flush ended that closed the last cycle, Unix ms, and the compaction count that it was made at. */
  memory_flush_at: countOrNull,
  memory_flush_compaction_count: countOrNull,
  /** What it saved, and the last message that a flush has read. */
  memory_flush_saved: readCount,
  memory_flush_to: textOrNull,
  /** When the one that runs began, Unix ms. */
  memory_flush_running_since: countOrNull,
  /** Failures in a row in this cycle. */
  memory_flush_failures: readCount,
  /** Idempotency keys used last, the newest last, and how many messages each added. */
  keys: (value: unknown): readonly UsedKey[] => (Array.isArray(value) ? value.flatMap(readKey) : []),
};

export type SessionMeta = FieldsOf<typeof FIELDS> & {
  /** Fields that this version does not know; they are written back as they were. */
  readonly extra: Fields;
};

export type UsedKey = readonly [name: string, count: number];

export const EMPTY_META: SessionMeta = { ...readKnownFields(FIELDS, {}), extra: {} };

/** Reads `.meta.json`; undefined when there is none or it is damaged: the log then says what it said. */
export function readMeta(paths: SessionPaths): SessionMeta | undefined {
  const fields = parseRecord(readVersion(paths.meta)?.bytes.toString('utf8') ?? '');
  if (fields === undefined) return undefined;
  const extra = Object.entries(fields).filter(([name]) => !Object.hasOwn(FIELDS, name));
  return { ...readKnownFields(FIELDS, fields), extra: Object.fromEntries(extra) };
}

/** Writes `.meta.json` whole. Under the session's log lock. */
export function writeMeta(paths: SessionPaths, { extra, ...known }: SessionMeta): void {
  editFile(paths.meta, () => `${JSON.stringify({ ...known, ...extra }, undefined, 2)}\n`);
}

function readKey(value: unknown): readonly UsedKey[] {
  if (!Array.isArray(value)) return [];
  const [name, used]: readonly unknown[] = value;
  return typeof name === 'string' ? [[name, readCount(used)]] : [];
}

/** Counts are whole and not negative, whatever stands in the file. */
export function readCount(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) ? Math.max(0, Math.trunc(value)) : 0;
}

function countOrNull(value: unknown): number | null {
  return typeof value === 'number' ? readCount(value) : null;
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
