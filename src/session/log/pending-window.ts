import { readSync } from 'node:fs';
import { findFirstNotBelow, smallest } from '../../base/order.js';
import { openToRead, withOpenFile } from '../../workspace/files.js';
import { countMessageTokens, type SessionMessage } from '../message.js';
import type { SessionMeta } from './meta.js';
import { type LogEntry, parseLog } from './read.js';

/** Maximum number of newest messages that a commit may keep. */
export const MAX_KEEP_COUNT = 10_000;

/** Changes a number of messages to keep into a valid one: a whole number from 0 to {@link MAX_KEEP_COUNT}; NaN becomes 0. */
export function clampKeepCount(value: number): number {
  return Number.isNaN(value) ? 0 : Math.min(MAX_KEEP_COUNT, Math.max(0, Math.trunc(value)));
}

/**
 * The fields of a session's meta that change with its log: how many messages and tokens are pending, and up to which offset
 * in the log they are counted.
 */
export type LogWindow = Pick<
  SessionMeta,
  'live_count' | 'log_bytes' | 'counted_count' | 'window_offset' | 'pending_tokens' | 'keep_recent_count'
>;

/** Finds the message whose line begins at or after a byte offset; undefined at the end of the log. */
type LogEntryFinder = (offset: number) => LogEntry | undefined;

/**
 * The {@link LogWindow} after messages were added to the log. The newest `keep_recent_count` messages are not pending. When
 * a message is added, the oldest of these messages becomes pending. A commit may keep a few more messages than that, so that
 * no tool call is split from its result. These extra messages also become pending now. The cost depends on the added
 * messages, not on the length of the log.
 */
export function advanceLogWindow(window: LogWindow, added: readonly LogEntry[], entryAt: LogEntryFinder): LogWindow {
  if (added.length === 0) return window;
  const own = new Map(added.map((entry) => [entry.offset, entry]));
  const live_count = window.live_count + added.length;
  let { counted_count, window_offset, pending_tokens } = window;
  while (counted_count < live_count - window.keep_recent_count) {
    const entry = own.get(window_offset) ?? entryAt(window_offset);
    if (entry === undefined) break;
    pending_tokens += countMessageTokens(entry.message);
    window_offset = entry.end;
    counted_count++;
  }
  const log_bytes = added.at(-1)?.end ?? window.log_bytes;
  return { ...window, live_count, log_bytes, counted_count, window_offset, pending_tokens };
}

/**
 * The {@link LogWindow} right after a commit that left `retained` messages with `bytes` bytes in the log. No message is
 * pending.
 */
export function windowAfterCommit(keep: number, retained: number, bytes: number): LogWindow {
  const counted = { counted_count: 0, window_offset: 0, pending_tokens: 0 };
  return { live_count: retained, log_bytes: bytes, ...counted, keep_recent_count: clampKeepCount(keep) };
}

/**
 * The {@link LogWindow} of a whole log, computed from its entries. `settled`: number of messages at the beginning of the log
 * that the last commit left in it.
 */
export function measureLogWindow(entries: readonly LogEntry[], keep: number, settled = 0): LogWindow {
  const start = windowAfterCommit(keep, settled, entries[settled - 1]?.end ?? 0);
  return advanceLogWindow(start, entries.slice(settled), entryFinderInMemory(entries));
}

/** Returns a function that finds an entry among entries in memory. */
export function entryFinderInMemory(entries: readonly LogEntry[]): LogEntryFinder {
  return (offset) => entries[findFirstNotBelow(entries.length, (place) => (entries[place]?.offset ?? 0) < offset)];
}

const CHUNK_BYTES = 64 * 1024;

/** Returns a function that finds an entry in a log file. It reads only the line of that entry. */
export function entryFinderOnDisk(path: string): LogEntryFinder {
  return (offset) =>
    withOpenFile(openToRead(path), (file) => {
      let bytes = Buffer.alloc(0);
      for (;;) {
        const chunk = Buffer.alloc(Math.max(CHUNK_BYTES, bytes.length));
        const length = readSync(file, chunk, 0, chunk.length, offset + bytes.length);
        bytes = Buffer.concat([bytes, chunk.subarray(0, length)]);
        const complete = bytes.subarray(0, bytes.lastIndexOf(0x0a) + 1);
        const [entry] = parseLog(complete, offset).entries;
        if (entry !== undefined || length === 0) return entry;
      }
    });
}

/**
 * The index at which a log can be split without separating a tool call from its result: `wanted`, or as far before it as
 * necessary. A call of the last turn that has no result yet also stays in the log.
 */
export function safeLogSplitIndex(messages: readonly SessionMessage[], wanted: number): number {
  const { earliest, waiting } = readPairs(messages);
  let split = Math.min(wanted, waiting);
  let reach = split;
  for (let index = messages.length - 1; index >= split; index--) {
    reach = Math.min(reach, earliest[index] ?? index);
    // All messages from the split on are checked. If one of them answers a call before the split, move the split to that
    // call, and check the messages from there.
    if (index === split && reach < split) split = reach;
  }
  return split;
}

/**
 * @returns `earliest`: for each message, the index of the earliest message that has a call for one of its results.
 * `waiting`: index of the first message with a call that has no result; if there is no such call, the number of messages
 */
function readPairs(messages: readonly SessionMessage[]) {
  const calls = new Map<string, number>();
  const open = new Map<string, number>();
  const earliest = messages.map(({ role, parts }, index) => {
    let first = index;
    // With a new turn, earlier calls no longer wait for a result. A message with results does not begin a new turn.
    if (role !== 'tool' && !parts.some(({ type }) => type === 'tool_result')) open.clear();
    for (const part of parts) {
      if (part.type === 'tool_call') {
        calls.set(part.id, index);
        open.set(part.id, index);
      } else if (part.type === 'tool_result') {
        first = Math.min(first, calls.get(part.id) ?? index);
        open.delete(part.id);
      }
    }
    return first;
  });
  return { earliest, waiting: smallest(open.values(), messages.length) };
}
