import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { WEIGHTS } from '../../src/recall/rank/weights.js';

const tableOf = (path: string): readonly string[] => {
  const lines = readFileSync(new URL(path, import.meta.url), 'utf8').split('\n');
  const bare = lines.map((line) => line.replace(/^ \* /, '').replace(/\s+/g, ' ').trim());
  const from = bare.findIndex((line) => line.startsWith('| weight | conversations'));
  const length = bare.slice(from).findIndex((line) => !line.startsWith('|'));
  return bare.slice(from, from + length).filter((line) => !/^[|\s:-]+$/.test(line));
};

test('what each weight is worth is told of every weight, and the same in the code and in the page of figures', () => {
  const inCode = tableOf('../../src/recall/rank/weights.ts');
  expect(tableOf('BENCHMARKS.md')).toEqual(inCode);
  const names = inCode.slice(2).map((row) => row.split('|')[1]?.trim());
  expect(names).toEqual(Object.keys(WEIGHTS).filter((name) => name !== 'vector'));
});
