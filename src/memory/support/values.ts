import type { Day } from '../../base/clock.js';
import { foldText } from '../../language/scripts.js';
import { type DaySpan, daysBetween, noonOf } from '../../language/time/calendar.js';
import { chooseOccurrence } from '../../language/time/expression.js';
import { parseChineseNumber } from '../../language/time/languages/chinese.js';
import type { TimePolicy } from '../../language/time/policy.js';
import type { TimeReader } from '../../language/time/read-time.js';
import { mapWordsToNumbers, type RangeInText, toHalfWidth } from '../../language/tokens.js';

const NUMBER = /\p{N}+(?:[-./:,'’]\p{N}+)*/gu;
const NUMBER_WORDS = mapWordsToNumbers(
  'two/zwei three/drei four/vier five/funf six/sechs seven/sieben eight/acht nine/neun ten/zehn eleven/elf twelve/zwolf',
  2,
);
const CHINESE_NUMBER = /[二两三四五六七八九十百]+|十[一二三四五六七八九]?/gu;
/**
 * The numbers of a text in one form: `9:40` and `9.40` are `9.40`, `three` and `三` are `3`.
 * @param of a source also has the parts of joined numbers
 */
export function numbersOf(text: string, of: 'line' | 'source'): ReadonlySet<string> {
  const plain = toHalfWidth(text);
  const found = new Set<string>();
  for (const [number] of plain.matchAll(NUMBER)) {
    found.add(number.replace(/[:,]/gu, '.'));
    if (of === 'source') for (const part of number.split(/\P{N}+/u)) found.add(part);
  }
  for (const [run] of plain.matchAll(CHINESE_NUMBER)) {
    const value = parseChineseNumber(run);
    if (!Number.isNaN(value)) found.add(String(value));
  }
  for (const [word] of foldText(plain).matchAll(/[a-z]+/gu)) {
    const value = NUMBER_WORDS[word];
    if (value !== undefined) found.add(String(value));
  }
  return found;
}

/** A time in a text, and the days that it may mean there. */
export interface TimeInText extends RangeInText {
  readonly spans: readonly DaySpan[];
}

/** The times that a text names. @param day the day of the text, for relative times */
export function timesOf(text: string, day: Day, reader: TimeReader): readonly TimeInText[] {
  if (!reader.mayRead(text)) return [];
  const found: TimeInText[] = [];
  const note: TimePolicy = ({ named, bent, today }) => {
    const chosen = (['latest', 'coming'] as const).flatMap(
      (which) => chooseOccurrence(bent, which, today)?.period ?? [],
    );
    found.push({ start: named.start, end: named.end, spans: [bent.period, ...chosen] });
    return undefined;
  };
  reader.read(text, { ...noonOf(day), policy: note });
  return found;
}

/** Whether a text names a day only by its number: the 20th of April in "until the 20th". */
export function namesDate(text: string, { spans }: TimeInText, day: Day): boolean {
  return spans.some(({ since, until }) => {
    if (since === null || since !== until || Math.abs(daysBetween(day, since)) > 31) return false;
    return new RegExp(`(?<!\\d)${Number(since.slice(-2))}(?:\\.(?!\\d)|st|nd|rd|th|号|日)`, 'u').test(text);
  });
}

/** Whether a time of a line is one of its source, or a period that has one of them. */
export function isSameTime(line: TimeInText, source: readonly DaySpan[]): boolean {
  return line.spans.some(({ since, until }) =>
    source.some(
      (other) =>
        (other.since === since && other.until === until) ||
        (since !== null && until !== null && (other.since ?? '') >= since && (other.until ?? '9999') <= until),
    ),
  );
}
