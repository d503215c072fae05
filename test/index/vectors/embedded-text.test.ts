import { expect, test } from 'vitest';
import type { Day } from '../../../src/base/clock.js';
import type { FoundUnit } from '../../../src/index/search.js';
import { embeddedText } from '../../../src/index/vectors/embedded-text.js';

function unit(text: string, { path = 'bank/entities/Peter.md', day = null as Day | null, key = 5, section = 1 } = {}) {
  const file = { segment: 0, id: 1, path, day, role: 'entity', pageType: null, firstUnit: 1, lastUnit: 9 } as const;
  const found: FoundUnit = {
    key,
    file,
    line: key,
    endLine: key,
    kind: 'entity',
    section,
    text,
    fact: null,
    validFrom: null,
    validTo: null,
    isPeriod: false,
    detail: null,
  };
  return found;
}

const heading = (text: string) => unit(text, { key: 1 });

test('a line is titled by its page and heading', () => {
  const text = embeddedText(unit('Lives in @Vienna.'), heading('Homes'));
  expect(text).toMatchObject({ title: 'Peter: Homes', text: 'Lives in Vienna.' });
});

test('the day of a log and a heading that is only form are no title', () => {
  const log = { path: 'memory/2026-03-14.md', day: '2026-03-14' } as const;
  expect(embeddedText(unit('lives in Vienna', log), heading('Retain'))?.title).toBeNull();
  expect(embeddedText(unit('lives in Vienna', log), heading('The move'))?.title).toBe('The move');
});

test('headings and lines of fewer than two words get no vector; two Chinese characters are enough', () => {
  expect(embeddedText(heading('The move to Vienna'), undefined)).toBeUndefined();
  expect(embeddedText(unit('ok'), undefined)).toBeUndefined();
  expect(embeddedText(unit('---- ****'), undefined)).toBeUndefined();
  expect(embeddedText(unit('搬家'), undefined)?.text).toBe('搬家');
});

test('the same text under the same title has one hash, wherever it stands', () => {
  const [first, second] = [unit('lives in Vienna', { key: 3 }), unit('lives in Vienna', { key: 4 })];
  expect(embeddedText(first, heading('x'))?.hash).toEqual(embeddedText(second, heading('x'))?.hash);
  expect(embeddedText(first, heading('x'))?.hash).not.toEqual(embeddedText(first, heading('y'))?.hash);
});
