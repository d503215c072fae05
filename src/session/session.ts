import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fail, systemCode } from '../base/failure.js';
import { nearest } from '../base/nearest.js';
import { type Archive, type ArchiveState, listArchives, newestOverview, type Overview } from './archive/archives.js';
import { type ArchiveCounts, EMPTY_META, readMeta, type SessionMeta, writeMeta } from './log/meta.js';
import { isSessionId, SESSIONS_FOLDER, type SessionPaths, sessionPaths } from './log/paths.js';
import { readLive } from './log/read.js';
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

  /** The archives, oldest first. */
  get archives(): readonly Archive[] {
    this.#archives ??= listArchives(this.paths);
    return this.#archives;
  }

  /** To be called by whoever made an archive: they are listed anew. */
  archivesChanged(): void {
    this.#archives = undefined;
  }

  /** How many archives there are of each state. */
  get archiveCounts(): ArchiveCounts {
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
    return readLive(this.paths);
  }
}

/** Ids of all sessions. */
export function sessionIds(root: string): readonly string[] {
  try {
    return readdirSync(join(root, SESSIONS_FOLDER), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && isSessionId(entry.name))
      .map(({ name }) => name)
      .sort();
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [];
    throw error;
  }
}
