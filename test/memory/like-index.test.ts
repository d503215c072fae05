import { expect, test } from 'vitest';
import { SimilarityIndex } from '../../src/memory/judge/like-index.js';
import { prepareStatement, wordSimilarity } from '../../src/memory/judge/rules.js';
import { Random } from '../support/random.js';

const random = new Random(7);
const PARTS = [
  'tea',
  'coffee',
  'fast builds',
  'slow builds',
  'Redis',
  'the queue',
  'weekly reports',
  'monthly reports',
];
const FORMS = [
  'prefers A over B',
  'likes A',
  'uses A for B',
  'is in A',
  'wants A in B',
  'A is on B',
  '喜欢A',
  '部署在A',
];
const statement = (): string =>
  random
    .pick(['', ...FORMS])
    .replace('A', random.pick(['', ...PARTS]))
    .replace('B', random.pick(['', ...PARTS]));
const statements = Array.from({ length: 200 }, (_, id) => ({ id, judged: prepareStatement(statement(), ['Peter']) }));
const index = new SimilarityIndex<(typeof statements)[number]>();
for (const one of statements) index.add(one, one.judged);

const byId = (a: { readonly id: number }, b: { readonly id: number }): number => a.id - b.id;
const ranked = (to: (typeof statements)[number]) =>
  statements
    .map((one) => [one, wordSimilarity(to.judged, one.judged)] as const)
    .toSorted(([a, likeA], [b, likeB]) => likeB - likeA || byId(a, b));

test('the index finds the most similar statements, each with its similarity', () => {
  for (const to of statements) {
    const expected = ranked(to).filter(([, like]) => like > 0);
    expect(index.nearest(to.judged, 8, byId)).toEqual(expected.slice(0, 8));
  }
});

test('the index finds all sufficiently similar statements', () => {
  for (const to of statements) {
    const expected = ranked(to).flatMap(([one, like]) => (like >= 0.3 ? [one] : []));
    expect(index.alike(to.judged, 0.3).toSorted(byId)).toEqual(expected.toSorted(byId));
  }
});
