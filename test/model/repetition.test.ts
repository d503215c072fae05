import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { endsInRepetition } from '../../src/model/unusable.js';
import { cases } from '../support/cases.js';
import { effort } from '../support/growth.js';

const span = fc.string({ minLength: 1, maxLength: 400, unit: 'grapheme' });

test('any span that is written again and again is a repetition, wherever the text is cut', () => {
  fc.assert(
    fc.property(fc.string(), span, fc.nat(), (before, repeated, cut) => {
      const text = before + repeated.repeat(9 + 400 / repeated.length);
      expect(endsInRepetition(text.slice(0, text.length - (cut % repeated.length)))).toBe(true);
    }),
    { numRuns: cases(300) },
  );
});

const word = fc.constantFrom('Peter', 'port', 'Graz', 'the', 'not', 'disk', '运行', 'läuft', 'none', 'ok', '3');
const words = fc.array(word, { minLength: 1, maxLength: 8 }).map((each) => each.join(' '));

describe('no repetition is', () => {
  test.each<[string, (text: string, index: number) => string]>([
    ['a table', (text, index) => `| ${index} | ${text} | 0 |\n`],
    ['a list of similar items', (text, index) => `- the server ${text} answers on port ${6_000 + index}\n`],
    ['a list of verdicts', (_, index) => `{"pair":${index},"verdict":"none"},`],
    ['a document of sections', (text, index) => `"Section ${index}":{"_op":"UPDATE","content":["${text}"]},`],
    ['a log', (text, index) => `2026-03-${10 + (index % 20)} 12:${index}: ${text}\n`],
  ])('%s', (_, line) => {
    fc.assert(
      fc.property(fc.array(words, { maxLength: 120 }), (texts) => {
        expect(endsInRepetition(texts.map(line).join(''))).toBe(false);
      }),
      { numRuns: cases(200) },
    );
  });

  test.each([
    ['a rule of a page', `${'-'.repeat(120)}\n`],
    ['the head of a wide table', `|${' --- |'.repeat(40)}\n`],
    ['seven equal lines', '- The backup of the database ran without an error at night.\n'.repeat(7)],
    ['blanks of indented JSON', `{\n${' '.repeat(80)}`],
  ])('%s', (_, text) => expect(endsInRepetition(text)).toBe(false));
});

test('a long text is searched in linear time', () => {
  expect(effort(() => endsInRepetition('ab'.repeat(2_000) + 'a'.repeat(1_000_000)))).toBeLessThan(200);
});
