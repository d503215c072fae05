import { expect, test } from 'vitest';
import { ENGLISH_STOP_WORDS } from '../../src/language/words/stop.js';
import { sourceFiles } from '../support/architecture.js';

/**
 * Matches ranges of, or property escapes for, the scripts read without spaces: Han, Kana, Hangul, Thai and its neighbours.
 */
const SCRIPT =
  /\\p\{(?:sc|scx|Script|Script_Extensions)=|(?:\\u|0x)(?:30[4-9a-f][0-9a-f]|3[4-9][0-9a-f]{2}|4e00|9fff|ac00|d7a[3f]|0?e[0-7][0-9a-f]\b)/i;

/** Files that mean another thing by a script, with the reason. */
const OTHERWISE: ReadonlyMap<string, string> = new Map([
  ['text/secrets/announced.ts', 'letters that make a longer word of the name of a secret'],
  ['text/tokens.ts', 'what costs more than one token'],
]);

/** A list is taken for stop words if it has at least this many words and this share of stop words. */
const SHARE = 0.75;
const LEAST = 20;
const outside = sourceFiles().filter(({ path }) => !path.startsWith('language/'));

test('only src/language defines the characters of a script; listed exceptions mean something else', () => {
  const found = outside.filter(({ source }) => SCRIPT.test(source));
  expect(found.map(({ path }) => path).sort()).toEqual([...OTHERWISE.keys()].sort());
});

test('English is stemmed in one file', () => {
  const found = sourceFiles().filter(({ source }) => /from 'stemmer'/.test(source));
  expect(found.map(({ path }) => path)).toEqual(['language/words/forms.ts']);
});

test('there is one list of English stop words', () => {
  const found = outside.filter(({ source }) => wordLists(source).some(isStopList));
  expect(found.map(({ path }) => path)).toEqual([]);
});

test('this test detects a second list', () => {
  const list = `new Set('${[...ENGLISH_STOP_WORDS].filter((word) => /^[a-z]+$/.test(word)).join(' ')}'.split(' '))`;
  expect(wordLists(list).some(isStopList)).toBe(true);
  expect(SCRIPT.test(String.raw`/[\p{Script=Han}]/u`)).toBe(true);
  expect(SCRIPT.test(String.raw`/[\u4e00-\u9fff]/`)).toBe(true);
});

/** Returns quoted texts that consist of lower-case words only. */
function wordLists(source: string): readonly (readonly string[])[] {
  return [...source.matchAll(/(['"`])([a-z'’\s]{40,})\1/g)].map(([, , text = '']) => text.trim().split(/\s+/));
}

function isStopList(words: readonly string[]): boolean {
  return words.length >= LEAST && words.filter((word) => ENGLISH_STOP_WORDS.has(word)).length >= SHARE * words.length;
}
