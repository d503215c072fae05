import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../base/clock.js';
import { fail } from '../../base/failure.js';
import { createFolder, readVersion, replaceFile } from '../../workspace/files.js';
import { recount, settledMeta } from '../log/append.js';
import { type ArchiveCounts, EMPTY_META, readMeta, type SessionMeta, writeMeta } from '../log/meta.js';
import { ARCHIVE_FILES, archiveId, type SessionPaths } from '../log/paths.js';
import { absorb, entryIn, type LogWindow, windowAfterCommit } from '../log/pending-window.js';
import { type LogEntry, parseLog, type ReadLog } from '../log/read.js';
import { splitIndex } from '../log/split.js';
import { clampKeep } from '../log/window.js';
import { type Archive, type ArchiveState, listArchives } from './archives.js';
import { type ArchiveOrigin, formatArchiveMeta, readOrigin } from './meta.js';

export interface ArchiveRequest {
  /** How many of the newest messages stay. */
  readonly keep: number;
  readonly compaction: boolean;
  /** Archive nothing while fewer tokens are pending. */
  readonly threshold?: number | undefined;
}

export type ArchiveLiveOutcome = 'accepted' | 'no_messages' | 'all_within_keep_window' | 'below_threshold';

export interface Archived {
  readonly outcome: ArchiveLiveOutcome;
  /** Id of the new archive. */
  readonly archive: string | null;
  readonly archivedCount: number;
  readonly meta: SessionMeta;
}

/**
 * Phase 1 of a commit, under the lock of the log: moves the oldest live messages to a new archive. The archive is
 * durable before the log shrinks, so that a crash between any two steps loses nothing; {@link settlePhase1} goes on from
 * whatever it left.
 */
export function archiveLive(paths: SessionPaths, request: ArchiveRequest, clock: Clock): Archived {
  const meta = settlePhase1(paths);
  const keep = clampKeep(request.keep);
  if (request.threshold !== undefined && meta.pendingTokens < request.threshold) {
    return { outcome: 'below_threshold', archive: null, archivedCount: 0, meta };
  }
  const read = readWhole(paths);
  const { entries } = read;
  const messages = entries.map(({ message }) => message);
  const split = splitIndex(messages, Math.max(0, messages.length - keep));
  const now = clock.now().toISOString();
  if (split === 0) {
    const window = windowAfterCommit(keep, entries.length, read.bytes);
    const next = { ...meta, ...window, updatedAt: now };
    writeMeta(paths, next);
    const outcome = entries.length === 0 ? 'no_messages' : 'all_within_keep_window';
    return { outcome, archive: null, archivedCount: 0, meta: next };
  }
  const number = nextNumber(paths, meta);
  const origin: ArchiveOrigin = {
    createdAt: now,
    messageCount: split,
    firstId: messages[0]?.id ?? '',
    lastId: messages[split - 1]?.id ?? '',
    keepRecentCount: keep,
    retainedCount: messages.length - split,
    compaction: request.compaction,
  };
  const end = entries[split - 1]?.end ?? 0;
  createFolder(join(paths.history, archiveId(number)), {
    [ARCHIVE_FILES.log]: read.version.bytes.subarray(0, end),
    [ARCHIVE_FILES.meta]: formatArchiveMeta({ origin, outcome: null }),
  });
  shrinkLog(paths, read, end);
  const next = committed(meta, number, origin, rebased(entries.slice(split), end), paths);
  writeMeta(paths, next);
  return { outcome: 'accepted', archive: archiveId(number), archivedCount: split, meta: next };
}

/**
 * The meta of a session, made to fit its log and archives, under the lock. An archive that the meta does not know is
 * what a crash left of phase 1: it is taken off the head of the log, if the log still has it. That is looked for first,
 * at the cost of one look: a log that was shrunk and has grown since may have the very size that the old meta names.
 */
export function settlePhase1(paths: SessionPaths): SessionMeta {
  let meta = readMeta(paths) ?? EMPTY_META;
  if (!existsSync(join(paths.history, archiveId(meta.lastArchive + 1)))) return settledMeta(paths);
  for (const archive of listArchives(paths)) {
    if (archive.number <= meta.lastArchive) continue;
    meta = rollForward(paths, meta, archive);
    writeMeta(paths, meta);
  }
  return meta;
}

/** How many archives there are of each state. */
export function countArchives(archives: readonly Archive[]): ArchiveCounts {
  const of = (wanted: ArchiveState): number => archives.filter(({ state }) => state === wanted).length;
  return { completed: of('completed'), failed: of('failed'), pending: of('pending') };
}

function rollForward(paths: SessionPaths, before: SessionMeta, archive: Archive): SessionMeta {
  const meta = recount(paths, before);
  const archived = readVersion(join(archive.folder, ARCHIVE_FILES.log))?.bytes ?? Buffer.alloc(0);
  const read = readWhole(paths);
  const head = read.version.bytes.subarray(0, archived.length);
  if (archived.length > 0 && head.equals(archived)) shrinkLog(paths, read, archived.length);
  const origin = readOrigin(archive) ?? lostOrigin(meta, parseLog(archived).entries);
  return committed(meta, archive.number, origin, readWhole(paths).entries, paths);
}

/** What can be told of an archive whose meta is lost. */
function lostOrigin({ keepRecentCount }: SessionMeta, entries: readonly LogEntry[]): ArchiveOrigin {
  return {
    createdAt: entries.at(-1)?.message.timestamp ?? '',
    messageCount: entries.length,
    firstId: entries[0]?.message.id ?? '',
    lastId: entries.at(-1)?.message.id ?? '',
    keepRecentCount,
    retainedCount: 0,
    compaction: false,
  };
}

/** The meta after an archive was taken off the log, which holds `rest` now: some of it may have come since. */
function committed(
  meta: SessionMeta,
  number: number,
  origin: ArchiveOrigin,
  rest: readonly LogEntry[],
  paths: SessionPaths,
): SessionMeta {
  const retained = Math.min(origin.retainedCount, rest.length);
  const start: LogWindow = windowAfterCommit(origin.keepRecentCount, retained, rest[retained - 1]?.end ?? 0);
  return {
    ...meta,
    ...absorb(start, rest.slice(retained), entryIn(rest)),
    createdAt: meta.createdAt ?? origin.createdAt,
    updatedAt: origin.createdAt,
    lastCommitAt: origin.createdAt,
    archivedCount: meta.archivedCount + origin.messageCount,
    lastArchive: number,
    archives: countArchives(listArchives(paths)),
    compactionCount: meta.compactionCount + (origin.compaction ? 1 : 0),
  };
}

interface WholeLog extends ReadLog {
  readonly version: { readonly bytes: Buffer; readonly hash: string };
}

function readWhole({ log }: SessionPaths): WholeLog {
  const version = readVersion(log) ?? { bytes: Buffer.alloc(0), hash: '' };
  return { ...parseLog(version.bytes), version };
}

function shrinkLog({ log }: SessionPaths, { version }: WholeLog, from: number): void {
  if (replaceFile(log, version, version.bytes.subarray(from))) return;
  fail('conflict', `${log} is being changed by another program`, 'run openclaw memory session resume when it is done');
}

function rebased(entries: readonly LogEntry[], by: number): readonly LogEntry[] {
  return entries.map(({ message, offset, end }) => ({ message, offset: offset - by, end: end - by }));
}

function nextNumber(paths: SessionPaths, { lastArchive }: SessionMeta): number {
  return Math.max(lastArchive, listArchives(paths).at(-1)?.number ?? 0) + 1;
}
