import { hasAny } from '../tokens.js';
import { addDays, type DaySpan, type Period, widenPeriod } from './calendar.js';
import type { Expression, Occurrence, OccurrenceChoice, Tense, TimeContext } from './expression.js';

/** Words before or after a time that narrow or move it; the result is again a period. */
export interface Modifier {
  /** Every match contains one of these words. */
  readonly words: readonly string[];
  /** Matches the end of the text before the time. */
  readonly before?: RegExp;
  /** Matches the beginning of the text after it. */
  readonly after?: RegExp;
  /** Counts from the exact day: two days before Christmas are two days before the 25th. */
  readonly counts?: true;
  apply(period: Period, groups: readonly string[]): Period | undefined;
}

/**
 * Words around a time that make it a bound. `before` matches the end of the text before it, `after` the beginning of the
 * text after it.
 */
export interface Bound {
  /** Words of which every match of `before` contains one. Omitted if the test costs as much as the match. */
  readonly words?: readonly string[];
  readonly before?: RegExp;
  readonly after?: RegExp;
  readonly asOf?: true;
  /** "From" opens a range: before a range that is already complete it adds nothing. */
  readonly opens?: true;
  /** May look ahead: the tense of the question decides which occurrence of a recurring name is meant. */
  readonly ahead?: true;
  /** Bounds only a distance from today: "over a year ago", not "over Christmas". */
  readonly ago?: true;
  /** The effect of the words in a statement, as opposed to a question. If missing, the time stays as it is. */
  readonly told?: BoundPolicy;
  /** The days that a question asks for; undefined if the words are no bound in a question. */
  readonly apply: ((period: Period) => DaySpan) | undefined;
}

/** How words such as "since" and "until" bound the validity of a statement. */
export interface BoundPolicy {
  /** The end of the validity that they set; if missing, the time is only a mention. */
  readonly bounds?: 'since' | 'until';
  /** The occurrence that they mean if the name recurs. */
  readonly which: OccurrenceChoice;
  /** Applies only to a future time. */
  readonly ahead?: true;
  /** Applies only to a weekly name in a statement about the past. */
  readonly past?: true;
}

export const FROM_TIME_ON = ({ since }: Period): DaySpan => ({ since, until: null });
export const UP_TO_TIME = ({ until }: Period): DaySpan => ({ since: null, until });
export const AFTER_TIME = ({ until }: Period): DaySpan => ({ since: addDays(until, 1), until: null });
export const UNTIL_BEFORE_TIME = ({ since }: Period): DaySpan => ({ since: null, until: addDays(since, -1) });
/** "Around" means three days on either side. */
export const AROUND_TIME = (period: Period): Period => widenPeriod(period, 3);

/** The policies of "since", "starting" and "until" in statements. */
export const SINCE = { told: { bounds: 'since', which: 'latest' } } as const;
export const ANNOUNCED = { told: { bounds: 'since', which: 'announced' } } as const;
export const UNTIL = { told: { bounds: 'until', which: 'coming' } } as const;

const REACH = 96;

/** The text on either side of a time. */
export interface Context {
  readonly before: string;
  readonly after: string;
}

/** @param from start of the words before it: the end of the previous time */
export function contextOf(text: string, { start, end }: Expression, from: number): Context {
  return { before: text.slice(Math.max(from, start - REACH), start), after: text.slice(end, end + REACH) };
}

/** The number of characters that the words of a bound take on either side; undefined if they are missing. */
export function matchBound(rule: Bound, { before, after }: Context): { left?: number; right?: number } | undefined {
  if (rule.words && !hasAny(before, rule.words)) return undefined;
  const left = rule.before?.exec(before)?.[0].length;
  if (rule.before && left === undefined) return undefined;
  const right = rule.after?.exec(after)?.[0].length;
  if (rule.after && right === undefined) return undefined;
  return { ...(left !== undefined && { left }), ...(right !== undefined && { right }) };
}

/** A time after the modifiers beside it are applied: they narrow it ("early") or move it ("the week before"). */
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

/** The times of one language. Patterns see text in half-width forms with ASCII capitals as small letters. */
export interface Grammar {
  /** All times that a text names, in any order, none within another. */
  read(text: string, context: TimeContext): readonly Expression[];
  /** Modifiers beside a time. */
  readonly bends?: readonly Modifier[];
  /** Words such as "since" and "until"; earlier ones win. */
  readonly bounds: readonly Bound[];
  /**
   * Words that only introduce a time ("in", "on the"), at the end of the text before it or the beginning of the text after
   * it.
   */
  readonly carriers?: { readonly before?: RegExp; readonly after?: RegExp };
  readonly ranges?: RangeWords;
  /** At the end of the text before a time: the time is in the past, whatever the tense ("the notes of Nov 27"). */
  readonly looksBack?: RegExp;
  /** Words of a habit ("every Monday"): with them a recurring name is no time. */
  readonly habit?: RegExp;
  /** The tense of a question; undefined if the language can't tell. If the function is missing: `past`. */
  tense?(text: string, time: Expression): Tense | undefined;
  /** Whether a verb shows that a statement is about the past. */
  saysPast?(text: string): boolean;
}

/** Words that join two times to one. */
export interface RangeWords {
  /** Words before the first time ("from", "between"): matches the end of a text. */
  readonly opens: RegExp;
  /** The whole text between the two ends of a range ("to"). */
  readonly to: RegExp;
  /**
   * The text between the ends of a range if `opens` or `closes` marks it as one ("between … and"), else between items of a
   * list.
   */
  readonly and: RegExp;
  /** Words after the last time: matches the beginning of a text. */
  readonly closes?: RegExp;
  /** The text between a year and a time in it ("last year in November"). */
  readonly within?: RegExp;
}
