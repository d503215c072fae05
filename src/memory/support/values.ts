import type { Day } from '../../base/clock.js';
import { type DaySpan, daysBetween, noonOf } from '../../language/time/calendar.js';
import { chooseOccurrence } from '../../language/time/expression.js';
import { parseChineseNumber } from '../../language/time/languages/chinese.js';
import type { TimePolicy } from '../../language/time/policy.js';
import type { TimeReader } from '../../language/time/read-time.js';
import { mapWordsToNumbers, type RangeInText, toHalfWidth } from '../../language/tokens.js';

const NUMBER = /\p{N}+(?:[-./:,'’]\p{N}+)*/gu;
const GROUPED = /^\d{1,3}(?:([.,'’])\d{3})(?:\1\d{3})*$/u;
const NUMBER_WORDS = mapWordsToNumbers(
  'two/zwei three/drei four/vier five/funf six/sechs seven/sieben eight/acht nine/neun ten/zehn eleven/elf twelve/zwolf',
  2,
);
const CHINESE_NUMBER = /[二两三四五六七八九十百]+|十[一二三四五六七八九]?/gu;
/** A clock time with its half of the day. */
const AFTERNOON = /(\d{1,2})(?:[:.](\d\d))?\s?p\.?m\b|(?:下午|晚上|傍晚)\s?(\d{1,2})(?:[点:：](\d\d)?)/giu;

/**
 * The numbers of a text in one form: `1,200` and `1.200` are `1200`, `9:40` and `9.40` are `9.40`, `three` and `三` are `3`.
 * @param of a source also has the parts of joined numbers, and both clocks
 */
export function numbersOf(text: string, of: 'line' | 'source'): ReadonlySet<string> {
  const plain = toHalfWidth(text);
  const found = new Set<string>();
  for (const [number] of plain.matchAll(NUMBER)) {
    found.add(inOneForm(number));
    if (of === 'source') for (const part of number.split(/\P{N}+/u)) found.add(inOneForm(part));
  }
  for (const [run] of plain.matchAll(CHINESE_NUMBER)) {
    const value = parseChineseNumber(run);
    if (!Number.isNaN(value)) found.add(String(value));
  }
  const words = plain
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '');
  for (const [word] of words.matchAll(/[a-z]+/gu)) {
    const value = NUMBER_WORDS[word];
    if (value !== undefined) found.add(String(value));
  }
  if (of === 'line') return found;
  for (const [, hour = '', minutes, chineseHour = hour, chineseMinutes = minutes] of plain.matchAll(AFTERNOON)) {
    found.add(String(Number(chineseHour) + 12));
    if (chineseMinutes !== undefined) found.add(`${Number(chineseHour) + 12}.${chineseMinutes}`);
  }
  return found;
}

/** Whether a set has a number. A full hour counts as its hour: `15:00` as `15`. */
export function hasNumber(known: ReadonlySet<string>, number: string): boolean {
  return known.has(number) || (number.endsWith('.00') && known.has(number.slice(0, -3)));
}

function inOneForm(number: string): string {
  if (GROUPED.test(number)) return number.replace(/\D/gu, '');
  return number.replace(/[:,]/gu, '.').replace(/^0+(?=\d)/u, '');
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
    const cores = bent.core === undefined ? [] : [bent.core];
    found.push({ start: named.start, end: named.end, spans: [bent.period, ...cores, ...chosen] });
    return undefined;
  };
  reader.read(text, { ...noonOf(day), policy: note });
  return found;
}

/** Whether a period is longer than a night or a weekend, so that its last day is worth naming. */
function isLong({ since, until }: DaySpan): boolean {
  return since !== null && until !== null && daysBetween(since, until) > 2;
}

/** Whether a text names a day only by its number: the 20th of April in "until the 20th". */
export function namesDate(text: string, { spans }: TimeInText, day: Day): boolean {
  return spans.some(({ since, until }) => {
    if (since === null || since !== until || Math.abs(daysBetween(day, since)) > 31) return false;
    const date = Number(since.slice(-2));
    const named = Array.from(text.matchAll(/([一二三四五六七八九十]+)[号日]/gu), ([, run = '']) =>
      parseChineseNumber(run),
    );
    return named.includes(date) || new RegExp(`(?<!\\d)${date}(?:\\.(?!\\d)|st|nd|rd|th|号|日)`, 'u').test(text);
  });
}

/** Whether a time of a line is one of the days of its source, their last one, or a period that has one of them. */
export function isSameTime(line: TimeInText, source: readonly DaySpan[]): boolean {
  return line.spans.some(({ since, until }) =>
    source.some(
      (other) =>
        (other.since === since && other.until === until) ||
        (since !== null && since === until && other.until === since && isLong(other)) ||
        (since !== null && until !== null && (other.since ?? '') >= since && (other.until ?? '9999') <= until),
    ),
  );
}
