import type { Clock, Day } from '../base/clock.js';
import { fail } from '../base/failure.js';
import { flagOf, type KeyNameForm } from '../base/request.js';
import { type Period, parseDay } from '../language/time/calendar.js';
import { type OptionDays, parseDayOption, parsePeriodAhead, windowOfAroundOption } from '../language/time/read-time.js';
import { momentOfClock } from '../workspace/clock.js';

/**
 * Times of a request, in the user's time zone. Each is a day (`2026-03-01`), an age (`30d`) or words (`last week`). The
 * last day of a range belongs to the range.
 */
export interface TimeOptions {
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  /** A time, with three days before it and three days after it. Can't be combined with `since` or `until`. */
  readonly around?: string | undefined;
  /** Asks for what was true at the end of this time. */
  readonly asOf?: string | undefined;
}

interface Days {
  readonly since?: Day;
  readonly until?: Day;
  readonly asOf?: Day;
}

/**
 * Converts the times of a request to days in the user's zone.
 * @param naming whether messages name the options as flags (`--since`) or as keys (`since`)
 * @throws MemoryError `usage` for a text that is no time, and for times that exclude each other
 */
export async function readDayOptions(times: TimeOptions, clock: Clock, naming: KeyNameForm = 'flag'): Promise<Days> {
  const named = (key: keyof TimeOptions) => (naming === 'flag' ? flagOf(key, { type: 'time' }) : key);
  const window = times.around;
  if (window !== undefined && (times.since ?? times.until) !== undefined) {
    const [ofWindow, since, until] = [named('around'), named('since'), named('until')];
    fail(
      'usage',
      `${ofWindow} can't be used with ${since} or ${until}`,
      `use either ${since} and ${until}, or ${ofWindow}`,
    );
  }
  const end = async (key: 'since' | 'until' | 'asOf'): Promise<Days> => {
    const text = times[key];
    return text === undefined
      ? {}
      : { [key]: await readDay(text, clock, key === 'since' ? 'since' : 'until', named(key)) };
  };
  const days = {
    ...(window === undefined ? {} : await readWindow(window, clock, named('around'))),
    ...(await end('since')),
    ...(await end('until')),
    ...(await end('asOf')),
  };
  if (days.since !== undefined && days.until !== undefined && days.since > days.until) {
    const message = `the time ends (${days.until}) before it begins (${days.since})`;
    fail('usage', message, `swap ${named('since')} and ${named('until')}`);
  }
  return days;
}

/**
 * The first day (`since`) or the last day (`until`) of a time.
 * @param name name of the option, for messages
 * @throws MemoryError `usage` for a text that is no time, or for a time without a day at this end ("since March" has no
 * last day)
 */
export async function readDay(text: string, clock: Clock, end: 'since' | 'until', name: string): Promise<Day> {
  return parseDay(text) ?? (await read(text, clock, name))[end] ?? refuse(name, text, end);
}

/**
 * The days that a text means for somebody who looks ahead.
 * @throws MemoryError `usage` for a text that is no time
 */
export function readPeriodAhead(text: string, clock: Clock): Period {
  const days = parsePeriodAhead(text, momentOfClock(clock));
  if (!days.ok) return fail('usage', days.error.message, 'use words such as "next week", a day or a month: 2026-12');
  return days.value;
}

async function readWindow(text: string, clock: Clock, name: string): Promise<Days> {
  const { since, until } = await read(text, clock, name);
  if (since === undefined || until === undefined) return refuse(name, text, since === undefined ? 'since' : 'until');
  return windowOfAroundOption({ since, until });
}

async function read(text: string, clock: Clock, name: string): Promise<OptionDays> {
  const days = await parseDayOption(text, momentOfClock(clock));
  return days.ok ? days.value : fail('usage', `${name}: ${days.error.message}`, days.error.hint);
}

/** Fails because an open time ("since March") has no day at the end that the option needs. */
function refuse(name: string, text: string, end: 'since' | 'until'): never {
  const which = end === 'since' ? 'beginning' : 'end';
  const instead = `${name.startsWith('--') ? '--' : ''}${end === 'since' ? 'until' : 'since'}`;
  const hint = `write a date, or use ${instead} if the time has no ${which}`;
  return fail('usage', `"${text}" has no ${which} for ${name}`, hint);
}
