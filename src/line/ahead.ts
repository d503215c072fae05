import type { Day } from '../base/clock.js';
import { daysBetween, noonOf, parseDay } from '../language/time/calendar.js';
import { type TimeMention, YEARLESS_DATE_POLICY } from '../language/time/policy.js';
import type { TimeReader } from '../language/time/read-time.js';
import { blankRanges, type RangeInText } from '../language/tokens.js';
import { isAboutYearlyEvent, withoutYearlyWord } from '../language/words/time-words.js';
import { replaceCodeSpans } from '../markdown/inline.js';
import { hashText } from '../text/hash.js';
import { sentencesInLine } from '../text/sentences.js';
import { type AnnouncedDays, type EndedPlan, mayChangePlan, readPlanChange } from './ended-plan.js';
import { contentTerms } from './statement/terms.js';
import { type Task, taskText } from './task.js';
import { splitStatedTimes } from './validity.js';

/** Coming days and the task that a line names. */
export interface Ahead {
  /** The days that it announces. */
  readonly days?: readonly AnnouncedDays[];
  /** The month and day of what comes every year: `12-03`. */
  readonly yearly?: string;
  /** The places of the sentences that name each of `days`, then `yearly`. Missing: the line is one sentence. */
  readonly said?: readonly SentencePlace[];
  readonly task?: Task;
  /** The plan that the line cancels or moves. */
  readonly ends?: EndedPlan;
}

/** The place of a sentence in the text of its line: up to but not including `end`. */
type SentencePlace = readonly [start: number, end: number];

/** Longer sentences announce nothing that a person wants in a list. In characters. */
const MOST_CHARS = 500;
/** A longer time ("2027") says little about when. In days. */
const LONGEST = 62;
const MOST_DAYS = 5;

/**
 * Reads what a line announces. Pure.
 * @param text the text of the line, without marks of lists and quotes
 * @param task the task that the line is, if it is one
 * @param day the day of the line, for times such as "next Friday"; null on undated pages, where only complete dates count
 * @returns null for a line that announces nothing, as most do
 */
export function readAhead(text: string, task: Task | undefined, day: Day | null, times: TimeReader): Ahead | null {
  if (task === undefined) return readPlans(replaceCodeSpans(text), day, times);
  const marked = [task.scheduled, task.due].flatMap((one): readonly AnnouncedDays[] => (one ? [[one]] : []));
  const said = replaceCodeSpans(taskText(task, text));
  if (task.closed || said.length > MOST_CHARS) return { task };
  if (marked.length > 0) return { task, days: marked };
  const sentences = readSentences(said, day, times, true);
  if (sentences.some(({ yearly }) => yearly !== undefined)) return { task };
  const held = sentences.flatMap((one) => one.held);
  return withDue(task, daysAhead(held, day, true), held, day);
}

function readPlans(said: string, day: Day | null, times: TimeReader): Ahead | null {
  const days = new Map<string, readonly [AnnouncedDays, SentencePlace]>();
  const sentences = readSentences(said, day, times, false);
  let ends: EndedPlan | undefined;
  for (const [at, { range, held, old, yearly }] of sentences.entries()) {
    const text = said.slice(range.start, range.end);
    const change = readPlanChange(text, held, old, said.slice(0, range.start));
    ends ??= change.ends;
    const own = yearly === undefined ? daysAhead(change.open, day, false) : [];
    // "On Friday at nine." says when, and the sentence before says what.
    const first = own.length === 0 || saysWhat(text, held) ? range : sentences[at - 1]?.range;
    if (first === undefined) continue;
    for (const one of own) if (!days.has(one.join())) days.set(one.join(), [one, [first.start, range.end]]);
  }
  const found = [...days.values()].slice(0, MOST_DAYS);
  const annual = sentences.find(({ yearly }) => yearly !== undefined);
  if (found.length === 0 && annual?.yearly === undefined && ends === undefined) return null;
  const places = [
    ...found.map(([, place]) => place),
    ...(annual ? [[annual.range.start, annual.range.end] as const] : []),
  ];
  const isPart = places.some(([start, end]) => start > 0 || end < said.length);
  return {
    ...(found.length > 0 ? { days: found.map(([one]) => one) } : {}),
    ...(annual?.yearly === undefined ? {} : { yearly: annual.yearly }),
    ...(isPart ? { said: places } : {}),
    ...(ends === undefined ? {} : { ends }),
  };
}

/** Whether a sentence says more than a time. */
function saysWhat(text: string, times: readonly TimeMention[]): boolean {
  return contentTerms(blankRanges(text, times)).some((term) => /\p{L}/u.test(term));
}

/** A sentence with its times. Their positions are those in the sentence. */
interface SentenceTimes {
  readonly range: RangeInText;
  readonly held: readonly TimeMention[];
  /** Days of which the sentence says that they no longer apply. */
  readonly old: readonly Day[];
  readonly yearly?: string | undefined;
}

/**
 * Reads the times of the sentences of a line. A grammar takes long, so it reads only sentences that may name a day ahead, and
 * of those with plain dates alone only what may cancel or move something.
 * @param isTask whether a day may also be that of the line
 * @returns nothing for a line that names no time and changes no plan
 */
function readSentences(said: string, day: Day | null, times: TimeReader, isTask: boolean): readonly SentenceTimes[] {
  const isCued = (text: string) => times.mayReadLater(text) || (isTask && times.mayRead(text));
  if (!HAS_PLAIN_DAY.test(said) && !isCued(said) && !mayChangePlan(said)) return [];
  return sentenceRanges(said).flatMap((range): SentenceTimes | readonly SentenceTimes[] => {
    const text = said.slice(range.start, range.end);
    if (text.length > MOST_CHARS) return [];
    const plain = plainDays(text);
    const isChange = mayChangePlan(text);
    const isRead = (isChange && plain.length > 0) || isCued(blankRanges(text, plain));
    const read = isRead ? splitStatedTimes(text, day, times, isChange) : { held: plain, old: [] };
    const held = read.held.filter((one, at) => !isBesideDate(text, one, read.held[at + 1]));
    const yearly = isAboutYearlyEvent(text) ? readYearly(isRead ? text : '', held, day, times) : undefined;
    return { range, held: yearly === undefined ? held : [], old: read.old, yearly };
  });
}

/** Whether a time is the weekday of the date behind it: `Samstag, 12.12.`. */
function isBesideDate(text: string, { start, end }: TimeMention, next: TimeMention | undefined): boolean {
  return next !== undefined && /^,?\s?$/.test(text.slice(end, next.start)) && !/\d/.test(text.slice(start, end));
}

/** The places of the sentences of a line. A number with a point ends none: `12. Dezember`. */
function sentenceRanges(text: string): readonly RangeInText[] {
  const ranges: RangeInText[] = [];
  let [start, end] = [0, 0];
  for (const sentence of sentencesInLine(text)) {
    end = text.indexOf(sentence, end) + sentence.length;
    if (/(?<!\d)\d\d?\.$/.test(sentence)) continue;
    ranges.push({ start, end });
    start = end;
  }
  return start < end ? [...ranges, { start, end }] : ranges;
}

/** The dates of a line in the form `2026-12-06`. Behind a word such as "by", a date is the end of a time. */
function plainDays(text: string): readonly TimeMention[] {
  if (!HAS_PLAIN_DAY.test(text)) return [];
  return [...text.matchAll(PLAIN_DAY)].flatMap(({ index, groups = {} }) => {
    const day = parseDay(groups.day);
    if (day === null) return [];
    const isPeriod = groups.until !== undefined;
    const start = index + (groups.until?.length ?? 0);
    return { start, end: start + 10, span: { since: isPeriod ? null : day, until: day }, asOf: false, isPeriod };
  });
}

const HAS_PLAIN_DAY = /\d-\d\d-/;
const PLAIN_DAY =
  /(?<until>(?<!\p{L})(?:until|till|by|before|bis|vor)\s+)?(?<![\d./-])(?<day>\d{4}-\d\d-\d\d)(?![\d-])/giu;

/**
 * The days after that of the line; of a task also that day itself. Undated lines: all days that they name. A week or a month
 * beside a day says no more: "by Tuesday, the plan for December".
 */
function daysAhead(mentions: readonly TimeMention[], day: Day | null, isTask: boolean): readonly AnnouncedDays[] {
  const found = new Map<string, AnnouncedDays>();
  for (const { span } of mentions) {
    const [first, last] = [span.since ?? span.until, span.until ?? span.since];
    if (first === null || last === null || isLong(first, last)) continue;
    if (day !== null && (isTask ? last < day : (span.since ?? last) <= day)) continue;
    found.set(`${first} ${last}`, span.since === span.until ? [first] : [span.since, span.until]);
  }
  const isWide = ([from, to = from]: AnnouncedDays): boolean =>
    from !== null && to !== null && daysBetween(from, to) >= WEEK && !isStated(from, to);
  const isStated = (from: Day, to: Day): boolean =>
    mentions.some(({ isPeriod, span }) => isPeriod && span.since === from && span.until === to);
  const all = [...found.values()];
  const exact = all.filter((one) => !isWide(one));
  return exact.length > 0 ? exact : all;
}

/** The distance from the first day of a week to its last. */
const WEEK = 6;

function isLong(first: Day, last: Day): boolean {
  return daysBetween(first, last) > LONGEST;
}

/** A task with the day by which it is to be done: that of a log names it, or a word such as "by" stands before it. */
function withDue(task: Task, days: readonly AnnouncedDays[], held: readonly TimeMention[], day: Day | null): Ahead {
  const [first] = days;
  if (first === undefined) return { task };
  const [from, to = from] = first;
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

/**
 * The first and the last key of lines that announce something that is not over on the first of two days. Open tasks are found by
 * their own key.
 */
export function dayKeys(from: string, to: string): readonly [first: string, last: string] {
  return [SIGN + from, SIGN + to];
}

/** The first and the last key of what comes every year, from one month and day to another: `12-03`. */
export function yearlyKeys(from: string, to: string): readonly [first: string, last: string] {
  return [`${SIGN}--${from}`, `${SIGN}--${to}`];
}

/** The first and the last key of closed tasks. */
export const FINISHED_TASK_KEYS = [`${SIGN}x`, `${SIGN}y`] as const;

/** Key that all closed copies of a task share. */
export function finishedTaskKey(text: string): string {
  return `${SIGN}x${hashText(text.toLowerCase()).toString(36)}`;
}

/** The keys by which a line is found. @param text the text of the line */
export function aheadKeys({ days = [], yearly, task, ends }: Ahead, text: string): readonly string[] {
  if (task !== undefined) return [task.closed ? finishedTaskKey(taskText(task, text)) : OPEN_TASK_KEY];
  return [
    ...days.map(([from, to]) => SIGN + (to ?? from)),
    ...(yearly === undefined ? [] : [`${SIGN}--${yearly}`]),
    ...(ends === undefined ? [] : [ENDING_KEY]),
  ];
}
