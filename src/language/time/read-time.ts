import type { Day } from '../../base/clock.js';
import { halfWidth, lowerCase, type Range } from '../tokens.js';
import { ENGLISH_STOP_WORDS } from '../words/english-stop.js';
import { EVER, earlier, later, type Span } from './calendar.js';
import { wordAfter } from './expression.js';
import { ASKED, type TimeMention } from './policy.js';
import { openTimes, type ReadOptions } from './times.js';

export interface TimeReading {
  /** Every time in the question as one span, or null. */
  readonly span: Span | null;
  readonly asOf: Day | null;
  /** Where the times stand, with the words that bend them. */
  readonly ranges: readonly Range[];
  /** It is a day or month of every year, and no year was said. */
  readonly isYearly: boolean;
}

// "What was true …", "… was still valid": a question about a state asks as of a time, not for what was written then.
const STATE =
  /\b(?:was|were|been|held)\s(?:[\w\u00c0-\u1fff']{1,20}\s){0,4}?(?:true|valid|in effect|in force|the case)\b|(?<![我咱]们?[^，。？]{0,8})(?:当时|那时)|(?:是|还|还是|仍|仍然|依然)(?:有效|成立|属实)/g;

/** Reads the times of a question. Days are those of the user's zone; nothing depends on the zone of the machine. */
export async function readTime(question: string, options: Omit<ReadOptions, 'policy'>): Promise<TimeReading> {
  const times = await openTimes(question, options.dateOrder);
  const mentions = times.read(question, { ...options, policy: ASKED });
  return merge(lowerCase(halfWidth(question)), mentions, options.dayOf(options.now));
}

/** Times that overlap narrow each other ("in November … before the 5th"); times that do not are spanned. */
function merge(text: string, mentions: readonly TimeMention[], today: Day): TimeReading {
  const span = mentions.map((mention) => mention.span).reduce(both, EVER);
  // "Before last week or after it" leaves nothing out.
  if (span.since === null && span.until === null) return { span: null, asOf: null, ranges: mentions, isYearly: false };
  const asked = mentions.some((mention) => mention.asOf) || asksState(text, mentions);
  const isYearly = mentions.every((mention) => mention.isYearly);
  return { span, asOf: asked ? asOfDay(span, today) : null, ranges: mentions, isYearly };
}

/** "What was true in May" asks for a state; "the true reason" and "a valid licence" do not: there, a noun follows. */
function asksState(text: string, mentions: readonly TimeMention[]): boolean {
  return [...text.matchAll(STATE)].some((match) => {
    const end = match.index + match[0].length;
    const next = wordAfter(text.slice(end, end + 40));
    const isTime = mentions.some(({ start }) => start >= end && start <= end + 3);
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
