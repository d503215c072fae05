import { readlinkSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
import type { Clock, DateOrder, Day } from '../base/clock.js';
import { fail } from '../base/failure.js';
import { attempt } from '../base/result.js';
import { isDay, type Moment, utcDay } from '../language/time/calendar.js';
import { readBytes } from './files.js';

/**
 * The time zone of this machine, as an IANA name. The system's files are read first: the first use of `Intl` loads its data
 * for 35-40 ms, as long as Node takes to start.
 * @throws MemoryError `usage` for a `TZ` that names an unknown zone
 */
export function systemZone(): string {
  const name = zoneOfProcess();
  if (name !== undefined && hasZoneFile(name)) return name;
  const zone = process.env.TZ && name !== undefined ? (fixedZone(name) ?? name) : undefined;
  if (zone === undefined) return knownZone(new Intl.DateTimeFormat().resolvedOptions().timeZone) ?? 'UTC';
  const hint = 'set TZ to an IANA name such as Europe/Vienna, or give one with --tz';
  return knownZone(zone) ?? fail('usage', `TZ=${process.env.TZ} is no time zone that is known here`, hint);
}

/**
 * The value of `TZ`, without the colon that may precede a name or a file; otherwise the zone that `/etc/localtime` links to.
 */
function zoneOfProcess(): string | undefined {
  const named = process.env.TZ?.replace(/^:/u, '');
  if (process.env.TZ && named === '') return 'UTC';
  if (named && !named.startsWith('/')) return named;
  return attempt(() => readlinkSync(named || '/etc/localtime').split('/zoneinfo/')[1], undefined);
}

/**
 * The POSIX form `JST-9`: an arbitrary name and the offset from UTC in hours, negative to the east. Other forms contain
 * rules and are not supported.
 */
function fixedZone(name: string): string | undefined {
  const [, sign, hours] = /^(?:[a-z]{3,}|<[\w+-]+>)([+-]?)(\d{1,2})$/iu.exec(name) ?? [];
  if (hours === undefined) return undefined;
  return Number(hours) === 0 ? 'UTC' : `Etc/GMT${sign === '-' ? '-' : '+'}${Number(hours)}`;
}

/** The zone, if `Intl` knows it. */
function knownZone(zone: string | undefined): string | undefined {
  return attempt(() => new Intl.DateTimeFormat('en', { timeZone: zone }) && zone, undefined);
}

// `posix/` and `right/` contain the same zones under names that Node does not know.
function hasZoneFile(name: string): boolean {
  const known = zoneFiles.get(name) ?? isZoneFile(name);
  zoneFiles.set(name, known);
  return known;
}

/** A cache: the zones of a machine do not change, and every question of a batch needs the day. */
const zoneFiles = new Map<string, boolean>();

function isZoneFile(name: string): boolean {
  if (!/^[A-Z][\w+-]*(?:\/[A-Z][\w+-]*)*$/i.test(name) || /^(?:posix|right)(?:\/|rules$)/.test(name)) return false;
  return attempt(() => readBytes(`/usr/share/zoneinfo/${name}`).subarray(0, 4).toString('latin1') === 'TZif', false);
}

/** @throws MemoryError `usage` when the zone is not an IANA name that this Node knows. */
export function checkZone(zone: string): string {
  return hasZoneFile(zone) || knownZone(zone) !== undefined
    ? zone
    : fail('usage', `unknown time zone "${zone}"`, 'use an IANA name such as Europe/Vienna');
}

/**
 * A clock in `zone` that runs, or that stands at `fixed` (the `--now` option). `fixed` is an ISO instant; without an offset
 * it is read as wall time in `zone`, a bare day as its noon.
 * @throws MemoryError `usage` when `fixed` is not a date or `zone` is not an IANA name.
 */
export function openClock(zone: string, fixed?: string, dateOrder: DateOrder = 'auto'): Clock {
  checkZone(zone);
  if (fixed === undefined) return { zone, dateOrder, now: () => new Date(), machineMs: Date.now };
  const at = parseInstant(fixed, zone);
  return { zone, dateOrder, now: () => new Date(at), machineMs: Date.now };
}

function parseInstant(text: string, zone: string): number {
  const instant = instantOf(text, zone);
  // `Date` also accepts texts such as "5".
  if (instant === undefined || !/^\s*\d{4}-\d{2}-\d{2}/u.test(text))
    return fail('usage', `now: "${text}" is not a date`, 'use ISO 8601, for example 2025-11-27T09:00:00Z');
  return instant;
}

/**
 * An ISO date as Unix ms: without an offset it is read as wall time in `zone`, a bare day as its noon. Undefined if the text
 * is not a date, or names a day that the calendar does not have.
 */
export function instantOf(text: string, zone: string): number | undefined {
  const local = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?))?$/.exec(text.trim());
  const asUtc = local ? `${local[1]}T${local[2] ?? '12:00'}Z` : text.trim();
  const instant = Date.parse(asUtc);
  const day = /^\d{4}-\d{2}-\d{2}/.exec(text.trim())?.[0];
  // `Date` accepts 2023-02-29 as the first of March.
  if (Number.isNaN(instant) || (day !== undefined && !isDay(day))) return undefined;
  // The offset at the wall time itself: right except inside the hour of a clock change, where either reading is acceptable.
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

/** The user's calendar day at an instant: never the UTC day, which differs for hours of every day. */
export function dayOf(at: Date, zone: string): Day {
  if (zone === 'UTC') return utcDay(at.getTime());
  // Avoid `Intl`, whose data take 40 ms to load. Only in the main thread: in other threads Node does not follow `TZ`.
  if (isMainThread && zone === zoneOfProcess() && hasZoneFile(zone))
    return utcDay(Date.UTC(at.getFullYear(), at.getMonth(), at.getDate()));
  return utcDay(at.getTime() + offsetMs(at, zone));
}

/** Day and time of day in a zone, `YYYY-MM-DD HH:MM`. */
export function wallTime(at: Date, zone: string): string {
  const shifted = new Date(at.getTime() + offsetMs(at, zone));
  return shifted.toISOString().slice(0, 16).replace('T', ' ');
}

/** Today in the zone of the clock. */
export function today(clock: Clock): Day {
  return dayOf(clock.now(), clock.zone);
}

/** Today by the clock of this machine, even with `--now`. */
export function machineDay(clock: Clock): Day {
  return dayOf(new Date(clock.machineMs()), clock.zone);
}

/** A name for a new run: `r-20260315T120000Z`, with a number if another run has the same second. */
export function nameRun(letter: string, clock: Clock, taken: readonly string[]): string {
  const now = clock.now().toISOString();
  const stem = `${letter}-${now.replace(/[-:]|\.\d+/gu, '')}`;
  const known = new Set(taken);
  for (let count = 1; ; count++) {
    const run = count === 1 ? stem : `${stem}-${count}`;
    if (!known.has(run)) return run;
  }
}

/** The moment of the clock, in the form that time parsing takes. */
export function momentOf(clock: Pick<Clock, 'now' | 'zone' | 'dateOrder'>): Moment {
  const { dateOrder = 'auto' } = clock;
  return { dateOrder, now: clock.now(), dayOf: (instant) => dayOf(instant, clock.zone) };
}
