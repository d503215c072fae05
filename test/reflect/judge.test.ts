import { describe, expect, test } from 'vitest';
import { brings, judgeByRules, prepare } from '../../src/memory/judge/rules.js';

const judge = (opinion: string, fact: string) => judgeByRules(prepare(opinion, ['Peter']), prepare(fact, ['Peter']));

describe('a fact supports what says the same', () => {
  test.each([
    ['prefers concise replies on WhatsApp', 'wants short replies on WhatsApp'],
    ['likes coffee', 'drinks coffee every morning'],
    ['prefers tabs over spaces', 'uses tabs in every project'],
    ['lives in Vienna', 'lives in Vienna'],
    ['dislikes long meetings', 'likes short meetings'],
    ['喜欢简短的回复', '喜欢简短回复'],
    ['喜欢咖啡', '又喝了咖啡'],
    ['prefers Emacs', 'finds Vim not as good as Emacs'],
    ['likes tea', 'likes not only tea but cake'],
    ['喜欢茶', '觉得茶比咖啡好'],
    ['喜欢茶', '觉得咖啡不如茶'],
    ['喜欢茶', '比咖啡更喜欢茶'],
  ])('%s ← %s', (opinion, fact) => expect(judge(opinion, fact)).toBe('supports'));
});

describe('it contradicts by a negation, an opposite, a denied word, another value or another number', () => {
  test.each([
    ['likes coffee', 'does not like coffee any more'],
    ['likes coffee', 'stopped drinking coffee'],
    ['likes coffee', 'hates coffee'],
    ['prefers concise replies on WhatsApp', 'asked for longer replies on WhatsApp'],
    ['prefers concise replies on WhatsApp', 'complained that the WhatsApp replies are too short'],
    ['the nightly build is reliable', 'the nightly build failed again'],
    ['prefers vim over emacs', 'is using emacs now'],
    ['prefers tabs over spaces', 'prefers spaces over tabs'],
    ['trusts the linter', 'distrusts the linter'],
    ['uses Redis for the queue', 'uses Kafka for the queue'],
    ['uses Redis for the queue', 'switched the queue from Redis to Kafka'],
    ['lives in Vienna', 'moved from Vienna to Graz'],
    ['wants weekly reports', 'wants monthly reports'],
    ['runs on PostgreSQL 15', 'runs on PostgreSQL 17'],
    ['喜欢咖啡', '讨厌咖啡'],
    ['喜欢简短的回复', '要求详细的回复'],
    ['使用 Redis 做缓存', '不再使用 Redis 做缓存'],
    ['部署在阿里云', '部署在腾讯云'],
    ['has a car', 'has no car'],
    ['likes tea', 'likes neither tea nor coffee'],
    ['prefers coffee', 'likes tea better than coffee'],
    ['prefers coffee', 'would rather drink tea than coffee'],
    ['prefers coffee', 'finds coffee worse than tea'],
    ['thinks Postgres is better than MySQL', 'prefers MySQL'],
    ['喜欢咖啡', '与其喝咖啡不如喝茶'],
    ['喜欢咖啡', '觉得茶比咖啡好'],
    ['trinkt Kaffee', 'trinkt keinen Kaffee mehr'],
  ])('%s ← %s', (opinion, fact) => expect(judge(opinion, fact)).toBe('contradicts'));
});

describe('anything else is neither', () => {
  test.each([
    ['likes coffee', 'bought a new bike'],
    ['likes coffee', 'likes tea'],
    ['uses Redis for the queue', 'uses Redis for caching'],
    ['is happy with the laptop', 'is happy with the phone'],
    ['works on the relay', 'works on the billing'],
    ['favours weekly releases', 'wants releases every day'],
    ['喜欢咖啡', '喜欢茶'],
  ])('%s ← %s', (opinion, fact) => expect(judge(opinion, fact)).toBe('none'));
});

test.each<[string, string, boolean]>([
  ['uses Redis for the queue', 'uses Kafka for the queue', true],
  ['prefers short replies', 'wants long replies', true],
  ['likes coffee', 'does not like coffee', false],
])('a contradiction of "%s" by "%s" brings a new value: %s', (opinion, fact, expected) => {
  expect(brings(prepare(opinion, []), prepare(fact, []))).toBe(expected);
});

test('of a long statement the beginning counts, and it takes no time', () => {
  expect(judge('likes tea', `likes tea ${'not '.repeat(200_000)}`)).toBe('contradicts');
  expect(judge('likes tea', `likes tea ${'very '.repeat(200_000)}`)).toBe('supports');
}, 2_000);
