import { closeSync, openSync, readSync } from 'node:fs';
import { messageTokens } from '../message.js';
import type { SessionMeta } from './meta.js';
import { type LogEntry, parseLog } from './read.js';
import { clampKeep } from './window.js';

/** The part of a session's meta that follows its log: what is counted as pending, and up to where. */
export type LogWindow = Pick<
  SessionMeta,
  'liveCount' | 'logBytes' | 'countedCount' | 'windowOffset' | 'pendingTokens' | 'keepRecentCount'
>;

/** Finds the message whose line begins at a byte offset, or behind it; undefined at the end of the log. */
export type EntryAt = (offset: number) => LogEntry | undefined;

/**
 * The window after some more messages: each one that they push out of the kept tail becomes pending (working-memory
 * notes, section 7). A pair that a commit kept whole stays out of the count until then. The cost is that of the messages that come and go, however long the log is.
 */
export function absorb(window: LogWindow, added: readonly LogEntry[], entryAt: EntryAt): LogWindow {
  if (added.length === 0) return window;
  const own = new Map(added.map((entry) => [entry.offset, entry]));
  const liveCount = window.liveCount + added.length;
  let { countedCount, windowOffset, pendingTokens } = window;
  while (countedCount < liveCount - window.keepRecentCount) {
    const entry = own.get(windowOffset) ?? entryAt(windowOffset);
    if (entry === undefined) break;
    pendingTokens += messageTokens(entry.message);
    windowOffset = entry.end;
    countedCount++;
  }
  const logBytes = added.at(-1)?.end ?? window.logBytes;
  return { ...window, liveCount, logBytes, countedCount, windowOffset, pendingTokens };
}

/** The window right after a commit that left `retained` messages of `bytes`: nothing is pending. */
export function windowAfterCommit(keep: number, retained: number, bytes: number): LogWindow {
  return {
    liveCount: retained,
    logBytes: bytes,
    countedCount: 0,
    windowOffset: 0,
    pendingTokens: 0,
    keepRecentCount: clampKeep(keep),
  };
}

/** The window of a whole log, of which the first `settled` messages were there at the last commit. */
export function windowOf(entries: readonly LogEntry[], keep: number, settled = 0): LogWindow {
  const start = windowAfterCommit(keep, settled, entries[settled - 1]?.end ?? 0);
  return absorb(start, entries.slice(settled), entryIn(entries));
}

/** Looks up entries that are in memory. */
export function entryIn(entries: readonly LogEntry[]): EntryAt {
  return (offset) => {
    let low = 0;
    for (let high = entries.length; low < high; ) {
      const middle = (low + high) >> 1;
      if ((entries[middle]?.offset ?? 0) < offset) low = middle + 1;
      else high = middle;
    }
    return entries[low];
  };
}

const CHUNK_BYTES = 64 * 1024;

/** Looks up entries in a log file, reading no more of it than their lines. */
export function entryOnDisk(path: string): EntryAt {
  return (offset) => {
    const file = openSync(path, 'r');
    try {
      let bytes = Buffer.alloc(0);
      for (;;) {
        const chunk = Buffer.alloc(Math.max(CHUNK_BYTES, bytes.length));
        const length = readSync(file, chunk, 0, chunk.length, offset + bytes.length);
        bytes = Buffer.concat([bytes, chunk.subarray(0, length)]);
        const complete = bytes.subarray(0, bytes.lastIndexOf(0x0a) + 1);
        const [entry] = parseLog(complete, offset).entries;
        if (entry !== undefined || length === 0) return entry;
      }
    } finally {
      closeSync(file);
    }
  };
}
