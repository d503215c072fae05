import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { kindName } from '../../src/markdown/bullet.js';
import { factId, logLineId, normaliseText } from '../../src/memory/fact.js';
import { cases } from '../support/cases.js';

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
