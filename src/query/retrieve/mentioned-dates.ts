import type { Day } from '../../base/clock.js';
import { largest } from '../../base/order.js';
import { dayOfUnit, isHeading, isOfDays, isPageUnit } from '../../index/found.js';
import type { FoundUnit, IndexSearch, UnitFilter, UnitKey } from '../../index/search.js';
import { foldText } from '../../language/scripts.js';
import { addDays, type DaySpan, daysBetween, noonOf, type Period, widenPeriod } from '../../language/time/calendar.js';
import { mayNameDayInPeriod } from '../../language/time/cue.js';
import { STATEMENT_POLICY, YEARLESS_DATE_POLICY } from '../../language/time/policy.js';
import { openTimeReader, type TimeReader } from '../../language/time/read-time.js';
import { tokenize } from '../../language/tokens.js';
import { ENGLISH_STOP_WORDS } from '../../language/words/stop.js';
import { isAboutYearlyEvent, isWeekday, withoutYearlyWord } from '../../language/words/time-words.js';
import { buildSearchPhrase } from '../../text/search-text.js';
import { COMMON_TERM_UNIT_COUNT } from '../terms/weighted-terms.js';
import type { LexicalChannel } from './lexical.js';

/**
 * Lines are searched up to this many days before and after the window, plus the number of its own days. People usually write
 * about things soon.
 */
const NEAR_DAYS = 31;
/**
 * Number of days before and after the window that are searched if the question asks for everything of its time, so that
 * words do not find the lines.
 */
const SOON_DAYS = 3;
/** There, what is told of a day comes behind what is from it. */
const NEAR_BY = 0.1;
/** Maximum number of lines with the year or the words of the window that are read. */
const MOST_NAMING = 150;
/** Minimum share of the time that a line names which must be in the window: "next month" says nothing about a weekend. */
const LEAST_SHARE = 0.1;
/**
 * A time with more days than this, and more than twice the days of the window, says little about the window: "this year".
 */
const VAGUE_DAYS = 31;
/** Share for a time with an open end: "closed since May" says that it was closed in May. */
const OPEN_SHARE = 0.7;

interface MentionedDates {
  /** The filter for the lines, without its days. */
  readonly filter: UnitFilter;
  readonly window: Period;
  /** The words of the question that name the window; undefined for options. */
  readonly named: string | undefined;
  /** Whether no word is asked for. */
  readonly isOfAll: boolean;
  /** Whether the window was named without a year. Then what comes every year is of it, wherever it was said. */
  readonly isYearly: boolean;
}

/**
 * Lines from around a time window that tell of days in it: "last month" in a log of April is about March. Their words
 * find them, or that they are near where a question asks for all that happened; the times that they name are read
 * against their own day.
 * @returns how much of the time that a line names is in the window, 0..1, by unit
 */
export async function mentionedDateChannel(
  search: IndexSearch,
  lexical: LexicalChannel,
  { filter, window, named = '', isOfAll, isYearly }: MentionedDates,
  limit: number,
): Promise<ReadonlyMap<UnitKey, number>> {
  const { since, until } = window;
  const shares = new Map<UnitKey, number>();
  const reach = NEAR_DAYS + lengthOf(window);
  const around = { ...filter, days: [widenPeriod(window, reach)] };
  const near = { ...filter, days: [widenPeriod(window, SOON_DAYS)] };
  const open = { ...filter, days: undefined };
  const told = [...lexical.find(around, limit).keys, ...(isYearly ? sayingDate(search, named, open) : [])];
  const keys = isOfAll ? [...told, ...search.filtered(near, limit)] : told;
  const dated = search.allowed(naming(search, window), open);
  const ofAnyYear = isYearly && !isOfAll ? search.units(lexical.find(open, limit).keys) : [];
  const yearly = ofAnyYear.filter((unit) => dayOfUnit(unit) === null || isAboutYearlyEvent(unit.text));
  const found = new Set(keys);
  const isOutside = (unit: FoundUnit): boolean =>
    dayOfUnit(unit) === null ? dated.includes(unit.key) : !isOfDays(unit, since, until);
  const units = search.units([...new Set([...keys, ...dated])]).filter(isOutside);
  const lines = units
    .filter(({ fact }) => fact === null)
    .flatMap((unit) => readLine(window, unit, found.has(unit.key)));
  const times = await openTimeReader([...lines.map(({ said }) => said), ...yearly.map(({ text }) => text)].join('\n'));
  const tell = (key: UnitKey, share: number): void => {
    if (share >= LEAST_SHARE) shares.set(key, isOfAll ? NEAR_BY * share : share);
  };
  // The times of a fact were read when it was indexed.
  for (const { key, fact, validFrom, validTo } of units)
    if (fact !== null) tell(key, overlap({ since: validFrom, until: validTo }, window));
  for (const { unit, ...line } of lines)
    for (const key of isHeading(unit) ? [unit.key, ...below(search, unit)] : [unit.key])
      tell(key, shareToldOf(window, line, times));
  for (const key of sayingWeekday(search, named, { ...filter, days: [weekBefore(window)] })) tell(key, WEEKDAY_SHARE);
  const ofEveryYear = { ...noonOf(until), policy: YEARLESS_DATE_POLICY };
  for (const { key, text } of yearly)
    tell(
      key,
      largest(
        times.read(withoutYearlyWord(text), ofEveryYear).map(({ span }) => overlap(span, window)),
        0,
      ),
    );
  return shares;
}

/**
 * Units with the words of a date without a year, in any order and form: "6 December" also finds "Dec 6th". They may be written
 * long before the date.
 */
function sayingDate(search: IndexSearch, named: string, filter: UnitFilter): readonly UnitKey[] {
  const tokens = tokenize(named).map(({ lower }) => lower);
  const numbers = tokens.flatMap((token) => /^\d{1,2}(?=\D*$)/.exec(token) ?? []).map(Number);
  const words = tokens.filter(
    (token) => /^\p{L}{3,}$/u.test(token) && !ENGLISH_STOP_WORDS.has(token) && !isWeekday(token),
  );
  const forms = numbers.map((number) => [
    number,
    `0${number}`,
    `${number}st`,
    `${number}nd`,
    `${number}rd`,
    `${number}th`,
  ]);
  const parts = [
    ...forms.map((written) => written.map((form) => `"${form}"`).join(' OR ')),
    ...(words.length === 0 ? [] : [words.map((word) => `"${foldText(word).slice(0, 3)}" *`).join(' OR ')]),
  ];
  if (parts.length === 0) return [];
  return search.match(parts.map((part) => `(${part})`).join(' AND '), filter, MOST_NAMING).map(({ key }) => key);
}

/** Units that say the weekday of a question. */
function sayingWeekday(search: IndexSearch, named: string, filter: UnitFilter): readonly UnitKey[] {
  const weekday = tokenize(named).find(({ lower }) => isWeekday(lower));
  const phrase = weekday && buildSearchPhrase(weekday.lower);
  return phrase === undefined ? [] : search.match(phrase, filter, MOST_NAMING).map(({ key }) => key);
}

/** The six days before a window. "Friday", written then, is mostly the one in the window. */
function weekBefore({ since }: Period): Period {
  return { since: addDays(since, -6), until: addDays(since, -1) };
}

/** Share of the window for a line that only says its weekday. */
const WEEKDAY_SHARE = 0.5;

/** What a line of text says, where that may name a day of a window; only one that was found need not name its year. */
function readLine(window: Period, unit: FoundUnit, isFound: boolean): readonly Line[] {
  const { text } = unit;
  const day = dayOfUnit(unit);
  const said = isPageUnit(unit)
    ? text.replace(YEAR_FIRST, '$2 $1').replace(YEAR_ALONE, 'in $&')
    : text.replace(CITED, ' ');
  // An undated line that cites is a view of a fact.
  if (day === null && said !== text && !isPageUnit(unit)) return [];
  const mayTell = (isFound && day !== null) || mayName(said, window);
  return mayTell && mayNameDayInPeriod(window, said) ? [{ unit, said, day }] : [];
}

/** The lines below a heading, or on a page. If the heading or the name of the page is a time, they are of that time. */
function below(search: IndexSearch, heading: FoundUnit): readonly UnitKey[] {
  const { key, file } = heading;
  const units = search.range(key + 1, Math.min(file.lastUnit, key + MOST_BELOW));
  return units.filter(({ section }) => isPageUnit(heading) || section === heading.key).map((unit) => unit.key);
}

/** How pages are called that are of a month or a year, as no sentence says it: `2018-july`, `2018`. */
const YEAR_FIRST = /^((?:19|20)\d\d)[\s_-]+(\p{L}+)$/gmu;
const YEAR_ALONE = /^(?:19|20)\d\d$/gm;

/** Maximum number of lines below a heading that count as lines of its time. */
const MOST_BELOW = 200;

/** Units that name the year of a window, wherever they stand: one of them may name its days. */
function naming(search: IndexSearch, { since, until }: Period): readonly UnitKey[] {
  const years = [...new Set([since.slice(0, 4), until.slice(0, 4)])];
  const keys = years.flatMap((year) => search.having(`"${year}"`, COMMON_TERM_UNIT_COUNT).keys ?? []);
  return keys.slice(-MOST_NAMING);
}

/** A citation says where something stands, and no time. */
const CITED = /\[[^\]\n]*\.md[^\]\n]*\]\([^)\n]*\)|\b[fo]-[0-9a-z]{13}\b/g;
const DATE = /\d{4}-\d{2}-\d{2}/g;

/** Whether a text names the year of a window other than by dates outside of it: a cheap look before it is read. */
function mayName(said: string, { since, until }: Period): boolean {
  const rest = said.replace(DATE, (day) => (day < since || day > until ? ' ' : day));
  return rest.includes(since.slice(0, 4)) || rest.includes(until.slice(0, 4));
}

interface Line {
  readonly unit: FoundUnit;
  /** The text of the unit without its citations. */
  readonly said: string;
  readonly day: Day | null;
}

function shareToldOf(window: Period, { said, day }: Omit<Line, 'unit'>, times: TimeReader): number {
  const shares = times
    .read(said, { ...noonOf(day ?? window.since), policy: STATEMENT_POLICY })
    .map(({ span }) => overlap(span, window));
  return largest(shares, 0);
}

/** The share of a told time that is in the window; nothing of a vague one. Of one that is open, its end may be in it. */
function overlap({ since, until }: DaySpan, window: Period): number {
  if (since === null || until === null) {
    const end = since ?? until;
    return end !== null && end >= window.since && end <= window.until ? OPEN_SHARE : 0;
  }
  const length = lengthOf({ since, until });
  if (length > Math.max(VAGUE_DAYS, 2 * lengthOf(window))) return 0;
  const from = Math.max(0, daysBetween(window.since, since));
  const to = Math.min(lengthOf(window), daysBetween(window.since, until) + 1);
  return Math.max(0, to - from) / length;
}

function lengthOf({ since, until }: Period): number {
  return daysBetween(since, until) + 1;
}
