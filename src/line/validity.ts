import type { Day } from '../base/clock.js';
import { noonOf } from '../language/time/calendar.js';
import { announcedPolicy, STATEMENT_POLICY, type TimeMention, type TimePolicy } from '../language/time/policy.js';
import type { TimeReader } from '../language/time/read-time.js';
import { blankRanges } from '../language/tokens.js';
import { replaceCodeSpans } from '../markdown/inline.js';
import { findEndedValues } from './statement/ended-value.js';

/**
 * The days over which a fact says that it holds, inclusive, read from the dates in its text. A null day means that this end
 * is open. At least one end has a day.
 */
export interface Validity {
  readonly from: Day | null;
  readonly to: Day | null;
  /**
   * `period`: the text states a period (a range, `since`, `until`). `date`: the text only mentions a date, which may be the
   * date of its topic.
   */
  readonly type: 'period' | 'date';
}

/** A reader that finds no times. It needs no parser. */
export const NO_TIME_READER: TimeReader = { mayRead: () => false, mayReadLater: () => false, read: () => [] };

/** Number of characters of a fact that are searched for times. */
const MOST_CHARS = 4_000;

/**
 * Days over which a fact says that it holds, or null if it names no date. A range or `since`/`until` (`自…起`, `直到…`)
 * takes precedence over a mentioned date; otherwise the first one counts.
 * @param day day of the log, for relative times; null on undated pages, where only complete dates count
 * @param times prepared for the page of the text
 */
export function readValidity(text: string, day: Day | null, times: TimeReader): Validity | null {
  return readValidityAndMentions(text, day, times).validity;
}

/** Like {@link readValidity}, but also returns all mentions of times. Their positions do not depend on `day`. */
export function readValidityAndMentions(text: string, day: Day | null, times: TimeReader): Dated {
  if (last?.text === text && last.day === day && last.times === times) return last.dated;
  last = { text, day, times, dated: times.mayRead(text) ? readAll(text, day, times) : UNDATED };
  return last.dated;
}

type Dated = ReturnType<typeof readAll>;

function readAll(text: string, day: Day | null, times: TimeReader) {
  const blanked = replaceCodeSpans(text).slice(0, MOST_CHARS);
  const { mentions, held, old } = splitTimes(blanked, day, times, STATEMENT_POLICY);
  // `held` has the mentioned times that still apply. `old` has the times that the text says no longer apply.
  return { validity: validityOf(blanked, held), mentions, old };
}

/**
 * The times that a text announces, a weekday as the next one, and the days of which it says that they no longer apply.
 * @param isPast see {@link announcedPolicy}
 */
export function splitStatedTimes(text: string, day: Day | null, times: TimeReader, isPast: boolean) {
  return splitTimes(text, day, times, announcedPolicy(isPast));
}

function splitTimes(text: string, day: Day | null, times: TimeReader, policy: TimePolicy) {
  const mentions = mentionsOf(text, day ?? ANY_DAYS[0], times, policy);
  return { mentions, ...withoutOld(text, day === null ? wholeDates(mentions, text, times, policy) : mentions) };
}

/** Separates the days that still hold from the old ones: something moved `from the 1st to the 8th` is on the 8th. */
function withoutOld(
  text: string,
  mentions: readonly TimeMention[],
): { readonly held: readonly TimeMention[]; readonly old: readonly Day[] } {
  const untimed = blankRanges(text, mentions);
  const ended =
    mentions.length === 0 ? [] : findEndedValues(text).filter(({ start, end }) => !untimed.slice(start, end).trim());
  if (ended.length === 0) return { held: mentions, old: [] };
  const held: TimeMention[] = [];
  const old: Day[] = [];
  for (const mention of mentions) {
    const { since, until } = mention.span;
    const over = ended.find(({ start, end }) => mention.start < end && mention.end > start);
    if (over !== undefined && since !== null) old.push(since);
    if (over === undefined) held.push(mention);
    else if (mention.end > over.end) held.push({ ...mention, span: { since: until, until }, isPeriod: false });
  }
  return { held, old };
}

/**
 * Cache of the last call. A fact is parsed as a whole and then clause by clause. If it has only one clause, the second call
 * gets the same text.
 */
let last:
  | { readonly text: string; readonly day: Day | null; readonly times: TimeReader; readonly dated: Dated }
  | undefined;

const UNDATED: Dated = { validity: null, mentions: [], old: [] };

/**
 * Two days with different years, months, days of the month and weekdays. A date is complete if it means the same day in a
 * text of the first day and in a text of the second.
 */
const ANY_DAYS = ['2021-03-10', '2024-10-26'] as const;

function validityOf(blanked: string, mentions: readonly TimeMention[]): Validity | null {
  const stated = mentions.findIndex(({ isPeriod }) => isPeriod);
  const first = mentions[Math.max(0, stated)]?.span;
  if (first === undefined) return null;
  const from = first.since;
  const back = stated < 0 || first.until === null ? returnOf(blanked, mentions) : undefined;
  if (back !== undefined) {
    const begun = mentions.length > 1 && (mentions[0]?.span.since ?? '9999') <= back ? mentions[0]?.span.since : null;
    return { from: begun ?? null, to: back, type: 'period' };
  }
  const later = first.until === null ? mentions.slice(stated + 1) : [];
  const end = later.find(
    ({ isPeriod, span: { since, until } }) => isPeriod && since === null && (until ?? '') >= (from ?? ''),
  );
  return { from, to: first.until ?? end?.span.until ?? null, type: stated < 0 ? 'date' : 'period' };
}

/** The day on which a stay ends, if the statement names a return: `…,8月9日回`, `in Rome, back on August 9`. */
function returnOf(text: string, mentions: readonly TimeMention[]): Day | undefined {
  const last = mentions.at(-1);
  if (last === undefined || last.span.until === null) return undefined;
  const [before, after] = [text.slice(0, last.start), text.slice(last.start)];
  const isSaid = RETURNS.test(before) || (/[,，;；]\s*$/.test(before) && RETURNS_CHINESE.test(after));
  return isSaid ? last.span.until : undefined;
}

const RETURNS =
  /\S.*[,;–-] ?(?:is )?(?:back|returns?|returning|home|comes? (?:back|home)|wieder da|zurück|kommt zurück|Rückkehr|de retour|retour|rentre|vuelve|torna|volta|terug)(?: home)?(?: on| am| le| el| il| op)? $/i;
const RETURNS_CHINESE = /^[\d年月日号./-]+(?:回|返|结束|出院|归|到期|期满)/;

function mentionsOf(text: string, day: Day, times: TimeReader, policy: TimePolicy): readonly TimeMention[] {
  return times.read(text, { ...noonOf(day), policy });
}

/** The complete dates among some mentions. A date is complete if it means the same day in texts of two different days. */
function wholeDates(
  some: readonly TimeMention[],
  text: string,
  times: TimeReader,
  policy: TimePolicy,
): readonly TimeMention[] {
  if (some.length === 0) return some;
  const same = new Set(mentionsOf(text, ANY_DAYS[1], times, policy).map(keyOf));
  return some.filter((mention) => same.has(keyOf(mention)));
}

function keyOf({ start, span: { since, until } }: TimeMention): string {
  return `${start} ${since} ${until}`;
}
