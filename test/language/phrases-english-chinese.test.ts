import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Day } from '../../src/base/clock.js';
import { noonOf, parseDay } from '../../src/language/time/calendar.js';
import { openTimeReader, readTime } from '../../src/language/time/read-time.js';
import { readValidity } from '../../src/line/validity.js';

/** The sections of the table, which explains itself. */
const SECTIONS = readFileSync(new URL('phrases-english-chinese.txt', import.meta.url), 'utf8')
  .split('\n\n## ')
  .slice(1)
  .map((section) => section.trim().split('\n'));
const noTimes = SECTIONS.at(-1) ?? [];
const SAID = SECTIONS.slice(0, -1).map(([head = '', ...rows]) => {
  const [day, question = '', fact = ''] = head.split(' | ');
  return { day: parseDay(day) ?? '0000-01-01', question, fact, phrases: rows.map((row) => row.split(' | ')) };
});

describe.each(SAID)('on $day: $question', ({ day, question, fact, phrases }) => {
  test.each(phrases)('%s: a question asks for %s, a fact mentions %s', async (phrase = '', asked, told) => {
    const said = (text: string) => text.replace('%', () => phrase);
    expect(await daysAsked(said(question), day)).toBe(asked);
    expect(await daysTold(said(fact), day)).toBe(told);
  });
});

test.each(noTimes.slice(1))('no time in a question or a fact: %s', async (text) => {
  expect([await daysAsked(text, '2025-11-12'), await daysTold(text, '2025-11-12')]).toEqual(['-', '-']);
});

test('on an undated page complete dates count, and times relative to a day do not', async () => {
  const told = async (text: string) => daysTold(text, null);
  expect(await told('signed on Nov 3, 2024')).toBe('2024-11-03');
  expect(await told('2024年10月签约')).toBe('2024-10-01..2024-10-31');
  for (const text of ['met yesterday', 'in November', 'since last week', '上个月搬家', '去年12月'])
    expect(await told(text)).toBe('-');
});

async function daysAsked(question: string, day: Day): Promise<string> {
  const [span] = readTime(question, noonOf(day)).spans;
  return span === undefined ? '-' : written(span.since, span.until);
}

async function daysTold(text: string, day: Day | null): Promise<string> {
  const validity = readValidity(text, day, await openTimeReader(text));
  if (validity === null) return '-';
  return written(validity.from, validity.to) + (validity.type === 'period' ? ' period' : '');
}

function written(from: Day | null, to: Day | null): string {
  return from !== null && from === to ? from : `${from ?? ''}..${to ?? ''}`;
}
