import { hasAny } from '../tokens.js';
import { addDays, type DaySpan, type Period, widenPeriod } from './calendar.js';
import type { Expression, Occurrence, OccurrenceChoice, Tense, TimeContext } from './expression.js';

/** Words before a time, or behind it, that take a part of it or move it; the result is a period again. */
export interface Modifier {
  /** Of which one is in what the pattern matches. */
  readonly words: readonly string[];
  /** For the end of what stands before the time. */
  readonly before?: RegExp;
  /** For the beginning of what follows. */
  readonly after?: RegExp;
  /** Counts from the day itself: two days before Christmas are two before the 25th. */
  readonly counts?: true;
  apply(period: Period, groups: readonly string[]): Period | undefined;
}

/** Words around a time that make it a bound. `before` must match the text that ends there, `after` the text that begins there. */
export interface Bound {
  /** Of which one is in what `before` matches; left out where looking costs as much as matching. */
  readonly words?: readonly string[];
  readonly before?: RegExp;
  readonly after?: RegExp;
  readonly asOf?: true;
  /** "From" opens a range: before one that is already complete it says nothing more. */
  readonly opens?: true;
  /** May look ahead: the tense of the question decides which occurrence of a name that comes back is meant. */
  readonly ahead?: true;
  /** Bounds a distance from today only: "over a year ago", not "over Christmas". */
  readonly ago?: true;
  /** What the words say of a time that is told, not asked for; without it they leave the time as it is. */
  readonly told?: BoundPolicy;
  /** The days that are asked for; undefined where the words bound nothing that is asked for. */
  readonly apply: ((period: Period) => DaySpan) | undefined;
}

/** How words such as "since" and "until" bound what a statement tells. */
export interface BoundPolicy {
  /** The end of the statement's validity that they give; without it the time is only mentioned. */
  readonly bounds?: 'since' | 'until';
  /** Which occurrence of a name that comes back they mean. */
  readonly which: OccurrenceChoice;
  /** Only of a time to come. */
  readonly ahead?: true;
  /** Only of a name of every week, in a statement of what was. */
  readonly past?: true;
}

export const FROM_TIME_ON = ({ since }: Period): DaySpan => ({ since, until: null });
export const UP_TO_TIME = ({ until }: Period): DaySpan => ({ since: null, until });
export const AFTER_TIME = ({ until }: Period): DaySpan => ({ since: addDays(until, 1), until: null });
export const UNTIL_BEFORE_TIME = ({ since }: Period): DaySpan => ({ since: null, until: addDays(since, -1) });
/** "Around" means three days on either side. */
export const AROUND_TIME = (period: Period): Period => widenPeriod(period, 3);

/** What "since" tells, what "starting" does, and what "until" does. */
export const SINCE = { told: { bounds: 'since', which: 'latest' } } as const;
export const ANNOUNCED = { told: { bounds: 'since', which: 'announced' } } as const;
export const UNTIL = { told: { bounds: 'until', which: 'coming' } } as const;

const REACH = 96;

/** What stands on either side of a time. */
export interface Context {
  readonly before: string;
  readonly after: string;
}

/** @param from where the words before it begin: behind the time before it */
export function contextOf(text: string, { start, end }: Expression, from: number): Context {
  return { before: text.slice(Math.max(from, start - REACH), start), after: text.slice(end, end + REACH) };
}

/** How many characters on either side the words of a bound take, or undefined where they are not there. */
export function matchBound(rule: Bound, { before, after }: Context): { left?: number; right?: number } | undefined {
  if (rule.words && !hasAny(before, rule.words)) return undefined;
  const left = rule.before?.exec(before)?.[0].length;
  if (rule.before && left === undefined) return undefined;
  const right = rule.after?.exec(after)?.[0].length;
  if (rule.after && right === undefined) return undefined;
  return { ...(left !== undefined && { left }), ...(right !== undefined && { right }) };
}

/** A time with the words beside it applied that take a part of it ("early") or move it ("the week before"). */
export function applyModifier(
  text: string,
  expression: Expression,
  from: number,
  bends: readonly Modifier[],
): Expression {
  const sides = contextOf(text, expression, from);
  for (const { words, before, after, counts, apply } of bends) {
    const side = before ? sides.before : sides.after;
    const match = hasAny(side, words) ? (before ?? after)?.exec(side) : null;
    if (!match) continue;
    const groups = match.slice(1);
    const bent = (occurrence: Occurrence | undefined): Occurrence | undefined => {
      const period = occurrence && apply((counts && occurrence.core) || occurrence.period, groups);
      return period && { period };
    };
    const { recurs, end, start } = expression;
    const meant = bent(expression);
    if (!meant) continue;
    const moved = recurs && {
      recurs: { cycle: recurs.cycle, at: (anchor: Parameters<typeof recurs.at>[0]) => bent(recurs.at(anchor)) },
    };
    const length = match[0].length;
    return { ...meant, ...moved, start: before ? start - length : start, end: before ? end : end + length };
  }
  return expression;
}

/** How one language says times. Patterns see text in half-width forms, Latin capitals of ASCII as small letters. */
export interface Grammar {
  /** Every time that a text names, in any order, none within another. */
  read(text: string, context: TimeContext): readonly Expression[];
  /** Words beside a time that take a part of it or move it. */
  readonly bends?: readonly Modifier[];
  /** Words such as "since" and "until"; earlier ones win. */
  readonly bounds: readonly Bound[];
  /** Words that only carry a time ("in", "on the"), at the end of what stands before it or the beginning of what follows. */
  readonly carriers?: { readonly before?: RegExp; readonly after?: RegExp };
  readonly ranges?: RangeWords;
  /** At the end of what stands before a time: it lies behind, whatever the tense ("the notes of Nov 27"). */
  readonly looksBack?: RegExp;
  /** Words of a habit ("every Monday"): with them a name that comes back is no time. */
  readonly habit?: RegExp;
  /** Which occurrence a question means; undefined where the language says nothing of this text. Without it `past`. */
  tense?(text: string, time: Expression): Tense | undefined;
  /** Whether a verb says that what a statement tells has been. */
  saysPast?(text: string): boolean;
}

/** What joins two times to one. */
export interface RangeWords {
  /** Before the first ("from", "between"), a pattern for the end of a text. */
  readonly opens: RegExp;
  /** All that stands between the two ends of a range ("to"). */
  readonly to: RegExp;
  /** Between the ends of a range where `opens` or `closes` says that it is one ("between … and"), else between those of a list. */
  readonly and: RegExp;
  /** Behind the last, a pattern for the beginning of a text. */
  readonly closes?: RegExp;
  /** Between a year and a time in it ("last year in November"). */
  readonly within?: RegExp;
}
