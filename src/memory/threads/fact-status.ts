import type { Day } from '../../base/clock.js';
import { addToGroup, groupBy } from '../../base/order.js';
import { addDays } from '../../language/time/calendar.js';
import type { Clause } from '../../line/statement/statement.js';
import {
  hasEnded,
  isUpcoming,
  SubjectThreads,
  type ThreadEntry,
  type ThreadFact,
  type ThreadOptions,
  threadEntries,
} from './threads.js';
import type { PairJudge, PairVerdict } from './verdicts.js';

/** A fact with the data that decide its status on a day. */
export interface DatedFact extends ThreadFact {
  /** Whether a job writes the fact again and again, without new knowledge. */
  readonly isJob: boolean;
}

/** The status of a fact on a day. `nowhere`: a later fact says the same, so this one is not shown. */
export type StatusSection = 'now' | 'planned' | 'lately' | 'preferences' | 'before' | 'nowhere';

/**
 * Why a fact no longer holds. `ended`: its last day is over, or its words or a judge say that it is over. `replaced`: a
 * later fact took its place.
 */
export type Ending = 'ended' | 'replaced';

/** A fact with its status, or those of its clauses that share one status. */
export interface FactStatus<F extends DatedFact> {
  readonly fact: F;
  /** The words of the fact. `[…]` stands for its parts that have another status. */
  readonly text: string;
  readonly place: StatusSection;
  /** The days that the fact names. If it names none, `from` is the day from which it is known. */
  readonly from: Day | null;
  readonly to: Day | null;
  readonly ending: Ending | null;
  /** The later fact that ended, replaced or repeats this one. */
  readonly by: F | null;
  /**
   * The reason why the fact is over, partly over or said again: the words of a fact, or a judge. Null if only a date decides,
   * or if there is no such reason.
   */
  readonly settledBy: 'words' | PairJudge | null;
  /** Words of the fact that no longer apply. */
  readonly over: string | null;
  /** The earlier facts of its threads about which there is no verdict, newest first. */
  readonly earlier: readonly FactStatus<F>[];
  /** The next day on which the status changes if nothing new is stated. Null if no such day is known. */
  readonly changesOn: Day | null;
}

interface Placed<F extends DatedFact> extends Omit<FactStatus<F>, 'fact' | 'text' | 'earlier'> {
  readonly part: Clause;
  /** The later fact about the same topic, if there is no verdict about the two. */
  readonly above: F | null;
}

interface Group<F extends DatedFact> {
  readonly standing: FactStatus<F>;
  readonly above: F | null;
}

/**
 * The status of the facts about one subject on a day, newest first. Only this function decides what holds on a day. Pure.
 */
export function factStatuses<F extends DatedFact>(
  facts: readonly F[],
  options: ThreadOptions,
): readonly FactStatus<F>[] {
  const groups = groupsOf(threadEntries(saidBy(facts, options), options), options);
  const { above, top } = ladderOf(groups);
  const earlier = new Map<F, FactStatus<F>[]>();
  const standings: Group<F>[] = [];
  for (const group of groups) {
    const root = group.above === null ? undefined : topOf(group.above, above, top);
    if (root === undefined) standings.push(group);
    else addToGroup(earlier, root, group.standing);
  }
  return standings.map(({ standing }) => {
    const below = standing.place === 'before' || standing.place === 'nowhere' ? undefined : earlier.get(standing.fact);
    if (below === undefined) return standing;
    // If a fact has two places, only the first place gets the earlier facts.
    earlier.delete(standing.fact);
    // An event is the newest statement about its topic. If an earlier statement below it holds now, show both under Now.
    const place = standing.place === 'lately' && below.some((one) => one.place === 'now') ? 'now' : standing.place;
    return { ...standing, place, earlier: below };
  });
}

/**
 * Makes a function that gives the status of one more fact among the facts of its subject. The status is the same as from
 * {@link factStatuses}, but without its `earlier` facts. Reading the facts takes linear time, once. After that, each call
 * takes nearly constant time.
 */
export function prepareFactStatuses<F extends DatedFact>(
  facts: readonly F[],
  options: ThreadOptions,
): (fact: F) => readonly FactStatus<F>[] {
  const threaded = new SubjectThreads(saidBy(facts, options), options);
  const { above, top } = ladderOf(groupsOf(threaded.strands, options));
  return (fact) =>
    saidBy([fact], options).flatMap((one) =>
      grouped(one, placesOf(threaded.strandsOf(one), options.day)).flatMap((group) =>
        group.above !== null && topOf(group.above, above, top) !== undefined ? [] : [group.standing],
      ),
    );
}

/** The facts that were stated on or before the day. */
function saidBy<F extends DatedFact>(facts: readonly F[], { day }: ThreadOptions): readonly F[] {
  return facts.filter((fact) => fact.day === null || fact.day <= day);
}

function groupsOf<F extends DatedFact>(
  strands: ReadonlyMap<F, readonly ThreadEntry<F>[]>,
  { day }: ThreadOptions,
): readonly Group<F>[] {
  return [...strands].flatMap(([fact, own]) => grouped(fact, placesOf(own, day)));
}

/** Next newer fact of each fact, and the facts at the top of their threads. */
function ladderOf<F extends DatedFact>(groups: readonly Group<F>[]) {
  const above = new Map<F, F>();
  const top = new Set<F>();
  for (const { standing, above: next } of groups) {
    const up = next ?? standing.by;
    if (up !== null && !above.has(standing.fact)) above.set(standing.fact, up);
    if (next === null && standing.place !== 'before' && standing.place !== 'nowhere') top.add(standing.fact);
  }
  return { above, top };
}

/** The fact at the top of a thread. Undefined if all facts above are over. */
function topOf<F>(from: F, above: ReadonlyMap<F, F>, top: ReadonlySet<F>): F | undefined {
  let fact: F | undefined = from;
  for (let steps = 0; fact !== undefined && !top.has(fact) && steps <= above.size; steps++) fact = above.get(fact);
  return fact !== undefined && top.has(fact) ? fact : undefined;
}

/**
 * The place of each clause. A clause without a day and without later clauses gets the place of the event or plan before
 * it: `ran 5 km on May 3, the first run since`.
 */
function placesOf<F extends DatedFact>(strands: readonly ThreadEntry<F>[], day: Day): readonly Placed<F>[] {
  const places: Placed<F>[] = [];
  for (const strand of strands) {
    const [own, last] = [placeOf(strand, day), places.at(-1)];
    const isOpen = own.place === 'now' && strand.newerEntry === undefined && strand.part.validTo === undefined;
    const follows = isOpen && last !== undefined && (last.place === 'lately' || last.place === 'planned');
    places.push(follows ? { ...last, part: strand.part } : own);
  }
  return places;
}

function placeOf<F extends DatedFact>(strand: ThreadEntry<F>, day: Day): Placed<F> {
  const { fact, part, newerEntry, settledBy, isSaidAgain, verdict, over } = strand;
  const { validFrom: from = null, validTo: to = null } = part;
  const at: Placed<F> = {
    part,
    place: 'now',
    from: from ?? fact.day,
    to,
    ending: null,
    by: null,
    settledBy: verdict?.by ?? null,
    over: over ?? null,
    changesOn: null,
    above: null,
  };
  if (isSaidAgain) return { ...at, place: 'nowhere', by: newerEntry?.fact ?? null };
  if (settledBy !== undefined && newerEntry !== undefined) return { ...at, ...settledAs(newerEntry, verdict) };
  if (fact.kind === 'experience') return { ...at, place: 'lately', from: fact.day, to: null };
  if (hasEnded(part, day)) return { ...at, place: 'before', ending: 'ended' };
  if (part.isPast) return { ...at, from, place: 'before', ending: 'ended', settledBy: 'words' };
  const above = newerEntry?.fact ?? null;
  if (fact.kind === 'opinion') return { ...at, above, place: 'preferences' };
  if (part.isEvent) return { ...at, above, place: 'lately' };
  if (isUpcoming(part, day)) return { ...at, above, from, place: 'planned', changesOn: dayAfter(from, to, part) };
  // Whether the clause was planned for days that are over.
  const isDone = from !== null && to !== null && !part.isPeriod && !part.isHabit && to < day && to >= (fact.day ?? to);
  if (isDone) return { ...at, above, place: 'lately' };
  return { ...at, above, changesOn: to === null ? null : addDays(to, 1) };
}

/** The place of a clause that the words of a later clause, or a judge, ended. */
function settledAs<F extends DatedFact>({ part, fact: by }: ThreadEntry<F>, verdict: PairVerdict | undefined) {
  const ending = verdict?.relation === 'ends' ? 'ended' : 'replaced';
  const to = part.validFrom ?? by.day;
  return { place: 'before', ending, to, by, settledBy: verdict?.by ?? 'words' } as const;
}

function dayAfter(from: Day | null, to: Day | null, { isPeriod }: Clause): Day | null {
  return isPeriod ? from : (to ?? from);
}

/** Groups the clauses of a fact by their place and the later facts that they are linked with. */
function grouped<F extends DatedFact>(fact: F, parts: readonly Placed<F>[]): readonly Group<F>[] {
  const groups =
    parts.length === 1 ? [parts] : groupBy(parts, ({ place, by, above }) => `${place} ${by?.id} ${above?.id}`).values();
  return [...groups].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const { part, above, ...placed } = first;
    const text = textOf(fact, group, parts.length);
    return [{ above, standing: { fact, text, ...placed, earlier: [] } }];
  });
}

/** Stands for the parts of a fact that have another status. */
export const OMITTED_PART = '[…]';

/** The text of a fact. `[…]` replaces the clauses of other groups, and the words that no longer apply. */
function textOf({ text }: DatedFact, group: readonly Placed<DatedFact>[], parts: number): string {
  let said = text;
  if (group.length < parts) {
    const [first, last] = [group[0]?.part, group.at(-1)?.part];
    let at = first?.from ?? 0;
    said = (first?.from ?? 0) > 0 ? `${OMITTED_PART} ` : '';
    for (const { part } of group) {
      const between = text.slice(at, part.from);
      const own = text.slice(part.from, part.to).trimEnd();
      said += between.length > 6 ? ` ${OMITTED_PART} ${own.trim()}` : between + (part === first ? own.trim() : own);
      at = part.to;
    }
    if ((last?.to ?? text.length) < text.trimEnd().length - 1) said += ` ${OMITTED_PART}`;
  }
  const over = group[0]?.over ?? null;
  return over === null ? said : said.replace(over, OMITTED_PART);
}
