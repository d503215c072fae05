import type { Day } from '../../base/clock.js';
import { compareText, groupBy } from '../../base/order.js';
import { dayOfUnit } from '../../index/found.js';
import type { FoundUnit } from '../../index/search.js';
import { hasForm } from '../../line/form.js';
import { isOutOfDate } from './current-location.js';
import type { FoldedResult } from './fold.js';
import { isMoreExact } from './ranked.js';
import { toStatement } from './statement-unit.js';
import { TYPICAL_MESSAGE_CHARS } from './weights.js';

/** Number of the first results that are examined. */
const LOOKED = 10;
/** A result with at least this share of the score of another one answers about as well. */
const AS_GOOD = 0.9;
/** Of a matter one hears so often; what more statements say of the question is no matter of its own. */
const MOST_NEWER = 3;

interface TopicOptions {
  /** Facts of later days than this one do not count. */
  readonly day: Day;
  readonly slugOf: (name: string) => string;
  /**
   * The label about which a line that is not a fact says something. Undefined if the question does not ask about the label,
   * or there is none.
   */
  readonly labelOf: (unit: FoundUnit) => string | undefined;
  /** Positions of the terms of the question in the unit itself, without names. */
  readonly wordsIn: (unit: FoundUnit) => readonly number[];
  /** Number of content words of the question, without names. */
  readonly asked: number;
  /** Whether the oldest statement is asked for. */
  readonly wantsFirst: boolean;
  /** Whether a time is asked for. Then plain lines are of that time, and none of them is the newest. */
  readonly isTimed: boolean;
  /** How well the kind of a unit matches the kind that the question asks for. */
  readonly wish: (unit: FoundUnit) => number;
  /** For each superseded unit: the newer unit that is placed directly before it. */
  readonly above: ReadonlyMap<FoundUnit, FoundUnit>;
}

/** Forms of lines that state nothing new. */
const NOT_STATED = ['asksOnly', 'header', 'quoted', 'query', 'done', 'cancelled', 'struck', 'links'] as const;
/** A plain line has at least this many content words of the question, or the only one, to be of its matter. */
const LEAST_WORDS = 2;

/** The statement of a result. */
interface Said {
  readonly subject: string | undefined;
  readonly day: Day;
  /** Whether the statement is something that the agent did. A completed action never replaces an earlier state. */
  readonly isDone: boolean;
  /** What it, or what stands beneath it, says of the question. */
  readonly words: ReadonlySet<number>;
  readonly wish: number;
  readonly isHolding: boolean;
}

/**
 * Of statements of one subject, or lines of one label, that answer about as well, the newest goes first, where it says all
 * of the question that the other says: they are of one matter as far as that is asked for, whatever stands around them. Pure.
 * @param items the best first
 * @returns for each older one the newest, which comes directly before it
 */
export function newestOfTopics(items: readonly FoldedResult[], options: TopicOptions): Map<FoundUnit, FoundUnit> {
  const top = items.slice(0, LOOKED).map((item) => ({ item, said: saidBy(item, options) }));
  const above = new Map<FoundUnit, FoundUnit>();
  for (const [at, old] of top.entries()) {
    const newer = top.slice(at + 1).filter((one) => saysAll(one.said, old.said));
    if (old.said === undefined || newer.length > MOST_NEWER) continue;
    const isBefore = options.wantsFirst ? (a?: Said, b?: Said) => isNewer(b, a) : isNewer;
    let best = old;
    for (const one of newer) if (isAsGood(one.item, old.item) && isBefore(one.said, best.said)) best = one;
    if (best !== old) above.set(old.item.unit, best.item.unit);
  }
  return above;
}

function saidBy(
  { unit }: FoldedResult,
  { day: today, slugOf, labelOf, wordsIn, wish, above, isTimed, asked }: TopicOptions,
): Said | undefined {
  const day = dayOfUnit(unit);
  if (day === null || hasForm(unit, 'observed')) return undefined;
  if (unit.fact === null) {
    const words = new Set(wordsIn(unit));
    const subject = labelOf(unit);
    if (
      subject === undefined &&
      (isTimed ||
        day > today ||
        unit.text.length > TYPICAL_MESSAGE_CHARS ||
        NOT_STATED.some((form) => hasForm(unit, form)) ||
        words.size < Math.max(1, Math.min(LEAST_WORDS, asked)))
    )
      return undefined;
    return { subject, day, isDone: false, words, wish: wish(unit), isHolding: true };
  }
  const told = toStatement(unit, slugOf);
  const thread = [...above].flatMap(([old, by]) => (by.fact === unit.fact ? [old] : []));
  const words = new Set([unit, ...thread].flatMap(wordsIn));
  const isDone = told.kind === 'experience';
  return { subject: told.subjects[0], day, isDone, words, wish: wish(unit), isHolding: !isOutOfDate(told, today) };
}

/** Whether a statement says of the question all that another one of its subject says, and holds if that does. */
function saysAll(newer: Said | undefined, old: Said | undefined): boolean {
  if (newer === undefined || old === undefined || newer.isDone) return false;
  if (newer.subject !== old.subject || newer.wish < old.wish) return false;
  return (newer.isHolding || !old.isHolding) && [...old.words].every((word) => newer.words.has(word));
}

/** Whether one statement is of a later day. Statements of the same day belong together. */
function isNewer(a: Said | undefined, b: Said | undefined): boolean {
  return a !== undefined && b !== undefined && a.day > b.day;
}

function isAsGood(newer: FoldedResult, old: FoldedResult): boolean {
  const isOfOnePlace = newer.isInside === old.isInside && newer.named === old.named && !isMoreExact(old, newer);
  // A plain line must have the exact strings in the same spelling, too.
  const isAsExact = newer.unit.fact !== null || newer.signals.exact >= old.signals.exact;
  return isOfOnePlace && isAsExact && newer.score >= AS_GOOD * old.score;
}

/** Pairs each reading of a series that has a day with the next newer one, which comes directly before it. Pure. */
export function newestReadings(folded: readonly FoldedResult[]): Map<FoundUnit, FoundUnit> {
  const above = new Map<FoundUnit, FoundUnit>();
  const dated = folded.filter(({ unit }) => dayOfUnit(unit) !== null);
  for (const [series, readings] of groupBy(dated, ({ unit }) => unit.series)) {
    if (series === null) continue;
    const newestFirst = readings.toSorted(byNewest);
    for (const [at, older] of newestFirst.entries()) {
      const newer = newestFirst[at - 1];
      if (newer !== undefined) above.set(older.unit, newer.unit);
    }
  }
  return above;
}

function byNewest({ unit: a }: FoldedResult, { unit: b }: FoldedResult): number {
  return compareText(dayOfUnit(b) ?? '', dayOfUnit(a) ?? '') || (a.file.path === b.file.path ? b.line - a.line : 0);
}
