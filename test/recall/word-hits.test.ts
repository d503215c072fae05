import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { FoldedResult } from '../../src/recall/rank/fold.js';
import { keepWordHits } from '../../src/recall/rank/word-hits.js';

interface Item {
  readonly words: number;
  readonly vector: number;
  readonly literal: boolean;
}

const items = fc.array(
  fc.record({
    words: fc.double({ min: 0, max: 1, noNaN: true }),
    vector: fc.double({ min: 0, max: 1, noNaN: true }),
    literal: fc.boolean(),
  }),
  { maxLength: 40 },
);

/** Ranked results, best first; one without a score by words was found by its vector alone. */
function ranked(given: readonly Item[]) {
  const entries = given.map((item) => {
    const score = item.words + item.vector;
    return { item, folded: { score, byWords: score === 0 ? 1 : item.words / score } as FoldedResult };
  });
  entries.sort((a, b) => b.folded.score - a.folded.score);
  const itemOf = new Map(entries.map(({ item, folded }) => [folded, item]));
  const get = (folded: FoldedResult): Item => itemOf.get(folded) ?? { words: 0, vector: 0, literal: false };
  return { list: entries.map(({ folded }) => folded), get };
}

test('vectors do not displace literal hits or the better half of word hits', () => {
  fc.assert(
    fc.property(items, fc.integer({ min: 1, max: 12 }), (given, k) => {
      const { list, get } = ranked(given);
      const byWords = (item: FoldedResult) => get(item).words > 0;
      const literally = (item: FoldedResult) => get(item).literal;
      const kept = keepWordHits(list, k, { byWords, literally });
      expect(new Set(kept)).toEqual(new Set(list));
      const first = new Set(kept.slice(0, k));
      const found = list.filter(byWords).sort((a, b) => get(b).words - get(a).words);
      const literal = found.filter(literally).slice(0, k);
      for (const item of literal) expect(first.has(item)).toBe(true);
      // Literal hits may take the places of the others.
      const half = found.slice(0, Math.ceil(k / 2)).filter((item) => !literal.includes(item));
      for (const item of half.slice(0, k - literal.length)) expect(first.has(item)).toBe(true);
      const order = kept.slice(0, k).map(({ score }) => score);
      expect(order).toEqual([...order].sort((a, b) => b - a));
    }),
  );
});
