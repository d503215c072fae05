import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { WEIGHTS } from '../../src/query/rank/weights.js';

const tableOf = (path: string): readonly string[] => {
  const lines = readFileSync(new URL(path, import.meta.url), 'utf8').split('\n');
  const bare = lines.map((line) => line.replace(/^ \* /, '').replace(/\s+/g, ' ').trim());
  const from = bare.findIndex((line) => line.startsWith('| weight | conversations'));
  const length = bare.slice(from).findIndex((line) => !line.startsWith('|'));
  return bare.slice(from, from + length).filter((line) => !/^[|\s:-]+$/.test(line));
};

test('the code and BENCHMARKS.md show the same worth for every weight', () => {
  const inCode = tableOf('../../src/query/rank/weights.ts');
  expect(tableOf('BENCHMARKS.md')).toEqual(inCode);
  const names = inCode.slice(2).map((row) => row.split('|')[1]?.trim());
  expect(names).toEqual(Object.keys(WEIGHTS).filter((name) => name !== 'vector'));
});
