import fc from 'fast-check';
import { expect, it } from 'vitest';
import { addDays, dayOfPath, daysBetween, isDay, makeDay } from '../../src/language/time/calendar.js';

it.each(['2025-11-27', '2024-02-29', '2000-02-29', '9999-12-31'])('%s is a day', (day) =>
  expect(isDay(day)).toBe(true),
);

it.each([
  '2025-02-29',
  '1900-02-29',
  '2025-13-01',
  '2025-00-10',
  '2025-04-31',
  '2025-1-1',
  ' 2025-01-01',
  '2025-01-01T00',
  '',
])('%j is not a day', (day) => expect(isDay(day)).toBe(false));

it('days are added and counted across months, years and leap days', () => {
  expect(addDays('2024-02-28', 2)).toBe('2024-03-01');
  expect(addDays('2026-01-01', -1)).toBe('2025-12-31');
  expect(daysBetween('2024-02-28', '2024-03-01')).toBe(2);
  expect(makeDay(2025, 2, 30)).toBeUndefined();
});

it('adding the distance between two days to the first gives the second', () => {
  const days = fc.integer({ min: -700_000, max: 2_900_000 }).map((count) => addDays('1970-01-01', count));
  fc.assert(
    fc.property(days, days, (a, b) => {
      expect(isDay(a)).toBe(true);
      expect(addDays(a, daysBetween(a, b))).toBe(b);
    }),
  );
});

it('the path of a log or session dump gives its day', () => {
  expect(dayOfPath('memory/2025-11-27.md')).toBe('2025-11-27');
  expect(dayOfPath('memory/2025-11-27-bug-fix.md')).toBe('2025-11-27');
  for (const path of [
    'memory/2025-02-30.md',
    'memory/topics/2025-11-27.md',
    'bank/2025-11-27.md',
    'memory/2025-11-27x.md',
  ]) {
    expect(dayOfPath(path)).toBeNull();
  }
});
