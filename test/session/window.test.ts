import { describe, expect, test } from 'vitest';
import { clampKeepCount, MAX_KEEP_COUNT } from '../../src/session/log/pending-window.js';
import { addTokens, commitLog, emptyLog } from './window-of-tokens.js';

describe('pending tokens', () => {
  test('include every message before the first commit', () => {
    expect([7, 8, 9].reduce(addTokens, emptyLog()).window.pending_tokens).toBe(24);
  });

  test('after a commit that keeps two, include each message that a new one displaces', () => {
    const { log } = commitLog([10, 20, 30, 40].reduce(addTokens, emptyLog()), 2);
    expect(addTokens(log, 5).window.pending_tokens).toBe(30);
  });

  test('are 0 after every commit', () => {
    const log = [20, 20, 20].reduce(addTokens, emptyLog());
    expect(commitLog(log, 2)).toMatchObject({ outcome: 'accepted', archived: [20] });
    const kept = { live_count: 3, keep_recent_count: 3, pending_tokens: 0 };
    expect(commitLog(log, 3)).toMatchObject({ outcome: 'all_within_keep_window', archived: [], log: { window: kept } });
    const none = { live_count: 0, keep_recent_count: 3, pending_tokens: 0 };
    expect(commitLog(emptyLog(), 3)).toMatchObject({ outcome: 'no_messages', log: { window: none } });
  });

  test.each([
    [-7, 0],
    [2.9, 2],
    [MAX_KEEP_COUNT, MAX_KEEP_COUNT],
    [MAX_KEEP_COUNT + 1, MAX_KEEP_COUNT],
    [Infinity, MAX_KEEP_COUNT],
    [Number.NaN, 0],
  ])('use the keep count %d as %d', (keep, expected) => {
    expect(clampKeepCount(keep)).toBe(expected);
  });
});
