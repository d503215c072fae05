import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import type { Day } from '../../src/base/clock.js';
import { addDays } from '../../src/language/time/calendar.js';
import { parseStatement } from '../../src/line/statement/statement.js';
import { NO_TIME_READER } from '../../src/line/validity.js';
import { kindName } from '../../src/markdown/bullet.js';
import { factId, logLineId, normaliseText } from '../../src/memory/fact.js';
import { type DatedFact, factStatuses, prepareFactStatuses } from '../../src/memory/threads/fact-status.js';
import { readFinalVerdicts } from '../../src/memory/threads/verdicts.js';
import { cases } from '../support/cases.js';
import { Random } from '../support/random.js';

const fact = { kind: 'W', entities: ['Peter', 'The-Castle'], text: 'Lives in Vienna.', day: '2025-11-27' } as const;

describe('the id of a fact', () => {
  it('is `f-` and 13 base-32 characters, and never changes', () => {
    expect(factId(fact)).toMatch(/^f-[0-9a-hjkmnp-tv-z]{13}$/);
    expect(factId(fact)).toBe('f-z29w65p36s757');
  });

  it.each([
    ['the order of entities', { entities: ['The-Castle', 'Peter'] }],
    ['how entities are written', { entities: ['@PETER', 'the castle'] }],
    ['case', { text: 'lives in VIENNA.' }],
    ['white space', { text: ' Lives  in\n Vienna. ' }],
    ['a final full stop', { text: 'Lives in Vienna' }],
    ['a final Chinese full stop', { text: 'Lives in Vienna。' }],
    ['full-width letters', { text: 'Ｌives in Vienna' }],
    ['a block id', { text: 'Lives in Vienna. ^f-0123456789abc' }],
  ])('does not depend on %s', (_what, change) => expect(factId({ ...fact, ...change })).toBe(factId(fact)));

  it.each([
    ['kind', { kind: 'B' as const }],
    ['entities', { entities: ['Peter'] }],
    ['text', { text: 'Lives in Graz.' }],
    ['day', { day: '2025-11-28' as const }],
    ['having a day', { day: null }],
  ])('depends on the %s', (_what, change) => expect(factId({ ...fact, ...change })).not.toBe(factId(fact)));

  it('differs when text moves between its fields', () => {
    const ids = [
      factId({ ...fact, entities: ['a', 'b'] }),
      factId({ ...fact, entities: ['a-b'] }),
      factId({ ...fact, entities: ['a","b'] }),
    ];
    expect(new Set(ids).size).toBe(3);
  });
});

it('normalising twice changes nothing', () => {
  const texts = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.array(fc.constantFrom('ß', 'ẞ', 'İ', 'σ', 'ς', 'ﬁ', ' ', '.', '。', 'A')).map((all) => all.join('')),
  );
  fc.assert(
    fc.property(texts, (text) => {
      fc.pre(!/[.。．｡ …⋯․‥\s]+$/.test(text.normalize('NFKC')) && !text.includes('^'));
      expect(normaliseText(normaliseText(text))).toBe(normaliseText(text));
    }),
    { numRuns: cases(500) },
  );
  expect(normaliseText('STRASSE')).toBe(normaliseText('Straße'));
});

it('the id of a log line depends on path, text and occurrence', () => {
  const ids = [
    logLineId('a.md', 'x', 0),
    logLineId('a.md', 'x', 1),
    logLineId('b.md', 'x', 0),
    logLineId('a.md', 'y', 0),
  ];
  expect(new Set(ids).size).toBe(4);
  for (const id of ids) expect(id).toMatch(/^l-[0-9a-z]{13}$/);
});

it('every kind has a name', () => {
  expect((['W', 'B', 'O', 'S'] as const).map(kindName)).toEqual(['world', 'experience', 'opinion', 'observation']);
});

const TODAY: Day = '2026-01-01';
const random = new Random(11);
const PLACES = ['Vienna', 'Graz', 'Linz', 'Berlin', 'Porto', 'Oslo'] as const;
const THINGS = ['queue', 'piano', 'garden', 'flat', 'router'] as const;
const SAID = [
  () => `lives in ${random.pick(PLACES)}`,
  () => `moved from ${random.pick(PLACES)} to ${random.pick(PLACES)}, sold the ${random.pick(THINGS)}`,
  () => `the ${random.pick(THINGS)} is in ${random.pick(PLACES)}`,
  () => `weighs ${random.between(60, 90)} kg`,
  () => `build is ${random.pick(['red', 'green'])}`,
  () => `the port of the ${random.pick(THINGS)} is ${random.between(1_000, 9_999)}; the ${random.pick(THINGS)} works`,
  () => `no longer has the ${random.pick(THINGS)} in ${random.pick(PLACES)}`,
  () => `is away until ${addDays(TODAY, random.between(-60, 20))}`,
] as const;

function factOf(i: number, day: Day | null): DatedFact {
  const text = random.pick(SAID)();
  const kind = random.pick<DatedFact['kind']>(['world', 'world', 'experience', 'opinion']);
  const statement = parseStatement(text, day, NO_TIME_READER, []);
  const path = `memory/${day ?? 'notes'}.md`;
  return { id: `f-${i}`, kind, day, path, line: i % 7, text, subjects: ['peter'], statement, isJob: false };
}

const days = Array.from({ length: 340 }, () => addDays(TODAY, -random.between(0, 400)));
const all = days.map((day, i) => factOf(i, i % 25 === 0 ? null : day));
const [facts, others] = [all.slice(40), all.slice(0, 40)];
const judged = others.map(({ id }, i) => {
  const verdict = { fact: `f-${40 + 5 * i}`, of: id, relation: random.pick(['replaces', 'same', 'both']), by: 'human' };
  return `${JSON.stringify({ ...verdict, day: TODAY, at: `${TODAY}T00:00:00Z` })}\n`;
});

test.each([
  ['nobody has judged', ''],
  ['somebody has judged', judged.filter((_, i) => i % 3 === 0).join('')],
])('a fact compared with others gets the status that it has among them, where %s', (_, evidence) => {
  const options = { day: TODAY, verdicts: readFinalVerdicts(evidence) };
  const against = prepareFactStatuses(facts, options);
  const places = new Set<string>();
  for (const fact of others) {
    const among = factStatuses([fact, ...facts], { ...options, asked: new Set([fact.id]) });
    const expected = among.filter((one) => one.fact.id === fact.id).map((one) => ({ ...one, earlier: [] }));
    const found = against(fact);
    // Places of earlier statements are not computed for a single fact.
    expect(found.map(({ place: _, ...one }) => one)).toEqual(expected.map(({ place: _, ...one }) => one));
    for (const { place } of found) places.add(place);
  }
  expect([...places]).toEqual(expect.arrayContaining(['now', 'before', 'lately']));
});
