import type { Day } from '../../base/clock.js';
import type { FoundUnit, UnitKey } from '../../index/search.js';
import { saysWhere } from '../../line/said.js';
import { compareNewestFirst } from '../../memory/threads/threads.js';
import { asksWhere } from '../parse/cues.js';
import type { QuestionReading } from '../parse/reading.js';
import type { ResultLookup } from './ranked.js';
import { type StatementUnit, slugReader, toStatement } from './statement-unit.js';

/** Whether a statement says of its own state that it is over or still ahead on a day: then it does not hold. */
export function isOutOfDate({ statement, unit: { isPeriod, validFrom, validTo } }: StatementUnit, day: Day): boolean {
  if (isPeriod && ((validTo ?? day) < day || (validFrom ?? day) > day)) return true;
  const isDue = validFrom !== null && validFrom <= day;
  return statement.some(({ isPast, isPlan }) => isPast || (!isDue && isPlan));
}

const MOST_UNITS = 2_000;
const FIRST_UNITS = 80;

/**
 * "Where is Peter now?" has no word that an answer would have: the newest fact goes first that says where somebody is,
 * and before it one that says so of days which this is one of.
 */
export function findCurrentLocation(
  reading: QuestionReading,
  day: Day,
  { search, allowed }: ResultLookup,
): FoundUnit | undefined {
  if (!asksWhere(reading)) return undefined;
  const slugs = new Set(reading.entities.flatMap((slug) => search.entity(slug)?.slugs ?? [slug]));
  const slugOf = slugReader(search);
  const isIt = (fact: StatementUnit): boolean =>
    fact.subjects.some((slug) => slugs.has(slug)) && saysWhere(fact.unit) && !isOutOfDate(fact, day);
  const told = (units: readonly FoundUnit[]): readonly FoundUnit[] =>
    units
      .filter(({ kind, file }) => (kind === 'world' || kind === 'observation') && file.day !== null && file.day <= day)
      .sort((a, b) => compareNewestFirst(placed(a), placed(b)));
  const newest = (units: readonly FoundUnit[]) => units.find((unit) => isIt(toStatement(unit, slugOf)));
  const keys = search.linked([...slugs], { withResources: false }, MOST_UNITS);
  const stay = newest(told(search.factsFor(day, keys)));
  const found = stay ?? newestOf(keys, (some) => told(search.facts(some)), newest);
  return found === undefined ? undefined : allowed([found])[0];
}

function placed({ file: { day, path }, line }: FoundUnit) {
  return { day, path, line };
}

/** Keys are of the latest days first: the newest is mostly among few of them, and those of its day are read with it. */
function newestOf(
  keys: readonly UnitKey[],
  read: (keys: readonly UnitKey[]) => readonly FoundUnit[],
  newest: (units: readonly FoundUnit[]) => FoundUnit | undefined,
): FoundUnit | undefined {
  for (let count = FIRST_UNITS; ; count *= 5) {
    const units = read(keys.slice(0, count));
    const found = newest(units);
    if (count >= keys.length || (found && found.file.day !== units.at(-1)?.file.day)) return found;
  }
}
