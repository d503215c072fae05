import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { LANGUAGES } from '../src/language/time/languages/detect.js';
import { ROOT } from './support/readme.js';

const SRC = join(ROOT, 'src');
const MAP = readFileSync(join(SRC, 'README.md'), 'utf8');

/** Returns words in backticks that look like paths. */
function pathsIn(text: string): readonly string[] {
  const words = [...text.matchAll(/`([^`\n]+)`/g)].map(([, word = '']) => word);
  return words.filter((word) => /^[\w.-]+(?:\/[\w.-]+)*(?:\/|\.ts|\.md)$/.test(word));
}

function isThere(path: string): boolean {
  return existsSync(join(/^(?:test|templates)\//.test(path) ? ROOT : SRC, path));
}

/** Returns the cells of the table under a heading, without its header. */
function rowsUnder(heading: string): readonly (readonly string[])[] {
  const section = MAP.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? '';
  const rows = section.split('\n').filter((line) => line.startsWith('|'));
  return rows.slice(2).map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

test('the map is at most 150 lines, and every path on it exists', () => {
  expect(MAP.trimEnd().split('\n').length).toBeLessThanOrEqual(150);
  const paths = pathsIn(MAP);
  expect(paths.length).toBeGreaterThan(80);
  expect(paths.filter((path) => !isThere(path))).toEqual([]);
});

test('the map shows every floor', () => {
  const folders = readdirSync(SRC, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? [`\`${entry.name}/\``] : [],
  );
  expect(
    rowsUnder('The floors')
      .map(([floor]) => floor)
      .sort(),
  ).toEqual(folders.sort());
});

test('the map gives one place to begin for each of at least 25 changes', () => {
  const rows = rowsUnder('Where a change goes');
  expect(rows.length).toBeGreaterThanOrEqual(25);
  for (const [change = '', place = ''] of rows) expect(pathsIn(place), change).toHaveLength(1);
});

test('each invariant on the map names its test', () => {
  const rows = rowsUnder('What may never happen');
  expect(rows.length).toBeGreaterThanOrEqual(10);
  for (const [invariant = '', test = ''] of rows) expect(test, invariant).toMatch(/^`test\/[\w/-]+\.test\.ts`$/);
});

test('the map says for every supported language which times are not read', () => {
  const rows = rowsUnder('Languages');
  const name = new Intl.DisplayNames(['en'], { type: 'language' });
  for (const language of ['en', 'zh', ...LANGUAGES]) {
    const row = rows.find(([languages = '']) => languages.split(', ').includes(name.of(language) ?? language));
    expect(row?.[2], language).toMatch(/\w/);
  }
  for (const [, , gaps = ''] of rows) expect(gaps).not.toBe('');
});
