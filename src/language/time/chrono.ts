import type { ParsedComponents, ParsedResult } from 'chrono-node';
import { ENGLISH_STOP_WORDS } from '../words/english-stop.js';
import { addDays, dayPeriod, latestBegun, makeDay, type Period, partsOf } from './calendar.js';
import { isCount } from './english/dates.js';
import { AMBIGUOUS, MONTHS } from './english/words.js';
import { type Expression, type Meaning, type TimeContext, wordAfter, yearly } from './expression.js';

const WORDS_NEAR = 48;
const MAX_DATES = 8;
// "The week before June 6" is for our own rules: chrono would answer one day of it.
const RELATION = /\b(?:before|after|from|ago)\b/g;
const MONTH_WORD = new RegExp(`\\b(?:${Object.keys(MONTHS).join('|')})\\b`, 'g');
// "Nov. 27", "November the 27th"
const NUMBER_AFTER = /^[.,]?\s{0,3}(?:the\s{1,3})?\d{1,2}(?!\d)/;
// "27 November", "27th of November", "the twenty-seventh of November"
const NUMBER_BEFORE = /(?:\d(?:st|nd|rd|th)?|first|second|third|[a-z]th)[.,]?\s{1,3}(?:of\s{1,3})?$/;

/**
 * English dates with a month's name and a day in the rarer ways of writing them ("the twenty-seventh of November"),
 * read by chrono-node. Loading it and its first answer cost a command 20 ms and more, so that only a month beside a
 * number that our own rules could not read calls for it. What it assumes about a missing year is not used.
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
    const part = text.slice(from, place.index + WORDS_NEAR).replace(RELATION, (word) => '#'.repeat(word.length));
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
  const name = new RegExp(MONTH_WORD.source).exec(result.text)?.[0];
  if (name === undefined || !isWholeDay(result.start) || partOfWord(text, start, end)) return undefined;
  // "You may 5 times …": in lower case the phrase must end behind the date.
  const next = wordAfter(text.slice(end, end + 40));
  if (AMBIGUOUS.has(name) && next !== '' && !ENGLISH_STOP_WORDS.has(next)) return undefined;
  const bare = /^(\d{1,2})(\s{1,3}of)?\s/.exec(result.text);
  const around = { before: text.slice(Math.max(0, start - 24), start), after: text.slice(end, end + 40) };
  if (bare && isCount(bare[2] !== undefined, around)) return undefined;
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
    /[\w\u00c0-\u1fff./\\-]$/.test(text.slice(Math.max(0, start - 1), start)) ||
    /^[\w\u00c0-\u1fff/\\]/.test(text.slice(end, end + 1))
  );
}
