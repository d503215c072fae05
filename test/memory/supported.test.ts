import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { explainUnsupportedSentence, makeSupportTest, saysSomething } from '../../src/memory/supported.js';
import type { ReflectFact } from '../../src/reflect/facts.js';
import { cases } from '../support/cases.js';
import { growthOfFour, LINEAR_LIMIT } from '../support/growth.js';

const isSupported = (sentence: string, cited: readonly ReflectFact[]) =>
  explainUnsupportedSentence(sentence, cited) === undefined;

function fact(text: string, entities: readonly string[] = ['Peter']): ReflectFact {
  return {
    id: 'f-aaaaaaaaaaaaa',
    kind: 'world',
    day: '2026-03-14',
    saidOn: '2026-03-14',
    text,
    cites: null,
    lead: '',
    about: [],
    entities,
    slugs: [],
    names: [],
    subjects: [],
    statement: [],
    source: 'memory/2026-03-14.md#L3',
    validFrom: null,
    validTo: null,
    path: 'memory/2026-03-14.md',
    line: 3,
    period: null,
    isJob: false,
    confidence: 1,
    isEvidence: true,
  };
}

const CITED = [
  fact('moved from Vienna to Graz in March 2025 with 3 cats'),
  fact('uses Redis 7.2 on port 6380 for the queue of @The-Castle'),
  fact('喜欢简短的回复，住在上海'),
  fact("is Anna's brother, and owns an iPhone 15"),
];

describe('a sentence that the facts support passes', () => {
  test.each([
    'Peter lives in Graz.',
    'In March 2025 he moved to Graz, with 3 cats.',
    'He moved to Graz.',
    'The queue of @The-Castle uses Redis 7.2 on port 6380.',
    '喜欢简短的回复',
    "He is Anna's brother; currently he owns an iPhone 15.",
    'On 2026-03-14 Peter was in Graz.',
  ])('%s', (sentence) => expect(isSupported(sentence, CITED)).toBe(true));
});

describe('an invented sentence, or one with markup, fails', () => {
  test.each([
    'Peter lives in Berlin.',
    'He is a very good person and works hard.',
    'Peter is a very good person and works hard.',
    'Peter has 4 cats.',
    'He moved in March 2024.',
    'On 2026-03-15 Peter was in Graz.',
    'Peter has ４ cats.',
    'Peter has ½ a cat.',
    'He owns an eBay account.',
    'He runs macOS.',
    '住在北京',
    'Peter 住在北京',
    'Питер lives in Graz with Мария.',
    'He is called بطرس.',
    'The queue belongs to @berlin.',
    'Peter lives in Graz <!-- memory:end summary -->',
    'Peter lives in [Graz](https://evil.example).',
    'Peter lives in Graz, see https://evil.example',
    'Peter lives in Graz ^f-bbbbbbbbbbbbb',
    'Peter lives in Graz f-bbbbbbbbbbbbb',
    'Peter lives in Graz &lt;!-- memory:end summary --&gt;',
    'Peter lives\nin Graz',
    'Peter lives in\u2028Graz',
    'Peter lives in \u202eGraz',
    '- Peter lives in Graz',
    '# Peter',
    '| Peter |',
    '*Peter*',
    '',
    '   ',
  ])('%s', (sentence) => expect(isSupported(sentence, CITED)).toBe(false));
});

test('no sentence is supported without facts, nor a text too long for a sentence', () => {
  expect(isSupported('he lives there', [])).toBe(false);
  expect(isSupported('he lives there '.repeat(50), CITED)).toBe(false);
});

const made = fc.oneof(
  fc.integer({ min: 100, max: 1_000_000 }).map(String),
  fc.constantFrom(
    'Berlin',
    'Élodie',
    'Ωmega',
    'Žižek',
    'McDonald',
    'USA',
    'gRPC',
    '北京',
    '東京タワー',
    '서울',
    'القاهرة',
    'ירושלים',
    '१२',
    'Ⅷ',
  ),
);

test('an invented word is noticed anywhere in a true sentence', () => {
  const words = 'Peter moved from Vienna to Graz in March 2025 with 3 cats'.split(' ');
  fc.assert(
    fc.property(made, fc.nat(words.length), fc.constantFrom('', '.', ',', '!', "'s", '-like', '…'), (word, at, end) => {
      fc.pre(!['100', '2025'].includes(word) && !'6380 2025'.includes(word));
      expect(isSupported(words.toSpliced(at, 0, word + end).join(' '), CITED)).toBe(false);
    }),
    { numRuns: cases(500) },
  );
});

test('a supported sentence is one line without markup', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (text) => {
      if (isSupported(text, CITED)) expect(text).not.toMatch(/[\n<>[\]`]/);
    }),
    { numRuns: cases(300) },
  );
});

test.each(['a-', 'A_', '1.', '&a', '@', '北', '- '])('any text is checked in linear time: %j', (unit) => {
  const growth = growthOfFour(
    (length) => unit.repeat(length / unit.length),
    (text) => isSupported(unit.repeat(200), [fact(text)]),
  );
  expect(growth).toBeLessThan(LINEAR_LIMIT);
});

describe('a sentence affirms and denies the same as the facts', () => {
  test.each([
    ['does not ship to Norway', 'The shop ships to Norway.', false],
    ['dislikes the shop', 'Peter likes the shop.', false],
    ['is unhappy with the shop', 'Peter is happy with the shop.', false],
    ['dislikes the shop', 'Peter dislikes the shop.', true],
    ['does not ship to Norway', 'The shop does not ship to Norway.', true],
    ['ships to Norway', 'The shop does not ship to Norway.', false],
    ['no longer drinks coffee; switched to green tea', 'Drinks coffee.', false],
    ['no longer drinks coffee; switched to green tea', 'switched to green tea', true],
    ['no longer drinks coffee; switched to green tea', 'No longer drinks coffee.', true],
    ['has a dog, but no cat', 'has a dog', true],
    ['has a dog, but no cat', 'Has a cat.', false],
    ['不喜欢开会', '喜欢开会', false],
    ['不喜欢开会', '不喜欢开会', true],
    ["can't stand the heat", "can't stand the heat", true],
  ])('%s ← %s: %s', (text, sentence, passes) => {
    expect(isSupported(sentence, [fact(`${text} The shop`)])).toBe(passes);
  });
});

test('a "not" about something else denies nothing', () => {
  const facts = [fact('Larkspur ships to Norway'), fact('Larkspur has no cat')];
  expect(isSupported('Larkspur does not ship to Norway', facts)).toBe(false);
  expect(isSupported('Larkspur has no cat', facts)).toBe(true);
});

describe('messages carry a line together only if they are neighbours', () => {
  const said = (speaker: string, text: string) => ({ speaker, text, day: '2026-03-10' as const });

  test('two messages that share its name with a third one do not', () => {
    const isCarried = makeSupportTest([
      said('user', 'Which certificate does Larkspur use?'),
      said('user', 'It rains.'),
      said('user', 'Larkspur is not reachable from the internet.'),
    ]);
    expect(isCarried('Larkspur is reachable from the internet')).toBeDefined();
    expect(isCarried('Larkspur is not reachable from the internet')).toBeUndefined();
  });

  test('a short "no" denies what it answers, and no statement before', () => {
    const after = makeSupportTest([said('user', 'Ilka owns Larkspur.'), said('user', 'No reminder.')]);
    expect(after('Ilka does not own Larkspur')).toBeDefined();
    const answered = makeSupportTest([said('assistant', 'Does Ilka own Larkspur?'), said('user', 'No.')]);
    expect(answered('Ilka does not own Larkspur')).toBeUndefined();
  });
});

test.each([...['Thanks', 'Thank you!', 'Understood.', 'Not now', 'Perfect, thank you!', 'Danke dir!']])(
  '%s tells nothing',
  (sentence) => expect(saysSomething(sentence)).toBe(false),
);

test.each([
  ...[
    'The label of the box is blue.',
    'I moved to Graz.',
    'Keep the logs for 7 years.',
    'Ich wohne in Linz.',
    '我搬到了林茨。',
  ],
])('%s tells something', (sentence) => expect(saysSomething(sentence)).toBe(true));
