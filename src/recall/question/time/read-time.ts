import type { Day } from '../../../base/clock.js';
import { dayOf } from '../../../workspace/clock.js';
import { blank, halfWidth, type Range, tokenize } from '../tokens.js';
import { bound, type TimeWindow } from './bound.js';
import type { Span } from './calendar.js';
import { CHINESE_RULES } from './chinese.js';
import { readWrittenDates } from './chrono.js';
import { CALENDAR_RULES } from './english-calendar.js';
import { RELATIVE_RULES } from './english-relative.js';
import { type Expression, scan, type TimeContext, type TimeRule } from './expression.js';
import { LITERAL_RULES } from './literal.js';
import { joinRanges } from './ranges.js';

export interface TimeReading {
  /** Every time in the question as one span, or null. */
  readonly span: Span | null;
  readonly asOf: Day | null;
  /** Where the times stand, with the words that bend them. */
  readonly ranges: readonly Range[];
}

export interface TimeOptions {
  readonly now: Date;
  readonly zone: string;
  readonly lenient?: boolean;
  readonly isName?: (position: number) => boolean;
}

const ENGLISH_RULES: readonly TimeRule[] = [...LITERAL_RULES, ...RELATIVE_RULES, ...CALENDAR_RULES];
const MIXED_RULES: readonly TimeRule[] = [...CHINESE_RULES, ...ENGLISH_RULES];

// "What was true …", "… was still valid": a question about a state asks as of a time, not for what was written then.
const STATE =
  /(?<!\p{L})(?:was|were|been|held)\s(?:[\p{L}']{1,20}\s){0,4}?(?:true|valid|in effect|in force|the case)(?!\p{L})|当时|那时|(?:是|还|还是|仍|仍然|依然)(?:有效|成立|属实)/iu;

/** Reads the times of a question. Days are those of the user's zone; nothing depends on the zone of the machine. */
export async function readTime(question: string, options: TimeOptions): Promise<TimeReading> {
  const text = halfWidth(question);
  const context: TimeContext = {
    today: dayOf(options.now, options.zone),
    now: options.now,
    zone: options.zone,
    lenient: options.lenient ?? false,
    isName: options.isName ?? (() => false),
  };
  const named = joinRanges(text, await expressions(text, context));
  return merge(
    text,
    named.map((expression) => bound(text, expression)),
    context.today,
  );
}

async function expressions(text: string, context: TimeContext): Promise<Expression[]> {
  const written = await readWrittenDates(text, context);
  const rest = blank(text, written);
  const words: number[] = [];
  const characters: number[] = [];
  for (const token of tokenize(rest)) {
    if (token.kind === 'word') words.push(token.start);
    else for (let i = token.start; i < token.end; i++) characters.push(i);
  }
  const isCharacter = new Set(characters);
  const positions = [...words, ...characters].sort((a, b) => a - b);
  // A number may begin a date of either language; a letter only an English one, a character only a Chinese one.
  const rulesAt = (position: number): readonly TimeRule[] => {
    if (isCharacter.has(position)) return CHINESE_RULES;
    return /\d/.test(rest.charAt(position)) ? MIXED_RULES : ENGLISH_RULES;
  };
  return [...written, ...scan(rest, positions, rulesAt, context)].sort((a, b) => a.start - b.start);
}

/** Times that overlap narrow each other ("in November … before the 5th"); times that do not are spanned. */
function merge(text: string, windows: readonly TimeWindow[], today: Day): TimeReading {
  let span: Span | null = null;
  for (const window of windows)
    span = span === null ? window.span : (intersect(span, window.span) ?? hull(span, window.span));
  const asked = windows.some((window) => window.asOf) || (span !== null && STATE.test(text));
  // A state "this month" is asked as of today, not of the month's end.
  const asOf =
    asked && span !== null ? atMost(span.until ?? today, span.since !== null ? today : null, span.since) : null;
  return { span, asOf, ranges: windows };
}

function atMost(day: Day, limit: Day | null, since: Day | null): Day {
  return limit !== null && day > limit && (since === null || since <= limit) ? limit : day;
}

function intersect(a: Span, b: Span): Span | undefined {
  const since = a.since === null || (b.since !== null && b.since > a.since) ? b.since : a.since;
  const until = a.until === null || (b.until !== null && b.until < a.until) ? b.until : a.until;
  return since !== null && until !== null && since > until ? undefined : { since, until };
}

/** Only called for spans that do not meet, of which at least one end is closed. */
function hull(a: Span, b: Span): Span {
  const [first, second] = (a.until ?? '9999') <= (b.until ?? '9999') ? [a, b] : [b, a];
  return { since: first.since, until: second.until };
}
