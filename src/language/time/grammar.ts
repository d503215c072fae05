import { containsAnyWord } from '../tokens.js';
import { ALL_TIME, addDays, type DaySpan, joinPeriods, type Period, weekdayOf, widenPeriod } from './calendar.js';
import {
  mapOccurrences,
  type OccurrenceChoice,
  type Tense,
  type TimeContext,
  type TimeExpression,
  type TimeMeaning,
  type TimeOccurrence,
} from './expression.js';

/**
 * Words before or after a time that change which period it means. They narrow it ("early") or move it ("the week before").
 */
export interface TimeModifier {
  /** A quick test: every match of the patterns below contains one of these words. */
  readonly words?: readonly string[];
  /** Matches the end of the text before the time. */
  readonly before?: RegExp;
  /** Matches the beginning of the text after the time. */
  readonly after?: RegExp;
  /**
   * Whether the words count from the exact day and not from the wider period. "Two days before Christmas" are two days
   * before the 25th.
   */
  readonly counts?: true;
  apply(period: Period, groups: readonly string[]): Period | undefined;
}

/**
 * Words before or after a time that make it a start or an end ("since", "until"). `before` matches the end of the text
 * before the time, `after` the beginning of the text after it.
 */
export interface TimeBoundRule {
  /** A quick test: every match of `before` contains one of these words. Omitted if the test costs as much as the match. */
  readonly words?: readonly string[];
  readonly before?: RegExp;
  readonly after?: RegExp;
  readonly asOf?: true;
  /**
   * Whether the word may also open a range ("from … to"). Before a time that is already a range, such a word adds nothing.
   */
  readonly opens?: true;
  /**
   * Whether the time may be in the future. Then the tense of the question decides which occurrence of a recurring name is
   * meant.
   */
  readonly ahead?: true;
  /** Whether the words are a bound only beside a distance from today: "over a year ago", not "over Christmas". */
  readonly ago?: true;
  /**
   * The effect of the words in a statement; `apply` is for questions. If missing, the words change nothing in a statement.
   */
  readonly told?: ValidityBound;
  /**
   * Turns the period of the time into the days that a question asks for: with "since", all days from the start of the
   * period. Undefined if the words change nothing in a question.
   */
  readonly apply: ((period: Period) => DaySpan) | undefined;
}

/** How words such as "since" and "until" bound the validity of a statement. */
export interface ValidityBound {
  /**
   * Whether the time is the start (`since`) or the end (`until`) of the validity. If missing, the statement only mentions
   * the time.
   */
  readonly bounds?: 'since' | 'until';
  /** Which occurrence is meant if the name of the time recurs. */
  readonly which: OccurrenceChoice;
  /** Whether this bound applies only to a time in the future. */
  readonly ahead?: true;
  /** Whether this bound applies only to a weekday in a statement about the past. */
  readonly past?: true;
}

const sinceStart = ({ since }: Period): DaySpan => ({ since, until: null });
const untilEnd = ({ until }: Period): DaySpan => ({ since: null, until });
const afterEnd = ({ until }: Period): DaySpan => ({ since: addDays(until, 1), until: null });
const beforeStart = ({ since }: Period): DaySpan => ({ since: null, until: addDays(since, -1) });
/** "Around" means three days on either side. */
export const widenPeriodForAround = (period: Period): Period => widenPeriod(period, 3);

/** The effect of each kind of bound on questions and statements. */
export const BOUNDS = {
  since: { apply: sinceStart, told: { bounds: 'since', which: 'latest' } },
  // For a word that means both "since" and "starting", such as Italian "da". With a date it may be a past or an announced
  // time ("dal 1° aprile"). With a weekday or month it is a past time ("da lunedì", "da marzo").
  onward: { apply: sinceStart, opens: true, told: { bounds: 'since', which: 'announcedDay' } },
  starting: { apply: sinceStart, opens: true, told: { bounds: 'since', which: 'announced' } },
  // For "from", which also looks back ("the notes from Nov 3"). It begins something only if the time is in the future.
  from: { apply: sinceStart, opens: true, told: { bounds: 'since', which: 'nearest', ahead: true } },
  until: { apply: untilEnd, ahead: true, told: { bounds: 'until', which: 'coming' } },
  before: { apply: beforeStart, ahead: true },
  after: { apply: afterEnd },
  around: { apply: widenPeriodForAround, ahead: true },
  // "By" and "before" of English. In a statement, a recurring name then means its next occurrence.
  by: { apply: untilEnd, ahead: true, told: { which: 'coming' } },
  dueBefore: { apply: beforeStart, ahead: true, told: { which: 'coming' } },
  orLater: { apply: sinceStart },
  orEarlier: { apply: untilEnd },
  asOf: { apply: untilEnd, asOf: true, told: { bounds: 'since', which: 'announced' } },
  except: { apply: () => ALL_TIME },
  lessThan: { apply: sinceStart, ago: true },
  moreThan: { apply: untilEnd, ago: true },
  // "Back in May", and "over the weekend we hiked", which means the last weekend.
  back: { apply: undefined, told: { which: 'latest' } },
  over: { apply: undefined, told: { which: 'latest', past: true } },
} as const satisfies Readonly<Record<string, TimeBoundRule>>;

const REACH = 96;

/** The text on either side of a time. */
export interface TextAroundTime {
  readonly before: string;
  readonly after: string;
}

/** @param from where the text before the time begins: at the end of the previous time */
export function textAroundTime(text: string, { start, end }: TimeExpression, from: number): TextAroundTime {
  return { before: text.slice(Math.max(from, start - REACH), start), after: text.slice(end, end + REACH) };
}

/**
 * The lengths of the words of a bound before (`left`) and after (`right`) a time, in characters. Undefined if the words are
 * missing.
 */
export function matchBound(
  rule: TimeBoundRule,
  { before, after }: TextAroundTime,
): { left?: number; right?: number } | undefined {
  if (rule.words && !containsAnyWord(before, rule.words)) return undefined;
  const left = rule.before?.exec(before)?.[0].length;
  if (rule.before && left === undefined) return undefined;
  const right = rule.after?.exec(after)?.[0].length;
  if (rule.after && right === undefined) return undefined;
  return { ...(left !== undefined && { left }), ...(right !== undefined && { right }) };
}

/**
 * Applies the first modifier whose words stand beside a time. The modifier narrows the time ("early") or moves it ("the
 * week before").
 */
export function applyModifier(
  text: string,
  expression: TimeExpression,
  from: number,
  bends: readonly TimeModifier[],
): TimeExpression {
  const sides = textAroundTime(text, expression, from);
  for (const { words, before, after, counts, apply } of bends) {
    const side = before ? sides.before : sides.after;
    const match = !words || containsAnyWord(side, words) ? (before ?? after)?.exec(side) : null;
    if (!match) continue;
    const groups = match.slice(1);
    const meant = mapOccurrences(expression, ({ core, period }) => {
      const moved = apply((counts && core) || period, groups);
      return moved && { period: moved };
    });
    if (!meant) continue;
    const { end, start } = expression;
    const length = match[0].length;
    return { ...meant, start: before ? start - length : start, end: before ? end : end + length };
  }
  return expression;
}

/** How one language names times. The patterns read text with half-width characters and without ASCII capitals. */
export interface TimeGrammar {
  /** All times that a text names, in any order and without overlaps. */
  read(text: string, context: TimeContext): readonly TimeExpression[];
  /** A quick test whether a folded text may name a day without its year. */
  mayNameDay(text: string): boolean;
  /** Words that narrow or move a time beside them, such as "early". */
  readonly bends: readonly TimeModifier[];
  /** Words such as "since" and "until". If several match, the first one in this list is used. */
  readonly bounds: readonly TimeBoundRule[];
  /**
   * Words that only introduce a time ("in", "on the"). `before` matches the end of the text before the time, `after` the
   * beginning of the text after it.
   */
  readonly carriers: { readonly before: RegExp; readonly after?: RegExp };
  readonly ranges: RangeWords;
  /**
   * Matches words that show a past time, whatever the tense of the question: "the notes of Nov 27". Tested on the text
   * before the time, up to its end.
   */
  readonly looksBack?: RegExp;
  /**
   * Words that show a habit ("every Monday"). A recurring name beside them ("Monday") does not mean one particular day or
   * period.
   */
  readonly habit: RegExp;
  /** The tense of a question. */
  tense(text: string, time: TimeExpression): Tense;
  /** Whether a verb shows that a statement is about the past. */
  saysPast?(text: string): boolean;
}

/** Words of ranges and lists, which join two times into one: "from … to". */
interface RangeWords {
  /** Words before the first time ("from", "between"): matches the end of a text. */
  readonly opens: RegExp;
  /** The whole text between the two ends of a range ("to"). */
  readonly to: RegExp;
  /**
   * The text between two times, such as "and". If `opens` or `closes` matches too, the times are the ends of a range
   * ("between … and"). Otherwise they are the items of a list.
   */
  readonly and: RegExp;
  /** Words of a range after the last time. Matches the beginning of the text after it. */
  readonly closes?: RegExp;
  /** The text between a year and a time in it ("last year in November"). */
  readonly within?: RegExp;
}

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
