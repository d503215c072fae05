import { statSync } from 'node:fs';
import type { Clock } from '../../base/clock.js';
import { fail } from '../../base/failure.js';
import { appendIfSizeIs, truncateFile } from '../../workspace/files.js';
import type { Session } from '../session.js';
import type { SessionMeta, UsedRequestKey } from './meta.js';
import { advanceLogWindow, entryFinderOnDisk, measureLogWindow } from './pending-window.js';
import { type LogEntry, type ParsedLog, parseLog, readLogFile, readLogFrom } from './read.js';

/** Number of idempotency keys that a session remembers. A client repeats a request soon or never. */
const KEYS = 200;

/**
 * Repairs the meta of a session so that it fits the log. Counts lines that a killed process appended, and cuts an
 * incomplete last line. The cost depends only on the appended lines. But if another program has rewritten the log, all
 * lines are counted again. Call it under the lock, and only if the meta knows all archives.
 */
export function metaForLog(session: Session): SessionMeta {
  const { paths, storedMeta: meta } = session;
  const size = statSync(paths.log, { throwIfNoEntry: false })?.size ?? 0;
  if (meta !== undefined && meta.log_bytes === size) return meta;
  if (meta !== undefined && size > meta.log_bytes) {
    const read = readLogFrom(paths.log, meta.log_bytes);
    if (read !== undefined) return withEntries(meta, session, mendTail(paths.log, read));
  }
  return recountLog(session, session.meta);
}

/** The meta of a session, with all counts computed again from the whole log. */
export function recountLog({ paths }: Session, meta: SessionMeta): SessionMeta {
  const read = mendTail(paths.log, readLogFile(paths.log));
  const keys = rememberKeys(meta.keys, read.entries);
  return { ...meta, ...measureLogWindow(read.entries, meta.keep_recent_count), log_bytes: read.bytes, keys };
}

/** The meta after more messages were added at the end of the log. */
function withEntries(meta: SessionMeta, { paths }: Session, { entries, bytes }: ParsedLog): SessionMeta {
  const window = advanceLogWindow(meta, entries, entryFinderOnDisk(paths.log));
  return { ...meta, ...window, log_bytes: bytes, keys: rememberKeys(meta.keys, entries) };
}

/**
 * Makes a log end with a line feed. If the last message is complete, only the line feed is added. If it is incomplete, it is
 * removed: no caller was told that it is stored.
 */
function mendTail(path: string, read: ParsedLog): ParsedLog {
  if (read.completeBytes === read.bytes) return read;
  const last = read.entries.at(-1);
  if (last === undefined || last.end !== read.bytes) {
    truncateFile(path, read.completeBytes);
    return { ...read, bytes: read.completeBytes };
  }
  if (!appendIfSizeIs(path, read.bytes, '\n')) return changedMeanwhile(path);
  const bytes = read.bytes + 1;
  return { ...read, entries: [...read.entries.slice(0, -1), { ...last, end: bytes }], bytes, completeBytes: bytes };
}

/** Appends lines to a log. `meta` must fit the log. @returns the meta that fits the longer log */
export function appendLines(session: Session, meta: SessionMeta, text: string, clock: Clock): SessionMeta {
  const { log } = session.paths;
  if (!appendIfSizeIs(log, meta.log_bytes, text)) return changedMeanwhile(log);
  const now = clock.now().toISOString();
  const added = withEntries(meta, session, parseLog(Buffer.from(text), meta.log_bytes));
  return { ...added, created_at: meta.created_at ?? now, updated_at: now };
}

function rememberKeys(keys: readonly UsedRequestKey[], entries: readonly LogEntry[]): readonly UsedRequestKey[] {
  const counts = new Map(keys);
  for (const { message } of entries) {
    if (message.idempotency_key === undefined) continue;
    const [name, index] = message.idempotency_key;
    const count = Math.max(index + 1, counts.get(name) ?? 0);
    counts.delete(name);
    counts.set(name, count);
  }
  return [...counts].slice(-KEYS);
}

function changedMeanwhile(path: string): never {
  return fail('conflict', `${path} is being changed by another program`, 'try again when that program is done');
}
