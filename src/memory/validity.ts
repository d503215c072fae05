import type { Day } from '../base/clock.js';
import { type DateMention, findDates, type WrittenDate } from '../language/time/date-mentions.js';
import { addDays, dayOf, daysBetween, daysInMonth } from '../language/time/days.js';
import { blankCode } from '../markdown/code-spans.js';

/** When a fact holds, by the dates written in it: calendar days, inclusive; null is open. Never both null. */
export interface Validity {
  readonly from: Day | null;
  readonly to: Day | null;
  /**
   * `period`: the text states one (a range, `since`, `until`). `date`: it only mentions a date, which may as well be the
   * date of what it tells about.
   */
  readonly type: 'period' | 'date';
}

const RANGE = /^\s?(?:[-–—~～至到]|\.{2,3}|to|until|till|through|thru|直到)\s?(?:the end of\s)?$/i;
const AND = /^\s?(?:and|和|与)\s?$/i;
const BETWEEN = /(?:\bbetween|在|从)\s?$/i;
const SINCE = /\bsince(?:\s(?:early|mid|late))?\s$/i;
const STARTING = /(?:\b(?:starting|beginning|effective|as of)(?:\s(?:from|on|in|early|mid|late))?|自从?)\s?$/i;
const FROM = /\bfrom(?:\s(?:early|mid|late))?\s$/i;
const UNTIL = /(?:\b(?:until|till|through|thru|up to)(?:\s(?:the end of|early|mid|late))?|直到|截至|截止到?)\s?$/i;
const FROM_ON = /^\s?(?:起|开始|以来|之后|onwards?\b|on,|on$)/i;
const UP_TO = /^\s?(?:之前|以前|为止)/;
/** A start is announced at most so many days ahead, else it lies in the past. */
const ANNOUNCED = 45;
/** How much text before and after a date is looked at for what it says about it. */
const CUE = 24;

/**
 * The days over which a fact says it holds, or null when it names no date. A range or `since`/`until` (`自…起`, `直到…`)
 * counts before a date that is only mentioned; of several, the first. What a date leaves out is completed from the day of
 * the log: the nearest such date; the latest past one for `since`; the next one for `until`.
 * @param day the day of the log, null on undated pages: there a date without a year counts as none
 */
export function readValidity(text: string, day: Day | null): Validity | null {
  const mentions = findDates(blankCode(text));
  for (const [index, mention] of mentions.entries()) {
    const period = readRange(text, mention, mentions[index + 1], day) ?? readBounds(text, mentions, index, day);
    if (period !== null) return period;
  }
  for (const { date } of mentions) {
    const mentioned = resolve(date, day, 'nearest');
    if (mentioned !== null) return mentioned;
  }
  return null;
}

/** The period that `since` or `until` before the date at `first` begins, with the `until` after it. */
function readBounds(text: string, mentions: readonly DateMention[], first: number, day: Day | null): Validity | null {
  let from: Day | null = null;
  for (let index = first; index < mentions.length; index++) {
    const mention = mentions[index];
    if (mention === undefined) break;
    const [role, choice] = roleOf(text, mention, day);
    if (role === 'since' && from === null) from = resolve(mention.date, day, choice)?.from ?? null;
    if (role === 'until') {
      const to = resolve(mention.date, from ?? day, choice)?.to ?? null;
      if (to !== null && to >= (from ?? to)) return { from, to, type: 'period' };
    }
    if (from === null) return null;
  }
  return { from, to: null, type: 'period' };
}

/** Which of several possible years a date without a year means. */
type Choice = 'nearest' | 'past' | 'announced' | 'coming';

function roleOf(text: string, mention: DateMention, day: Day | null): ['since' | 'until' | 'mentioned', Choice] {
  const before = text.slice(Math.max(0, mention.start - CUE), mention.start);
  const after = text.slice(mention.end, mention.end + CUE);
  if (SINCE.test(before)) return ['since', 'past'];
  if (STARTING.test(before) || FROM_ON.test(after)) return ['since', 'announced'];
  if (UNTIL.test(before) || UP_TO.test(after)) return ['until', 'coming'];
  // `the notes from Nov 3` look back, `80 seats from January 1` begin something.
  if (FROM.test(before) && day !== null && (resolve(mention.date, day, 'nearest')?.from ?? day) > day) {
    return ['since', 'nearest'];
  }
  return ['mentioned', 'nearest'];
}

function readRange(text: string, first: DateMention, next: DateMention | undefined, day: Day | null): Validity | null {
  const last = first.to ?? (next !== undefined && isRange(text, first, next) ? next.date : null);
  if (last === null) return null;
  const [role, choice] = roleOf(text, first, day);
  return resolveRange(first.date, last, day, role === 'since' ? choice : 'nearest');
}

function isRange(text: string, first: DateMention, second: DateMention): boolean {
  const between = text.slice(first.end, second.start);
  if (between.length > CUE || second.to !== null) return false;
  return (
    RANGE.test(between) || (AND.test(between) && BETWEEN.test(text.slice(Math.max(0, first.start - CUE), first.start)))
  );
}

function resolveRange(first: WrittenDate, last: WrittenDate, day: Day | null, choice: Choice): Validity | null {
  let from = first;
  let to = last;
  if (to.month === null && to.day !== null) to = { ...to, month: from.month };
  if (from.year === null && to.year !== null) {
    from = { ...from, year: isAfter(from, to) ? to.year - 1 : to.year };
  }
  const start = resolve(from, day, choice);
  if (start?.from == null) return null;
  if (to.year === null) {
    const year = Number(start.from.slice(0, 4));
    to = { ...to, year: isAfter(from, to) ? year + 1 : year };
  }
  const end = resolve(to, day, 'nearest');
  return end?.to == null || end.to < start.from ? null : { from: start.from, to: end.to, type: 'period' };
}

/** True when `a` comes later in the year than `b`. */
function isAfter(a: WrittenDate, b: WrittenDate): boolean {
  const [monthA, monthB] = [a.month ?? 1, b.month ?? 12];
  return monthA !== monthB ? monthA > monthB : (a.day ?? 1) > (b.day ?? 31);
}

function resolve(date: WrittenDate, day: Day | null, choice: Choice): Validity | null {
  if (date.year !== null) return inYear(date, date.year);
  if (day === null) return null;
  const year = Number(day.slice(0, 4));
  const choices = [year - 1, year, year + 1].map((candidate) => inYear(date, candidate)).filter((one) => one !== null);
  if (choice === 'past' || choice === 'announced') {
    const latest = choice === 'past' ? day : addDays(day, ANNOUNCED);
    return choices.findLast((one) => (one.from ?? '') <= latest) ?? null;
  }
  if (choice === 'coming') return choices.find((one) => (one.to ?? '') >= day) ?? null;
  const [nearest] = choices.sort((a, b) => distance(a, day) - distance(b, day));
  return nearest ?? null;
}

function inYear(date: WrittenDate, year: number): Validity | null {
  const first = date.month ?? 1;
  const last = date.month ?? 12;
  const from = dayOf(year, first, date.day ?? 1);
  const to = dayOf(year, last, date.day ?? daysInMonth(year, last));
  return from === null || to === null ? null : { from, to, type: 'date' };
}

/** Days between a day and a period; 0 inside of it. */
function distance({ from, to }: Validity, day: Day): number {
  if (from !== null && day < from) return daysBetween(day, from);
  return to !== null && day > to ? daysBetween(to, day) : 0;
}
