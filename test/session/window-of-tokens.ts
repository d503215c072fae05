import {
  advanceLogWindow,
  clampKeepCount,
  entryFinderInMemory,
  type LogWindow,
  measureLogWindow,
  windowAfterCommit,
} from '../../src/session/log/pending-window.js';
import type { LogEntry } from '../../src/session/log/read.js';

/** A log whose messages are only numbers of tokens, with the program's window over it. */
export interface TokenLog {
  readonly window: LogWindow;
  readonly entries: readonly LogEntry[];
  readonly live: readonly number[];
}

interface CommittedLog {
  readonly log: TokenLog;
  readonly archived: readonly number[];
  readonly outcome: 'accepted' | 'no_messages' | 'all_within_keep_window';
}

export function emptyLog(keep = 0): TokenLog {
  return { window: windowAfterCommit(keep, 0, 0), entries: [], live: [] };
}

export function addTokens(log: TokenLog, tokens: number): TokenLog {
  const live = [...log.live, tokens];
  const entries = entriesOf(live);
  return { live, entries, window: advanceLogWindow(log.window, entries.slice(-1), entryFinderInMemory(entries)) };
}

export function commitLog({ live }: TokenLog, keep: number): CommittedLog {
  const split = Math.max(0, live.length - clampKeepCount(keep));
  const rest = live.slice(split);
  const entries = entriesOf(rest);
  const window = windowAfterCommit(keep, rest.length, entries.at(-1)?.end ?? 0);
  const nothing = live.length === 0 ? 'no_messages' : 'all_within_keep_window';
  return {
    log: { window, live: rest, entries },
    archived: live.slice(0, split),
    outcome: split > 0 ? 'accepted' : nothing,
  };
}

/** Returns the window computed by a full reading of the log. */
export function reload({ window, entries, live }: TokenLog): TokenLog {
  return { live, entries, window: measureLogWindow(entries, window.keep_recent_count) };
}

function entriesOf(tokens: readonly number[]): readonly LogEntry[] {
  let end = 0;
  return tokens.map((count, index) => {
    const text = 'x'.repeat(4 * count);
    const offset = end;
    end += text.length + 1;
    const message = { id: `m-${index}`, role: 'user', parts: [{ type: 'text', text }], timestamp: null } as const;
    return { message, offset, end };
  });
}
