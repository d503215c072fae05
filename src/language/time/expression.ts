import type { DateOrder, Day } from '../../base/clock.js';
import { addTo } from '../../base/order.js';
import type { Range } from '../tokens.js';
import { ENGLISH_STOP_WORDS } from '../words/stop.js';
import {
  addDays,
  dayPeriod,
  daysBetween,
  latestStarted,
  type Moment,
  type Period,
  spanOfBoth,
  weekdayOf,
} from './calendar.js';

/** One time of those that a name may mean. */
export interface Occurrence {
  readonly period: Period;
  /** The day itself, where the period is wider: 25 December in "Christmas", the day counted in "a week ago", the first of a list. */
  readonly core?: Period;
}

/** What a name of a time means, before the words around it ("since", "around") are looked at. */
export interface Meaning extends Occurrence {
  /** For names that come back ("November", "Friday"): the latest occurrence begun by a day, and the days until it returns. */
  readonly recurs?: { readonly cycle: number; at(anchor: Day): Occurrence | undefined };
  /** Both ends were named ("3–9 August"). */
  readonly range?: boolean;
  /** Several were named ("Nov 3 and 5"): the period goes from the first to the last. */
  readonly list?: boolean;
  /** A distance from today: "more than" and "less than" bound it. */
  readonly ago?: boolean;
}

/** A time named in a text, at text[start, end). */
export interface Expression extends Meaning, Range {}

export interface TimeContext extends Moment {
  readonly today: Day;
  /** How 03/04/2026 is meant. */
  readonly dateOrder: Exclude<DateOrder, 'auto'>;
  /** The whole text is meant to be a time (an option's value): bare names count without a sign such as "in". */
  readonly lenient: boolean;
  /** Whether a known entity is named at this position ("May" may be a person). */
  isName(position: number): boolean;
  readonly places: StartPlaces;
  /** Whether the question has a capital letter at this position; rules see it in lower case. */
  isCapital(position: number): boolean;
}

/** What stands around a match. */
export interface MatchContext {
  readonly before: string;
  readonly after: string;
  readonly position: number;
  /** The time that was read before it, if any. */
  readonly previous: Expression | undefined;
}

/** One way of saying a time. */
export interface TimeRule {
  /**
   * What it can begin with: words, Chinese characters, or {@link DIGIT}. A rule is tried only there, so that a pattern
   * that a question does not need is never compiled.
   */
  readonly starts: Iterable<string>;
  /** Words of which one is in every text that it matches, where that says more than how it begins. */
  readonly needs?: readonly string[];
  /**
   * Sticky and small: what every text that it matches begins with. Of a long pattern V8 makes code twice, at its first
   * use and at its second, and that takes longer than all else that is read.
   */
  readonly opens?: RegExp;
  /** Sticky, over lower-cased text. */
  readonly pattern: RegExp;
  read(groups: readonly string[], context: TimeContext, around: MatchContext): Meaning | undefined;
}

export function meaning(period: Period | undefined): Meaning | undefined {
  return period && { period };
}

/** A name that comes back after so many days, by its latest occurrence that has begun by a day. */
export function recurring(today: Day, cycle: number, at: (anchor: Day) => Meaning | undefined): Meaning | undefined {
  const latest = at(today);
  return latest && { ...latest, recurs: { cycle, at } };
}

/** A time that comes every year: without a year it is the latest one that has begun. */
export function yearly(today: Day, make: (year: number) => Period | undefined): Meaning | undefined {
  return recurring(today, 365, (anchor) => meaning(latestStarted(anchor, make)));
}

/** A weekday: the latest one, today included. */
export function weekly(today: Day, weekday: number): Meaning {
  const at = (anchor: Day): Occurrence => ({
    period: dayPeriod(addDays(anchor, -((weekdayOf(anchor) - weekday + 7) % 7))),
  });
  return { ...at(today), recurs: { cycle: 7, at } };
}

/** Stands for a number in {@link TimeRule.starts}. */
export const DIGIT = '#';

/** A place where a time can begin, and what stands there. */
export interface WordPlace {
  readonly position: number;
  readonly word: string;
}

/** Where times can begin in a text, and all of its words. */
export interface StartPlaces {
  readonly all: readonly WordPlace[];
  readonly words: ReadonlySet<string>;
}

export type RuleIndex = ReadonlyMap<string, readonly TimeRule[]>;

/** The rules by what they can begin with, in the order given. */
export function indexRules(rules: readonly TimeRule[]): RuleIndex {
  const index = new Map<string, TimeRule[]>();
  for (const rule of rules) for (const start of new Set(rule.starts)) addTo(index, start, rule);
  return index;
}

/** The first rule that matches at each of the places, left to right, no match inside another. */
export function scan(text: string, rules: RuleIndex, context: TimeContext): Expression[] {
  const found: Expression[] = [];
  let free = 0;
  const { places } = context;
  for (const { position, word } of places.all) {
    const begun = position < free ? undefined : rules.get(word);
    if (begun === undefined) continue;
    const able = begun.filter(({ needs }) => needs?.some((need) => places.words.has(need)) ?? true);
    const expression = readAt(text, position, able, context, found.at(-1));
    if (!expression) continue;
    found.push(expression);
    free = expression.end;
  }
  return found;
}

function readAt(
  text: string,
  position: number,
  rules: readonly TimeRule[],
  context: TimeContext,
  previous: Expression | undefined,
) {
  for (const { opens, pattern, read } of rules) {
    const match = opens === undefined || matchAt(opens, text, position) ? matchAt(pattern, text, position) : null;
    if (!match) continue;
    const end = position + match[0].length;
    const around = {
      before: text.slice(Math.max(0, position - 60), position),
      after: text.slice(end, end + 60),
      position,
      previous,
    };
    const groups = match.slice(1).map((group) => group ?? '');
    const result = read(groups, context, around);
    if (result) return { ...result, start: position, end };
  }
  return undefined;
}

function matchAt(pattern: RegExp, text: string, position: number): RegExpExecArray | null {
  pattern.lastIndex = position;
  return pattern.exec(text);
}

/** The last word of a text, or '' when something other than spaces stands after it. */
export function wordBefore(text: string): string {
  return /([\w\u00c0-\u1fff']+)[\s-]{1,3}$/.exec(text)?.[1] ?? '';
}

/** The first word of a text, or '' when a sign stands before it or nothing follows. */
export function wordAfter(text: string): string {
  return /^\s{1,3}([\w\u00c0-\u1fff']+)/.exec(text)?.[1] ?? '';
}

/** Whether only an "and" or "or" stands between this and the time before it: it is one of a list, so that it is a time. */
export function continuesList({ before, after, position, previous }: MatchContext): boolean {
  const gap = position - (previous?.end ?? Number.NEGATIVE_INFINITY);
  if (gap > 16) return false;
  const between = before.slice(-gap);
  if (/^,?\s{1,3}(?:and|or|&)\s{1,3}(?:the\s{1,3})?$/.test(between)) return true;
  return /^,\s{1,3}$/.test(between) && /^(?:,\s{1,3}\w{1,12}){0,4},?\s{1,3}(?:and|or|&)\s/.test(after);
}

/** Whether the phrase ends here: nothing, a sign, or a word that cannot be part of a name follows. */
export function endsPhrase({ after }: Pick<MatchContext, 'after'>): boolean {
  const next = wordAfter(after);
  if (next !== '') return ENGLISH_STOP_WORDS.has(next) || /^\d/.test(next);
  return !/^[\w\u00c0-\u1fff/]/.test(after);
}

/**
 * Which of its occurrences a name that comes back means; `announced` is the latest, or one that is near at hand;
 * `announcedDay` the latest, but of a date one that is near at hand.
 */
export type OccurrenceChoice = 'latest' | 'nearest' | 'coming' | 'announced' | 'announcedDay';

/** How a question places a time that comes back; `unsaid` is the latest, as past, without the one before today's. */
export type Tense = 'past' | 'present' | 'future' | 'unsaid';

/** A start is announced at most so many days ahead, else it lies in the past. */
const ANNOUNCED_DAYS = 45;

/** The occurrence of a time that is meant, seen from a day. A weekday that is announced is the one to come. */
export function occurrenceOf(meaning: Meaning, which: OccurrenceChoice, day: Day): Occurrence | undefined {
  const { recurs } = meaning;
  if (!recurs) return meaning;
  const isDate = recurs.cycle > ANNOUNCED_DAYS && meaning.period.since === meaning.period.until;
  if (which === 'latest' || (which === 'announcedDay' && !isDate)) return recurs.at(day);
  if (which.startsWith('announced') && recurs.cycle > ANNOUNCED_DAYS) return recurs.at(addDays(day, ANNOUNCED_DAYS));
  const [latest, next] = [recurs.at(day), recurs.at(addDays(day, recurs.cycle))];
  const around = [latest, next].flatMap((occurrence) => occurrence ?? []);
  if (which !== 'nearest') return around.find(({ period }) => period.until >= day);
  return around.reduce<Occurrence | undefined>(
    (nearest, other) => (nearest && distance(nearest, day) <= distance(other, day) ? nearest : other),
    undefined,
  );
}

/** Days between a day and a time; 0 inside of it. */
function distance({ period: { since, until } }: Occurrence, day: Day): number {
  return Math.max(0, daysBetween(day, since), daysBetween(until, day));
}

/**
 * The days that a question means. Asked of the past, a weekday is the latest one, or both today and the last one when it
 * is asked on that day. Asked of the present, both the latest and the next one are meant, so that neither is hidden;
 * asked of the future, the next.
 * @param named the time before words such as "early" took a part of it
 */
export function periodInTense(meant: Meaning, named: Meaning, tense: Tense, today: Day): Period {
  const periods = anchorsOf(named, tense, today).map((anchor) => meant.recurs?.at(anchor)?.period ?? meant.period);
  return periods.reduce(spanOfBoth);
}

function anchorsOf({ period, recurs }: Meaning, tense: Tense, today: Day): readonly Day[] {
  if (!recurs || tense === 'unsaid') return [today];
  const isToday = period.since === today && period.until === today;
  if (tense === 'past') return isToday && recurs.cycle === 7 ? [today, addDays(today, -1)] : [today];
  const ahead = addDays(today, recurs.cycle);
  const next = recurs.at(ahead)?.period;
  if ((period.until >= today && !(isToday && tense === 'present')) || !next || next.since <= today) return [today];
  return tense === 'future' ? [ahead] : [today, ahead];
}
