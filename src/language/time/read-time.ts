import type { Day } from '../../base/clock.js';
import { blank, halfWidth, lowerCase, type Range, tokenize } from '../tokens.js';
import { ENGLISH_STOP_WORDS } from '../words/english-stop.js';
import { bound, type TimeWindow } from './bound.js';
import { EVER, earlier, later, type Span } from './calendar.js';
import { CHINESE_RULES } from './chinese/rules.js';
import { readWrittenDates } from './chrono.js';
import { isTimeCue } from './cue.js';
import { CALENDAR_RULES } from './english/calendar.js';
import { DATE_RULES } from './english/dates.js';
import { RELATIVE_RULES } from './english/relative.js';
import { asksHabit, recurrence, tenseOf } from './english/tense.js';
import {
  DIGIT,
  type Expression,
  indexRules,
  type Place,
  type Places,
  type RuleIndex,
  scan,
  type TimeContext,
  wordAfter,
} from './expression.js';
import { LITERAL_RULES } from './literal.js';
import type { Moment } from './moment.js';
import { joinRanges } from './ranges.js';

export interface TimeReading {
  /** Every time in the question as one span, or null. */
  readonly span: Span | null;
  readonly asOf: Day | null;
  /** Where the times stand, with the words that bend them. */
  readonly ranges: readonly Range[];
}

export interface TimeOptions extends Moment {
  readonly lenient?: boolean;
  readonly isName?: (position: number) => boolean;
}

const HAN = /[\u4e00-\u9fff]/;

let dateRules: RuleIndex | undefined;
let rules: RuleIndex | undefined;

// "What was true …", "… was still valid": a question about a state asks as of a time, not for what was written then.
const STATE =
  /\b(?:was|were|been|held)\s(?:[\w\u00c0-\u1fff']{1,20}\s){0,4}?(?:true|valid|in effect|in force|the case)\b|(?<![我咱]们?[^，。？]{0,8})(?:当时|那时)|(?:是|还|还是|仍|仍然|依然)(?:有效|成立|属实)/g;

/** Reads the times of a question. Days are those of the user's zone; nothing depends on the zone of the machine. */
export async function readTime(question: string, options: TimeOptions): Promise<TimeReading> {
  const windows = await windowsOf(question, options, true);
  return merge(lowerCase(halfWidth(question)), windows, options.dayOf(options.now));
}

/** Every time that a text names, each by itself and in the order of the text; a name that comes back is its latest. */
export function readWindows(written: string, options: TimeOptions): Promise<readonly TimeWindow[]> {
  return windowsOf(written, options, false);
}

/** @param asked whether the tense of the text says which occurrence a name that comes back means */
async function windowsOf(written: string, options: TimeOptions, asked: boolean): Promise<readonly TimeWindow[]> {
  const narrow = halfWidth(written);
  const text = lowerCase(narrow);
  const places = timePlaces(text);
  if (places.all.length === 0) return [];
  const context: TimeContext = {
    today: options.dayOf(options.now),
    now: options.now,
    dayOf: options.dayOf,
    lenient: options.lenient ?? false,
    isName: options.isName ?? (() => false),
    isCapital: (position) => narrow.charAt(position) !== text.charAt(position),
  };
  const named = joinRanges(text, await expressions(text, places, context));
  const meant = asked && !context.lenient && !HAN.test(text) ? inTense(text, named, context.today) : named;
  return meant.map((expression, i) => bound(text, expression, meant[i - 1]?.end ?? 0));
}

/** The times as the tense of an English question bends them; those of a habit are none. */
function inTense(text: string, named: readonly Expression[], today: Day): readonly Expression[] {
  if (!named.some(({ recurs }) => recurs)) return named;
  const [tense, habit] = [tenseOf(text), asksHabit(text)];
  return named
    .filter(({ recurs }) => !(habit && recurs?.cycle === 7))
    .map((expression) => {
      const other = recurrence(expression, tense, today);
      return other ? { ...expression, other } : expression;
    });
}

async function expressions(text: string, places: Places, context: TimeContext): Promise<Expression[]> {
  dateRules ??= indexRules(DATE_RULES);
  rules ??= indexRules([...LITERAL_RULES, ...CHINESE_RULES, ...RELATIVE_RULES, ...CALENDAR_RULES]);
  const dates = scan(text, places, dateRules, context);
  const written = [...dates, ...(await readWrittenDates(blank(text, dates), context))];
  const found = scan(blank(text, written), places, rules, context);
  return [...written, ...found].sort((a, b) => a.start - b.start);
}

/** Where a time can begin, or nothing when no word of the text is a sign of one: most questions are done here. */
function timePlaces(text: string): Places {
  const tokens = tokenize(text);
  if (!tokens.some(isTimeCue)) return { all: [], words: new Set() };
  const all = tokens.flatMap(({ kind, start, text: written, lower }): Place[] => {
    if (kind === 'cjk') return [...written].map((word, i) => ({ position: start + i, word }));
    return [{ position: start, word: /^\d/.test(written) ? DIGIT : lower }];
  });
  return { all, words: new Set(tokens.map(({ lower }) => lower)) };
}

/** Times that overlap narrow each other ("in November … before the 5th"); times that do not are spanned. */
function merge(text: string, windows: readonly TimeWindow[], today: Day): TimeReading {
  const span = windows.map((window) => window.span).reduce(both, EVER);
  // "Before last week or after it" leaves nothing out.
  if (span.since === null && span.until === null) return { span: null, asOf: null, ranges: windows };
  const asked = windows.some((window) => window.asOf) || asksState(text, windows);
  return { span, asOf: asked ? asOfDay(span, today) : null, ranges: windows };
}

/** "What was true in May" asks for a state; "the true reason" and "a valid licence" do not: there, a noun follows. */
function asksState(text: string, windows: readonly TimeWindow[]): boolean {
  return [...text.matchAll(STATE)].some((match) => {
    const end = match.index + match[0].length;
    const next = wordAfter(text.slice(end, end + 40));
    const isTime = windows.some(({ start }) => start >= end && start <= end + 3);
    return next === '' || isTime || ENGLISH_STOP_WORDS.has(next);
  });
}

function both(a: Span, b: Span): Span {
  return intersect(a, b) ?? hull(a, b);
}

/** The end of the span; a state "this month" or "since March" is asked as of today. */
function asOfDay({ since, until }: Span, today: Day): Day {
  if (until === null) return today;
  return since !== null && since <= today && until > today ? today : until;
}

function intersect(a: Span, b: Span): Span | undefined {
  const since = a.since === null || (b.since !== null && b.since > a.since) ? b.since : a.since;
  const until = a.until === null || (b.until !== null && b.until < a.until) ? b.until : a.until;
  return since !== null && until !== null && since > until ? undefined : { since, until };
}

/** From the first day of either span to the last, an open end being the furthest. */
function hull(a: Span, b: Span): Span {
  return {
    since: a.since === null || b.since === null ? null : earlier(a.since, b.since),
    until: a.until === null || b.until === null ? null : later(a.until, b.until),
  };
}
