import type { Day } from '../../base/clock.js';
import type { FoundUnit, Search } from '../../index/search.js';
import { type Alike, newestFirst, type Strand, threadsOf } from '../../memory/threads/threads.js';
import type { PairVerdicts } from '../../memory/threads/verdicts.js';
import type { Ranked } from './ranked.js';
import { slugReader, type ToldUnit, toldUnit } from './told-unit.js';

/** Of each subject only its latest facts are looked at. */
const MOST_OF_SUBJECT = 150;
const MOST_SUBJECTS = 6;

/** What the threads of a result's subject tell of it. */
export interface ThreadMark {
  /** Id of the fact that put an end to it. */
  readonly superseded?: string;
  /** Id of the newest later fact of its matter; nobody settled it. */
  readonly newer?: string;
  /** Words of it that are over. */
  readonly over?: string;
}

/** What is looked at for the threads of results. */
export interface ThreadScope {
  /** Later facts than of this day do not count. */
  readonly until: Day;
  readonly verdicts: PairVerdicts;
  /** See the threads' options. */
  readonly alike?: Alike | undefined;
  /** Whether a unit folds into another result: a line of an entity's page, a log line of a belief. */
  readonly isView: (unit: FoundUnit) => boolean;
}

/** The parts of some results among the latest facts of their subjects, by the key of the result. */
export function strandsOf(
  search: Search,
  top: readonly Ranked[],
  { until, verdicts, alike, isView }: ThreadScope,
): ReadonlyMap<number, readonly Strand<ToldUnit>[]> {
  const slugOf = slugReader(search);
  const results = top.filter(({ unit }) => unit.fact !== null).map(({ unit }) => toldUnit(unit, slugOf));
  const subjects = [...new Set(results.flatMap((told) => told.subjects))].slice(0, MOST_SUBJECTS);
  const found = new Map<number, readonly Strand<ToldUnit>[]>();
  for (const subject of subjects) {
    const own = results.filter((told) => told.subjects.includes(subject));
    const slugs = search.entity(subject)?.slugs ?? [subject];
    const byId = new Map<string, ToldUnit>();
    const latest = slugs.flatMap((slug) => search.latestFacts(slug, MOST_OF_SUBJECT)).filter((unit) => !isView(unit));
    for (const told of [...own, ...latest.map((unit) => toldUnit(unit, slugOf))]) {
      if (!told.subjects.includes(subject) || (told.day ?? '') > until) continue;
      // A copy of a fact says nothing newer: where it was said it has a day.
      const known = byId.get(told.id);
      if (known === undefined || (known.day === null && told.day !== null)) byId.set(told.id, told);
    }
    const asked = new Set(own.map(({ id }) => id));
    const threads = threadsOf([...byId.values()], { day: until, verdicts, alike, asked });
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
function clearer(one: Strand<ToldUnit>, other: Strand<ToldUnit> | undefined): Strand<ToldUnit> {
  if (other?.beneath === undefined || one.settledBy !== undefined) return one;
  const isClearer =
    other.settledBy !== undefined || one.beneath === undefined || newestFirst(other.beneath.fact, one.beneath.fact) < 0;
  return isClearer ? other : one;
}

/** What speaks for or against a belief has moved it already: it does not stand above it. */
function withoutEvidence(strand: Strand<ToldUnit>, unit: FoundUnit): Strand<ToldUnit> {
  const isMoved = strand.settledBy === undefined && isEvidence(strand.beneath?.fact, unit);
  return isMoved ? { ...strand, beneath: undefined } : strand;
}

function isEvidence(told: ToldUnit | undefined, { detail }: FoundUnit): boolean {
  const { evidence } = detail ?? {};
  if (told === undefined || evidence === undefined) return false;
  const source = `${told.path}#L${told.line}`;
  const listed = [...evidence.for, ...evidence.against].map((one) => one.source);
  // What the page only counts is older than what it lists.
  const isCounted = evidence.more !== undefined && told.path < (listed.toSorted()[0] ?? '');
  return isCounted || listed.includes(source);
}

export function markOf(strands: readonly Strand<ToldUnit>[]): ThreadMark | undefined {
  const beneath = strands.filter((strand) => strand.beneath !== undefined);
  const [first] = beneath;
  const { over, verdict } = strands.find((strand) => strand.over !== undefined) ?? {};
  if (first?.beneath === undefined)
    return verdict === undefined ? undefined : { newer: verdict.fact, ...(over === undefined ? {} : { over }) };
  // That it is over it says itself.
  if (beneath.every(({ part }) => part.isPast)) return undefined;
  const settled = beneath.find(({ settledBy }) => settledBy !== undefined);
  const by = (settled ?? topOf(first)).beneath?.fact.id ?? '';
  if (settled === undefined) return { newer: by, ...(over === undefined ? {} : { over }) };
  if (strands.every(({ settledBy }) => settledBy !== undefined)) return { superseded: by };
  const { from, to } = settled.part;
  return { newer: by, over: over ?? settled.fact.text.slice(from, to) };
}

/** What stands above the part that is asked for, or above any where none is. */
export function newerOf(strands: readonly Strand<ToldUnit>[], asked: ReadonlySet<string>): ToldUnit | undefined {
  const shares = strands.map(({ part }) => part.terms.filter((term) => asked.has(term)).length);
  const most = Math.max(...shares);
  const isAbove = ({ beneath, isLoose }: Strand<ToldUnit>): boolean => beneath !== undefined && !isLoose;
  const found = strands.find((strand, at) => isAbove(strand) && shares[at] === most);
  return found && topOf(found).beneath?.fact;
}

/** Of a series the one beneath its newest reading. */
function topOf(strand: Strand<ToldUnit>): Strand<ToldUnit> {
  let top = strand;
  while (top.isReading && top.beneath?.isReading) top = top.beneath;
  return top;
}

export function saysItIsOver({ statement }: ToldUnit): boolean {
  return statement.some(({ isPast }) => isPast);
}
