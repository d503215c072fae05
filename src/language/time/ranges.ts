import { addDays, joinPeriods, weekdayOf } from './calendar.js';
import type { TimeExpression, TimeMeaning, TimeOccurrence } from './expression.js';
import type { RangeWords } from './grammar.js';

/** Maximum number of characters between two times that are joined. */
const MOST_BETWEEN = 24;

/** Joins "from A to B", "between A and B", "A – B", 从A到B, A和B之间 to one expression, and "A and B" to a list. */
export function joinTimeRanges(
  text: string,
  expressions: readonly TimeExpression[],
  words: readonly RangeWords[],
): readonly TimeExpression[] {
  const joined: TimeExpression[] = [];
  for (let i = 0; i < expressions.length; i++) {
    const first = expressions[i];
    const last = expressions[i + 1];
    if (!first) continue;
    const pair = last && joinPair(text, first, last, words);
    joined.push(pair ?? first);
    if (pair) i++;
  }
  return joined;
}

function joinPair(
  text: string,
  first: TimeExpression,
  last: TimeExpression,
  words: readonly RangeWords[],
): TimeExpression | undefined {
  const between = text.slice(first.end, last.start);
  // In "Nov 4 (Tue)" the weekday only repeats the day.
  if (last.recurs?.cycle === 7 && /^[\s,(（]{0,3}$/.test(between) && isSameWeekday(first, last))
    return { ...first, end: last.end + (/^[)）]/.exec(text.slice(last.end))?.[0].length ?? 0) };
  if (between.length > MOST_BETWEEN) return undefined;
  const [before, after] = [text.slice(Math.max(0, first.start - 20), first.start), text.slice(last.end, last.end + 4)];
  for (const { opens, to, and, closes, within } of words) {
    const inYear = within?.test(between) ? withinYear(first, last) : undefined;
    if (inYear) return { ...inYear, start: first.start, end: last.end };
    const opening = opens.exec(before)?.[0].length ?? 0;
    const closing = closes?.exec(after)?.[0].length ?? 0;
    const isList = and.test(between);
    const isRange = to.test(between) || (isList && opening + closing > 0);
    const meant = isRange ? spanning(first, last) : isList ? together(first, last) : undefined;
    if (meant) return { ...meant, start: first.start - opening, end: last.end + closing };
  }
  return undefined;
}

/**
 * The range from one time to another. If the end recurs, it means its first occurrence after the beginning. If only the end
 * has a year ("November to January 2025"), the beginning means its last occurrence before the end.
 */
function spanning(first: TimeExpression, last: TimeExpression): TimeMeaning | undefined {
  if (!first.recurs) return fromTo(first, last);
  if (!last.recurs) return fromTo(first.recurs.at(last.period.until), last);
  const { at, cycle } = first.recurs;
  const meant = (occurrence: TimeOccurrence | undefined) => fromTo(occurrence, last);
  const latest = meant(first);
  return latest && { ...latest, recurs: { cycle, at: (anchor) => meant(at(anchor)) } };
}

function fromTo(first: TimeOccurrence | undefined, { recurs, period }: TimeMeaning): TimeMeaning | undefined {
  if (!first) return undefined;
  const { since } = first.period;
  const until = (recurs ? recurs.at(addDays(since, recurs.cycle - 1))?.period : period)?.until;
  return until !== undefined && until >= since ? { period: { since, until }, range: true } : undefined;
}

/**
 * Whether `weekday` only repeats the weekday of the date written in front of it, as in "Nov 4 (Tue)". Always true for a day without a
 * year, because its weekday is unknown.
 */
function isSameWeekday({ period, recurs }: TimeExpression, { period: weekday }: TimeExpression): boolean {
  if (period.since !== period.until || weekday.since !== weekday.until || recurs?.cycle === 7) return false;
  return recurs !== undefined || weekdayOf(period.since) === weekdayOf(weekday.since);
}

/**
 * Reads "last year in November" as the November of that year. Undefined if the first time is not a whole year, or if the
 * last does not recur every year.
 */
function withinYear({ period, recurs }: TimeExpression, last: TimeExpression): TimeOccurrence | undefined {
  const year = period.since.slice(0, 4);
  const isYear = recurs === undefined && period.since === `${year}-01-01` && period.until === `${year}-12-31`;
  return isYear && last.recurs?.cycle === 365 ? last.recurs.at(period.until) : undefined;
}

/**
 * The period of two times in a list, from the beginning of the first to the end of the last. If only the last time has a
 * year ("November and December 2024"), the first means its latest occurrence before the last one ends.
 */
function together(first: TimeExpression, last: TimeExpression): TimeMeaning {
  const beginning = (first.recurs && !last.recurs ? first.recurs.at(last.period.until) : undefined) ?? first;
  return { period: joinPeriods(beginning.period, last.period), core: beginning.period, list: true };
}
