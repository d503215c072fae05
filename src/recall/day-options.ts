import type { Clock, Day } from '../base/clock.js';
import { fail } from '../base/failure.js';
import { orThrow } from '../base/result.js';
import { around, type OptionDays, parseDayOption } from '../language/time/option.js';
import { momentOf } from '../workspace/clock.js';

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
    const { since, until } = await read(raw.around, clock);
    if (since === undefined || until === undefined) refuse('--around', raw.around, since === undefined);
    else Object.assign(days, around({ since, until }));
  }
  if (raw.since !== undefined) {
    const { since } = await read(raw.since, clock);
    days.since = since ?? refuse('--since', raw.since, true);
  }
  if (raw.until !== undefined) {
    const { until } = await read(raw.until, clock);
    days.until = until ?? refuse('--until', raw.until, false);
  }
  if (raw.asOf !== undefined) {
    const { until } = await read(raw.asOf, clock);
    days.asOf = until ?? refuse('--as-of', raw.asOf, false);
  }
  if (days.since !== undefined && days.until !== undefined && days.since > days.until) {
    fail('usage', `the time ends (${days.until}) before it begins (${days.since})`, 'swap --since and --until');
  }
  return days;
}

async function read(text: string, clock: Clock): Promise<OptionDays> {
  return orThrow(await parseDayOption(text, momentOf(clock)));
}

/** An open time ("since March") has no day at one end, which the option would need. */
function refuse(option: string, text: string, noBeginning: boolean): never {
  const which = noBeginning ? 'beginning' : 'end';
  const instead = noBeginning ? '--until' : '--since';
  const hint = `name the day itself, or use ${instead} for a time that is open at its ${which}`;
  return fail('usage', `"${text}" has no ${which} for ${option}`, hint);
}
