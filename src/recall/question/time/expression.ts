import type { Day } from '../../../base/clock.js';
import { addDays, latestBegun, type Period, weekdayOf } from './calendar.js';

/** What a name of a time means, before the words around it ("since", "around") are looked at. */
export interface Meaning {
  readonly period: Period;
  /** For names that come back ("November", "Friday"): the latest occurrence begun by a day, and the days until it returns. */
  readonly recurs?: { readonly cycle: number; at(anchor: Day): Period | undefined };
  /** Both ends were named ("3–9 August"). */
  readonly range?: boolean;
}

/** A time named in a text. */
export interface Expression extends Meaning {
  readonly start: number;
  readonly end: number;
}

export interface TimeContext {
  readonly today: Day;
  readonly now: Date;
  readonly zone: string;
  /** The whole text is meant to be a time (an option's value): bare names count without a sign such as "in". */
  readonly lenient: boolean;
  /** Whether a known entity is named at this position ("May" may be a person). */
  isName(position: number): boolean;
}

/** What stands around a match. */
export interface Surroundings {
  readonly before: string;
  readonly after: string;
  readonly position: number;
}

/** One way of saying a time. */
export interface TimeRule {
  /** Sticky; tried where a word begins. */
  readonly pattern: RegExp;
  read(groups: readonly string[], context: TimeContext, around: Surroundings): Meaning | undefined;
}

export function meaning(period: Period | undefined): Meaning | undefined {
  return period && { period };
}

/** A time that comes every year: without a year it is the latest one that has begun. */
export function yearly(today: Day, make: (year: number) => Period | undefined): Meaning | undefined {
  const period = latestBegun(today, make);
  return period && { period, recurs: { cycle: 365, at: (anchor) => latestBegun(anchor, make) } };
}

/** A weekday: the latest one, today included. */
export function weekly(today: Day, weekday: number): Meaning {
  const at = (anchor: Day): Period => {
    const day = addDays(anchor, -((weekdayOf(anchor) - weekday + 7) % 7));
    return { since: day, until: day };
  };
  return { period: at(today), recurs: { cycle: 7, at } };
}

/** The first rule that matches at each of the positions, left to right, no match inside another. */
export function scan(
  text: string,
  positions: readonly number[],
  rulesAt: (position: number) => readonly TimeRule[],
  context: TimeContext,
): Expression[] {
  const found: Expression[] = [];
  let free = 0;
  for (const position of positions) {
    if (position < free) continue;
    const expression = readAt(text, position, rulesAt(position), context);
    if (!expression) continue;
    found.push(expression);
    free = expression.end;
  }
  return found;
}

function readAt(text: string, position: number, rules: readonly TimeRule[], context: TimeContext) {
  for (const { pattern, read } of rules) {
    pattern.lastIndex = position;
    const match = pattern.exec(text);
    if (!match) continue;
    const end = position + match[0].length;
    const around = {
      before: text.slice(Math.max(0, position - 60), position),
      after: text.slice(end, end + 60),
      position,
    };
    const groups = match.slice(1).map((group) => group ?? '');
    const result = read(groups, context, around);
    if (result) return { ...result, start: position, end };
  }
  return undefined;
}

/** The last word of a text, lower-cased, or '' when something other than spaces stands after it. */
export function wordBefore(text: string): string {
  return (/([\p{L}\p{N}']+)[\s-]{1,3}$/u.exec(text)?.[1] ?? '').toLowerCase();
}

/** The first word of a text, lower-cased, or '' when a sign stands before it or nothing follows. */
export function wordAfter(text: string): string {
  return (/^\s{1,3}([\p{L}\p{N}']+)/u.exec(text)?.[1] ?? '').toLowerCase();
}
