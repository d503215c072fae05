/** How many of the newest messages a commit may keep. */
export const KEEP_LIMIT = 10_000;

/** The live messages of a session, as far as `pending_tokens` needs to know them. */
export interface TokenWindow {
  /** Live messages: those that no commit has archived. */
  readonly liveCount: number;
  /** How many of the newest ones are not pending; that of the last commit, 0 before the first. */
  readonly keepRecentCount: number;
  /** Estimated tokens of the live messages before those. */
  readonly pendingTokens: number;
}

export const EMPTY_WINDOW: TokenWindow = { liveCount: 0, keepRecentCount: 0, pendingTokens: 0 };

/** `value` as a keep count: a whole number of 0…{@link KEEP_LIMIT}; what is not a number counts as 0. */
export function clampKeep(value: number): number {
  return Number.isNaN(value) ? 0 : Math.min(KEEP_LIMIT, Math.max(0, Math.trunc(value)));
}

/**
 * The index, among the live messages with the next one appended, of the message that this next one pushes out of the
 * kept tail, so that it becomes pending: the next one itself when nothing is kept; undefined while all fit.
 */
export function pushedOutIndex(window: TokenWindow): number | undefined {
  const index = window.liveCount - window.keepRecentCount;
  return index >= 0 ? index : undefined;
}

/** One more message. `pushedOutTokens`: the tokens of the message at {@link pushedOutIndex}, 0 when there is none. O(1). */
export function addMessage(window: TokenWindow, pushedOutTokens: number): TokenWindow {
  const pending = pushedOutIndex(window) === undefined ? 0 : pushedOutTokens;
  return { ...window, liveCount: window.liveCount + 1, pendingTokens: window.pendingTokens + pending };
}

export interface WindowCommit {
  readonly window: TokenWindow;
  /** How many of the oldest live messages go to the archive. */
  readonly archivedCount: number;
  readonly outcome: 'accepted' | 'no_messages' | 'all_within_keep_window';
}

/** Splits before the newest `keep` messages. Nothing is pending afterwards, also when there was nothing to archive. */
export function commitWindow(window: TokenWindow, keep: number): WindowCommit {
  const keepRecentCount = clampKeep(keep);
  const archivedCount = Math.max(0, window.liveCount - keepRecentCount);
  const next = { liveCount: window.liveCount - archivedCount, keepRecentCount, pendingTokens: 0 };
  const skipped = window.liveCount === 0 ? 'no_messages' : 'all_within_keep_window';
  return { window: next, archivedCount, outcome: archivedCount > 0 ? 'accepted' : skipped };
}

/** The window of live messages with these tokens, oldest first: what the incremental one must equal. */
export function recomputeWindow(tokens: readonly number[], keep: number): TokenWindow {
  const keepRecentCount = clampKeep(keep);
  const pending = tokens.slice(0, Math.max(0, tokens.length - keepRecentCount));
  return {
    liveCount: tokens.length,
    keepRecentCount,
    pendingTokens: pending.reduce((sum, count) => sum + count, 0),
  };
}
