import { describe, expect, test } from 'vitest';
import { STATEMENT_POLICY } from '../../src/language/time/policy.js';
import { openTimeReader } from '../../src/language/time/read-time.js';
import { momentOfClock } from '../../src/workspace/clock.js';
import { read, windowOf, windowsOf } from '../query/parse/support.js';

const THURSDAY = new Date('2026-01-15T12:00:00Z');

describe('several times in one question, asked on Thursday 2026-01-15', () => {
  test.each([
    ['what happened Nov 27–29', '2025-11-27..2025-11-29'],
    ['what happened November 27 to 29', '2025-11-27..2025-11-29'],
    ['what happened Nov 27 until 29', '2025-11-27..2025-11-29'],
    ['notes of Nov 3 through 9', '2025-11-03..2025-11-09'],
    ['what happened 27–29 November', '2025-11-27..2025-11-29'],
    ['what did I give Nov 27 to 3 people', '2025-11-27..2025-11-27'],
    ['what happened between March and May', '2025-03-01..2025-05-31'],
    ['what happened from May to June', '2025-05-01..2025-06-30'],
    ['what did we ship Oct-Dec 2025', '2025-10-01..2025-12-31'],
    ['what did we ship Oct–Dec', '2025-10-01..2025-12-31'],
    ['what did we ship Sept to Nov 2025', '2025-09-01..2025-11-30'],
    ['notes 2025-11-03..2025-11-09', '2025-11-03..2025-11-09'],
    ['what happened on November 3 and 5', '2025-11-03..2025-11-05'],
    ['what happened on 3 and 5 November', '2025-11-03..2025-11-05'],
    ['what happened on Nov 3, 5 and 7, 2024', '2024-11-03..2024-11-07'],
    ['on November 3 and 5 people came', '2025-11-03..2025-11-03'],
    ['what happened in November and December', '2025-11-01..2025-12-31'],
    ['what happened in October, November and December', '2025-10-01..2025-12-31'],
    ['what happened in November and December 2024', '2024-11-01..2024-12-31'],
    ['what did we ship in Q2 and Q3', '2025-04-01..2025-09-30'],
    ['what did we ship in 2024 and 2025', '2024-01-01..2025-12-31'],
    ['what did I do yesterday or the day before', '2026-01-13..2026-01-14'],
    ['what did I do last week or the week before', '2025-12-29..2026-01-11'],
    ['what did I do yesterday and last week', '2026-01-05..2026-01-14'],
    ['who called Monday or Tuesday last week', '2026-01-05..2026-01-06'],
    ['what did we do two or three weeks ago', '2025-12-22..2026-01-04'],
    ['what did we do 3–4 weeks ago', '2025-12-15..2025-12-28'],
    ['what did we do a week or two ago', '2025-12-29..2026-01-11'],
    ['what did we do twenty-one days ago', '2025-12-25..2025-12-25'],
    ['what did we do fifteen days ago', '2025-12-31..2025-12-31'],
    ['what did we do on 27 Nov 24', '2024-11-27..2024-11-27'],
    ['what did we do on Nov 27, 24', '2024-11-27..2024-11-27'],
    ['on Nov 27, 24 people came', '2025-11-27..2025-11-27'],
    ['what did we do last year in January', '2025-01-01..2025-01-31'],
    ['what did we do between Christmas and New Year', '2025-12-24..2026-01-01'],
    ['what did we do on Nov 27 last year', '2025-11-27..2025-11-27'],
  ])('%s', async (question, window) => expect(await windowOf(question, THURSDAY)).toBe(window));

  test('a month in a range is a month even if a person has its name', async () => {
    const { window, entities } = await read('what happened from May to June', THURSDAY);
    expect([window?.text, entities]).toEqual(['from May to June', []]);
  });
});

describe('bounds of a time in English, asked on Thursday 2026-01-15', () => {
  test.each([
    ['what was done by Dec 3', '..2025-12-03'],
    ['what was done by last Friday', '..2026-01-09'],
    ['what was done by the end of November', '..2025-11-30'],
    ['what came no later than Dec 3', '..2025-12-03'],
    ['what came no earlier than Dec 3', '2025-12-03..'],
    ['what came not before Dec 3', '2025-12-03..'],
    ['what came on or before Dec 3', '..2025-12-03'],
    ['what came on or after Dec 3', '2025-12-03..'],
    ['what came in November or later', '2025-11-01..'],
    ['what came Nov 27 onwards', '2025-11-27..'],
    ['what came before or on Nov 27', '..2025-11-27'],
    ['what came no later than November', '..2025-11-30'],
    ['what was done by November', '..2025-11-30'],
    ['what came up to and including Nov 27', '..2025-11-27'],
    ['what came later than Dec 3', '2025-12-04..'],
    ['what did we do except last week', null],
    ['what did we do apart from last week', null],
    ['what did we do, but not in November', null],
    ['what changed since the outage on Jan 8', '2026-01-08..'],
    ['what changed since I came back in May', '2025-05-01..'],
    ['what changed since he moved in October', '2025-10-01..'],
    ['what changed after the meeting on Nov 27', '2025-11-27..'],
    ['what changed before he left in November', '..2025-11-30'],
    ['what did I do after work on Monday', '2026-01-12..2026-01-12'],
    ['what did I do after lunch yesterday', '2026-01-14..2026-01-14'],
    ['since the release, what did we do in November', '2025-11-01..2025-11-30'],
    ['since the release what did we do in November', '2025-11-01..2025-11-30'],
    ['what did we do the day after the meeting on Nov 27', '2025-11-28..2025-11-28'],
    ['what did we do three days before the release of Nov 27', '2025-11-24..2025-11-24'],
  ])('%s', async (question, window) => expect(await windowOf(question, THURSDAY)).toBe(window));
});

describe('a recurring time follows the tense of the question, asked on Thursday 2026-01-15', () => {
  test.each([
    ['what is due on Friday', '2026-01-16..2026-01-16'],
    ['what will happen on the 27th', '2026-01-27..2026-01-27'],
    ['what is going to happen in March', '2026-03-01..2026-03-31'],
    ['what will we do in January', '2026-01-01..2026-01-31'],
    ['who will come before Christmas', '..2026-12-23'],
    ['what do I have on Tuesday', '2026-01-20..2026-01-20'],
    ['what do I have on Thursday', '2026-01-15..2026-01-15 2026-01-22..2026-01-22'],
    ['when does the course start in March', '2026-03-01..2026-03-31'],
    ['where does Alice fly on Dec 24', '2026-12-24..2026-12-24'],
    ['what is new since Nov 27', '2025-11-27..'],
    ['what does the log of Nov 27 say', '2025-11-27..2025-11-27'],
    ['do you remember the outage on Nov 27', '2025-11-27..2025-11-27 2026-11-27..2026-11-27'],
    ['what is the place that we visited on Friday', '2026-01-09..2026-01-09'],
    ['who is the person I met on Friday', '2026-01-09..2026-01-09'],
    ['what did we plan on Dec 24', '2025-12-24..2025-12-24'],
    ['what happened to the server on Thursday', '2026-01-08..2026-01-08 2026-01-15..2026-01-15'],
    ['what happened on the 27th', '2025-12-27..2025-12-27'],
    ['what does Bob do on Sunday mornings', null],
    ['what does Bob usually do on Monday', null],
    ['what does Bob do on Sundays', null],
  ])('%s', async (question, window) => expect((await windowsOf(question, THURSDAY)).join(' ') || null).toBe(window));

  test('a log line is not a question: a weekday alone is not a time in it', async () => {
    const text = 'I will fly on Friday, after the talk of last Friday';
    const times = await openTimeReader(text);
    const mentions = times.read(text, {
      ...momentOfClock({ now: () => THURSDAY, zone: 'UTC' }),
      policy: STATEMENT_POLICY,
    });
    expect(mentions.map(({ span }) => span)).toEqual([{ since: '2026-01-09', until: '2026-01-09' }]);
  });
});

describe('distances and parts in English, asked on Thursday 2026-01-15', () => {
  test.each([
    ['what happened more than a week ago', '..2026-01-08'],
    ['what happened over a year ago', '..2025-01-15'],
    ['what happened at least three days ago', '..2026-01-12'],
    ['what happened less than two weeks ago', '2026-01-01..'],
    ['what happened a year ago', '2024-12-01..2025-03-01'],
    ['what happened a year ago today', '2025-01-12..2025-01-18'],
    ['what happened on this day last year', '2025-01-12..2025-01-18'],
    ['what happened the other day', '2026-01-08..2026-01-15'],
    ["what happened on New Year's Eve 2024", '2024-12-31..2024-12-31'],
    ['what happened the day after Thanksgiving', '2025-11-28..2025-11-28'],
    ['what happened two days before Christmas', '2025-12-23..2025-12-23'],
    ['what happened on the weekend before Christmas', '2025-12-20..2025-12-21'],
    ['what happened in the final week of December', '2025-12-25..2025-12-31'],
    ['what happened in the last days of December', '2025-12-25..2025-12-31'],
    ['what happened on the weekend of Nov 28', '2025-11-29..2025-11-30'],
    ['what happened in the week ending Nov 30', '2025-11-24..2025-11-30'],
    ['what happened in the week commencing 24 November', '2025-11-24..2025-11-30'],
    ['what happened in the first half of last year', '2025-01-01..2025-06-30'],
    ['what happened in the second half of November', '2025-11-16..2025-11-30'],
    ['what happened on the first Monday of December', '2025-12-01..2025-12-01'],
    ['what happened on the last Friday of November', '2025-11-28..2025-11-28'],
    ['what happened on the 3rd of last month', '2025-12-03..2025-12-03'],
    ['the goals of H1 2025', '2025-01-01..2025-06-30'],
    ['what happened in week 48', '2025-11-24..2025-11-30'],
    ['what happened in week 3 of the course', null],
  ])('%s', async (question, window) => expect(await windowOf(question, THURSDAY)).toBe(window));
});
