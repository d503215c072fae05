import { join } from 'node:path';
import { fail } from '../base/failure.js';
import { nearest } from '../base/nearest.js';
import { compareText } from '../base/order.js';
import { entriesOf } from '../workspace/files.js';
import {
  type Archive,
  type ArchiveState,
  isHeadOf,
  listArchives,
  newestOverview,
  type Overview,
} from './archive/archives.js';
import { EMPTY_META, readMeta, type SessionMeta, writeMeta } from './log/meta.js';
import { isSessionId, SESSIONS_FOLDER, type SessionPaths, sessionPaths } from './log/paths.js';
import { readMessages } from './log/read.js';
import type { SessionMessage } from './message.js';

export { isSessionId };

/**
 * One session as it is on disk at one moment: what was read of it is not read again. An object is good for one command
 * that only reads, or for one hold of the session's lock; whoever waited for a lock or a model opens another.
 */
export class Session {
  readonly paths: SessionPaths;
  #meta: SessionMeta | undefined | null = null;
  #archives: readonly Archive[] | undefined;

  /** @throws MemoryError `usage` when `id` is no id of a session. It need not be there. */
  constructor(
    readonly root: string,
    readonly id: string,
  ) {
    this.paths = sessionPaths(root, id);
  }

  /** A session that has to be there. @throws MemoryError `not_found` with the nearest name */
  static open(root: string, id: string): Session {
    const session = new Session(root, id);
    if (session.storedMeta !== undefined) return session;
    const ids = sessionIds(root);
    if (ids.includes(id)) return session;
    const near = nearest(id, ids);
    const hint = near === undefined ? 'openclaw memory session list names them' : `did you mean "${near}"?`;
    return fail('not_found', `there is no session "${id}"`, hint);
  }

  /** What `.meta.json` says; undefined when there is none that can be read. */
  get storedMeta(): SessionMeta | undefined {
    if (this.#meta === null) this.#meta = readMeta(this.paths);
    return this.#meta;
  }

  get meta(): SessionMeta {
    return this.storedMeta ?? EMPTY_META;
  }

  /** Writes `.meta.json`. Under the lock. */
  save(meta: SessionMeta): SessionMeta {
    writeMeta(this.paths, meta);
    this.#meta = meta;
    return meta;
  }

  /** The archives, oldest first. One that a crash left whose messages are all still live is not there yet. */
  get archives(): readonly Archive[] {
    this.#archives ??= listArchives(this.paths).filter(
      (archive) => archive.number <= this.meta.last_archive || !isHeadOf(archive, this.paths),
    );
    return this.#archives;
  }

  /** To be called by whoever made an archive, or finished one: they are listed anew. */
  archivesChanged(): void {
    this.#archives = undefined;
  }

  /** How many archives there are of each state. */
  get archiveCounts(): SessionMeta['archives'] {
    const of = (wanted: ArchiveState): number => this.archives.filter(({ state }) => state === wanted).length;
    return { completed: of('completed'), failed: of('failed'), pending: of('pending') };
  }

  /** Ids of the archives that wait to be finished. */
  get pending(): readonly string[] {
    return this.archives.filter(({ state }) => state === 'pending').map(({ id }) => id);
  }

  /** One archive by its id or number (`archive_007`, `7`). @throws MemoryError `not_found` that names the newest ones */
  archive(id: string): Archive {
    const wanted = /^\s*\d+\s*$/.test(id) ? Number(id) : id.trim();
    const found = this.archives.find((archive) => archive.id === wanted || archive.number === wanted);
    if (found !== undefined) return found;
    const known = this.archives.slice(-5).map((archive) => archive.id);
    const hint = known.length === 0 ? 'the session has no archives yet' : `there are ${known.join(', ')}`;
    return fail('not_found', `"${this.id}" has no archive ${id}`, hint);
  }

  /** The newest overview of a completed archive: the Working Memory. */
  get overview(): Overview | undefined {
    return newestOverview(this.archives);
  }

  /** The live messages, oldest first. */
  get live(): readonly SessionMessage[] {
    return readMessages(this.paths.log);
  }
}

/** Ids of all sessions. */
function sessionIds(root: string): readonly string[] {
  const folders = entriesOf(join(root, SESSIONS_FOLDER)).filter((entry) => entry.isDirectory());
  return folders.flatMap(({ name }) => (isSessionId(name) ? [name] : [])).sort();
}

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
  const { memory_flush_at: flushed } = meta;
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
      flushed === null ? null : { timestamp: new Date(flushed).toISOString(), saved: meta.memory_flush_saved },
  };
}

/** Whether a memory flush runs. One that was killed is over when its time would have been. */
export function isFlushing({ memory_flush_running_since: since }: SessionMeta, now: Date): boolean {
  return since !== null && Math.abs(now.getTime() - since) <= FLUSH_DEADLINE_MS + FLUSH_GRACE_MS;
}
