import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { RecallAnswer } from '../../src/recall/request.js';
import { suggestSpellings } from '../../src/recall/terms/suggest-spellings.js';
import { testWorkspace } from '../support/test-workspace.js';

const WRITTEN = ['certificate', 'certificates', 'contract', 'postgresql', 'postcard', 'studio', 'pursue', 'process'];

test.each([
  ['contrakt', ['contract']],
  ['contratc', ['contract']],
  ['postgres', ['postgresql']],
  ['certifcate', ['certificate', 'certificates']],
  // Another ending is another word, however alike the stems are.
  ['profession', []],
  // Far from all, too short, no word of letters.
  ['contrakd', []],
  ['umbrella', []],
  ['curs', []],
  ['post2gr', []],
])('%s may have been meant for %j', (word, meant) => {
  expect(suggestSpellings(word, WRITTEN)).toEqual(meant);
});

test('other forms of a word are it, and nothing that only looks like it', () => {
  expect(suggestSpellings('glazings', ['gratings', 'glazing', 'glazingsbar'])).toEqual(['glazing', 'glazingsbar']);
});

test('never more than three words, each of those written, and a word of it comes first for itself', () => {
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
  }).json<RecallAnswer>(['recall', question]);

test('a word that no line has is taken for what is written nearly so, and that is said', async () => {
  const { results, warnings } = await ask('postgress version');
  expect(results[0]?.source).toBe('memory/2025-10-04.md#L3');
  expect(warnings).toEqual(['no line has "postgress"; looked for "postgresql"']);
});

test.each([
  ['other words that stand somewhere carry the answer', 'which database runs postgress 17?'],
  ['another ending of a word is no mistake', 'guarding'],
])('%s: nothing is said of "%s"', async (_, question) => {
  const { results, warnings } = await ask(question);
  expect(results).not.toEqual([]);
  expect(warnings).toEqual([]);
});

test('letters and digits are found apart, as PR #1302 for PR1302', async () => {
  expect((await ask('PR1302')).results.map(({ source }) => source)).toEqual(['memory/2025-10-04.md#L4']);
});

test('a word that is written as asked is not respelled', async () => {
  const { results, warnings } = await ask('postcard');
  expect(results.map(({ source }) => source)).toEqual(['memory/2025-10-04.md#L5']);
  expect(warnings).toEqual([]);
});

test('what is like nothing finds nothing', async () => {
  const { results, warnings } = await ask('umbrella');
  expect(results).toEqual([]);
  expect(warnings).toEqual([]);
});

test('a common word is no slip of another, and what the lines have of the question is found', async () => {
  const { results, warnings } = await testWorkspace({
    'memory/2025-10-03.md': '# 2025-10-03\n\n- The battery was charged overnight.\n',
    'memory/2025-10-04.md': '# 2025-10-04\n\n- The gate code is on the fridge.\n',
  }).json<RecallAnswer>(['recall', 'changed gate']);
  expect(results.map(({ source }) => source)).toEqual(['memory/2025-10-04.md#L3']);
  expect(warnings).toEqual([]);
});
