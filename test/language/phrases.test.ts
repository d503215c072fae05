import { describe, expect, test } from 'vitest';
import type { Day } from '../../src/base/clock.js';
import { openTimeReader } from '../../src/language/time/times.js';
import { readValidity } from '../../src/memory/validity.js';
import { windowOf } from '../recall/question/support.js';
import { ASKED_DAYS, type Phrases, TOLD_DAYS } from './phrases/days.js';
import { DUTCH } from './phrases/dutch.js';
import { FRENCH } from './phrases/french.js';
import { GERMAN } from './phrases/german.js';
import { ITALIAN } from './phrases/italian.js';
import { JAPANESE } from './phrases/japanese.js';
import { PORTUGUESE } from './phrases/portuguese.js';
import { RUSSIAN } from './phrases/russian.js';
import { SPANISH } from './phrases/spanish.js';

const LANGUAGES: Readonly<Record<string, Phrases>> = {
  German: GERMAN,
  French: FRENCH,
  Spanish: SPANISH,
  Portuguese: PORTUGUESE,
  Italian: ITALIAN,
  Dutch: DUTCH,
  Russian: RUSSIAN,
  Japanese: JAPANESE,
};
const WEDNESDAY: Day = '2025-12-03';
const MONDAY: Day = '2026-03-02';

describe.each(Object.entries(LANGUAGES))('%s', (_, { asked, told, noTime }) => {
  test.each(
    Object.entries(ASKED_DAYS).flatMap(([meaning, days]) =>
      Object.entries(asked)
        .filter(([asks]) => asks === meaning)
        .flatMap(([, questions]) => questions.map((question) => ({ question, days }))),
    ),
  )('question: $question', async ({ question, days }) => {
    const windows = [WEDNESDAY, MONDAY].map((day) => windowOf(question, new Date(`${day}T12:00:00Z`)));
    expect(await Promise.all(windows)).toEqual(days);
  });

  test.each(
    Object.entries(TOLD_DAYS).flatMap(([meaning, days]) =>
      Object.entries(told)
        .filter(([tells]) => tells === meaning)
        .flatMap(([, facts]) => facts.map((fact) => ({ fact, days }))),
    ),
  )('fact: $fact', async ({ fact, days }) => {
    // The language is detected per file: a fact of three words does not show it.
    const times = await openTimeReader(Object.values(told).flat().join('\n'));
    const validities = [WEDNESDAY, MONDAY].map((day) => readValidity(fact, day, times));
    const written = validities.map(
      (validity) =>
        validity && `${validity.from ?? ''}..${validity.to ?? ''}${validity.type === 'period' ? ' period' : ''}`,
    );
    expect(written).toEqual(days);
  });

  test.each(noTime)('no time in the question: %s', async (question) => expect(await windowOf(question)).toBeNull());
});
