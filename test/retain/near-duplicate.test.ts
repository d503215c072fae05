import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SimilarFactFinder } from '../../src/retain/near-duplicate.js';
import { growthOfFour, LINEAR_LIMIT } from '../support/growth.js';

const WORDS = ['red', 'blue', 'bike', 'house', 'Graz', 'tea', '7', '17', 'likes', 'moved', 'never', '茶'];

test('the first fact with the same entities and 85 % common words is found, for any facts', () => {
  const text = fc.array(fc.constantFrom(...WORDS), { maxLength: 14 }).map((words) => words.join(' '));
  const fact = fc.record({ entities: fc.subarray(['Peter', 'Anna']), text });
  const facts = fc.array(fact, { maxLength: 40 });
  fc.assert(
    fc.property(facts, fact, (known, wanted) => {
      const listed = known.map((one, i) => ({ ...one, id: `f-${i}` }));
      const words = (one: { text: string }) => new Set(one.text.toLowerCase().split(' '));
      const isNear = (one: (typeof listed)[number]): boolean => {
        const [a, b] = [words(one), words(wanted)];
        const shared = [...a].filter((word) => b.has(word)).length;
        return one.entities.join() === wanted.entities.join() && shared / (a.size + b.size - shared) >= 0.85;
      };
      expect(new SimilarFactFinder(listed).near(wanted)?.id).toBe(listed.find(isNear)?.id);
    }),
  );
});

test('a near-duplicate is found in time linear in the number of facts', () => {
  const facts = (length: number) =>
    Array.from({ length: length / 40 }, (_, i) => `likes thing ${i} of the ${i * 7} things in the house`).join('\n');
  const retain = (text: string) => {
    const known = new SimilarFactFinder();
    for (const [i, line] of text.split('\n').entries()) {
      const fact = { id: `f-${i}`, entities: ['Peter'], text: line };
      expect(known.near(fact)).toBeUndefined();
      known.add(fact);
    }
  };
  expect(growthOfFour(facts, retain)).toBeLessThan(LINEAR_LIMIT);
});
