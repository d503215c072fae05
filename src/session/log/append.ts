import { statSync } from 'node:fs';
import type { Clock } from '../../base/clock.js';
import { fail } from '../../base/failure.js';
import { appendAtSize, cutFile } from '../../workspace/files.js';
import { EMPTY_META, readMeta, type SessionMeta, type UsedKey } from './meta.js';
import type { SessionPaths } from './paths.js';
import { absorb, entryOnDisk, windowOf } from './pending-window.js';
import { type LogEntry, parseLog, type ReadLog, readLogFile, readLogFrom } from './read.js';

/** How many idempotency keys are remembered. A retry comes soon, or not at all. */
const KEYS = 200;

/**
 * The meta of a session, made to fit its log, when no archive is unknown to it: what an appender that was killed wrote is counted, what it tore off is
 * cut. Costs no more than what was appended since; a log that somebody else rewrote is counted anew. Under the lock.
 */
export function settledMeta(paths: SessionPaths): SessionMeta {
  const meta = readMeta(paths);
  const size = statSync(paths.log, { throwIfNoEntry: false })?.size ?? 0;
  if (meta !== undefined && meta.logBytes === size) return meta;
  if (meta !== undefined && size > meta.logBytes) {
    const read = readLogFrom(paths.log, meta.logBytes);
    if (read !== undefined) return withEntries(meta, paths, mendTail(paths.log, read));
  }
  return recount(paths, meta ?? EMPTY_META);
}

/** The meta as a whole reading of the log gives it. */
export function recount(paths: SessionPaths, meta: SessionMeta): SessionMeta {
  const read = mendTail(paths.log, readLogFile(paths.log));
  const keys = rememberKeys(meta.keys, read.entries);
  return { ...meta, ...windowOf(read.entries, meta.keepRecentCount), logBytes: read.bytes, keys };
}

/** The meta with some more messages at the end of the log. */
function withEntries(meta: SessionMeta, paths: SessionPaths, { entries, bytes }: ReadLog): SessionMeta {
  const window = absorb(meta, entries, entryOnDisk(paths.log));
  return { ...meta, ...window, logBytes: bytes, keys: rememberKeys(meta.keys, entries) };
}

/**
 * Ends a log in a line feed: a last line that is whole gets one; of a torn one, which nobody was told is stored, the
 * rest goes.
 */
export function mendTail(path: string, read: ReadLog): ReadLog {
  if (read.completeBytes === read.bytes) return read;
  const last = read.entries.at(-1);
  if (last === undefined || last.end !== read.bytes) {
    cutFile(path, read.completeBytes);
    return { ...read, bytes: read.completeBytes };
  }
  if (!appendAtSize(path, read.bytes, '\n')) return changedMeanwhile(path);
  const bytes = read.bytes + 1;
  return { ...read, entries: [...read.entries.slice(0, -1), { ...last, end: bytes }], bytes, completeBytes: bytes };
}

/** Appends lines to a log that `meta` fits. @returns the meta that fits it then. */
export function appendLines(paths: SessionPaths, meta: SessionMeta, text: string, clock: Clock): SessionMeta {
  if (!appendAtSize(paths.log, meta.logBytes, text)) return changedMeanwhile(paths.log);
  const now = clock.now().toISOString();
  const added = withEntries(meta, paths, parseLog(Buffer.from(text), meta.logBytes));
  return { ...added, createdAt: meta.createdAt ?? now, updatedAt: now };
}

function rememberKeys(keys: readonly UsedKey[], entries: readonly LogEntry[]): readonly UsedKey[] {
  const counts = new Map(keys.map(({ name, count }) => [name, count]));
  for (const { message } of entries) {
    if (message.key === undefined) continue;
    const { name, index } = message.key;
    const count = Math.max(index + 1, counts.get(name) ?? 0);
    counts.delete(name);
    counts.set(name, count);
  }
  return [...counts].slice(-KEYS).map(([name, count]) => ({ name, count }));
}

function changedMeanwhile(path: string): never {
  return fail('conflict', `${path} is being changed by another program`, 'try again when it is done');
}
