import type { Day } from '../base/clock.js';
import { noonOf } from '../language/time/moment.js';
import { type TimeMention, TOLD } from '../language/time/policy.js';
import type { Times } from '../language/time/times.js';
import { blankCode } from '../markdown/code-spans.js';

/** When a fact holds, by the dates written in it: calendar days, inclusive; null is open. Never both null. */
export interface Validity {
  readonly from: Day | null;
  readonly to: Day | null;
  /**
   * `period`: the text states one (a range, `since`, `until`). `date`: it only mentions a date, which may as well be the
   * date of what it tells about.
   */
  readonly type: 'period' | 'date';
}

/** Of a longer fact, only so much is looked at for times. */
const MOST_CHARS = 4_000;

/**
 * The days over which a fact says it holds, or null when it names no date. A range or `since`/`until` (`自…起`, `直到…`)
 * counts before a date that is only mentioned; of several, the first.
 * @param day the day of the log, from which times are counted; null on undated pages, where only whole dates count
 * @param times prepared for the page that the text is of
 */
export function readValidity(text: string, day: Day | null, times: Times): Validity | null {
  const blanked = blankCode(text).slice(0, MOST_CHARS);
  const mentions = day === null ? wholeDates(blanked, times) : mentionsOf(blanked, day, times);
  const stated = mentions.findIndex(({ isPeriod }) => isPeriod);
  const first = mentions[Math.max(0, stated)]?.span;
  if (first === undefined) return null;
  const from = first.since;
  const later = first.until === null ? mentions.slice(stated + 1) : [];
  const end = later.find(
    ({ isPeriod, span: { since, until } }) => isPeriod && since === null && (until ?? '') >= (from ?? ''),
  );
  return { from, to: first.until ?? end?.span.until ?? null, type: stated < 0 ? 'date' : 'period' };
}

function mentionsOf(text: string, day: Day, times: Times): readonly TimeMention[] {
  return times.read(text, { ...noonOf(day), policy: TOLD });
}

/** Dates that are the same whatever day it is: read on two that have no part in common. */
function wholeDates(text: string, times: Times): readonly TimeMention[] {
  const some = mentionsOf(text, '2021-03-10', times);
  if (some.length === 0) return some;
  const same = new Set(mentionsOf(text, '2024-10-26', times).map(keyOf));
  return some.filter((mention) => same.has(keyOf(mention)));
}

function keyOf({ start, span: { since, until } }: TimeMention): string {
  return `${start} ${since} ${until}`;
}
