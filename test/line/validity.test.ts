import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Day } from '../../src/base/clock.js';
import { isDay } from '../../src/language/time/calendar.js';
import { openTimeReader } from '../../src/language/time/read-time.js';
import { readValidity } from '../../src/line/validity.js';
import { cases } from '../support/cases.js';

/** A Thursday. */
const DAY = '2025-11-27';
const times = await openTimeReader('');
const read = (text: string, day: Day | null = DAY) => {
  const validity = readValidity(text, day, times);
  return validity && `${validity.from ?? ''}..${validity.to ?? ''}`;
};

describe('a validity period written in a fact', () => {
  it.each([
    ['Currently in Marrakech (Nov 27–Dec 1, 2025) for a birthday', '2025-11-27..2025-12-01'],
    ['away Nov 27-29', '2025-11-27..2025-11-29'],
    ['away Nov. 27 - 29, 2026', '2026-11-27..2026-11-29'],
    ['from 3 to 9 August', '2025-08-03..2025-08-09'],
    ['3–9 Aug 2026', '2026-08-03..2026-08-09'],
    ['between Nov 3 and Nov 9', '2025-11-03..2025-11-09'],
    ['between 3 and 9 August', '2025-08-03..2025-08-09'],
    ['Dec 28 - Jan 3', '2025-12-28..2026-01-03'],
    ['Dec 28 – Jan 3, 2026', '2025-12-28..2026-01-03'],
    ['March–May 2026', '2026-03-01..2026-05-31'],
    ['2025-11-27 to 2025-12-01', '2025-11-27..2025-12-01'],
    ['2025-11-27/2025-12-01', '2025-11-27..2025-12-01'],
    ['2025-11-27..2025-12-01', '2025-11-27..2025-12-01'],
    ['11月27日至12月1日去日本', '2025-11-27..2025-12-01'],
    ['2025年11月27日-29日', '2025-11-27..2025-11-29'],
    ['11月27-29日', '2025-11-27..2025-11-29'],
    ['从11月1日到11月5日', '2025-11-01..2025-11-05'],
    ['since March', '2025-03-01..'],
    ['since Nov 27', '2025-11-27..'],
    ['since December', '2024-12-01..'],
    ['since 2019', '2019-01-01..'],
    ['starting Dec 1', '2025-12-01..'],
    ['from Nov 3 onwards', '2025-11-03..'],
    ['80 seats from January 1, 2026, up from 65', '2026-01-01..'],
    ['自2025年11月起', '2025-11-01..'],
    ['自3月起', '2025-03-01..'],
    ['2019年以来', '2019-01-01..'],
    ['until 2026-01-05', '..2026-01-05'],
    ['until March', '..2026-03-31'],
    ['until the end of March', '..2026-03-31'],
    ['直到2026年1月5日', '..2026-01-05'],
    ['12月5日之前', '..2025-12-05'],
    ['since March until May', '2025-03-01..2025-05-31'],
    ['here since 2025-01-01, and until 2025-06-30 at least', '2025-01-01..2025-06-30'],
    ['Met her on Nov 3; away since Nov 20', '2025-11-20..'],
  ])('%s', (text, period) => {
    expect(read(text)).toBe(period);
    expect(readValidity(text, DAY, times)?.type).toBe('period');
  });
});

describe('a date mentioned in a fact', () => {
  it.each([
    ['2025年11月27日', '2025-11-27..2025-11-27'],
    ['signed on 2025-11-20', '2025-11-20..2025-11-20'],
    ['signed at 2025-11-20T10:00:00Z', '2025-11-20..2025-11-20'],
    ['on 2025/11/20', '2025-11-20..2025-11-20'],
    ['in November 2025', '2025-11-01..2025-11-30'],
    ['in November', '2025-11-01..2025-11-30'],
    ['in 2024-02', '2024-02-01..2024-02-29'],
    ['on May 3rd', '2026-05-03..2026-05-03'],
    ['on the 27th of November, 2025', '2025-11-27..2025-11-27'],
    ['on nov 20', '2025-11-20..2025-11-20'],
    ['on Jan 2', '2026-01-02..2026-01-02'],
    ['born on Feb 29', '2024-02-29..2024-02-29'],
    ['11月20日上线', '2025-11-20..2025-11-20'],
    ['the notes from Nov 3', '2025-11-03..2025-11-03'],
    ['on Nov 3 and 5', '2025-11-03..2025-11-03'],
  ])('%s', (text, date) => {
    expect(read(text)).toBe(date);
    expect(readValidity(text, DAY, times)?.type).toBe('date');
  });
});

it.each([
  'v2025.11.27 and 2.3.1',
  'at 10:30, or 10.30',
  '192.168.11.27',
  'call +43 664 2025-11 or 555-2025-11-27',
  'see memory/2025-11-27.md and https://x.y/2025-11-27/',
  'run `date -d 2025-11-27`',
  'CVE-2025-11273, build 2025-11-27a, 2025-13-01, 2025-02-30',
  'you may 3 times march 5 miles',
  'ask April, June or May',
  'costs 2025 dollars in 1998 or so',
  '11个月, 2025年',
  'Feb 30',
  '',
])('no date is read from: %s', (text) => expect(read(text)).toBeNull());

it('a date on an undated page needs its year', () => {
  expect(read('since March', null)).toBeNull();
  expect(read('Nov 27–Dec 1', null)).toBeNull();
  expect(read('Nov 27–Dec 1, 2025', null)).toBe('2025-11-27..2025-12-01');
  expect(read('until 2026-01-05', null)).toBe('..2026-01-05');
});

it('any text yields days in order', () => {
  const pieces = fc.constantFrom(
    'since ',
    'until ',
    'Nov',
    'March',
    ' ',
    '27',
    '3',
    '-',
    '–',
    ' to ',
    ', ',
    '2025',
    '2024',
    '年',
    '11',
    '月',
    '日',
    '至',
    '起',
    '直到',
    '自',
    'between ',
    ' and ',
    '2025-11-27',
    '/',
    '`',
    'Feb 29',
    '31',
  );
  let read = 0;
  fc.assert(
    fc.property(
      fc.array(pieces),
      fc.constantFrom(null, DAY, '2024-02-29', '0000-01-01', '9999-12-31'),
      (parts, day) => {
        const validity = readValidity(parts.join(''), day, times);
        if (validity === null) return;
        read++;
        const { from, to } = validity;
        expect([from, to].every((one) => one === null || isDay(one))).toBe(true);
        expect(from ?? to).not.toBeNull();
        if (from !== null && to !== null) expect(from <= to).toBe(true);
      },
    ),
    { numRuns: cases(2000) },
  );
  // About one text in six has a validity.
  expect(read).toBeGreaterThan(cases(2000) / 40);
});

describe('a numeric date after a preposition of another language', () => {
  it.each([
    ['wohnt seit 2025-11-03 in Ulm', '2025-11-03..'],
    ['öffnet ab 2026-04-01 um 7 Uhr', '2026-04-01..'],
    ['bleibt bis 2026-04-01 in Kiel', '..2026-04-01'],
    ["en congé jusqu'au 2026-04-01", '..2026-04-01'],
    ['vive en Jaca desde 2025-11-03', '2025-11-03..'],
    ['abita a Como dal 2025-11-03', '2025-11-03..'],
    ['werkt sinds 2025-11-03 in Breda', '2025-11-03..'],
    ['живёт в Омске с 2025-11-03', '2025-11-03..'],
    ['Urlaub vom 2026-02-01 bis 2026-02-09', '2026-02-01..2026-02-09'],
    ['en Lima del 2026-02-01 al 2026-02-09', '2026-02-01..2026-02-09'],
  ])('%s', async (text, expected) => {
    const validity = readValidity(text, DAY, await openTimeReader(text));
    expect(validity && `${validity.from ?? ''}..${validity.to ?? ''}`).toBe(expected);
  });
});
