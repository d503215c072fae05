import { LETTER } from '../scripts.js';
import { addDays, hullOf, makeDay, type Period, partsOf } from './calendar.js';
import type { Expression } from './expression.js';

const NUMBER = '(\\d{1,2})(?:st|nd|rd|th)?';
/** What stands before a range. */
export const OPENS =
  /(?<![\w\u00c0-\u1fff])(?:from|between|in|on|over|during)\s{1,3}(?:on\s|the\s){0,2}$|(?:自从|从|自|在)\s?$/;
const AND = /^\s{0,3}(?:and|和|与|及|、)\s{0,3}(?:the\s)?$/;
const WITHIN = /^,?\s{1,3}(?:in|on|at|during|over)\s{1,3}(?:the\s{1,3})?$/;
const OR = /^,?\s{1,3}(?:and|or|&)\s{1,3}(?:(?:in|on|at|the)\s{1,3}){0,2}$/;
const TO = /^\s{0,3}(?:\.{2,3}|to|through|thru|until|till|up to|-|–|—|~|到|至)\s{0,3}(?:on\s|the\s){0,2}$/;
const CLOSES = /^\s?之?间/;
const BARE_FIRST = new RegExp(
  `(?<![${LETTER}])(?:from|between)\\s{1,3}(?:the\\s)?${NUMBER}\\s{1,3}(?:and|to|until|till|through)\\s{1,3}(?:the\\s)?$`,
);
const BETWEEN = /(?<![\w\u00c0-\u1fff])between\s{1,3}(?:the\s)?$/;
const BARE_LAST = new RegExp(`^\\s{1,3}and\\s{1,3}(?:the\\s)?${NUMBER}(?![${LETTER}:%/])`);

/** "From A to B", "between A and B", "A – B", 从A到B, A和B之间 become one expression; so does "between 3 and 9 August". */
export function joinRanges(text: string, expressions: readonly Expression[]): Expression[] {
  const joined: Expression[] = [];
  for (let i = 0; i < expressions.length; i++) {
    const first = expressions[i];
    const last = expressions[i + 1];
    if (!first) continue;
    const pair = last && joinPair(text, first, last);
    joined.push(pair ?? joinNumber(text, first));
    if (pair) i++;
  }
  return joined;
}

function joinPair(text: string, first: Expression, last: Expression): Expression | undefined {
  const between = text.slice(first.end, last.start);
  if (between.length > 16) return undefined;
  const inYear = WITHIN.test(between) ? withinYear(first, last) : undefined;
  if (inYear) return { period: inYear, start: first.start, end: last.end };
  const opening = OPENS.exec(text.slice(Math.max(0, first.start - 20), first.start))?.[0] ?? '';
  const closing = CLOSES.exec(text.slice(last.end, last.end + 4))?.[0] ?? '';
  const spans = TO.test(between) || (AND.test(between) && (/^(?:from|between)/.test(opening) || closing !== ''));
  const period = spans ? spanning(first, last) : OR.test(between) ? together(first, last) : undefined;
  return period && { period, range: true, start: first.start - opening.length, end: last.end + closing.length };
}

/**
 * The end of a range comes after its beginning: a name that comes back is taken at its first return. When only the
 * end is fixed ("November to January 2025"), the beginning is the last one before it.
 */
function spanning(first: Expression, last: Expression): Period | undefined {
  const beginning = first.recurs && !last.recurs ? first.recurs.at(last.period.until) : first.period;
  if (!beginning) return undefined;
  const { recurs } = last;
  const ending = recurs ? recurs.at(addDays(beginning.since, recurs.cycle - 1)) : last.period;
  return ending && ending.until >= beginning.since ? { since: beginning.since, until: ending.until } : undefined;
}

/** "Last year in November": a name that comes back every year is that year's. */
function withinYear({ period, recurs }: Expression, last: Expression): Period | undefined {
  const year = period.since.slice(0, 4);
  const isYear = recurs === undefined && period.since === `${year}-01-01` && period.until === `${year}-12-31`;
  return isYear && last.recurs?.cycle === 365 ? last.recurs.at(period.until) : undefined;
}

/** "November and December 2024": where only the last has a year, the first is the one before it. */
function together(first: Expression, last: Expression): Period {
  const beginning = first.recurs && !last.recurs ? first.recurs.at(last.period.until) : undefined;
  return hullOf(beginning ?? first.period, last.period);
}

function joinNumber(text: string, expression: Expression): Expression {
  const { since, until } = expression.period;
  if (since !== until) return expression;
  const { year, month } = partsOf(since);
  const before = text.slice(Math.max(0, expression.start - 40), expression.start);
  const bare = BARE_FIRST.exec(before);
  const first = bare && makeDay(year, month, Number(bare[1]));
  if (bare && first && first <= since)
    return {
      period: { since: first, until },
      range: true,
      start: expression.start - bare[0].length,
      end: expression.end,
    };
  const opening = BETWEEN.exec(before)?.[0];
  const number = opening === undefined ? null : BARE_LAST.exec(text.slice(expression.end, expression.end + 16));
  const last = number && makeDay(year, month, Number(number[1]));
  if (opening === undefined || !number || !last || last < since) return expression;
  return {
    period: { since, until: last },
    range: true,
    start: expression.start - opening.length,
    end: expression.end + number[0].length,
  };
}
