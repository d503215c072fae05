import { describe, expect, test } from 'vitest';
import { NOW, read, windowOf } from '../query/parse/support.js';

describe('a time in English, asked on Wednesday 2025-12-03', () => {
  test.each([
    // days
    ['what did I do yesterday?', '2025-12-02..2025-12-02'],
    ['what did I do the day before yesterday?', '2025-12-01..2025-12-01'],
    ['what happened last night', '2025-12-02..2025-12-03'],
    ['what did we ship 3 days ago', '2025-11-30..2025-11-30'],
    ['what did we ship three days ago', '2025-11-30..2025-11-30'],
    ['what did we start 2 hours ago', '2025-12-03..2025-12-03'],
    ['what changed on 2025-11-27?', '2025-11-27..2025-11-27'],
    ['what changed on 2025/11/27', '2025-11-27..2025-11-27'],
    ['what changed on 27.11.2025', '2025-11-27..2025-11-27'],
    ['what changed on 11/27/2025', '2025-11-27..2025-11-27'],
    ['what changed on 27/11/2025', '2025-11-27..2025-11-27'],
    ['what was changed in my 27 November notes', '2025-11-27..2025-11-27'],
    ['what changed on 3 of March', '2025-03-03..2025-03-03'],
    ['what changed on 11/27', '2025-11-27..2025-11-27'],
    ['the log of 2025-11-27T10:00:00Z', '2025-11-27..2025-11-27'],
    ['what changed on Nov 27', '2025-11-27..2025-11-27'],
    ['what changed on November 27th, 2024', '2024-11-27..2024-11-27'],
    ['what changed on the 27th of November', '2025-11-27..2025-11-27'],
    ['what changed on the twenty-seventh of November', '2025-11-27..2025-11-27'],
    ['who called on Thursday, 27 November 2025?', '2025-11-27..2025-11-27'],
    ['what did we plan on Dec 24', '2024-12-24..2024-12-24'],
    ['what did we do on the 27th?', '2025-11-27..2025-11-27'],
    // weekdays: the latest one, or also the one before if today is that weekday; "last" is before today
    ['what did we do on Monday?', '2025-12-01..2025-12-01'],
    ['what did we do on Wednesday?', '2025-11-26..2025-11-26'],
    ['what did we decide Monday about redis', '2025-12-01..2025-12-01'],
    ["Monday's meeting", '2025-12-01..2025-12-01'],
    ['what did we do last Wednesday', '2025-11-26..2025-11-26'],
    ['what did we do last Friday', '2025-11-28..2025-11-28'],
    ['what is on next Friday', '2025-12-05..2025-12-05'],
    ['what is due by Friday', '..2025-12-05'],
    ['what did we do on Tuesday last week', '2025-11-25..2025-11-25'],
    ["last week's Tuesday call", '2025-11-25..2025-11-25'],
    // weeks and weekends
    ['what did we do last week', '2025-11-24..2025-11-30'],
    ['what did we do this week', '2025-12-01..2025-12-07'],
    ['what is planned for next week', '2025-12-08..2025-12-14'],
    ['the week before last', '2025-11-17..2025-11-23'],
    ['the week of Nov 10', '2025-11-10..2025-11-16'],
    ['2025-W48', '2025-11-24..2025-11-30'],
    ['what did I read last weekend', '2025-11-29..2025-11-30'],
    ['what did I read two weekends ago', '2025-11-22..2025-11-23'],
    ['what did I read over the weekend', '2025-11-29..2025-11-30'],
    ['what did we do a couple of weeks ago', '2025-11-16..2025-11-22'],
    ['what did we do a few days ago', '2025-11-26..2025-12-01'],
    // rolling
    ['what did we do in the past two weeks', '2025-11-19..2025-12-03'],
    ['commits of the last 30 days', '2025-11-03..2025-12-03'],
    ['what did we do in the last week', '2025-11-26..2025-12-03'],
    ['over the past few days', '2025-11-26..2025-12-03'],
    // months, seasons, quarters, years
    ['what did we do this month', '2025-12-01..2025-12-31'],
    ['what did we do last month', '2025-11-01..2025-11-30'],
    ['what did we do in November', '2025-11-01..2025-11-30'],
    ['what did we do in December', '2025-12-01..2025-12-31'],
    ['what did we do in May', '2025-05-01..2025-05-31'],
    ['what did we do in November 2024?', '2024-11-01..2024-11-30'],
    ['the notes of 2025-11', '2025-11-01..2025-11-30'],
    ['what did we do in early November', '2025-11-01..2025-11-10'],
    ['what did we do in mid-November', '2025-11-11..2025-11-20'],
    ['what did we do at the end of last month', '2025-11-21..2025-11-30'],
    ['what did we do a month ago', '2025-10-19..2025-11-18'],
    ['where were we half a year ago', '2025-05-19..2025-06-18'],
    ['where were we in the last two weeks of August 2023', '2023-08-18..2023-08-31'],
    ['what happened in the last week of October', '2025-10-25..2025-10-31'],
    ['what did we do in the second week of March 2025', '2025-03-08..2025-03-14'],
    ['where were we on the first weekend of October 2023', '2023-10-07..2023-10-08'],
    ['who came on the last weekend of May 2025', '2025-05-31..2025-06-01'],
    ['the first three days of June', '2025-06-01..2025-06-03'],
    ['the last day of last month', '2025-11-30..2025-11-30'],
    ['what did we plant in spring', '2025-03-01..2025-05-31'],
    ['where did we go last summer', '2025-06-01..2025-08-31'],
    ['where did we go in summer 2023', '2023-06-01..2023-08-31'],
    ['what is on this winter', '2025-12-01..2026-02-28'],
    ['the goals of Q3 2025', '2025-07-01..2025-09-30'],
    ['what did we ship in Q3', '2025-07-01..2025-09-30'],
    ['in the first quarter of 2025', '2025-01-01..2025-03-31'],
    ['what did we ship last quarter', '2025-07-01..2025-09-30'],
    ['the second half of 2024', '2024-07-01..2024-12-31'],
    ['what happened in 2024?', '2024-01-01..2024-12-31'],
    ['what happened last year', '2024-01-01..2024-12-31'],
    ['what happened two years ago', '2023-01-01..2023-12-31'],
    ['what did we eat over Christmas', '2024-12-24..2024-12-26'],
    ['what did we do on Thanksgiving 2025', '2025-11-27..2025-11-30'],
    ['what did we do since Easter', '2025-04-18..'],
  ])('%s', async (question, window) => expect(await windowOf(question)).toBe(window));
});

describe('words that modify a time in English', () => {
  test.each([
    ['what happened around Nov 27', '2025-11-24..2025-11-30'],
    ['what happened since last week', '2025-11-24..'],
    ['what changed since Nov 27', '2025-11-27..'],
    ['what happened after Nov 27', '2025-11-28..'],
    ['what happened before March', '..2025-02-28'],
    ['what was decided until last week', '..2025-11-30'],
    ['everything from November onwards', '2025-11-01..'],
    ['notes from November', '2025-11-01..2025-11-30'],
    ['between 3 and 9 August', '2025-08-03..2025-08-09'],
    ['between August 3 and 9', '2025-08-03..2025-08-09'],
    ['between Aug 3 and Aug 9', '2025-08-03..2025-08-09'],
    ['from 3 to 9 August 2024', '2024-08-03..2024-08-09'],
    ['what happened Nov 27–Dec 1, 2024', '2024-11-27..2024-12-01'],
    ['from Nov 27 to Dec 1', '2025-11-27..2025-12-01'],
    ['from December to March', '2025-12-01..2026-03-31'],
    ['from Monday to Friday', '2025-12-01..2025-12-05'],
    ['between 2023 and 2024', '2023-01-01..2024-12-31'],
    ['from November to January 2025', '2024-11-01..2025-01-31'],
    ['the week before June 6', '2025-05-30..2025-06-05'],
    ['the weekend before Nov 27', '2025-11-22..2025-11-23'],
    ['what did I do last weekend before 10 April 2025', '2025-04-05..2025-04-06'],
    ['over the weekend before the 4th of October', '2025-09-27..2025-09-28'],
    ['two weeks before August 11, 2025', '2025-07-25..2025-07-31'],
    ['what did we do last week before the release', '2025-11-24..2025-11-30'],
    ['the Friday before 27 November', '2025-11-21..2025-11-21'],
    ['two days after Dec 1', '2025-12-03..2025-12-03'],
    ['in November, before Nov 10', '2025-11-01..2025-11-09'],
    ['what did I do in June and in August', '2025-06-01..2025-08-31'],
  ])('%s', async (question, window) => expect(await windowOf(question)).toBe(window));

  test('the text of the window includes the words that modify it', async () => {
    expect((await read('what happened around Nov 27 in Oslo')).window?.text).toBe('around Nov 27');
    expect((await read('and since the end of last month?')).window?.text).toBe('since the end of last month');
  });
});

describe('text that only looks like a time is not read as one', () => {
  test.each([
    'may I ask something',
    'what may 5 users do',
    'march on with the plan',
    'the march of progress',
    'version 3.11 of python',
    'what runs on port 6379 at 3pm',
    'the year is not 2025 apples but port 2025',
    'in 2025 files',
    'who sat down in the second row under the sun',
    'how do we use Spring Boot in Spring Boot apps',
    'fall back to redis in fall back mode',
    'every Monday',
    'which aspect of autumn is nice',
    'the Friday deploy rule',
    'what about Christmas presents',
    'see memory/2025-11-27.md',
    'v2025.11.27 and CVE-2025-1127',
    '10.0.2025.1',
    'the last 5 commits',
    'a 1/2 cup of sugar',
    'is support there 24/7',
    'do we offer support on 24/7',
    'add sugar in 1/2 cup',
    'what broke for around 2/3 of users',
    'the shift from 9-5',
    'the top 10 August releases',
    'change the buffer from 2024 to 4096 bytes',
    'between 2000 and 2050 tokens',
    'what stood in Sunday Times',
    'what is new in version 3 of March',
    'what did "last week" mean',
  ])('%s', async (question) => expect(await windowOf(question)).toBeNull());

  test('a known person named like a month is that person, unless only a month makes sense', async () => {
    const person = await read('what did we get from May');
    expect([person.window, person.entities]).toEqual([null, ['may']]);
    const month = await read('what happened in May 2025');
    expect([month.window?.since, month.entities]).toEqual(['2025-05-01', []]);
  });
});

describe('as of', () => {
  test.each([
    ['what was true about Peter in November 2025', '2025-11-30'],
    ['what was still valid last week', '2025-11-30'],
    ['who owned the deploy as of Dec 1?', '2025-12-01'],
    ['what was true this month', '2025-12-03'],
    ['截至12月1日谁负责部署', '2025-12-01'],
    ['上个月当时谁负责部署', '2025-11-30'],
    ['what did Peter say in November 2025', null],
    ['what is true about Peter', null],
    ['what was the true reason for the outage in November', null],
    ['was a valid licence there last week', null],
  ])('%s', async (question, asOf) => expect((await read(question)).asOf).toBe(asOf));
});

describe('the user’s time zone decides which day it is', () => {
  const late = new Date('2025-12-03T22:30:00Z');
  test.each([
    ['UTC', '2025-12-03..2025-12-03'],
    ['Asia/Shanghai', '2025-12-04..2025-12-04'],
    ['Pacific/Kiritimati', '2025-12-04..2025-12-04'],
    ['America/New_York', '2025-12-03..2025-12-03'],
  ])('today in %s', async (zone, window) => expect(await windowOf('what did I do today', late, zone)).toBe(window));

  test('days across a clock change are complete', async () => {
    const afterChange = new Date('2025-03-30T22:30:00Z');
    expect(await windowOf('yesterday', afterChange, 'Europe/Vienna')).toBe('2025-03-30..2025-03-30');
    expect(await windowOf('on Mar 30', new Date('2025-03-31T00:30:00Z'), 'Europe/Vienna')).toBe(
      '2025-03-30..2025-03-30',
    );
    expect(await windowOf('last week', new Date('2025-11-03T04:30:00Z'), 'America/New_York')).toBe(
      '2025-10-20..2025-10-26',
    );
  });
});

test('the end of a month and a leap day are correct', async () => {
  const march31 = new Date('2024-03-31T12:00:00Z');
  expect(await windowOf('last month', march31)).toBe('2024-02-01..2024-02-29');
  expect(await windowOf('what changed since 2024-02-29', NOW)).toBe('2024-02-29..');
  expect(await windowOf('on 29 February 2023', NOW)).toBe('2023-02-01..2023-02-28');
});
