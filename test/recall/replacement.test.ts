import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isReplaced, readReplacement, replacementTerms } from '../../src/memory/supersession/ended-value.js';
import { compareStatements } from '../../src/memory/supersession/other-value.js';
import { readStatement } from '../../src/memory/supersession/statement.js';

function replaces(later: string, earlier: string): boolean {
  const replacement = readReplacement(later);
  return replacement !== undefined && isReplaced(new Set(replacementTerms(earlier)), replacement);
}

describe('a statement that says plainly what it replaces', () => {
  test.each([
    ['The daily standup moved from 09:30 to 10:00.', 'The daily standup is at 09:30.'],
    ['The primary database moved from MySQL 8.0 to Postgres 16.4.', 'The primary database is MySQL 8.0 on hz-1.'],
    ['No longer drinks coffee; switched to tea.', 'Drinks five cups of coffee a day.'],
    ['The default of --keep-recent is 6, no longer 10.', 'The default of --keep-recent is 10.'],
    ['80 seats from January, up from 65.', 'Raised from 40 to 65 seats.'],
    ['缓存的过期时间从24小时改为6小时', '缓存的过期时间是24小时'],
    ['从十二月起在上海工作,不再在杭州。', '在杭州工作'],
  ])('%s ← %s', (later, earlier) => {
    expect(replaces(later, earlier)).toBe(true);
  });

  test.each([
    ['The weekly review moved from 09:30 to 10:00.', 'Breakfast is at 09:30.'],
    ['No longer drinks coffee.', 'Drinks green tea in the morning.'],
    ['Moved from Graz to Vienna.', 'Likes the trains of Vienna.'],
    ['Read the book from cover to cover.', 'The cover of the book is red.'],
  ])('%s leaves alone: %s', (later, earlier) => {
    expect(replaces(later, earlier)).toBe(false);
  });

  test('any text is read in linear time and without an error', () => {
    fc.assert(fc.property(fc.string({ unit: 'grapheme', maxLength: 400 }), (text) => void readReplacement(text)));
    expect(readReplacement(`moved ${'from '.repeat(150)}`)).toBeUndefined();
  });
});

describe('another value of the same attribute', () => {
  test.each([
    ['Lives in Vienna', 'Now lives in Berlin'],
    ['works at Brightwater', 'works at Kranzl'],
    ['The weekly review is on Tuesday', 'The weekly review is on Thursday'],
  ])('%s ≠ %s', (earlier, later) => {
    expect(compareStatements(readStatement(earlier), readStatement(later))).toMatch(/^other (?:value|date)$/);
  });

  test.each([
    ['is tall', 'is in Vienna'],
    ['Lives in Vienna', 'Lives in Vienna with Nora'],
    ['Prefers window seats', 'Prefers short replies'],
    ['The weekly review is on Tuesday', 'The monthly review is on Thursday'],
  ])('unsure: %s, %s', (earlier, later) => {
    expect(compareStatements(readStatement(earlier), readStatement(later))).toBe('unsure');
  });
});
