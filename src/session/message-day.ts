import type { Clock, Day } from '../base/clock.js';
import { dayOf, readInstant } from '../workspace/clock.js';
import type { SessionMessage } from './message.js';

/** Matches a message id that this program made. It contains the time at which the message was added, in ms in base 36. */
const OWN_ID = /^m-([0-9a-z]{9})-/u;

/**
 * The day of a message in the user's time zone. If the message has no time, returns the day on which the message was added
 * to the log. Does the same if the time is later than that moment.
 */
export function dayOfMessage({ id, timestamp }: Pick<SessionMessage, 'id' | 'timestamp'>, clock: Clock): Day {
  const added = Math.min(Number.parseInt(OWN_ID.exec(id)?.[1] ?? '', 36) || Number.POSITIVE_INFINITY, nowOf(clock));
  const said = timestamp === null ? undefined : readInstant(timestamp, clock.zone);
  return dayOf(new Date(Math.min(said ?? added, added)), clock.zone);
}

/** The day of a message that is not in a log yet, by the timestamp of its client; null without a timestamp. */
export function dayOfDraft(timestamp: string | null, clock: Clock): Day | null {
  const said = timestamp === null ? undefined : readInstant(timestamp, clock.zone);
  return said === undefined ? null : dayOf(new Date(Math.min(said, nowOf(clock))), clock.zone);
}

function nowOf(clock: Clock): number {
  return clock.now().getTime();
}

/** Appends to a line the day on which it was said. */
export function appendSaidDay(line: string, day: string): string {
  return `${line.trimEnd()} (said ${day})`;
}

/** The suffix that {@link appendSaidDay} appends. */
export const SAID_DAY_PATTERN = / \(said (\d{4}-\d\d-\d\d)\)$/u;
