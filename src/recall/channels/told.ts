import type { Filter, FoundUnit, Search, UnitKey } from '../../index/search.js';
import { addDays, daysBetween, type Period } from '../../language/time/calendar.js';
import { noonOf } from '../../language/time/moment.js';
import { TOLD } from '../../language/time/policy.js';
import { openTimes, type Times } from '../../language/time/times.js';
import type { WeighedTerm } from '../terms/weighed-terms.js';
import { lexicalChannel } from './lexical.js';

/** So many days, and as many again as the window has, before and after it are looked at: people tell of things soon. */
const NEAR_DAYS = 31;
/** A time of more days than these, and twice those of the window, says little about it: "this year". */
const VAGUE_DAYS = 31;

/**
 * Lines from around a time window that tell of days in it: "last month" in a log of April is about March. Their words
 * find them, and the times that they name are read against their own day.
 * @returns how much of the time that a line names is in the window, 0..1, by unit
 */
export async function toldChannel(
  search: Search,
  terms: readonly WeighedTerm[],
  filter: Filter,
  limit: number,
): Promise<ReadonlyMap<UnitKey, number>> {
  const { since, until } = filter;
  const told = new Map<UnitKey, number>();
  if (since === undefined || until === undefined) return told;
  const window = { since, until };
  const reach = NEAR_DAYS + lengthOf(window);
  const around = { ...filter, since: addDays(since, -reach), until: addDays(until, reach) };
  const units = search.units(lexicalChannel(search, terms, around, limit).keys).filter(({ text }) => TELLS.test(text));
  if (units.length === 0) return told;
  const times = await openTimes(units.map(({ text }) => text).join('\n'));
  for (const unit of units) {
    const share = shareToldOf(window, unit, times);
    if (share > 0) told.set(unit.key, share);
  }
  return told;
}

const MONTH = '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)';
/**
 * Signs of a time that is not the day of the log: reading all that has a number in it would take long, and so would all
 * that "may" be, or that "lasts".
 */
const TELLS = new RegExp(
  [
    '\\b(?:yesterday|tomorrow|tonight|ago|weekend|(?:last|next|past|previous) |(?:mon|tues|wednes|thurs|fri|satur|sun)day)',
    `\\b(?:in|of|since|until|by|early|mid|late|last|next)[ -]${MONTH}`,
    `\\b${MONTH}[a-z]*[ .]+\\d`,
    `\\d(?:st|nd|rd|th)?(?: of)? ${MONTH}`,
    '\\d{4}-\\d\\d|[天周月年日]',
  ].join('|'),
  'i',
);

function shareToldOf(window: Period, { text, file: { day } }: FoundUnit, times: Times): number {
  if (day === null || (day >= window.since && day <= window.until)) return 0;
  const shares = times
    .read(text, { ...noonOf(day), policy: TOLD })
    .map(({ span: { since, until } }) => (since === null || until === null ? 0 : overlap({ since, until }, window)));
  return Math.max(0, ...shares);
}

/** The share of a told time that is in the window; nothing of a vague one. */
function overlap(told: Period, window: Period): number {
  const length = lengthOf(told);
  if (length > Math.max(VAGUE_DAYS, 2 * lengthOf(window))) return 0;
  const from = Math.max(0, daysBetween(window.since, told.since));
  const to = Math.min(lengthOf(window), daysBetween(window.since, told.until) + 1);
  return Math.max(0, to - from) / length;
}

function lengthOf({ since, until }: Period): number {
  return daysBetween(since, until) + 1;
}
