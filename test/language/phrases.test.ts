import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Day } from '../../src/base/clock.js';
import { openTimeReader } from '../../src/language/time/read-time.js';
import { readValidity } from '../../src/line/validity.js';
import { windowOf } from '../query/parse/support.js';

type Texts = Readonly<Record<string, readonly string[]>>;

interface Phrases {
  readonly asked: Readonly<Record<string, readonly (string | null)[]>>;
  readonly told: Readonly<Record<string, readonly (string | null)[]>>;
  readonly languages: Readonly<
    Record<string, { readonly asked: Texts; readonly told: Texts; readonly noTime: readonly string[] }>
  >;
}

const PHRASES: Phrases = parse(readFileSync(new URL('phrases.yaml', import.meta.url), 'utf8'));
const WEDNESDAY: Day = '2025-12-03';
const MONDAY: Day = '2026-03-02';

/** Returns each text with the days that it means. */
function withDays(texts: Texts, days: Phrases['asked']) {
  return Object.entries(texts).flatMap(([meaning, said]) =>
    said.map((text) => ({ text, days: days[meaning] ?? [`no days for ${meaning}`] })),
  );
}

describe.each(Object.entries(PHRASES.languages))('%s', (_, { asked, told, noTime }) => {
  test.each(withDays(asked, PHRASES.asked))('question: $text', async ({ text, days }) => {
    const windows = [WEDNESDAY, MONDAY].map((day) => windowOf(text, new Date(`${day}T12:00:00Z`)));
    expect(await Promise.all(windows)).toEqual(days);
  });

  test.each(withDays(told, PHRASES.told))('fact: $text', async ({ text, days }) => {
    // The language is detected per file: a fact of three words does not show it.
    const times = await openTimeReader(Object.values(told).flat().join('\n'));
    const validities = [WEDNESDAY, MONDAY].map((day) => readValidity(text, day, times));
    const written = validities.map(
      (validity) =>
        validity && `${validity.from ?? ''}..${validity.to ?? ''}${validity.type === 'period' ? ' period' : ''}`,
    );
    expect(written).toEqual(days);
  });

  test.each(noTime)('no time in the question: %s', async (question) => expect(await windowOf(question)).toBeNull());
});
