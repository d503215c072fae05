import type { Day } from '../../base/clock.js';

const DAY = /^(\d{4})-(\d\d)-(\d\d)$/;
const LOG_PATH = /^memory\/(\d{4}-\d\d-\d\d)(-[^/]*)?\.md$/i;

/** True for a day of the calendar written `YYYY-MM-DD`. */
export function isDay(text: string): boolean {
  const [, year, month, day] = (DAY.exec(text) ?? []).map(Number);
  if (year === undefined || month === undefined || day === undefined) return false;
  return month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month);
}

/** `YYYY-MM-DD` of a year, a month (1..12) and a day of the month; null when the calendar has no such day. */
export function dayOf(year: number, month: number, day: number): Day | null {
  const text = `${String(year).padStart(4, '0')}-${twoDigits(month)}-${twoDigits(day)}`;
  return isDay(text) ? text : null;
}

/** @param month 1..12 */
export function daysInMonth(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** First and last day of a month (1..12). */
export function monthRange(year: number, month: number): { readonly from: Day; readonly to: Day } {
  const prefix = `${String(year).padStart(4, '0')}-${twoDigits(month)}`;
  return { from: `${prefix}-01`, to: `${prefix}-${daysInMonth(year, month)}` };
}

/** The day `count` days later; earlier when negative. Stays within the years 0000 to 9999. */
export function addDays(day: Day, count: number): Day {
  return new Date(Math.min(LAST, Math.max(FIRST, epoch(day) + count * MS))).toISOString().slice(0, 10);
}

/** How many days `to` is after `from`; negative when it is before. */
export function daysBetween(from: Day, to: Day): number {
  return Math.round((epoch(to) - epoch(from)) / MS);
}

/** The day of a daily log (`memory/YYYY-MM-DD.md`) or of a session dump of that day (`memory/YYYY-MM-DD-slug.md`). */
export function dayOfPath(path: string): Day | null {
  const day = LOG_PATH.exec(path)?.[1];
  return day !== undefined && isDay(day) ? day : null;
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
