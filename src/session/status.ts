import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fail, systemCode } from '../base/failure.js';
import { nearest } from '../base/nearest.js';
import { EMPTY_META, readMeta, type SessionMeta } from './log/meta.js';
import { isSessionId, SESSIONS_FOLDER, sessionPaths } from './log/paths.js';

/** So long has a memory flush, in ms; then the compaction goes on without it (seed 002). */
export const FLUSH_DEADLINE_MS = 120_000;
/** What it may take to write what was answered at the last moment, in ms. */
const FLUSH_GRACE_MS = 30_000;

/** `session status --json`, and a line of `session list --json`. Read from the meta file alone. */
export interface SessionStatus {
  readonly session: string;
  readonly live_messages: number;
  readonly pending_tokens: number;
  readonly keep_recent_count: number;
  readonly archives: { readonly completed: number; readonly failed: number; readonly pending: number };
  readonly archived_messages: number;
  readonly compaction_count: number;
  readonly last_commit_at: string | null;
  readonly updated_at: string | null;
  /** Whether a memory flush is running. */
  readonly memoryFlushing: boolean;
  /** ISO instant of the last memory flush. */
  readonly lastMemoryFlush: string | null;
}

/**
 * What a session says about itself, in the same time however long it is.
 * @throws MemoryError `not_found`
 */
export function sessionStatus(root: string, id: string, now: Date): SessionStatus {
  return asStatus(id, requireSession(root, id), now);
}

/**
 * The meta of a session that has to be there.
 * @throws MemoryError `not_found` with the nearest name
 */
export function requireSession(root: string, id: string): SessionMeta {
  const meta = readMeta(sessionPaths(root, id));
  if (meta !== undefined) return meta;
  const ids = sessionIds(root);
  if (ids.includes(id)) return EMPTY_META;
  const near = nearest(id, ids);
  return fail(
    'not_found',
    `there is no session "${id}"`,
    near === undefined ? 'openclaw memory session list names them' : `did you mean "${near}"?`,
  );
}

/** All sessions, the one that was written last first. */
export function listSessions(root: string, now: Date): readonly SessionStatus[] {
  const all = sessionIds(root).map((id) => asStatus(id, readMeta(sessionPaths(root, id)) ?? EMPTY_META, now));
  return all.sort((a, b) => compare(b.updated_at ?? '', a.updated_at ?? '') || compare(a.session, b.session));
}

/** Ids of all sessions. */
export function sessionIds(root: string): readonly string[] {
  try {
    return readdirSync(join(root, SESSIONS_FOLDER), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && isSessionId(entry.name))
      .map(({ name }) => name)
      .sort(compare);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [];
    throw error;
  }
}

function asStatus(session: string, meta: SessionMeta, now: Date): SessionStatus {
  return {
    session,
    live_messages: meta.liveCount,
    pending_tokens: meta.pendingTokens,
    keep_recent_count: meta.keepRecentCount,
    archives: meta.archives,
    archived_messages: meta.archivedCount,
    compaction_count: meta.compactionCount,
    last_commit_at: meta.lastCommitAt,
    updated_at: meta.updatedAt,
    memoryFlushing: isFlushing(meta, now),
    lastMemoryFlush: meta.memoryFlush.at === null ? null : new Date(meta.memoryFlush.at).toISOString(),
  };
}

/** Whether a memory flush runs. One that was killed is over when its time would have been. */
export function isFlushing({ memoryFlush }: SessionMeta, now: Date): boolean {
  const since = memoryFlush.runningSince;
  return since !== null && Math.abs(now.getTime() - since) <= FLUSH_DEADLINE_MS + FLUSH_GRACE_MS;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
