import type { Day } from '../../base/clock.js';
import type { FoundUnit, IndexSearch } from '../../index/search.js';
import {
  compareNewestFirst,
  type FactSimilarityTest,
  type ThreadEntry,
  threadEntries,
} from '../../memory/threads/threads.js';
import type { FinalPairVerdicts } from '../../memory/threads/verdicts.js';
import type { RankedUnit } from './ranked.js';
import { type StatementUnit, slugReader, toStatement } from './statement-unit.js';

/** Maximum number of the latest facts of each subject that are read. */
const MOST_OF_SUBJECT = 150;
const MOST_SUBJECTS = 6;

/** How later statements about its subject change a result. */
export interface ThreadStatus {
  /** Id of the later fact that ended or replaced the statement. */
  readonly superseded?: string;
  /** Id of the newest later fact about the same topic. No judge has said that it replaces the statement. */
  readonly newer?: string;
  /** Words of the statement that no longer apply. */
  readonly over?: string;
}

/** The data from which the threads of results are read. */
export interface ThreadLookup {
  /** Facts of later days than this one do not count. */
  readonly until: Day;
  readonly verdicts: FinalPairVerdicts;
  /** See the threads' options. */
  readonly alike?: FactSimilarityTest | undefined;
  /** Whether a unit folds into another result: a line of an entity's page, a log line of a belief. */
  readonly isView: (unit: FoundUnit) => boolean;
}

/** The parts of some results among the latest facts of their subjects, by the key of the result. */
export function resultThreads(
  search: IndexSearch,
  top: readonly RankedUnit[],
  { until, verdicts, alike, isView }: ThreadLookup,
): ReadonlyMap<number, readonly ThreadEntry<StatementUnit>[]> {
  const slugOf = slugReader(search);
  const results = top.filter(({ unit }) => unit.fact !== null).map(({ unit }) => toStatement(unit, slugOf, until));
  const subjects = [...new Set(results.flatMap((told) => told.subjects))].slice(0, MOST_SUBJECTS);
  const found = new Map<number, readonly ThreadEntry<StatementUnit>[]>();
  for (const subject of subjects) {
    const own = results.filter((told) => told.subjects.includes(subject));
    const slugs = search.entity(subject)?.slugs ?? [subject];
    const byId = new Map<string, StatementUnit>();
    const latest = slugs.flatMap((slug) => search.latestFacts(slug, MOST_OF_SUBJECT)).filter((unit) => !isView(unit));
    for (const told of [...own, ...latest.map((unit) => toStatement(unit, slugOf, until))]) {
      if (!told.subjects.includes(subject) || (told.day ?? '') > until) continue;
      // A copy of a fact says nothing newer: where it was said it has a day.
      const known = byId.get(told.id);
      if (known === undefined || (known.day === null && told.day !== null)) byId.set(told.id, told);
    }
    const asked = new Set(own.map(({ id }) => id));
    const threads = threadEntries([...byId.values()], { day: until, verdicts, alike, asked });
    for (const told of own) {
      const strands = (threads.get(byId.get(told.id) ?? told) ?? []).map((strand) =>
        withoutEvidence(strand, told.unit),
      );
      found.set(told.unit.key, found.get(told.unit.key)?.map((known, at) => clearer(known, strands[at])) ?? strands);
    }
  }
  return found;
}

/** Of what the threads of two subjects say of a part: that it is settled, else what is newest. */
function clearer(
  one: ThreadEntry<StatementUnit>,
  other: ThreadEntry<StatementUnit> | undefined,
): ThreadEntry<StatementUnit> {
  if (other?.newerEntry === undefined || one.settledBy !== undefined) return one;
  const isClearer =
    other.settledBy !== undefined ||
    one.newerEntry === undefined ||
    compareNewestFirst(other.newerEntry.fact, one.newerEntry.fact) < 0;
  return isClearer ? other : one;
}

/** What speaks for or against a belief has moved it already: it does not stand above it. */
function withoutEvidence(strand: ThreadEntry<StatementUnit>, unit: FoundUnit): ThreadEntry<StatementUnit> {
  const isMoved = strand.settledBy === undefined && isEvidence(strand.newerEntry?.fact, unit);
  return isMoved ? { ...strand, newerEntry: undefined } : strand;
}

function isEvidence(told: StatementUnit | undefined, { detail }: FoundUnit): boolean {
  const { evidence } = detail ?? {};
  if (told === undefined || evidence === undefined) return false;
  const source = `${told.path}#L${told.line}`;
  const listed = [...evidence.for, ...evidence.against].map((one) => one.source);
  // Unlisted evidence is older than the listed lines.
  const isCounted = evidence.more !== undefined && told.path < (listed.toSorted()[0] ?? '');
  return isCounted || listed.includes(source);
}

export function threadStatus(strands: readonly ThreadEntry<StatementUnit>[]): ThreadStatus | undefined {
  const beneath = strands.filter((strand) => strand.newerEntry !== undefined);
  const [first] = beneath;
  const { over, verdict } = strands.find((strand) => strand.over !== undefined) ?? {};
  if (first?.newerEntry === undefined)
    return verdict === undefined ? undefined : { newer: verdict.fact, ...(over === undefined ? {} : { over }) };
  // That it is over it says itself.
  if (beneath.every(({ part }) => part.isPast)) return undefined;
  const settled = beneath.find(({ settledBy }) => settledBy !== undefined);
  const by = (settled ?? topOf(first)).newerEntry?.fact.id ?? '';
  if (settled === undefined) return { newer: by, ...(over === undefined ? {} : { over }) };
  if (strands.every(({ settledBy }) => settledBy !== undefined)) return { superseded: by };
  const { from, to } = settled.part;
  return { newer: by, over: over ?? settled.fact.text.slice(from, to) };
}

/** What stands above the part that is asked for, or above any where none is. */
export function findNewerStatement(
  strands: readonly ThreadEntry<StatementUnit>[],
  asked: ReadonlySet<string>,
): StatementUnit | undefined {
  const shares = strands.map(({ part }) => part.terms.filter((term) => asked.has(term)).length);
  const most = Math.max(...shares);
  const isAbove = ({ newerEntry, isLoose }: ThreadEntry<StatementUnit>): boolean =>
    newerEntry !== undefined && !isLoose;
  const found = strands.find((strand, at) => isAbove(strand) && shares[at] === most);
  return found && topOf(found).newerEntry?.fact;
}

/** Of a series the one beneath its newest reading. */
function topOf(strand: ThreadEntry<StatementUnit>): ThreadEntry<StatementUnit> {
  let top = strand;
  while (top.isReading && top.newerEntry?.isReading) top = top.newerEntry;
  return top;
}

export function isStatedAsOver({ statement }: StatementUnit): boolean {
  return statement.some(({ isPast }) => isPast);
}
