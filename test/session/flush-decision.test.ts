import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decideFlush, type FlushDecisionInput } from '../../src/session/flush-decision.js';
import { cases } from '../support/cases.js';

const usual: FlushDecisionInput = {
  tokens: 178_000,
  contextWindow: 200_000,
  reserve: 20_000,
  soft: 4_000,
  compactionCount: 0,
};

// The recommended column of section 4 of the notes on the flush.
describe('odd values', () => {
  test.each<[string, FlushDecisionInput, boolean, number]>([
    ['one below the threshold', { ...usual, tokens: 175_999 }, false, 176_000],
    ['at the threshold', { ...usual, tokens: 176_000 }, true, 176_000],
    ['one above', { ...usual, tokens: 176_001 }, true, 176_000],
    ['between flush and compaction', { ...usual, tokens: 179_999 }, true, 176_000],
    ['both thresholds crossed in one step', { ...usual, tokens: 260_000 }, true, 176_000],
    ['a fraction below', { ...usual, tokens: 175_999.9 }, false, 176_000],
    ['no tokens', { ...usual, tokens: 0 }, false, 176_000],
    ['negative tokens', { ...usual, tokens: -5 }, false, 176_000],
    ['NaN tokens', { ...usual, tokens: Number.NaN }, false, 176_000],
    ['unknown tokens', { ...usual, tokens: undefined }, false, 176_000],
    ['huge tokens', { ...usual, tokens: Number.MAX_VALUE }, true, 176_000],
    ['soft 0, below', { ...usual, tokens: 179_999, soft: 0 }, false, 180_000],
    ['soft 0, at', { ...usual, tokens: 180_000, soft: 0 }, true, 180_000],
    ['a negative soft is the default', { ...usual, soft: -1000 }, true, 176_000],
    ['a NaN soft is the default', { ...usual, soft: Number.NaN }, true, 176_000],
    ['an infinite soft is the default', { ...usual, soft: Infinity }, true, 176_000],
    ['soft beyond the window takes half of what is left', { ...usual, tokens: 75_001, soft: 500_000 }, false, 90_000],
    ['a small enough soft limit is used unchanged', { ...usual, contextWindow: 8192, reserve: 2000 }, true, 2192],
    ['a large soft that leaves something', { ...usual, soft: 100_000, tokens: 79_999 }, false, 80_000],
    ['reserve 0', { ...usual, tokens: 196_000, reserve: 0 }, true, 196_000],
    ['a negative reserve is the default', { ...usual, reserve: -1 }, true, 176_000],
    ['reserve as large as the window takes a quarter', { ...usual, tokens: 1, reserve: 200_000 }, false, 146_000],
    ['a tiny window does not flush an empty session', { ...usual, tokens: 0, contextWindow: 8000 }, false, 3000],
    ['a tiny window, few tokens', { ...usual, tokens: 100, contextWindow: 8000 }, false, 3000],
    ['a tiny window, many tokens', { ...usual, tokens: 4000, contextWindow: 8000 }, true, 3000],
    ['32768, below', { ...usual, tokens: 20_575, contextWindow: 32_768 }, false, 20_576],
    ['32768, at', { ...usual, tokens: 20_576, contextWindow: 32_768 }, true, 20_576],
    ['a million', { ...usual, tokens: 976_000, contextWindow: 1_000_000 }, true, 976_000],
    ['a window smaller than the reserve', { ...usual, tokens: 9000, contextWindow: 15_000 }, true, 7_250],
    ['window 0', { ...usual, tokens: 10, contextWindow: 0 }, false, 0],
    ['a negative window', { ...usual, tokens: 10, contextWindow: -200_000 }, false, 0],
    ['an unknown window', { ...usual, contextWindow: undefined }, false, 0],
  ])('%s', (_, question, shouldFlush, threshold) => {
    expect(decideFlush(question)).toMatchObject({ shouldFlush, threshold });
  });
});

describe('by size, when the number of tokens is unknown (boundary case 9)', () => {
  const stale: FlushDecisionInput = { tokens: undefined, contextWindow: 200_000 };
  test.each<[string, FlushDecisionInput, boolean]>([
    ['one byte below', { ...stale, transcriptBytes: 2_097_151 }, false],
    ['at 2 MiB', { ...stale, transcriptBytes: 2_097_152 }, true],
    ['one byte above', { ...stale, transcriptBytes: 2_097_153 }, true],
    ['0 switches it off', { ...stale, transcriptBytes: 9_999_999, forceBytes: 0 }, false],
    ['flushed already', { ...stale, transcriptBytes: 9_999_999, compactionCount: 2, lastFlush: 2 }, false],
    ['also without a window', { ...stale, contextWindow: undefined, transcriptBytes: 9_999_999 }, true],
    ['not when it is switched off', { ...stale, transcriptBytes: 9_999_999, enabled: false }, false],
  ])('%s', (_, question, shouldFlush) => {
    expect(decideFlush(question)).toMatchObject({ shouldFlush });
  });
});

describe('once per compaction cycle', () => {
  test.each<[string, Partial<FlushDecisionInput>, boolean]>([
    ['both counters missing: the first flush is due', { compactionCount: undefined }, true],
    ['never flushed', { compactionCount: 3 }, true],
    ['flushed in this cycle', { compactionCount: 0, lastFlush: 0 }, false],
    ['flushed before the first compaction was counted', { compactionCount: undefined, lastFlush: 0 }, false],
    ['flushed in the cycle before', { compactionCount: 1, lastFlush: 0 }, true],
    ['flushed ahead of the count, after a restore', { compactionCount: 0, lastFlush: 2 }, true],
    ['an odd count is 0', { compactionCount: Number.NaN, lastFlush: 0 }, false],
    ['an odd last flush counts as none', { compactionCount: 0, lastFlush: Number.NaN }, true],
  ])('%s', (_, counters, shouldFlush) => {
    expect(decideFlush({ ...usual, ...counters }).shouldFlush).toBe(shouldFlush);
  });

  test('three checks in one cycle flush once; a compaction allows the next', () => {
    let lastFlush: number | undefined;
    const check = (compactionCount: number) => {
      const { shouldFlush } = decideFlush({ ...usual, compactionCount, lastFlush });
      if (shouldFlush) lastFlush = compactionCount;
      return shouldFlush;
    };
    expect([check(0), check(0), check(0), check(1), check(1)]).toEqual([true, false, false, true, false]);
  });

  test('the reason names the deciding rule', () => {
    expect(decideFlush(usual).reason).toBe('threshold_reached');
    expect(decideFlush({ ...usual, tokens: 5 }).reason).toBe('below_threshold');
    expect(decideFlush({ ...usual, lastFlush: 0 }).reason).toBe('already_flushed');
    expect(decideFlush({ ...usual, tokens: undefined }).reason).toBe('no_tokens');
    expect(decideFlush({ ...usual, contextWindow: 0 }).reason).toBe('no_context_window');
  });
});

test('any input flushes only within the window and never without tokens', () => {
  const odd = fc.oneof(fc.double(), fc.integer(), fc.constant(undefined));
  fc.assert(
    fc.property(odd, odd, odd, odd, (tokens, contextWindow, reserve, soft) => {
      const { shouldFlush, threshold } = decideFlush({ tokens, contextWindow, reserve, soft });
      expect(threshold).toBeGreaterThanOrEqual(0);
      expect(threshold).toBeLessThanOrEqual(Math.max(0, contextWindow || 0));
      if (shouldFlush) expect(tokens).toBeGreaterThan(0);
    }),
    { numRuns: cases(1_000), seed: 10 },
  );
});
