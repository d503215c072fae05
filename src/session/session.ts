import { join } from 'node:path';
import { fail } from '../base/failure.js';
import { nearestWord } from '../base/nearest.js';
import { compareText } from '../base/order.js';
import { flag, nullable, number, object, type ReportFields, type ReportOf, text } from '../base/report.js';
import { entriesOf, resolveContainedPath } from '../workspace/files.js';
import { LOCK_WAIT_MS, lockHolderName, makeLockFolder, waitForLockUntilTimeout } from '../workspace/lock.js';
import type { WorkspaceContext } from '../workspace/read-scope.js';
import {
  type Archive,
  type ArchiveOverview,
  type ArchiveState,
  isArchiveAtLogStart,
  listArchives,
  newestOverview,
} from './archive/archives.js';
import {
  EMPTY_META,
  isSessionId,
  readMeta,
  SESSIONS_FOLDER,
  type SessionMeta,
  type SessionPaths,
  sessionPaths,
  writeMeta,
} from './log/meta.js';
import { ParsedFiles } from './log/read.js';
import type { SessionMessage } from './message.js';

export { isSessionId };

/**
 * One session as it is on disk. Each value is read once and then kept. So use an object only during one command that reads,
 * or while you hold the session's lock. Call `again` after waiting for a lock or a model.
 */
export class Session {
  readonly paths: SessionPaths;
  #meta: SessionMeta | undefined | null = null;
  #archives: readonly Archive[] | undefined;

  /** @throws MemoryError `usage` when `id` is not a valid session id. The session need not exist. */
  constructor(
    readonly root: string,
    readonly id: string,
    private readonly files = new ParsedFiles(),
  ) {
    this.paths = sessionPaths(root, id);
  }

  /** Opens an existing session. @throws MemoryError `not_found`, with the id of the most similar session as a hint */
  static open(root: string, id: string): Session {
    const session = new Session(root, id);
    if (session.storedMeta !== undefined) return session;
    const ids = sessionIds(root);
    if (ids.includes(id)) return session;
    const near = nearestWord(id, ids);
    const hint = near === undefined ? 'list the sessions: openclaw memory session list' : `did you mean "${near}"?`;
    return fail('not_found', `there is no session "${id}"`, hint);
  }

  /** The session as it is on disk now. Only changed files are parsed again. */
  again(): Session {
    return new Session(this.root, this.id, this.files);
  }

  /** The stored `.meta.json`; undefined if it is missing or unreadable. */
  get storedMeta(): SessionMeta | undefined {
    if (this.#meta === null) this.#meta = readMeta(this.paths);
    return this.#meta;
  }

  get meta(): SessionMeta {
    return this.storedMeta ?? EMPTY_META;
  }

  /** Writes `.meta.json`. Call it under the lock. */
  save(meta: SessionMeta): SessionMeta {
    writeMeta(this.paths, meta);
    this.#meta = meta;
    return meta;
  }

  /**
   * The archives, oldest first. Leaves out an archive whose messages are all still in the live log, because a commit
   * crashed.
   */
  get archives(): readonly Archive[] {
    this.#archives ??= listArchives(this.paths, this.files).filter(
      (archive) => archive.number <= this.meta.last_archive || !isArchiveAtLogStart(archive, this.paths),
    );
    return this.#archives;
  }

  /** Discards the list of archives; call it after creating or finishing one. */
  archivesChanged(): void {
    this.#archives = undefined;
  }

  /** Number of archives per state. */
  get archiveCounts(): SessionMeta['archives'] {
    const of = (wanted: ArchiveState): number => this.archives.filter(({ state }) => state === wanted).length;
    return { completed: of('completed'), failed: of('failed'), pending: of('pending') };
  }

  /** Ids of the archives that wait to be finished. */
  get pending(): readonly string[] {
    return this.archives.filter(({ state }) => state === 'pending').map(({ id }) => id);
  }

  /** An archive by its id or number (`archive_007`, `7`). @throws MemoryError `not_found` with the newest ids */
  archive(id: string): Archive {
    const wanted = /^\s*\d+\s*$/.test(id) ? Number(id) : id.trim();
    const found = this.archives.find((archive) => archive.id === wanted || archive.number === wanted);
    if (found !== undefined) return found;
    const known = this.archives.slice(-5).map((archive) => archive.id);
    const hint = known.length === 0 ? 'the session has no archives yet' : `its archives are ${known.join(', ')}`;
    return fail('not_found', `"${this.id}" has no archive ${id}`, hint);
  }

  /** The newest overview of a completed archive: the Working Memory. */
  get overview(): ArchiveOverview | undefined {
    return newestOverview(this.archives);
  }

  /** The live messages, oldest first. */
  get live(): readonly SessionMessage[] {
    return this.files.messages(this.paths.log);
  }
}

/** Ids of all sessions. */
function sessionIds(root: string): readonly string[] {
  const folders = entriesOf(join(root, SESSIONS_FOLDER)).filter((entry) => entry.isDirectory());
  return folders.flatMap(({ name }) => (isSessionId(name) ? [name] : [])).sort();
}

/** Time limit of a memory flush, in ms. After that time the compaction continues without the flush. */
export const FLUSH_DEADLINE_MS = 120_000;
/** Time in ms that a flush gets after its time limit to write an answer that came at the last moment. */
const FLUSH_GRACE_MS = 30_000;

/** The output of `session status --json`, and one session of `session list --json`. Needs only the meta file. */
export const SESSION_STATUS = {
  session: text(),
  live_messages: number(),
  pending_tokens: number(),
  keep_recent_count: number(),
  archives: object<{ readonly completed: number; readonly failed: number; readonly pending: number }>(),
  archived_messages: number(),
  compaction_count: number(),
  last_commit_at: nullable<string>(),
  updated_at: nullable<string>(),
  /** True if a memory flush is running. */
  memory_flushing: flag(),
  /** The last completed memory flush: its time in ISO 8601, and the number of saved facts. */
  last_memory_flush: nullable<{ readonly timestamp: string; readonly saved: number }>(),
} satisfies ReportFields;

export type SessionStatus = ReportOf<typeof SESSION_STATUS>;

/** The status of a session, in constant time. @throws MemoryError `not_found` */
export function sessionStatus(root: string, id: string, now: Date): SessionStatus {
  return asStatus(Session.open(root, id), now);
}

/** All sessions, last updated first. */
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

/** True if a memory flush is running. A flush that was killed counts as running until its time limit has passed. */
export function isFlushing({ memory_flush_running_since: since }: SessionMeta, now: Date): boolean {
  return since !== null && Math.abs(now.getTime() - since) <= FLUSH_DEADLINE_MS + FLUSH_GRACE_MS;
}

/** The workspace that contains the sessions. */
export type SessionWorkspace = Omit<WorkspaceContext, 'reads'>;

/**
 * Runs `work` under the lock of a session's log and meta. The lock is held only for a short time, and never during a model
 * call.
 * @param before the session as the caller read it: a file that has not changed since then is not parsed again
 * @throws MemoryError `busy` with the name of the holder, `refused` when a link leads the session out of the workspace
 */
export async function withLogLock<T>(
  place: SessionWorkspace,
  id: string,
  command: string,
  work: (session: Session) => T,
  before = new Session(place.root, id),
) {
  resolveContainedPath(place.root, `sessions/${id}`);
  const folder = makeLockFolder(logLock(place, id));
  const held =
    (await waitForLockUntilTimeout(folder, { ...place, command }, LOCK_WAIT_MS)) ??
    fail('busy', `${lockHolderName(folder)} is writing to the session`, 'try again when it is done');
  try {
    return work(before.again());
  } finally {
    held.release();
  }
}

/**
 * Runs `work` under the lock of a session's archives, so that they are finished strictly in order. The lock is held during
 * model calls; messages can still be added and archived meanwhile. A process that holds the log lock never takes this lock.
 * @returns undefined if another process holds the lock for longer than `waitMs`
 */
export async function withArchivesLock<T extends object>(
  place: SessionWorkspace,
  id: string,
  { command, waitMs = 0 }: { readonly command: string; readonly waitMs?: number },
  work: () => T | Promise<T>,
): Promise<T | undefined> {
  const folder = makeLockFolder(join(logLock(place, id), 'archives'));
  const held = await waitForLockUntilTimeout(folder, { ...place, command }, waitMs);
  try {
    return held && (await work());
  } finally {
    held?.release();
  }
}

/** The name of the process that is finishing archives of a session. */
export function archivesLockHolder(place: SessionWorkspace, id: string): string {
  return lockHolderName(join(logLock(place, id), 'archives'));
}

function logLock({ stateFolder }: SessionWorkspace, id: string): string {
  return join(stateFolder, 'sessions', id);
}
