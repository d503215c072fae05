import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fail, systemCode } from '../base/failure.js';
import { nearest } from '../text/nearest.js';
import { isSessionId, SESSIONS_FOLDER, sessionPaths } from './layout.js';
import { EMPTY_META, readMeta, type SessionMeta } from './meta.js';

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
export function sessionStatus(root: string, id: string): SessionStatus {
  const meta = readMeta(sessionPaths(root, id));
  if (meta !== undefined) return asStatus(id, meta);
  const ids = sessionIds(root);
  if (ids.includes(id)) return asStatus(id, EMPTY_META);
  const near = nearest(id, ids);
  return fail(
    'not_found',
    `there is no session "${id}"`,
    near === undefined ? 'openclaw memory session list names them' : `did you mean "${near}"?`,
  );
}

/** All sessions, the one that was written last first. */
export function listSessions(root: string): readonly SessionStatus[] {
  const all = sessionIds(root).map((id) => asStatus(id, readMeta(sessionPaths(root, id)) ?? EMPTY_META));
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

function asStatus(session: string, meta: SessionMeta): SessionStatus {
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
    memoryFlushing: meta.extra.memory_flushing === true,
    lastMemoryFlush: meta.memoryFlushAt === null ? null : new Date(meta.memoryFlushAt).toISOString(),
  };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
