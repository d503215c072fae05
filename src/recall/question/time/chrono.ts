import type { ParsedComponents, ParsedResult } from 'chrono-node';
import { ENGLISH_STOP_WORDS } from '../tables/english-stop.js';
import { addDays, dayPeriod, latestBegun, makeDay, type Period, partsOf } from './calendar.js';
import { AMBIGUOUS, MONTHS } from './english-words.js';
import { type Expression, type Meaning, type TimeContext, wordAfter, yearly } from './expression.js';

const WORDS_NEAR = 48;
const MAX_DATES = 8;
const MONTH_WORD = new RegExp(`(?<![\\p{L}\\p{N}_])(?:${Object.keys(MONTHS).join('|')})(?![\\p{L}\\p{N}_])`, 'giu');
// "Nov. 27", "November the 27th"
const NUMBER_AFTER = /^[.,]?\s{0,3}(?:the\s{1,3})?\d{1,2}(?!\d)/i;
// "27 November", "27th of November", "the twenty-seventh of November"
const NUMBER_BEFORE = /(?:\d(?:st|nd|rd|th)?|first|second|third|\p{L}th)[.,]?\s{1,3}(?:of\s{1,3})?$/iu;

/**
 * English dates with a month's name and a day, read by chrono-node: it knows the many orders they are written in.
 * It is loaded only when a month stands beside a number. What it assumes about a missing year is not used.
 */
export async function readWrittenDates(text: string, context: TimeContext): Promise<Expression[]> {
  const places = datePlaces(text);
  if (places.length === 0) return [];
  const { strict } = await import('chrono-node/en');
  const { year, month, date } = partsOf(context.today);
  // Noon of the machine's own zone: chrono computes in that zone, and no clock change comes near the day's end.
  const reference = new Date(year, month - 1, date, 12);
  const found: Expression[] = [];
  for (const place of places) {
    const from = Math.max(place.index - WORDS_NEAR, found.at(-1)?.end ?? 0);
    const part = text.slice(from, place.index + WORDS_NEAR);
    for (const result of strict.parse(part, reference)) {
      const expression = toExpression(result, from, text, context);
      if (expression && expression.start >= (found.at(-1)?.end ?? 0)) found.push(expression);
    }
  }
  return found;
}

function datePlaces(text: string): { index: number }[] {
  const places: { index: number }[] = [];
  for (const match of text.matchAll(MONTH_WORD)) {
    const before = text.slice(Math.max(0, match.index - 24), match.index);
    const after = text.slice(match.index + match[0].length, match.index + match[0].length + 10);
    if (NUMBER_AFTER.test(after) || NUMBER_BEFORE.test(before)) places.push({ index: match.index });
    if (places.length === MAX_DATES) break;
  }
  return places;
}

function toExpression(
  result: ParsedResult,
  offset: number,
  text: string,
  context: TimeContext,
): Expression | undefined {
  const start = offset + result.index;
  const end = start + result.text.trimEnd().length;
  const name = new RegExp(MONTH_WORD.source, 'iu').exec(result.text)?.[0];
  if (name === undefined || !isWholeDay(result.start) || partOfWord(text, start, end)) return undefined;
  // "You may 5 times …": in lower case the phrase must end behind the date.
  const next = wordAfter(text.slice(end, end + 40));
  if (AMBIGUOUS.has(name) && next !== '' && !ENGLISH_STOP_WORDS.has(next)) return undefined;
  const meaning = result.end ? readRange(result.start, result.end, context) : readDay(result.start, context);
  return meaning && { ...meaning, start, end };
}

function readDay(date: ParsedComponents, { today }: TimeContext) {
  const make = (year: number) => dayIn(date, year);
  if (!date.isCertain('year')) return yearly(today, make);
  const period = make(date.get('year') ?? 0);
  return period && { period };
}

/** A range with one year belongs to that year ("Nov 27 – Dec 1, 2025"); with none, it is the latest that has begun. */
function readRange(first: ParsedComponents, last: ParsedComponents, { today }: TimeContext): Meaning | undefined {
  if (!isWholeDay(last)) return undefined;
  const fixedEnd = last.isCertain('year') ? dayIn(last, last.get('year') ?? 0) : undefined;
  const since = first.isCertain('year')
    ? dayIn(first, first.get('year') ?? 0)
    : latestBegun(fixedEnd?.until ?? today, (year) => dayIn(first, year));
  if (!since) return undefined;
  const until = fixedEnd ?? latestBegun(addDays(since.since, 364), (year) => dayIn(last, year));
  return until && until.until >= since.since
    ? { period: { since: since.since, until: until.until }, range: true }
    : undefined;
}

function isWholeDay(date: ParsedComponents): boolean {
  return date.isCertain('month') && date.isCertain('day');
}

function dayIn(date: ParsedComponents, year: number): Period | undefined {
  const day = makeDay(year, date.get('month') ?? 0, date.get('day') ?? 0);
  return day === undefined ? undefined : dayPeriod(day);
}

function partOfWord(text: string, start: number, end: number): boolean {
  return (
    /[\p{L}\p{N}_./\\-]$/u.test(text.slice(Math.max(0, start - 1), start)) ||
    /^[\p{Script=Latin}\p{N}_/\\]/u.test(text.slice(end, end + 1))
  );
}
