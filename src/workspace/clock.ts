import { readlinkSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
import type { Clock, DateOrder, Day } from '../base/clock.js';
import { fail, tryWithFallback } from '../base/failure.js';
import { isDay, type MomentWithCalendar, utcDay } from '../language/time/calendar.js';
import { readBytes } from './files.js';

/**
 * The time zone of this machine, as an IANA name. Reads files of the system first, and asks `Intl` only if they do not help:
 * at its first use, `Intl` loads data for 35 to 40 ms, as long as Node takes to start.
 * @throws MemoryError `usage` for a `TZ` that names an unknown zone
 */
export function systemZone(): string {
  const name = zoneOfProcess();
  if (name !== undefined && hasZoneFile(name)) return name;
  const zone = process.env.TZ && name !== undefined ? (fixedZone(name) ?? name) : undefined;
  if (zone === undefined) return knownZone(new Intl.DateTimeFormat().resolvedOptions().timeZone) ?? 'UTC';
  const hint = 'set TZ to an IANA name such as Europe/Vienna, or use --tz';
  return knownZone(zone) ?? fail('usage', `TZ=${process.env.TZ} is not a known time zone`, hint);
}

/**
 * The zone of the variable `TZ`, which may begin with a colon or name a file. Without `TZ`, the zone to which
 * `/etc/localtime` links.
 */
function zoneOfProcess(): string | undefined {
  const named = process.env.TZ?.replace(/^:/u, '');
  if (process.env.TZ && named === '') return 'UTC';
  if (named && !named.startsWith('/')) return named;
  return tryWithFallback(() => readlinkSync(named || '/etc/localtime').split('/zoneinfo/')[1], undefined);
}

/**
 * Reads the POSIX form `JST-9`: any name, and the offset from UTC in hours, negative to the east. Other forms, with rules
 * for summer time, are not supported.
 */
function fixedZone(name: string): string | undefined {
  const [, sign, hours] = /^(?:[a-z]{3,}|<[\w+-]+>)([+-]?)(\d{1,2})$/iu.exec(name) ?? [];
  if (hours === undefined) return undefined;
  return Number(hours) === 0 ? 'UTC' : `Etc/GMT${sign === '-' ? '-' : '+'}${Number(hours)}`;
}

/** Returns the zone if `Intl` knows it, otherwise undefined. */
function knownZone(zone: string | undefined): string | undefined {
  return tryWithFallback(() => new Intl.DateTimeFormat('en', { timeZone: zone }) && zone, undefined);
}

// Whether this machine has a file for a time zone, in `/usr/share/zoneinfo`. The folders `posix/` and `right/` there do not
// count: they contain the same zones under names that Node does not know.
function hasZoneFile(name: string): boolean {
  const known = zoneFiles.get(name) ?? isZoneFile(name);
  zoneFiles.set(name, known);
  return known;
}

/**
 * The stored results of {@link hasZoneFile}. The zones of a machine do not change while the program runs. Storing the
 * results saves time, because every question needs the zone to find the current day.
 */
const zoneFiles = new Map<string, boolean>();

function isZoneFile(name: string): boolean {
  if (!/^[A-Z][\w+-]*(?:\/[A-Z][\w+-]*)*$/i.test(name) || /^(?:posix|right)(?:\/|rules$)/.test(name)) return false;
  return tryWithFallback(
    () => readBytes(`/usr/share/zoneinfo/${name}`).subarray(0, 4).toString('latin1') === 'TZif',
    false,
  );
}

/** Returns the zone. @throws MemoryError `usage` if it is not an IANA name that this Node knows */
export function checkZone(zone: string): string {
  return hasZoneFile(zone) || knownZone(zone) !== undefined
    ? zone
    : fail('usage', `unknown time zone "${zone}"`, 'use an IANA name such as Europe/Vienna');
}

/**
 * Creates a clock in `zone`. Without `fixed` it shows the real time. With `fixed` (the option `--now`) it always shows that
 * time: an ISO date and time. If it has no offset, it is a local time in `zone`; a day alone means its noon.
 * @throws MemoryError `usage` when `fixed` is not a date or `zone` is not an IANA name.
 */
export function openClock(zone: string, fixed?: string, dateOrder: DateOrder = 'auto'): Clock {
  checkZone(zone);
  if (fixed === undefined) return { zone, dateOrder, now: () => new Date(), machineMs: Date.now };
  const at = parseInstant(fixed, zone);
  return { zone, dateOrder, now: () => new Date(at), machineMs: Date.now };
}

function parseInstant(text: string, zone: string): number {
  const instant = readInstant(text, zone);
  // The text must begin with a date in digits, because `Date` also accepts texts such as "5".
  if (instant === undefined || !/^\s*\d{4}-\d{2}-\d{2}/u.test(text))
    return fail('usage', `now: "${text}" is not a date`, 'use ISO 8601, for example 2025-11-27T09:00:00Z');
  return instant;
}

/**
 * Reads an ISO date and time as Unix ms. Without an offset it is a local time in `zone`; a day alone means its noon.
 * Undefined if the text is not a date, or the day does not exist.
 */
export function readInstant(text: string, zone: string): number | undefined {
  const local = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?))?$/.exec(text.trim());
  const asUtc = local ? `${local[1]}T${local[2] ?? '12:00'}Z` : text.trim();
  const instant = Date.parse(asUtc);
  const day = /^\d{4}-\d{2}-\d{2}/.exec(text.trim())?.[0];
  // The day must exist, because `Date` reads 2023-02-29 as the first of March.
  if (Number.isNaN(instant) || (day !== undefined && !isDay(day))) return undefined;
  // The offset of the zone depends on the instant, which is not known yet. So we use the offset at the instant that the
  // text would mean in UTC. It can be wrong only within hours of a change to or from summer time, where this does no harm.
  return local ? instant - offsetMs(new Date(instant), zone) : instant;
}

/** Offset of `zone` from UTC at an instant, in milliseconds, positive to the east. */
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

/**
 * The calendar day in a zone at a moment. This is not the UTC day, which differs from the local day for some hours of
 * every day.
 */
export function dayOf(at: Date, zone: string): Day {
  if (zone === 'UTC') return utcDay(at.getTime());
  // In the zone of this process, `Date` gives the day without `Intl`, whose data takes 40 ms to load. Only in the main
  // thread, because in other threads `Date` does not follow a change of `TZ`.
  if (isMainThread && zone === zoneOfProcess() && hasZoneFile(zone))
    return utcDay(Date.UTC(at.getFullYear(), at.getMonth(), at.getDate()));
  return utcDay(at.getTime() + offsetMs(at, zone));
}

/** Formats a moment as day and time in a zone: `YYYY-MM-DD HH:MM`. */
export function formatLocalTime(at: Date, zone: string): string {
  const shifted = new Date(at.getTime() + offsetMs(at, zone));
  return shifted.toISOString().slice(0, 16).replace('T', ' ');
}

/** Today in the zone of the clock. */
export function today(clock: Clock): Day {
  return dayOf(clock.now(), clock.zone);
}

/** Today by the real time of this machine, even if `--now` is set. */
export function machineToday(clock: Clock): Day {
  return dayOf(new Date(clock.machineMs()), clock.zone);
}

/** Makes a name for a new run: `r-20260315T120000Z`. A number is added if another run began in the same second. */
export function makeRunName(letter: string, clock: Clock, taken: readonly string[]): string {
  const now = clock.now().toISOString();
  const stem = `${letter}-${now.replace(/[-:]|\.\d+/gu, '')}`;
  const known = new Set(taken);
  for (let count = 1; ; count++) {
    const run = count === 1 ? stem : `${stem}-${count}`;
    if (!known.has(run)) return run;
  }
}

/** The values of a clock that are needed to read times in a text. */
export function momentOfClock(clock: Pick<Clock, 'now' | 'zone' | 'dateOrder'>): MomentWithCalendar {
  const { dateOrder = 'auto' } = clock;
  return { dateOrder, now: clock.now(), dayOf: (instant) => dayOf(instant, clock.zone) };
}
