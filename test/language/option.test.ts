import { describe, expect, test } from 'vitest';
import type { Clock } from '../../src/base/clock.js';
import { parseDayOption, windowOfAroundOption } from '../../src/language/time/read-time.js';
import { readDayOptions } from '../../src/query/day-options.js';
import { momentOfClock } from '../../src/workspace/clock.js';
import { NOW } from '../query/parse/support.js';

test.each([
  ['30d', '2025-11-03', '2025-11-03'],
  ['2w', '2025-11-19', '2025-11-19'],
  ['6m', '2025-06-03', '2025-06-03'],
  ['1y', '2024-12-03', '2024-12-03'],
  ['2 weeks', '2025-11-19', '2025-11-19'],
  ['1 Month', '2025-11-03', '2025-11-03'],
  ['2025-11-27', '2025-11-27', '2025-11-27'],
  ['2025-11-28T10:00', '2025-11-28', '2025-11-28'],
  ['2025-11-28 10:00', '2025-11-28', '2025-11-28'],
  ['wednesday', '2025-12-03', '2025-12-03'],
  ['2025-11', '2025-11-01', '2025-11-30'],
  ['2025', '2025-01-01', '2025-12-31'],
  ['last week', '2025-11-24', '2025-11-30'],
  [' the last 3 days ', '2025-11-30', '2025-12-03'],
  ['monday', '2025-12-01', '2025-12-01'],
  ['november', '2025-11-01', '2025-11-30'],
  ['may', '2025-05-01', '2025-05-31'],
  ['spring', '2025-03-01', '2025-05-31'],
  ['christmas', '2024-12-24', '2024-12-26'],
  ['Nov 27', '2025-11-27', '2025-11-27'],
  ['11/27', '2025-11-27', '2025-11-27'],
  ['yesterday', '2025-12-02', '2025-12-02'],
  ['上个月', '2025-11-01', '2025-11-30'],
  ['春天', '2025-03-01', '2025-05-31'],
  ['since last week', '2025-11-24', undefined],
  ['before March', undefined, '2025-02-28'],
])('%s is a day option', async (text, since, until) => {
  const days = { ...(since && { since }), ...(until && { until }) };
  expect(await parseDayOption(text, momentOfClock({ now: () => NOW, zone: 'UTC' }))).toEqual({ ok: true, value: days });
});

test.each(['', 'soon', '30', '30x', '2025-13-01', '2025-02-30', 'last week please', 'x'.repeat(200), '最近'])(
  '"%s" is wrong usage, with a hint',
  async (text) => {
    const result = await parseDayOption(text, momentOfClock({ now: () => NOW, zone: 'UTC' }));
    expect(result).toMatchObject({ ok: false, error: { type: 'usage', hint: expect.stringContaining('30d') } });
  },
);

test('around means three days on either side', () => {
  expect(windowOfAroundOption({ since: '2025-11-27', until: '2025-11-27' })).toEqual({
    since: '2025-11-24',
    until: '2025-11-30',
  });
});

describe('an option refuses a time that is open at the end that it needs', () => {
  const clock: Clock = { now: () => NOW, machineMs: () => NOW.getTime(), zone: 'UTC' };

  test.each([
    [{ around: 'since March' }, '--around'],
    [{ around: 'before March' }, '--around'],
    [{ since: 'before Nov 28' }, '--until'],
    [{ until: 'after Nov 28' }, '--since'],
    [{ asOf: 'since March' }, '--since'],
  ])('%o', async (options, hint) => {
    const refused = expect.objectContaining({ failure: expect.objectContaining({ type: 'usage' }) });
    const failure = await readDayOptions(options, clock).catch((error: unknown) => error);
    expect(failure).toEqual(refused);
    expect(JSON.stringify(failure)).toContain(hint);
  });

  test('an option accepts a time that has the end that it needs', async () => {
    expect(await readDayOptions({ since: 'since March', until: 'before Nov 28' }, clock)).toEqual({
      since: '2025-03-01',
      until: '2025-11-27',
    });
  });
});
