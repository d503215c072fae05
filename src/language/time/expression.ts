import type { DateOrder, Day } from '../../base/clock.js';
import type { RangeInText } from '../tokens.js';
import { ENGLISH_STOP_WORDS } from '../words/stop.js';
import {
  addDays,
  dayPeriod,
  daysBetween,
  latestStartedPeriod,
  latestWeekday,
  type MomentOfDay,
  type Period,
} from './calendar.js';

/** One occurrence of a time: "November" may mean the November of this year or that of last year. */
export interface TimeOccurrence {
  readonly period: Period;
  /**
   * The exact day inside a wider period: 25 December in "Christmas", the day seven days back in "a week ago". For a list of
   * times, it is the first time.
   */
  readonly core?: Period;
}

/** The meaning of a time name, before the words around it ("since", "around") are considered. */
export interface TimeMeaning extends TimeOccurrence {
  /**
   * Set for a recurring name ("November", "Friday"). `at` gives the latest occurrence that has begun on or before the day
   * `anchor`. `cycle` is the number of days between two occurrences.
   */
  readonly recurs?: { readonly cycle: number; at(anchor: Day): TimeOccurrence | undefined };
  /** Whether the text names both ends of the period ("3–9 August"). */
  readonly range?: boolean;
  /** Whether several times were named ("Nov 3 and 5"): the period goes from the first to the last. */
  readonly list?: boolean;
  /**
   * Whether the text names a distance from today ("two weeks ago"). Only before a distance do "more than" and "less than"
   * change the meaning.
   */
  readonly ago?: boolean;
  /** Whether the text names the weekend of this week ("this weekend"). */
  readonly isThisWeekend?: boolean;
}

/** A time that a text names, with its place: from the offset `start` up to but not including `end`. */
export interface TimeExpression extends TimeMeaning, RangeInText {}

export interface TimeContext extends MomentOfDay {
  /** Whether 03/04/2026 is read as day or as month first. */
  readonly dateOrder: Exclude<DateOrder, 'auto'>;
  /**
   * Whether the whole text is a time, such as the value of an option. Then a name such as "May" is read as a time even
   * without a word such as "in" before it.
   */
  readonly lenient: boolean;
  /** Whether the text names a known entity at this position ("May" may be a person). */
  isName(position: number): boolean;
  /** Whether the original text has a capital letter at this position. The rules see the text in lower case. */
  isCapital(position: number): boolean;
}

/** The text around a match. */
export interface TextAroundMatch {
  readonly before: string;
  readonly after: string;
  readonly position: number;
  /** The time before the match, if any. */
  readonly previous?: TimeExpression | undefined;
}

export function meaningOfPeriod(period: Period | undefined): TimeMeaning | undefined {
  return period && { period };
}

/**
 * The meaning of a name that recurs after `cycle` days. `at` gives the latest occurrence that has begun on or before a day.
 */
export function recurringMeaning(
  today: Day,
  cycle: number,
  at: (anchor: Day) => TimeMeaning | undefined,
): TimeMeaning | undefined {
  const latest = at(today);
  return latest && { ...latest, recurs: { cycle, at } };
}

/** Changes a meaning in each of its occurrences, for example to the exact day or to a part of the period. */
export function mapOccurrences(
  { recurs, ...meaning }: TimeMeaning,
  change: (occurrence: TimeOccurrence) => TimeOccurrence | undefined,
): TimeMeaning | undefined {
  const changed = change(meaning);
  if (!changed || !recurs) return changed;
  const at = (anchor: Day) => {
    const occurrence = recurs.at(anchor);
    return occurrence && change(occurrence);
  };
  return { ...changed, recurs: { cycle: recurs.cycle, at } };
}

/** The meaning of a name that recurs every year. "November" without a year is the latest November that has begun. */
export function yearlyMeaning(today: Day, make: (year: number) => Period | undefined): TimeMeaning | undefined {
  return recurringMeaning(today, 365, (anchor) => meaningOfPeriod(latestStartedPeriod(anchor, make)));
}

/** The meaning of the name of a weekday: the latest such day, which may be today. */
export function meaningOfEveryWeekday(today: Day, weekday: number): TimeMeaning {
  const at = (anchor: Day): TimeOccurrence => ({ period: dayPeriod(latestWeekday(anchor, weekday)) });
  return { ...at(today), recurs: { cycle: 7, at } };
}

/** Number of characters on either side of a match that may show its meaning. */
const REACH = 60;

export function textAroundMatch(text: string, start: number, end: number): TextAroundMatch {
  return {
    before: text.slice(Math.max(0, start - REACH), start),
    after: text.slice(end, end + REACH),
    position: start,
  };
}

/** The last word of a text, or '' if something other than spaces follows it. */
export function wordBefore(text: string): string {
  return /([\w\u00c0-\u1fff']+)[\s-]{1,3}$/.exec(text)?.[1] ?? '';
}

/** The first word of a text. '' if the text does not begin with a space and a word. */
export function firstWordOf(text: string): string {
  return /^\s{1,3}([\w\u00c0-\u1fff']+)/.exec(text)?.[1] ?? '';
}

/**
 * Whether the match continues a list: only "and", "or" or a comma stands between it and the time before. If so, the match is
 * a time, too.
 */
export function continuesTimeList({ before, after, position, previous }: TextAroundMatch): boolean {
  const gap = position - (previous?.end ?? Number.NEGATIVE_INFINITY);
  if (gap > 16) return false;
  const between = before.slice(-gap);
  if (/^,?\s{1,3}(?:and|or|&)\s{1,3}(?:the\s{1,3})?$/.test(between)) return true;
  return /^,\s{1,3}$/.test(between) && /^(?:,\s{1,3}\w{1,12}){0,4},?\s{1,3}(?:and|or|&)\s/.test(after);
}

/**
 * Whether the phrase ends after the match: what follows is nothing, a sign, a number, or a word that cannot be part of a
 * name.
 */
export function endsPhrase({ after }: Pick<TextAroundMatch, 'after'>): boolean {
  const next = firstWordOf(after);
  if (next !== '') return ENGLISH_STOP_WORDS.has(next) || /^\d/.test(next);
  return !/^[\w\u00c0-\u1fff/]/.test(after);
}

/**
 * Which occurrence of a recurring name is meant. `latest`: the last one that has begun. `nearest`: the one nearest to the
 * day of the text. `coming`: the current one, or else the next. `announced`: one that begins within {@link ANNOUNCED_DAYS},
 * or else the latest; for a weekday the same as `coming`. `announcedDay`: the same as `announced` for a date, else the same
 * as `latest`.
 */
export type OccurrenceChoice = 'latest' | 'nearest' | 'coming' | 'announced' | 'announcedDay';

/**
 * The tense of a question, which decides the occurrence of a recurring time. `ahead`: present or future. `unsaid`: no word
 * shows the tense.
 */
export type Tense = 'past' | 'ahead' | 'unsaid';

/**
 * Maximum number of days from today to a start that is announced ("starting in May"). If the next start is later, the
 * previous one is meant.
 */
const ANNOUNCED_DAYS = 45;

/**
 * Chooses the occurrence that a recurring time ("Friday") means in a text written on `day`. `which` says how to choose it. A
 * time that does not recur is returned unchanged.
 */
export function chooseOccurrence(meaning: TimeMeaning, which: OccurrenceChoice, day: Day): TimeOccurrence | undefined {
  const { recurs } = meaning;
  if (!recurs) return meaning;
  const isDate = recurs.cycle > ANNOUNCED_DAYS && meaning.period.since === meaning.period.until;
  if (which === 'latest' || (which === 'announcedDay' && !isDate)) return recurs.at(day);
  if (which.startsWith('announced') && recurs.cycle > ANNOUNCED_DAYS) return recurs.at(addDays(day, ANNOUNCED_DAYS));
  const [latest, next] = [recurs.at(day), recurs.at(addDays(day, recurs.cycle))];
  const around = [latest, next].flatMap((occurrence) => occurrence ?? []);
  if (which !== 'nearest') return around.find(({ period }) => period.until >= day);
  return around.reduce<TimeOccurrence | undefined>(
    (nearest, other) => (nearest && distance(nearest, day) <= distance(other, day) ? nearest : other),
    undefined,
  );
}

/** Number of days between a day and an occurrence; 0 inside it. */
function distance({ period: { since, until } }: TimeOccurrence, day: Day): number {
  return Math.max(0, daysBetween(day, since), daysBetween(until, day));
}

/**
 * The one or two periods that a time means in a question of a given tense, the earlier first. Past: the latest occurrence;
 * if it is a day or weekend that is not over, also the one a week earlier. Ahead: the current occurrence, or else the next;
 * on a weekday of today's name, also the next. Unsaid: the current occurrence, or else the latest and the next.
 * @param named the time before words such as "early" narrowed it
 */
export function periodsInTense(meant: TimeMeaning, named: TimeMeaning, tense: Tense, today: Day): readonly Period[] {
  const { period } = meant;
  if (meant.isThisWeekend && tense === 'past' && period.since > today)
    return [{ since: addDays(period.since, -7), until: addDays(period.until, -7) }, period];
  return anchorsOf(named, tense, today).map((anchor) => meant.recurs?.at(anchor)?.period ?? period);
}

function anchorsOf({ period, recurs }: TimeMeaning, tense: Tense, today: Day): readonly Day[] {
  if (!recurs) return [today];
  const isCurrent = period.until >= today;
  const isOfWeek = recurs.cycle === 7;
  if (tense === 'past') return isCurrent && isOfWeek ? [addDays(period.since, -1), today] : [today];
  const ahead = addDays(today, recurs.cycle);
  const next = recurs.at(ahead)?.period;
  if (!next || next.since <= today) return [today];
  if (isCurrent) return tense === 'ahead' && isOfWeek && period.since === period.until ? [today, ahead] : [today];
  return tense === 'ahead' ? [ahead] : [today, ahead];
}

export function isPlausibleYear(year: number): boolean {
  return year >= 1900 && year <= 2099;
}

/** Whether a match is not part of a path, version, identifier or larger number. */
export function isStandaloneMatch({ before, after }: TextAroundMatch): boolean {
  return (
    !/[\w\u00c0-\u1fff./:\\#@+$-]$/.test(before.replace(/\d\.{2,3}$/, ' ')) &&
    !/^(?:[\w\u00c0-\u1fff/\\%]|[.:,-][\w\u00c0-\u1fff])/.test(after)
  );
}
