import type { Day } from '../../base/clock.js';

const DAY = /^\d{4}-\d\d-\d\d$/;
const LOG_PATH = /^memory\/(\d{4}-\d\d-\d\d)(-[^/]*)?\.md$/i;

/** True for a day of the calendar written `YYYY-MM-DD`. */
export function isDay(text: string): text is Day {
  if (!DAY.test(text)) return false;
  const [year, month, day] = [Number(text.slice(0, 4)), Number(text.slice(5, 7)), Number(text.slice(8))];
  return month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month);
}

/** Text as a day; null when the calendar has no such day, or the text is written otherwise. */
export function toDay(text: string | undefined): Day | null {
  return text !== undefined && isDay(text) ? text : null;
}

/** `YYYY-MM-DD` of a year, a month (1..12) and a day of the month; null when the calendar has no such day. */
export function dayOf(year: number, month: number, day: number): Day | null {
  return toDay(`${String(year).padStart(4, '0')}-${twoDigits(month)}-${twoDigits(day)}`);
}

/** @param month 1..12 */
export function daysInMonth(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** The day `count` days later; earlier when negative. Stays within the years 0000 to 9999. */
export function addDays(day: Day, count: number): Day {
  return utcDay(epoch(day) + count * MS);
}

/** The day of an instant (Unix ms) in UTC, within the years 0000 to 9999. */
export function utcDay(ms: number): Day {
  const text = new Date(Math.min(LAST, Math.max(FIRST, ms))).toISOString().slice(0, 10);
  if (!isDay(text)) throw new RangeError(`no day: ${text}`);
  return text;
}

/** How many days `to` is after `from`; negative when it is before. */
export function daysBetween(from: Day, to: Day): number {
  return Math.round((epoch(to) - epoch(from)) / MS);
}

/** The day of a daily log (`memory/YYYY-MM-DD.md`) or of a session dump of that day (`memory/YYYY-MM-DD-slug.md`). */
export function dayOfPath(path: string): Day | null {
  return toDay(LOG_PATH.exec(path)?.[1]);
}

/** True for `memory/YYYY-MM-DD.md`: only there do typed bullets count as facts of a day. */
export function isDailyLog(path: string): boolean {
  return dayOfPath(path) !== null && LOG_PATH.exec(path)?.[2] === undefined;
}

const MS = 86_400_000;
const FIRST = Date.parse('0000-01-01');
const LAST = Date.parse('9999-12-31');

function epoch(day: Day): number {
  return Date.parse(`${day}T00:00:00Z`);
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}
