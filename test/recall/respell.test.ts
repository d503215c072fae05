import fc from 'fast-check';
import { expect, test } from 'vitest';
import { suggestSpellings } from '../../src/recall/terms/suggest-spellings.js';
import { testWorkspace } from '../support/test-workspace.js';

const WRITTEN = ['certificate', 'certificates', 'contract', 'postgresql', 'postcard', 'studio', 'pursue', 'process'];

test.each([
  ['contrakt', ['contract']],
  ['contratc', ['contract']],
  ['postgres', ['postgresql']],
  ['certifcate', ['certificate', 'certificates']],
  // Another ending makes another word, however similar the stems are.
  ['profession', []],
  // Too different, too short, or not a word of letters.
  ['contrakd', []],
  ['umbrella', []],
  ['curs', []],
  ['post2gr', []],
])('%s suggests %j', (word, meant) => {
  expect(suggestSpellings(word, WRITTEN)).toEqual(meant);
});

test('inflections of a word are suggested, and look-alikes are not', () => {
  expect(suggestSpellings('glazings', ['gratings', 'glazing', 'glazingsbar'])).toEqual(['glazing', 'glazingsbar']);
});

test('at most three existing words are suggested, and an exact match comes first', () => {
  const word = fc.stringMatching(/^[a-z]{5,10}$/);
  fc.assert(
    fc.property(word, fc.uniqueArray(word), (asked, others) => {
      const found = suggestSpellings(asked, [...others, asked]);
      expect(found[0]).toBe(asked);
      expect(found.length).toBeLessThanOrEqual(3);
      expect([...others, asked]).toEqual(expect.arrayContaining([...found]));
    }),
  );
});

const ask = (question: string) =>
  testWorkspace({
    'memory/2025-10-04.md':
      '# 2025-10-04\n\n- The database runs PostgreSQL 17.\n- Guard added in PR #1302.\n- A postcard came.\n',
  }).recall(question);

test('an unknown word is replaced by a similar known one, with a warning', async () => {
  const { results, warnings } = await ask('postgress version');
  expect(results[0]?.source).toBe('memory/2025-10-04.md#L3');
  expect(warnings).toEqual(['no line has "postgress"; searched instead for "postgresql"']);
});

test.each([
  ['other words that stand somewhere carry the answer', 'which database runs postgress 17?'],
  ['another ending of a word is no mistake', 'guarding'],
])('%s: no warning about "%s"', async (_, question) => {
  const { results, warnings } = await ask(question);
  expect(results).not.toEqual([]);
  expect(warnings).toEqual([]);
});

test('letters and digits match apart: PR1302 finds PR #1302', async () => {
  expect((await ask('PR1302')).results.map(({ source }) => source)).toEqual(['memory/2025-10-04.md#L4']);
});

test('a word that occurs as asked is not respelled', async () => {
  const { results, warnings } = await ask('postcard');
  expect(results.map(({ source }) => source)).toEqual(['memory/2025-10-04.md#L5']);
  expect(warnings).toEqual([]);
});

test('a word without similar words finds nothing', async () => {
  const { results, warnings } = await ask('umbrella');
  expect(results).toEqual([]);
  expect(warnings).toEqual([]);
});

test('a common word is not corrected, and other words of the question are found', async () => {
  const { results, warnings } = await testWorkspace({
    'memory/2025-10-03.md': '# 2025-10-03\n\n- The battery was charged overnight.\n',
    'memory/2025-10-04.md': '# 2025-10-04\n\n- The gate code is on the fridge.\n',
  }).recall('changed gate');
  expect(results.map(({ source }) => source)).toEqual(['memory/2025-10-04.md#L3']);
  expect(warnings).toEqual([]);
});
