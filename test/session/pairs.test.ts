import fc from 'fast-check';
import { expect, test } from 'vitest';
import { safeLogSplitIndex } from '../../src/session/log/pending-window.js';
import type { MessageDraft, SessionMessage } from '../../src/session/message.js';
import { cases } from '../support/cases.js';
import { answers, calls, says } from './support.js';

function log(...drafts: readonly MessageDraft[]): readonly SessionMessage[] {
  return drafts.map((draft, index) => ({ ...draft, id: `m-${index}` }));
}

test('without tool calls the split is where it is requested', () => {
  const messages = log(says('user', 'a'), says('assistant', 'b'), says('user', 'c'));
  expect([0, 1, 2, 3].map((wanted) => safeLogSplitIndex(messages, wanted))).toEqual([0, 1, 2, 3]);
});

test('a call stays with its result, even if more messages stay than requested', () => {
  const messages = log(says('user', 'a'), calls('t1'), answers('t1'), says('assistant', 'b'));
  expect(safeLogSplitIndex(messages, 2)).toBe(1);
  expect(safeLogSplitIndex(messages, 3)).toBe(3);
});

test('overlapping pairs move the split as far as needed', () => {
  const messages = log(calls('t1'), calls('t2'), answers('t1'), says('user', 'x'), answers('t2'));
  expect(safeLogSplitIndex(messages, 4)).toBe(0);
});

test('a call that waits for its result stays, an abandoned one does not', () => {
  expect(safeLogSplitIndex(log(says('user', 'a'), calls('t1')), 2)).toBe(1);
  expect(safeLogSplitIndex(log(says('user', 'a'), calls('t1'), calls('t2')), 3)).toBe(2);
  expect(safeLogSplitIndex(log(calls('t1'), says('user', 'never mind')), 2)).toBe(2);
});

test('a reused id belongs to its own turn', () => {
  const messages = log(calls('t'), answers('t'), says('user', 'more'), calls('t'), answers('t'));
  expect(safeLogSplitIndex(messages, 4)).toBe(3);
  expect(safeLogSplitIndex(messages, 2)).toBe(2);
});

test('no pair is ever cut, and no more messages stay than the pairs need', () => {
  const turn = fc.oneof(
    fc.constant([says('user', 'x')]),
    fc.constant([says('assistant', 'y')]),
    fc.nat(5).map((id) => [calls(`t${id}`), answers(`t${id}`)]),
    fc.nat(5).map((id) => [calls(`t${id}`), says('user', 'meanwhile'), answers(`t${id}`)]),
    fc.nat(5).map((id) => [answers(`orphan${id}`)]),
  );
  fc.assert(
    fc.property(fc.array(turn, { maxLength: 12 }), fc.nat(40), (turns, keep) => {
      const messages = log(...turns.flat());
      const wanted = Math.max(0, messages.length - keep);
      const split = safeLogSplitIndex(messages, wanted);
      expect(split).toBeLessThanOrEqual(wanted);
      expect(cutPairs(messages, split)).toBe(0);
      for (let larger = split + 1; larger <= wanted; larger++) expect(cutPairs(messages, larger)).toBeGreaterThan(0);
    }),
    { numRuns: cases(300) },
  );
});

/** Counts the results after the split whose call is before it. */
function cutPairs(messages: readonly SessionMessage[], split: number): number {
  const called = new Map<string, number>();
  let cut = 0;
  messages.forEach(({ parts }, index) => {
    for (const part of parts) {
      if (part.type === 'tool_call') called.set(part.id, index);
      if (part.type === 'tool_result' && index >= split && (called.get(part.id) ?? index) < split) cut++;
    }
  });
  return cut;
}
