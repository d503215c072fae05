import type { Day } from '../base/clock.js';
import { daysBetween, noonOf, parseDay } from '../language/time/calendar.js';
import { type TimeMention, YEARLESS_DATE_POLICY } from '../language/time/policy.js';
import type { TimeReader } from '../language/time/read-time.js';
import { blankRanges, type RangeInText } from '../language/tokens.js';
import { isAboutYearlyEvent, withoutYearlyWord } from '../language/words/time-words.js';
import { replaceCodeSpans } from '../markdown/inline.js';
import { hashText } from '../text/hash.js';
import { type AnnouncedDays, type EndedPlan, mayChangePlan, readPlanChange } from './ended-plan.js';
import { type Task, taskText } from './task.js';
import { splitStatedTimes } from './validity.js';

/** Coming days and the task that a line names. */
export interface Ahead {
  /** The days that it announces. */
  readonly days?: readonly AnnouncedDays[];
  /** The month and day of what comes every year: `12-03`. */
  readonly yearly?: string;
  readonly task?: Task;
  /** The plan that the line cancels or moves. */
  readonly ends?: EndedPlan;
}

/** Longer lines announce nothing that a person wants in a list. In characters. */
const MOST_CHARS = 500;
/** A longer time ("2027") says little about when. In days. */
const LONGEST = 62;
const MOST_DAYS = 3;

/**
 * Reads what a line announces. Pure.
 * @param text the text of the line, without marks of lists and quotes
 * @param task the task that the line is, if it is one
 * @param day the day of the line, for times such as "next Friday"; null on undated pages, where only complete dates count
 * @returns null for a line that announces nothing, as most do
 */
export function readAhead(text: string, task: Task | undefined, day: Day | null, times: TimeReader): Ahead | null {
  if (task !== undefined && (task.state !== 'open' || text.length > MOST_CHARS)) return { task };
  const marked = [task?.scheduled, task?.due].flatMap((one): readonly AnnouncedDays[] => (one ? [[one, one]] : []));
  if (task !== undefined && marked.length > 0) return { task, days: marked };
  if (text.length > MOST_CHARS) return null;
  const said = replaceCodeSpans(taskText(task, text));
  const { held, old, yearly } = readTimes(said, day, times, task !== undefined);
  if (task !== undefined) return withDue(task, yearly === undefined ? daysAhead(held, day, true) : [], held, day);
  const { ends, open } = readPlanChange(said, held, old);
  const days = yearly === undefined ? daysAhead(open, day, false) : [];
  if (days.length === 0 && yearly === undefined && ends === undefined) return null;
  return {
    ...(days.length > 0 ? { days } : {}),
    ...(yearly === undefined ? {} : { yearly }),
    ...(ends === undefined ? {} : { ends }),
  };
}

interface LineTimes {
  readonly held: readonly TimeMention[];
  /** Days of which the line says that they no longer apply. */
  readonly old: readonly Day[];
  readonly yearly?: string | undefined;
}

const NO_TIMES: LineTimes = { held: [], old: [] };

/**
 * Reads the times of a line. A grammar takes long, so it reads only sentences that may name a day ahead, and of those with
 * plain dates alone only what may cancel or move something.
 * @param isTask whether a day may also be that of the line
 */
function readTimes(said: string, day: Day | null, times: TimeReader, isTask: boolean): LineTimes {
  const plain = plainDays(said);
  const isCued = (text: string) => times.mayReadLater(text) || (isTask && times.mayRead(text));
  const isLineCued = isCued(blankRanges(said, plain));
  if (!isLineCued && plain.length === 0) return NO_TIMES;
  const sentences = !isLineCued && !mayChangePlan(said) ? [] : sentenceRanges(said);
  const read = sentences.map(({ start, end }): LineTimes => {
    const text = said.slice(start, end);
    const own = plain.filter((mention) => mention.start >= start && mention.end <= end);
    const isChange = mayChangePlan(text);
    const rest = blankRanges(said, own).slice(start, end);
    if (!(isChange && own.length > 0) && !isCued(rest)) return { held: own, old: [] };
    const { held, old } = splitStatedTimes(text, day, times, isChange);
    return { held: held.map((one) => ({ ...one, start: one.start + start, end: one.end + start })), old };
  });
  const held = sentences.length === 0 ? plain : read.flatMap((one) => one.held);
  const yearly = isAboutYearlyEvent(said) ? readYearly(isLineCued ? said : '', held, day, times) : undefined;
  return yearly === undefined ? { held, old: read.flatMap((one) => one.old) } : { held: [], old: [], yearly };
}

/** The sentences of a line. A point behind a short word or number ends none: `Dr.`, `5. Dezember`. */
function sentenceRanges(text: string): readonly RangeInText[] {
  const ends = [...text.matchAll(SENTENCE_END)].map(({ index, 0: sign }) => index + sign.length);
  return [0, ...ends].map((start, at) => ({ start, end: ends[at] ?? text.length }));
}

const SENTENCE_END = /\.(?<=[\p{L}\p{N}]{4}\.)\s+|[!?]\s+|[。！？]/gu;

/** The dates of a line in the form `2026-12-06`. Behind a word such as "by", a date is the end of a time. */
function plainDays(text: string): readonly TimeMention[] {
  if (!/\d-\d\d-/.test(text)) return [];
  return [...text.matchAll(PLAIN_DAY)].flatMap(({ index, groups = {} }) => {
    const day = parseDay(groups.day);
    if (day === null) return [];
    const isPeriod = groups.until !== undefined;
    const start = index + (groups.until?.length ?? 0);
    return { start, end: start + 10, span: { since: isPeriod ? null : day, until: day }, asOf: false, isPeriod };
  });
}

const PLAIN_DAY =
  /(?<until>(?<!\p{L})(?:until|till|by|before|bis|vor)\s+)?(?<![\d./-])(?<day>\d{4}-\d\d-\d\d)(?![\d-])/giu;

/** The days after that of the line; of a task also that day itself. Undated lines: all days that they name. */
function daysAhead(mentions: readonly TimeMention[], day: Day | null, isTask: boolean): readonly AnnouncedDays[] {
  const found = new Map<string, AnnouncedDays>();
  for (const { span } of mentions) {
    const [first, last] = [span.since ?? span.until, span.until ?? span.since];
    if (first === null || last === null || isLong(first, last)) continue;
    if (day !== null && (isTask ? last < day : (span.since ?? last) <= day)) continue;
    found.set(`${first} ${last}`, [span.since, span.until]);
  }
  return [...found.values()].slice(0, MOST_DAYS);
}

function isLong(first: Day, last: Day): boolean {
  return daysBetween(first, last) > LONGEST;
}

/** A task with the day by which it is to be done: that of a log names it, or a word such as "by" stands before it. */
function withDue(task: Task, days: readonly AnnouncedDays[], held: readonly TimeMention[], day: Day | null): Ahead {
  const [first] = days;
  if (first === undefined) return { task };
  const [from, to] = first;
  const isBound = held.some(({ isPeriod, span }) => isPeriod && span.since === null && span.until === to);
  const due = day === null && !isBound ? null : (to ?? from);
  return { task: due === null ? task : { ...task, due }, days };
}

/**
 * The month and day of something yearly: a date without a year, or one that is past, such as that of a birth.
 * @param text what may name a date without a year
 * @param held the times of the line
 */
function readYearly(
  text: string,
  held: readonly TimeMention[],
  day: Day | null,
  times: TimeReader,
): string | undefined {
  const at = noonOf(day ?? ANY_DAY);
  const ofAnyYear = times.read(withoutYearlyWord(text), { ...at, policy: YEARLESS_DATE_POLICY });
  const named = ofAnyYear.length > 0 ? ofAnyYear : held;
  const date = named.find(({ span: { since, until } }) => since !== null && since === until)?.span.since ?? null;
  if (date === null || (ofAnyYear.length === 0 && day !== null && date > day)) return undefined;
  return date.slice(5);
}

const ANY_DAY = '2024-10-26';

/** The sign with which the keys of this module begin. No slug of an entity begins with it. */
const SIGN = '!';
/** Key of all open tasks, and of all lines that cancel or move something. */
export const OPEN_TASK_KEY = `${SIGN}task`;
export const ENDING_KEY = `${SIGN}ends`;

/** The first and the last key of lines that announce something that is not over on the first of two days. */
export function dayKeys(from: string, to: string): readonly [first: string, last: string] {
  return [SIGN + from, SIGN + to];
}

/** The first and the last key of what comes every year, from one month and day to another: `12-03`. */
export function yearlyKeys(from: string, to: string): readonly [first: string, last: string] {
  return [`${SIGN}--${from}`, `${SIGN}--${to}`];
}

/** Key that all closed copies of a task share. */
export function finishedTaskKey(text: string): string {
  return `${SIGN}x${hashText(text.toLowerCase()).toString(36)}`;
}

/** The keys by which a line is found. @param text the text of the line */
export function aheadKeys({ days = [], yearly, task, ends }: Ahead, text: string): readonly string[] {
  const isOpen = task === undefined || task.state === 'open';
  return [
    ...(isOpen ? days.map(([from, to]) => SIGN + (to ?? from)) : []),
    ...(yearly === undefined ? [] : [`${SIGN}--${yearly}`]),
    ...(task === undefined ? [] : [task.state === 'open' ? OPEN_TASK_KEY : finishedTaskKey(taskText(task, text))]),
    ...(ends === undefined ? [] : [ENDING_KEY]),
  ];
}
