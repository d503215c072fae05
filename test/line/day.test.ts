import { describe, expect, test } from 'vitest';
import { openTimeReader } from '../../src/language/time/read-time.js';
import { findDateOrder } from '../../src/line/date.js';
import { readLineDays } from '../../src/line/day.js';
import { readLinePlaces } from '../../src/line/record.js';
import { scanMarkdown } from '../../src/markdown/scan.js';

/** The day of each line of a page, written as `MM-DD`, or `-`. */
function daysOf(text: string, { path = 'notes/page.md', fileDay = null }: Partial<Parameters<typeof pageOf>[1]> = {}) {
  return pageOf(text, { path, fileDay }).map((day) => (day === null ? '-' : day.slice(5)));
}

function pageOf(text: string, { path, fileDay }: { path: string; fileDay: `${number}-${number}-${number}` | null }) {
  return readLineDays(path, fileDay, scanMarkdown(text), openTimeReader, new Set()).map((one) => one?.day ?? null);
}

describe('the day of a line is that of', () => {
  test.each([
    ['a date at its beginning', '- 2026-04-07 pump ordered\n- the pump', ['04-07', '-']],
    ['a date behind a task box', '- [ ] 2026-04-07: call Bo', ['04-07']],
    ['a message of a chat', '14.03.26, 18:22 - Jana: Moin', ['03-14']],
    ['a message in brackets', '[14-Mar-26 09:14 PM] Old Hans\nhello', ['03-14', '-']],
    ['the heading above it', '## 2026-04-13\n\n### 13:17 @dev\nfixed', ['04-13', '04-13', '04-13', '04-13']],
    ['a heading of a version', '## [2.0.1] - 2026-03-19\n- a', ['03-19', '03-19']],
    ['a heading with the name of a month', '# 3 March 2026\n- a', ['03-03', '03-03']],
    ['a heading in another language', '# Dienstag, 3. März 2026\n- a', ['03-03', '03-03']],
    [
      'a field of the page',
      '# Board\n**Date:** Tuesday, 3 March 2026, 18:30\n\nApproved.',
      ['-', '03-03', '03-03', '03-03'],
    ],
    ['the front matter', '---\ndate: 2026-05-08\n---\n- a', ['05-08', '05-08', '05-08', '05-08']],
    ['its row', '| Date | Due |\n|---|---|\n| 2026-04-01 | 2026-05-01 |', ['-', '-', '04-01']],
    [
      'a column whose name has the letters of such a word',
      '| Kalendertag | Ort |\n|---|---|\n| 2026-04-01 | Graz |',
      ['-', '-', '04-01'],
    ],
    ['the only column of dates', '| Meter | Read |\n|---|---|\n| gas | 2026-03-31 |', ['-', '-', '03-31']],
  ])('%s', (_, text, expected) => {
    expect(daysOf(text)).toEqual(expected);
  });

  test('the name of the file, wherever the day stands in it', () => {
    expect(daysOf('a', { path: 'notes/Session 03 - 2026-02-07.md' })).toEqual(['02-07']);
  });

  test.each([
    ['2026/04/23.md', '04-23'],
    ['memory/diary/2026/04-April/23.md', '04-23'],
    ['notes/April 26th, 2026.md', '04-26'],
    ['notes/Sunday, 26 April 2026.md', '04-26'],
    ['notes/26. April 2026.md', '04-26'],
    ['notes/Daily 2026-05-07.md', '05-07'],
    ['2026/04/31.md', '-'],
    ['2026/04/12 rules.md', '-'],
    ['notes/Contract of 30 June 2027.md', '-'],
    ['notes/April 2026.md', '-'],
  ])('the whole name of the file: %s', (path, day) => {
    expect(daysOf('a', { path })).toEqual([day]);
  });
});

test.each([
  ['a date in a sentence', 'We met on 2026-04-07.'],
  ['a version', '1.2.26 is out'],
  ['a column of another day', '| Task | Due |\n|---|---|\n| a | 2026-05-01 |'],
  ['a heading that mentions a day', '## What we planned for the trip of 2026-04-13\n- a'],
  ['a date with slashes in an unknown order', '[3/4/26, 7:02 PM] Bo: hi'],
  ['a field that only mentions a date', 'Data: see the export of 2026-03-01'],
  ['a column whose name has a word for an end', '| Task | Frist |\n|---|---|\n| a | 2026-05-01 |'],
  ['code', '```\n2026-04-07 a log line\n```'],
])('%s gives no day', (_, text) => {
  expect(new Set(daysOf(text))).toEqual(new Set(['-']));
});

test('in a daily log, a date ahead of the file is only mentioned', () => {
  const text = '- 2026-04-01 seen\n- 2026-04-09 is the deadline\n- plain';
  expect(daysOf(text, { path: 'memory/2026-04-07.md', fileDay: '2026-04-07' })).toEqual(['04-01', '-', '-']);
});

test.each([
  [['14/3/26', '15/3/26'], 'dmy'],
  [['3/14/26'], 'mdy'],
  [['1/2/26', '2/2/26', '3/2/26', '1/3/26'], 'dmy'],
  [['14/3/26', '3/14/26'], 'auto'],
  [['3/4/26'], 'auto'],
])('slashes of %j are read %s', (dates, expected) => {
  expect(findDateOrder(dates)).toBe(expected);
});

test('a message has the day of its header, and a quoted one that of the line that introduces it', () => {
  const text = [
    '**From:** Gregor Lindt <g@example.org>',
    '**Date:** Tue, 3 Mar 2026 07:03:19 +0100',
    '',
    'Now it heats to 28 degrees.',
    '',
    'On Mon, 2 Mar 2026 at 14:40, Amira wrote:',
    '> E7 is the flow sensor.',
    '',
    '---',
    '',
    '**From:** Amira <a@example.org>',
    '**Date:** Wed, 4 Mar 2026 10:25:51 +0100',
    '',
    'Escalated.',
  ].join('\n');
  const scan = scanMarkdown(text);
  const placeOf = readLinePlaces('t.md', null, scan, scan.lines, openTimeReader);
  const told = [4, 7, 14].map((line) => {
    const { day, speaker, head } = placeOf(line);
    return [day, speaker, head];
  });
  expect(told).toEqual([
    ['2026-03-03', 'Gregor Lindt', 1],
    ['2026-03-02', 'Gregor Lindt', 1],
    ['2026-03-04', 'Amira', 11],
  ]);
});
