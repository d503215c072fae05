import { compareText } from '../base/order.js';
import type { SessionMeta } from './log/meta.js';
import { Session, sessionIds } from './session.js';

/** So long has a memory flush, in ms; then the compaction goes on without it. */
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
  readonly memory_flushing: boolean;
  /** The last memory flush that read everything: ISO instant, and how many facts it saved. */
  readonly last_memory_flush: { readonly timestamp: string; readonly saved: number } | null;
}

/**
 * What a session says about itself, in the same time however long it is.
 * @throws MemoryError `not_found`
 */
export function sessionStatus(root: string, id: string, now: Date): SessionStatus {
  return asStatus(Session.open(root, id), now);
}

/** All sessions, the one that was written last first. */
export function listSessions(root: string, now: Date): readonly SessionStatus[] {
  const all = sessionIds(root).map((id) => asStatus(new Session(root, id), now));
  return all.sort((a, b) => compareText(b.updated_at ?? '', a.updated_at ?? '') || compareText(a.session, b.session));
}

function asStatus({ id, meta }: Session, now: Date): SessionStatus {
  return {
    session: id,
    live_messages: meta.live_count,
    pending_tokens: meta.pending_tokens,
    keep_recent_count: meta.keep_recent_count,
    archives: meta.archives,
    archived_messages: meta.archived_count,
    compaction_count: meta.compaction_count,
    last_commit_at: meta.last_commit_at,
    updated_at: meta.updated_at,
    memory_flushing: isFlushing(meta, now),
    last_memory_flush:
      meta.memory_flush_at === null
        ? null
        : { timestamp: new Date(meta.memory_flush_at).toISOString(), saved: meta.memory_flush_saved },
  };
}

/** Whether a memory flush runs. One that was killed is over when its time would have been. */
export function isFlushing({ memory_flush_running_since: since }: SessionMeta, now: Date): boolean {
  return since !== null && Math.abs(now.getTime() - since) <= FLUSH_DEADLINE_MS + FLUSH_GRACE_MS;
}
