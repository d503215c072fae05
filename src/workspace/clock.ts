import type { Clock, Day } from '../base/clock.js';
import { fail } from '../base/failure.js';

/** The zone of this machine. */
export function systemZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** @throws MemoryError `usage` when the zone is not an IANA name that this Node knows. */
export function checkZone(zone: string): string {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return zone;
  } catch {
    return fail('usage', `unknown time zone "${zone}"`, 'use an IANA name such as Europe/Vienna');
  }
}

/**
 * A clock in `zone` that runs, or that stands at `fixed` (the `--now` option).
 * `fixed` is an ISO instant; without an offset it is read as wall time in `zone`, a bare day as its noon.
 * @throws MemoryError `usage` when `fixed` is not a date or `zone` no IANA name.
 */
export function openClock(zone: string, fixed?: string): Clock {
  checkZone(zone);
  if (fixed === undefined) return { zone, now: () => new Date(), machineMs: Date.now };
  const at = parseInstant(fixed, zone);
  return { zone, now: () => new Date(at), machineMs: Date.now };
}

function parseInstant(text: string, zone: string): number {
  const local = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?))?$/.exec(text.trim());
  const asUtc = local ? `${local[1]}T${local[2] ?? '12:00'}Z` : text.trim();
  const instant = Date.parse(asUtc);
  if (Number.isNaN(instant))
    return fail('usage', `"${text}" is not a date`, 'use ISO 8601, for example 2025-11-27T09:00:00Z');
  // The offset at the wall time itself: right except inside the hour of a clock change, where either reading is fair.
  return local ? instant - offsetMs(new Date(instant), zone) : instant;
}

/** How far `zone` is ahead of UTC at an instant, in milliseconds. */
function offsetMs(at: Date, zone: string): number {
  const part: Record<string, number> = {};
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  for (const { type, value } of format.formatToParts(at)) part[type] = Number(value);
  const wall = Date.UTC(part.year ?? 0, (part.month ?? 1) - 1, part.day, part.hour, part.minute, part.second);
  return wall - Math.floor(at.getTime() / 1000) * 1000;
}

/** The user's calendar day at an instant: never the UTC day (complaints #46703, #64990 about wrong dates). */
export function dayOf(at: Date, zone: string): Day {
  // Sweden writes dates as ISO does.
  return new Intl.DateTimeFormat('sv-SE', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(
    at,
  );
}

/** Today in the clock's zone. */
export function today(clock: Clock): Day {
  return dayOf(clock.now(), clock.zone);
}
