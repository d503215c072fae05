import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../base/clock.js';
import { fail } from '../../base/failure.js';
import { createFolder, type FileVersion, readVersion, replaceFile } from '../../workspace/files.js';
import { metaForLog, recountLog } from '../log/append.js';
import { HOST_RESET_ADDRESS, isHostNote } from '../log/harness.js';
import type { SessionMeta } from '../log/meta.js';
import { ARCHIVE_FILES, archiveId } from '../log/meta.js';
import { clampKeepCount, measureLogWindow, safeLogSplitIndex, windowAfterCommit } from '../log/pending-window.js';
import { type LogEntry, parseLog } from '../log/read.js';
import type { Session } from '../session.js';
import {
  type Archive,
  type ArchiveOrigin,
  formatArchiveMeta,
  isArchiveAtLogStart,
  listArchives,
  originFromMessages,
  readOrigin,
} from './archives.js';

interface ArchiveRequest {
  /** Number of newest messages that stay. */
  readonly keep: number;
  readonly compaction: boolean;
  /** Minimum number of pending tokens: with fewer tokens, nothing is archived. */
  readonly threshold?: number | undefined;
}

export interface ArchiveResult {
  readonly outcome: 'accepted' | 'no_messages' | 'all_within_keep_window' | 'below_threshold';
  /** Id of the new archive. */
  readonly archive: string | null;
  readonly archived: number;
  readonly meta: SessionMeta;
}

/**
 * Phase 1 of a commit, under the log lock: moves the oldest live messages to a new archive. The archive is durable
 * before the log shrinks, so a crash between any two steps loses nothing; {@link repairMeta} continues from there.
 */
export function archiveLiveMessages(session: Session, request: ArchiveRequest, clock: Clock): ArchiveResult {
  const meta = repairMeta(session);
  const keep = clampKeepCount(request.keep);
  if (request.threshold !== undefined && meta.pending_tokens < request.threshold) {
    return { outcome: 'below_threshold', archive: null, archived: 0, meta };
  }
  const read = readWhole(session);
  const { entries } = read;
  const messages = entries.map(({ message }) => message);
  // Messages before a reset by the host are always archived, whatever `keep` is.
  const ended = messages.findLastIndex((message) => isHostNote(message, HOST_RESET_ADDRESS)) + 1;
  const split = safeLogSplitIndex(messages, Math.max(ended, messages.length - keep));
  const now = clock.now().toISOString();
  if (split === 0) {
    const window = windowAfterCommit(keep, entries.length, read.bytes);
    const next = { ...meta, ...window, updated_at: now };
    session.save(next);
    const outcome = entries.length === 0 ? 'no_messages' : 'all_within_keep_window';
    return { outcome, archive: null, archived: 0, meta: next };
  }
  const number = Math.max(meta.last_archive, session.archives.at(-1)?.number ?? 0) + 1;
  const { compaction } = request;
  const retained_count = messages.length - split;
  const origin = { ...originFromMessages(messages.slice(0, split), keep), created_at: now, retained_count, compaction };
  const end = entries[split - 1]?.end ?? 0;
  createFolder(join(session.paths.history, archiveId(number)), {
    [ARCHIVE_FILES.log]: read.version.bytes.subarray(0, end),
    [ARCHIVE_FILES.meta]: formatArchiveMeta(origin),
  });
  session.archivesChanged();
  shrinkLog(session, read, end);
  const rest = entries.slice(split).map((entry) => ({ ...entry, offset: entry.offset - end, end: entry.end - end }));
  const next = session.save(committed(session, meta, number, origin, rest));
  return { outcome: 'accepted', archive: archiveId(number), archived: split, meta: next };
}

/**
 * Repairs the meta of a session so that it fits the log and the archives. Call it under the lock. First looks for an archive
 * that the meta does not know. Such an archive shows that a commit crashed in phase 1. Its messages are then removed from
 * the beginning of the log, if they are still there. The size of the log is checked only after that, because a log that
 * became shorter and then longer again may have exactly the size in the old meta. Looking for such an archive is cheap: it
 * only tests whether one folder exists.
 */
export function repairMeta(session: Session): SessionMeta {
  const { last_archive } = session.meta;
  if (!existsSync(join(session.paths.history, archiveId(last_archive + 1)))) return metaForLog(session);
  for (const archive of listArchives(session.paths)) {
    if (archive.number > last_archive) session.save(rollForward(session, archive));
  }
  return session.meta;
}

function rollForward(session: Session, archive: Archive): SessionMeta {
  const meta = recountLog(session, session.meta);
  const archived = readVersion(join(archive.folder, ARCHIVE_FILES.log))?.bytes ?? Buffer.alloc(0);
  if (isArchiveAtLogStart(archive, session.paths)) shrinkLog(session, readWhole(session), archived.length);
  session.archivesChanged();
  const messages = parseLog(archived).entries.map(({ message }) => message);
  const origin = readOrigin(archive) ?? originFromMessages(messages, meta.keep_recent_count);
  return committed(session, meta, archive.number, origin, readWhole(session).entries);
}

/**
 * The meta after the messages of an archive were removed from the log. `rest`: the messages that the log now has. Some of
 * them may be newer than the archive.
 */
function committed(
  session: Session,
  meta: SessionMeta,
  number: number,
  origin: ArchiveOrigin,
  rest: readonly LogEntry[],
): SessionMeta {
  return {
    ...meta,
    ...measureLogWindow(rest, origin.keep_recent_count, Math.min(origin.retained_count, rest.length)),
    created_at: meta.created_at ?? origin.created_at,
    updated_at: origin.created_at,
    last_commit_at: origin.created_at,
    archived_count: meta.archived_count + origin.message_count,
    last_archive: number,
    archives: session.archiveCounts,
    compaction_count: meta.compaction_count + (origin.compaction ? 1 : 0),
  };
}

function readWhole({ paths }: Session) {
  const version = readVersion(paths.log) ?? { bytes: Buffer.alloc(0), hash: '' };
  return { ...parseLog(version.bytes), version };
}

function shrinkLog({ paths: { log } }: Session, { version }: { version: FileVersion }, from: number): void {
  if (replaceFile(log, version, version.bytes.subarray(from))) return;
  fail(
    'conflict',
    `${log} is being changed by another program`,
    'when that program is done, run: openclaw memory session resume',
  );
}
