import { hasAny } from '../tokens.js';
import { hullOf, type Period, type Span } from './calendar.js';
import type { Expression } from './expression.js';
import { BENDS, BOUNDS, type Bound, CARRIER_AFTER, CARRIER_BEFORE } from './modifiers.js';
import { OPENS } from './ranges.js';

/** A time with the words around it understood; the range covers those words. */
export interface TimeWindow {
  readonly span: Span;
  readonly asOf: boolean;
  readonly start: number;
  readonly end: number;
}

const REACH = 96;

/**
 * Applies the words around a named time: first those that take a part of it ("early"), then one that bounds it ("since").
 * @param from where the words before it begin: behind the time before it
 */
export function bound(text: string, expression: Expression, from = 0): TimeWindow {
  const bent = bend(text, bend(text, expression, from), from);
  const before = text.slice(Math.max(from, bent.start - REACH), bent.start);
  const after = text.slice(bent.end, bent.end + REACH);
  for (const rule of BOUNDS) {
    const match = (rule.ago && !bent.ago) || (rule.opens && expression.range) ? undefined : around(rule, before, after);
    if (!match) continue;
    const period = rule.ahead ? meantBy(bent) : (rule.ago && bent.core) || bent.period;
    const end = bent.end + (match.right ?? trailing(after));
    return { span: rule.apply(period), asOf: rule.asOf ?? false, start: bent.start - (match.left ?? 0), end };
  }
  const carrier = (expression.range ? OPENS : CARRIER_BEFORE).exec(before)?.[0] ?? '';
  // "The notes of Nov 27", "what about Nov 27" look back in any tense.
  const span = /^(?:of|from)\s/.test(carrier) || /\babout\s{1,3}$/.test(before) ? bent.period : meantBy(bent);
  return { span, asOf: false, start: bent.start - carrier.length, end: bent.end + trailing(after) };
}

/** How many characters on either side a rule matched, or undefined where its words are not there. */
function around(rule: Bound, before: string, after: string): { left?: number; right?: number } | undefined {
  if (rule.words && !hasAny(before, rule.words)) return undefined;
  const left = rule.before?.exec(before)?.[0].length;
  const right = rule.after?.exec(after)?.[0].length;
  if ((rule.before && left === undefined) || (rule.after && right === undefined)) return undefined;
  return { ...(left !== undefined && { left }), ...(right !== undefined && { right }) };
}

/** The period that the tense of the question chose. */
function meantBy({ period, other }: Expression): Period {
  if (!other) return period;
  return other.instead ? other.period : hullOf(period, other.period);
}

function bend(text: string, expression: Expression, from: number): Expression {
  const before = text.slice(Math.max(from, expression.start - REACH), expression.start);
  for (const { words, before: pattern, counts, apply } of BENDS) {
    if (!hasAny(before, words)) continue;
    const match = pattern.exec(before);
    const period = match && apply((counts && expression.core) || expression.period, match.slice(1));
    if (!match || !period) continue;
    const moved = expression.other && apply(expression.other.period, match.slice(1));
    const other = moved && expression.other && { period: moved, instead: expression.other.instead };
    return { period, ...(other && { other }), start: expression.start - match[0].length, end: expression.end };
  }
  return expression;
}

/** "自从上周以来", "国庆期间": what only closes the phrase belongs to it. */
function trailing(after: string): number {
  return (/^\s?(?:以来|开始|起)/.exec(after) ?? CARRIER_AFTER.exec(after))?.[0].length ?? 0;
}
