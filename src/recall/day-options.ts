import type { Clock, Day } from '../base/clock.js';
import { fail, MemoryError } from '../base/failure.js';
import { around, parseDayOption } from './question/time/option.js';

/** Values of the time options, as typed. */
export interface DayOptions {
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  readonly around?: string | undefined;
  readonly asOf?: string | undefined;
}

/**
 * Reads `--since`, `--until`, `--around` and `--as-of` into days of the user's zone.
 * @throws MemoryError `usage`
 */
export async function readDayOptions(raw: DayOptions, clock: Clock): Promise<{ since?: Day; until?: Day; asOf?: Day }> {
  if (raw.around !== undefined && (raw.since ?? raw.until) !== undefined) {
    fail('usage', '--around already is a window', 'leave --since and --until out, or --around');
  }
  const days: { since?: Day; until?: Day; asOf?: Day } = {};
  if (raw.around !== undefined) {
    const { since, until } = await period(raw.around, clock);
    Object.assign(days, around({ since, until }));
  }
  if (raw.since !== undefined) days.since = (await period(raw.since, clock)).since;
  if (raw.until !== undefined) days.until = (await period(raw.until, clock)).until;
  if (raw.asOf !== undefined) days.asOf = (await period(raw.asOf, clock)).until;
  if (days.since !== undefined && days.until !== undefined && days.since > days.until) {
    fail('usage', `the time ends (${days.until}) before it begins (${days.since})`, 'swap --since and --until');
  }
  return days;
}

async function period(text: string, clock: Clock): Promise<{ since: Day; until: Day }> {
  const read = await parseDayOption(text, clock.now(), clock.zone);
  if (!read.ok) throw new MemoryError(read.error);
  const { since = read.value.until, until = read.value.since } = read.value;
  if (since === undefined || until === undefined) return fail('usage', `"${text}" is not a date`);
  return { since, until };
}
