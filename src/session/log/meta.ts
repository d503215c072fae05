import { type Fields, isRecord, parseRecord } from '../../base/json.js';
import { editFile, readVersion } from '../../workspace/files.js';
import type { SessionPaths } from './paths.js';

/** What a session knows about itself without reading its messages: the fields of its `.meta.json`. */
export interface SessionMeta {
  readonly created_at: string | null;
  readonly updated_at: string | null;
  /** Messages that no commit has archived. */
  readonly live_count: number;
  readonly pending_tokens: number;
  /** That of the last commit; 0 before the first. */
  readonly keep_recent_count: number;
  /** Bytes of the log that the counts here are about. Another size says that they are not of this log. */
  readonly log_bytes: number;
  /** How many of the oldest live messages are counted in `pending_tokens`, and where in the log the next one begins. */
  readonly counted_count: number;
  readonly window_offset: number;
  /** Messages archived so far. */
  readonly archived_count: number;
  readonly last_commit_at: string | null;
  /** Number of the newest archive that the log was shrunk for; 0 before the first. */
  readonly last_archive: number;
  readonly archives: ArchiveCounts;
  /** Counted by `session compact` only. */
  readonly compaction_count: number;
  /** When the memory flush ended that closed the last cycle, Unix ms, and the compaction count that it was made at. */
  readonly memory_flush_at: number | null;
  readonly memory_flush_compaction_count: number | null;
  /** What it saved, and the last message that a flush has read. */
  readonly memory_flush_saved: number;
  readonly memory_flush_to: string | null;
  /** When the one that runs began, Unix ms. */
  readonly memory_flush_running_since: number | null;
  /** Failures in a row in this cycle. */
  readonly memory_flush_failures: number;
  /** Idempotency keys used last, the newest last, and how many messages each added. */
  readonly keys: readonly UsedKey[];
  /** Fields that this version does not know; they are written back as they were. */
  readonly extra: Fields;
}

export interface ArchiveCounts {
  readonly completed: number;
  readonly failed: number;
  readonly pending: number;
}

export type UsedKey = readonly [name: string, count: number];

export const EMPTY_META: SessionMeta = {
  created_at: null,
  updated_at: null,
  live_count: 0,
  pending_tokens: 0,
  keep_recent_count: 0,
  log_bytes: 0,
  counted_count: 0,
  window_offset: 0,
  archived_count: 0,
  last_commit_at: null,
  last_archive: 0,
  archives: { completed: 0, failed: 0, pending: 0 },
  compaction_count: 0,
  memory_flush_at: null,
  memory_flush_compaction_count: null,
  memory_flush_saved: 0,
  memory_flush_to: null,
  memory_flush_running_since: null,
  memory_flush_failures: 0,
  keys: [],
  extra: {},
};

/** Reads `.meta.json`; undefined when there is none or it is damaged: the log then says what it said. */
export function readMeta(paths: SessionPaths): SessionMeta | undefined {
  const bytes = readVersion(paths.meta)?.bytes;
  return bytes === undefined ? undefined : parseMeta(bytes.toString('utf8'));
}

/** Writes `.meta.json` whole. Under the session's log lock. */
export function writeMeta(paths: SessionPaths, meta: SessionMeta): void {
  const text = formatMeta(meta);
  editFile(paths.meta, () => text);
}

function formatMeta({ extra, ...known }: SessionMeta): string {
  return `${JSON.stringify({ ...known, ...extra }, undefined, 2)}\n`;
}

function parseMeta(text: string): SessionMeta | undefined {
  const fields = parseRecord(text);
  if (fields === undefined) return undefined;
  const archives = isRecord(fields.archives) ? fields.archives : {};
  return {
    created_at: textOrNull(fields.created_at),
    updated_at: textOrNull(fields.updated_at),
    live_count: count(fields.live_count),
    pending_tokens: count(fields.pending_tokens),
    keep_recent_count: count(fields.keep_recent_count),
    log_bytes: count(fields.log_bytes),
    counted_count: count(fields.counted_count),
    window_offset: count(fields.window_offset),
    archived_count: count(fields.archived_count),
    last_commit_at: textOrNull(fields.last_commit_at),
    last_archive: count(fields.last_archive),
    archives: {
      completed: count(archives.completed),
      failed: count(archives.failed),
      pending: count(archives.pending),
    },
    compaction_count: count(fields.compaction_count),
    memory_flush_at: countOrNull(fields.memory_flush_at),
    memory_flush_compaction_count: countOrNull(fields.memory_flush_compaction_count),
    memory_flush_saved: count(fields.memory_flush_saved),
    memory_flush_to: textOrNull(fields.memory_flush_to),
    memory_flush_running_since: countOrNull(fields.memory_flush_running_since),
    memory_flush_failures: count(fields.memory_flush_failures),
    keys: Array.isArray(fields.keys) ? fields.keys.flatMap(readKey) : [],
    extra: Object.fromEntries(Object.entries(fields).filter(([name]) => name === 'extra' || !(name in EMPTY_META))),
  };
}

function readKey(value: unknown): readonly UsedKey[] {
  if (!Array.isArray(value)) return [];
  const [name, used]: readonly unknown[] = value;
  return typeof name === 'string' ? [[name, count(used)]] : [];
}

/** Counts are whole and not negative, whatever stands in the file. */
function count(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) ? Math.max(0, Math.trunc(value)) : 0;
}

function countOrNull(value: unknown): number | null {
  return typeof value === 'number' ? count(value) : null;
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
