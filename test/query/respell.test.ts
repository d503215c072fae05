import fc from 'fast-check';
import { expect, test } from 'vitest';
import { suggestSpellings } from '../../src/query/terms/suggest-spellings.js';
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

const VERDURE = {
  'memory/2026-01-05.md': [
    '- La cabane est à louer.',
    '- Louer le tracteur coûte cher.',
    '- Louerat arrive mardi.',
    '- On a loué une échelle.',
    ...Array.from({ length: 150 }, (_, at) => `- Il pleut ${at}.`),
  ]
    .join('\n')
    .concat('\n'),
};

test('where the index has a word, its other forms are searched, and other words that begin like it are not', async () => {
  const { results } = await testWorkspace(VERDURE).recall("qu'est-ce qui est à louer dans la cabane ?", '--k', '20');
  const found = results.filter(({ beside }) => beside === undefined).map(({ content }) => content);
  expect(found[0]).toBe('La cabane est à louer.');
  expect(found).toContain('On a loué une échelle.');
  expect(found).not.toContain('Louerat arrive mardi.');
});

test.each([
  ['Die Wohngemeinschaft hat einen neuen Ofen.', 'Wo ist der Ofen in der Wohngemeinde?', 'wohngemeinde'],
  ['El campesino trajo las peras.', '¿Quién trajo las peras del campes?', 'campes'],
  ['Le boulangerat a fermé hier.', 'Est-ce que le boulanger a fermé hier ?', 'boulanger'],
])(
  'another word that begins like it is a guess, and never makes an answer complete: %s',
  async (line, question, word) => {
    const { results, answers, missing } = await testWorkspace({ 'memory/2026-01-05.md': `- ${line}\n` }).recall(
      question,
    );
    expect(results[0]?.content).toBe(line);
    expect(answers).not.toBe('all');
    expect(missing).toContainEqual({ word, indexed: false });
  },
);

test.each([
  ['Rosa hat die Hecke geschnitten und gegossen.', 'Wer hat die Hecken geschnitten?'],
  ['Ana vendió las colmenas.', '¿Quién vende la colmena de Ana?'],
  ['Le voisin répare la clôture.', 'Qui a réparé les clôtures ?'],
  ['Лена покрасила забор.', 'Кто красит забор, что покрасили?'],
])('another form of a word is the word: %s', async (line, question) => {
  const { answers } = await testWorkspace({ 'memory/2026-01-05.md': `- ${line}\n` }).recall(question);
  expect(answers).not.toBe('none');
});
