import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  addMessage,
  clampKeep,
  commitWindow,
  EMPTY_WINDOW,
  KEEP_LIMIT,
  pushedOutIndex,
  recomputeWindow,
  type TokenWindow,
} from '../../src/session/log/window.js';

function add(window: TokenWindow, live: number[], tokens: number): TokenWindow {
  live.push(tokens);
  return addMessage(window, live[pushedOutIndex(window) ?? -1] ?? 0);
}

describe('pending tokens', () => {
  test('before the first commit nothing is kept back: every message is pending', () => {
    const live: number[] = [];
    const window = [7, 8, 9].reduce((now, tokens) => add(now, live, tokens), EMPTY_WINDOW);
    expect(window.pendingTokens).toBe(24);
  });

  test('after a commit that keeps two, a message makes the one it pushes out pending', () => {
    const live = [30, 40];
    const { window } = commitWindow({ liveCount: 4, keepRecentCount: 0, pendingTokens: 100 }, 2);
    expect(add(window, live, 5).pendingTokens).toBe(30);
  });

  test('a commit says what goes to the archive, and leaves nothing pending in any case', () => {
    const window = { liveCount: 3, keepRecentCount: 0, pendingTokens: 60 };
    expect(commitWindow(window, 2)).toMatchObject({ outcome: 'accepted', archivedCount: 1 });
    expect(commitWindow(window, 3)).toEqual({
      outcome: 'all_within_keep_window',
      archivedCount: 0,
      window: { liveCount: 3, keepRecentCount: 3, pendingTokens: 0 },
    });
    expect(commitWindow(EMPTY_WINDOW, 3)).toEqual({
      outcome: 'no_messages',
      archivedCount: 0,
      window: { liveCount: 0, keepRecentCount: 3, pendingTokens: 0 },
    });
  });

  test.each([
    [-7, 0],
    [2.9, 2],
    [KEEP_LIMIT, KEEP_LIMIT],
    [KEEP_LIMIT + 1, KEEP_LIMIT],
    [Infinity, KEEP_LIMIT],
    [Number.NaN, 0],
  ])('a keep count of %d is %d', (keep, expected) => {
    expect(clampKeep(keep)).toBe(expected);
  });

  test('whatever is added and committed, the running count equals the recomputed one', () => {
    const step = fc.oneof(
      { weight: 5, arbitrary: fc.record({ add: fc.nat(500) }) },
      { weight: 1, arbitrary: fc.record({ commit: fc.integer({ min: -3, max: 12 }) }) },
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        let window = EMPTY_WINDOW;
        let live: number[] = [];
        for (const one of steps) {
          if ('add' in one) window = add(window, live, one.add);
          else {
            const commit = commitWindow(window, one.commit);
            live = live.slice(commit.archivedCount);
            window = commit.window;
          }
          expect(window).toEqual(recomputeWindow(live, window.keepRecentCount));
        }
      }),
      { numRuns: 1_000, seed: 9 },
    );
  });
});
