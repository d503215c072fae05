import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addCode, codeBytes, codeSimilarity, codeTable, writeCode } from '../../src/index/meaning/codes.js';
import { scaleToOne, WordVectors } from '../../src/model/word-vectors.js';

const FILE = readFileSync(fileURLToPath(new URL('../../models/built-in.bin', import.meta.url)));
const model = WordVectors.read(FILE);
if (model === undefined) throw new Error('the built-in model can not be read');
const { dimension, spread } = model;

function cosine(one: string, other: string): number {
  const [a, b] = [model?.embed(one), model?.embed(other)];
  return a === undefined || b === undefined ? 0 : a.reduce((sum, number, i) => sum + number * (b[i] ?? 0), 0);
}

test.each([
  ['doctor', 'physician', 'bicycle'],
  ['car', 'Auto', 'Kirche'],
  ['house', '房子', '医生'],
  ['voiture', 'vehicle', 'kitchen'],
])('%j is nearer to %j than to %j', (one, near, far) => {
  expect(cosine(one, near)).toBeGreaterThan(cosine(one, far) + 0.1);
});

test('a file that is cut off, longer, or another one is no model', () => {
  expect(WordVectors.read(FILE.subarray(0, FILE.length - 1))).toBeUndefined();
  expect(WordVectors.read(Buffer.concat([FILE, Buffer.alloc(1)]))).toBeUndefined();
  expect(WordVectors.read(Buffer.from('no model at all'))).toBeUndefined();
  expect(WordVectors.read(Buffer.alloc(0))).toBeUndefined();
});

test('every text gives a vector of length 1 or none', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 80 }), (text) => {
      const vector = model.embed(text);
      if (vector !== undefined) expect(Math.hypot(...vector)).toBeCloseTo(1, 4);
    }),
  );
});

test('a code is nearly as similar to a question as its vector', () => {
  const numbers = fc.array(fc.double({ min: -3, max: 3, noNaN: true }), { minLength: dimension, maxLength: dimension });
  const vectorOf = (sizes: readonly number[]): Float32Array => {
    const vector = Float32Array.from(sizes, (size, i) => size * (spread[i] ?? 0));
    scaleToOne(vector);
    return vector;
  };
  fc.assert(
    fc.property(numbers, numbers, (one, other) => {
      const [question, line] = [vectorOf(one), vectorOf(other)];
      const code = new Uint8Array(codeBytes(dimension));
      writeCode(line, spread, code, 0);
      const similar = codeSimilarity(codeTable(question, spread), code, 0, code.length);
      const rounded = new Float32Array(dimension);
      addCode(rounded, code, 0, spread);
      const exact = rounded.reduce((sum, number, i) => sum + number * (question[i] ?? 0), 0);
      expect(similar).toBeCloseTo(exact, 4);
      expect(Math.abs(similar - question.reduce((sum, number, i) => sum + number * (line[i] ?? 0), 0))).toBeLessThan(
        0.5,
      );
    }),
  );
});
