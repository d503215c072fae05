import { editFile, readVersion } from '../../workspace/files.js';
import type { SessionPaths } from './paths.js';

/** What a session knows about itself without reading its messages. `.meta.json` holds it in snake case. */
export interface SessionMeta {
  readonly createdAt: string | null;
  readonly updatedAt: string | null;
  /** Messages that no commit has archived. */
  readonly liveCount: number;
  /** Bytes of the log that the counts here are about. Another size says that they are not of this log. */
  readonly logBytes: number;
  /** How many of the oldest live messages are counted in `pendingTokens`, and where in the log the next one begins. */
  readonly countedCount: number;
  readonly windowOffset: number;
  readonly pendingTokens: number;
  /** That of the last commit; 0 before the first. */
  readonly keepRecentCount: number;
  /** Messages archived so far. */
  readonly archivedCount: number;
  readonly lastCommitAt: string | null;
  /** Number of the newest archive that the log was shrunk for; 0 before the first. */
  readonly lastArchive: number;
  readonly archives: ArchiveCounts;
  /** Counted by `session compact` only. */
  readonly compactionCount: number;
  readonly memoryFlush: FlushRecord;
  /** Idempotency keys used last, the newest last, and how many messages each added. */
  readonly keys: readonly UsedKey[];
  /** Fields that this version does not know; they are written back as they were. */
  readonly extra: Readonly<Record<string, unknown>>;
}

export interface ArchiveCounts {
  readonly completed: number;
  readonly failed: number;
  readonly pending: number;
}

/** What is known of the memory flushes of a session. */
export interface FlushRecord {
  /** When the last one ended that closed its cycle, Unix ms. */
  readonly at: number | null;
  /** The compaction count that one was made at. */
  readonly compactionCount: number | null;
  /** When the one that runs began, Unix ms. */
  readonly runningSince: number | null;
  /** Failures in a row in this cycle. */
  readonly failures: number;
}

export interface UsedKey {
  readonly name: string;
  readonly count: number;
}

export const EMPTY_META: SessionMeta = {
  createdAt: null,
  updatedAt: null,
  liveCount: 0,
  logBytes: 0,
  countedCount: 0,
  windowOffset: 0,
  pendingTokens: 0,
  keepRecentCount: 0,
  archivedCount: 0,
  lastCommitAt: null,
  lastArchive: 0,
  archives: { completed: 0, failed: 0, pending: 0 },
  compactionCount: 0,
  memoryFlush: { at: null, compactionCount: null, runningSince: null, failures: 0 },
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

export function formatMeta(meta: SessionMeta): string {
  const known = {
    created_at: meta.createdAt,
    updated_at: meta.updatedAt,
    live_count: meta.liveCount,
    pending_tokens: meta.pendingTokens,
    keep_recent_count: meta.keepRecentCount,
    log_bytes: meta.logBytes,
    counted_count: meta.countedCount,
    window_offset: meta.windowOffset,
    archived_count: meta.archivedCount,
    last_commit_at: meta.lastCommitAt,
    last_archive: meta.lastArchive,
    archives: meta.archives,
    compaction_count: meta.compactionCount,
    memory_flush_at: meta.memoryFlush.at,
    memory_flush_compaction_count: meta.memoryFlush.compactionCount,
    memory_flush_running_since: meta.memoryFlush.runningSince,
    memory_flush_failures: meta.memoryFlush.failures,
    keys: meta.keys.map(({ name, count }) => [name, count]),
  };
  return `${JSON.stringify({ ...known, ...meta.extra }, undefined, 2)}\n`;
}

export function parseMeta(text: string): SessionMeta | undefined {
  const fields = parseFields(text);
  if (fields === undefined) return undefined;
  const {
    created_at,
    updated_at,
    live_count,
    pending_tokens,
    keep_recent_count,
    log_bytes,
    counted_count,
    window_offset,
    archived_count,
    last_commit_at,
    last_archive,
    archives,
    compaction_count,
    memory_flush_at,
    memory_flush_compaction_count,
    memory_flush_running_since,
    memory_flush_failures,
    keys,
    ...extra
  } = fields;
  return {
    createdAt: textOrNull(created_at),
    updatedAt: textOrNull(updated_at),
    liveCount: count(live_count),
    logBytes: count(log_bytes),
    countedCount: count(counted_count),
    windowOffset: count(window_offset),
    pendingTokens: count(pending_tokens),
    keepRecentCount: count(keep_recent_count),
    archivedCount: count(archived_count),
    lastCommitAt: textOrNull(last_commit_at),
    lastArchive: count(last_archive),
    archives: readArchives(archives),
    compactionCount: count(compaction_count),
    memoryFlush: {
      at: countOrNull(memory_flush_at),
      compactionCount: countOrNull(memory_flush_compaction_count),
      runningSince: countOrNull(memory_flush_running_since),
      failures: count(memory_flush_failures),
    },
    keys: Array.isArray(keys) ? keys.flatMap(readKey) : [],
    extra,
  };
}

function readArchives(value: unknown): ArchiveCounts {
  const { completed, failed, pending } = isFields(value) ? value : {};
  return { completed: count(completed), failed: count(failed), pending: count(pending) };
}

function readKey(value: unknown): readonly UsedKey[] {
  if (!Array.isArray(value)) return [];
  const [name, used]: readonly unknown[] = value;
  return typeof name === 'string' ? [{ name, count: count(used) }] : [];
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

function parseFields(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
