import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { addDays, addMonths, dayNumber, weekdayOf } from '../../../src/language/time/calendar.js';
import { parseDayOption } from '../../../src/language/time/read-time.js';
import { explainReading } from '../../../src/query/parse/explain.js';
import { readQuestion } from '../../../src/query/parse/read.js';
import { momentOfClock } from '../../../src/workspace/clock.js';
import { cases } from '../../support/cases.js';
import { unitsSince } from '../../support/growth.js';
import { entities } from './support.js';

const ZONES = [
  'UTC',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
  'Europe/Vienna',
  'America/New_York',
  'Asia/Kolkata',
  'Africa/Casablanca',
];
const DAY = /^\d{4}-\d{2}-\d{2}$/;

const machineZone = process.env.TZ;
afterEach(() => {
  process.env.TZ = machineZone;
});

const fragment = fc.constantFrom(
  ...(
    'last week|since|before|after|between|and|from|to|around|Nov 27|27 November 2025|the 3rd of March|in May|2025-03-30|yesterday|' +
    'two weeks ago|the weekend|on Friday|Q3|in 2024|summer|over Christmas|as of|until|the week before|early|上周|11月27日|前后|' +
    '之前|从|到|春节期间|三天前|去年|Peter|"quoted|@|redis|the|?|3pm|may|——|🎉'
  ).split('|'),
);
const question = fc
  .array(fc.oneof({ weight: 8, arbitrary: fragment }, { weight: 1, arbitrary: fc.string() }), { maxLength: 10 })
  .map((parts) => parts.join(' '));
// Whole years, to include clock changes and leap days.
const instant = fc.date({
  min: new Date('2015-01-01T00:00:00Z'),
  max: new Date('2032-01-01T00:00:00Z'),
  noInvalidDate: true,
});
const zone = fc.constantFrom(...ZONES);

test('reading a question never throws, and its window consists of days in order', async () => {
  await fc.assert(
    fc.asyncProperty(question, instant, zone, async (text, now, userZone) => {
      const { window, asOf, ...reading } = await readQuestion(text, { now, zone: userZone, entities });
      if (window) {
        expect(window.since ?? window.until).toMatch(DAY);
        if (window.since !== null && window.until !== null) expect(window.since <= window.until).toBe(true);
      }
      if (asOf !== null) expect(asOf).toMatch(DAY);
      for (const { text: word, weight } of reading.words) {
        expect(word).toBe(word.toLowerCase());
        expect(weight > 0 && weight <= 1).toBe(true);
      }
      expect(explainReading({ window, asOf, ...reading }).every((line) => !line.includes('undefined'))).toBe(true);
    }),
    { numRuns: cases(400) },
  );
});

test('any text is read without an exception', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 300 }), instant, zone, async (text, now, userZone) => {
      const reading = await readQuestion(text, { now, zone: userZone, entities });
      expect(text.startsWith(reading.text)).toBe(true);
      await parseDayOption(text, momentOfClock({ now: () => now, zone: userZone }));
    }),
    { numRuns: cases(200) },
  );
});

test('the time zone of the machine has no influence', async () => {
  await fc.assert(
    fc.asyncProperty(question, instant, zone, zone, async (text, now, userZone, otherMachine) => {
      process.env.TZ = 'UTC';
      const here = await readQuestion(text, { now, zone: userZone, entities });
      process.env.TZ = otherMachine;
      expect(await readQuestion(text, { now, zone: userZone, entities })).toEqual(here);
    }),
    { numRuns: cases(300) },
  );
});

test('every word of a question is a keyword, a stop word, or beyond the read length', async () => {
  await fc.assert(
    fc.asyncProperty(fc.stringMatching(/^[b-z][a-z]{7,20}$/), instant, async (word, now) => {
      const { words } = await readQuestion(`where is the ${word}?`, { now, zone: 'UTC', entities });
      expect(words.map(({ text }) => text)).toContain(word);
    }),
    { numRuns: 100 },
  );
});

test('a question of a hundred kilobytes costs no more than its read length', async () => {
  const now = new Date('2025-12-03T12:00:00Z');
  const read = (text: string) => readQuestion(text, { now, zone: 'UTC', entities });
  // biome-ignore format: short texts, many a line
  const pieces = [
    'a', '(', '"', "'a", '1.', '2025-', 'nov 27 ', 'last ', 'between 3 and ', '我们上周一到周五', '十', '🎉', 'e\u0301',
    'was a ', 'nov 3, 5 and ', 'since we ', 'does on friday ', 'twenty-one ',
  ];
  for (const piece of pieces) {
    const start = process.cpuUsage();
    expect((await read(piece.repeat(100_000 / piece.length))).truncated).toBe(true);
    expect(unitsSince(start), piece).toBeLessThan(400);
  }
});

test('a day moved forward and back is the same day; a week later is the same weekday', () => {
  const day = fc
    .integer({ min: dayNumber('1900-01-01'), max: dayNumber('2100-01-01') })
    .map((number) => addDays('1970-01-01', number));
  fc.assert(
    fc.property(day, fc.integer({ min: -5000, max: 5000 }), (start, count) => {
      expect(addDays(addDays(start, count), -count)).toBe(start);
      expect(weekdayOf(addDays(start, 7 * count))).toBe(weekdayOf(start));
      expect(weekdayOf(start)).toBe(new Date(`${start}T00:00:00Z`).getUTCDay() || 7);
      expect(addMonths(start, count).slice(8) <= start.slice(8)).toBe(true);
    }),
  );
});
