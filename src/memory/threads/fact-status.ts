import type { Day } from '../../base/clock.js';
import { addToGroup, groupBy } from '../../base/order.js';
import { addDays } from '../../language/time/calendar.js';
import type { Clause } from '../../line/statement/statement.js';
import { TEMPORARY_DAYS } from './link-index.js';
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

/** Words of a fact that are over. */
interface OverPart<F extends DatedFact> extends Pick<FactStatus<F>, 'ending' | 'by'> {
  readonly text: string;
}

/** A fact with its status: that of the clause that counts most. */
export interface FactStatus<F extends DatedFact> {
  readonly fact: F;
  /** The words of the fact. Clauses that are over are struck (`~~…~~`), if others are not. */
  readonly text: string;
  /** The struck clauses. */
  readonly struck: readonly OverPart<F>[];
  /** The words of the fact that have this status. */
  readonly held: string;
  /** Other words of the fact that are not over, by their places, if no newer statement is about them. */
  readonly rest: readonly { readonly place: StatusSection; readonly held: string }[];
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

/** A clause with its status. */
interface Placed<F extends DatedFact>
  extends Omit<FactStatus<F>, 'fact' | 'text' | 'struck' | 'held' | 'rest' | 'earlier'> {
  readonly part: Clause;
  /** The later clause about the same topic, if there is no verdict about the two. */
  readonly above: ThreadEntry<F> | null;
}

/** The clauses of facts with their statuses. */
type PlacedFacts<F extends DatedFact> = ReadonlyMap<F, readonly Placed<F>[]>;

/**
 * The status of the facts about one subject on a day, newest first. Only this function decides what holds on a day. Pure.
 */
export function factStatuses<F extends DatedFact>(
  facts: readonly F[],
  options: ThreadOptions,
): readonly FactStatus<F>[] {
  const threads = new TopicThreads(threadEntries(saidBy(facts, options), options), options.day);
  const earlier = new Map<F, FactStatus<F>[]>();
  const standings: FactStatus<F>[] = [];
  for (const [fact, parts] of threads.placed) {
    const root = threads.rootOf(parts);
    const status = statusOf(fact, parts, root?.below);
    if (status === undefined) continue;
    if (root !== undefined) addToGroup(earlier, root.fact, status);
    else standings.push(status);
  }
  return standings.map((standing) => {
    const below = standing.place === 'before' || standing.place === 'nowhere' ? undefined : earlier.get(standing.fact);
    if (below === undefined) return standing;
    // An event is the newest statement about its topic. If an earlier statement below it holds now, show both under Now.
    const place = standing.place === 'lately' && below.some((one) => one.place === 'now') ? 'now' : standing.place;
    return { ...standing, place, earlier: below };
  });
}

/**
 * Makes a function that gives the status of one more fact among the facts of its subject. The status is the same as from
 * {@link factStatuses}, but without its `earlier` facts. There is none for a fact that stands below another. Reading the
 * facts takes linear time, once. After that, each call takes nearly constant time.
 */
export function prepareFactStatuses<F extends DatedFact>(
  facts: readonly F[],
  options: ThreadOptions,
): (fact: F) => readonly FactStatus<F>[] {
  const threaded = new SubjectThreads(saidBy(facts, options), options);
  const threads = new TopicThreads(threaded.strands, options.day);
  return (fact) =>
    saidBy([fact], options).flatMap((one) => {
      const parts = placesOf(threaded.strandsOf(one), options.day);
      return threads.rootOf(parts) === undefined ? (statusOf(one, parts, undefined) ?? []) : [];
    });
}

/** The facts that were stated on or before the day. */
function saidBy<F extends DatedFact>(facts: readonly F[], { day }: ThreadOptions): readonly F[] {
  return facts.filter((fact) => fact.day === null || fact.day <= day);
}

/** Finds the newest statement about the topic of a clause. */
class TopicThreads<F extends DatedFact> {
  readonly placed: PlacedFacts<F>;
  private readonly places = new Map<ThreadEntry<F>, Placed<F>>();

  constructor(strands: ReadonlyMap<F, readonly ThreadEntry<F>[]>, day: Day) {
    const placed = new Map<F, readonly Placed<F>[]>();
    for (const [fact, own] of strands) {
      const parts = placesOf(own, day);
      placed.set(fact, parts);
      for (const [at, strand] of own.entries()) {
        const part = parts[at];
        if (part !== undefined) this.places.set(strand, part);
      }
    }
    this.placed = placed;
  }

  /**
   * The newer fact below which a fact stands: the newest one about the topic of one of its clauses. Undefined if there is
   * none, or if that one stands below another fact by another topic.
   */
  rootOf(parts: readonly Placed<F>[]): { readonly fact: F; readonly below: Placed<F> } | undefined {
    for (const below of parts) {
      const fact = this.newestAbove(below);
      const own = fact && this.placed.get(fact);
      if (fact !== undefined && own?.every((part) => this.newestAbove(part) === undefined)) return { fact, below };
    }
    return undefined;
  }

  /** The fact with the newest clause about the topic of a clause, if that one is not over. */
  private newestAbove({ above }: Placed<F>): F | undefined {
    let at = above ?? undefined;
    for (let steps = 0; at !== undefined && steps <= this.places.size; steps++) {
      const place = this.places.get(at);
      if (place !== undefined && place.above === null && !isOver(place)) return at.fact;
      at = at.newerEntry;
    }
    return undefined;
  }
}

/**
 * The place of each clause. A clause without a day and without later clauses gets the place of the event or plan before
 * it: `ran 5 km on May 3, the first run since`. Behind a comma it also ends with the period before it: `on holiday until
 * May 3, without a laptop`.
 */
function placesOf<F extends DatedFact>(strands: readonly ThreadEntry<F>[], day: Day): readonly Placed<F>[] {
  const places: Placed<F>[] = [];
  for (const strand of strands) {
    const [own, last] = [placeOf(strand, day), places.at(-1)];
    const isOpen = own.place === 'now' && strand.newerEntry === undefined && strand.part.validTo === undefined;
    const hasPeriodEnded = last?.place === 'before' && last.by === null && isBehindComma(strand);
    const follows = isOpen && (last?.place === 'lately' || last?.place === 'planned' || hasPeriodEnded);
    places.push(follows && last !== undefined ? { ...last, part: strand.part } : own);
  }
  return places;
}

function isBehindComma({ fact, part }: ThreadEntry<DatedFact>): boolean {
  return /[,，、]\s*$/.test(fact.text.slice(0, part.from)) || /^\s*[,，、]/.test(fact.text.slice(part.from, part.to));
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
  const above = newerEntry ?? null;
  if (fact.kind === 'opinion') return { ...at, above, place: 'preferences' };
  if (part.isEvent) return { ...at, above, place: 'lately' };
  if (isUpcoming(part, day)) return { ...at, above, from, place: 'planned', changesOn: dayAfter(from, to, part) };
  // Whether the clause was planned for days that are over.
  const isDone = from !== null && to !== null && !part.isPeriod && !part.isHabit && to < day && to >= (fact.day ?? to);
  if (isDone) return { ...at, above, place: 'lately' };
  return { ...at, above, ...heldUntil(fact, part, day) };
}

/** The place of a clause that holds, and the day on which it leaves it. */
function heldUntil(fact: DatedFact, part: Clause, day: Day): Pick<FactStatus<DatedFact>, 'place' | 'changesOn'> {
  const last = part.validTo ?? leavesAfter(fact, part);
  const isOver = part.validTo === undefined && last !== null && last < day;
  return isOver ? { place: 'lately', changesOn: null } : { place: 'now', changesOn: last && addDays(last, 1) };
}

/** The last day on which a temporary state, such as an illness, still holds. Null for a lasting state. */
function leavesAfter({ day, statement }: DatedFact, { isTemporary, validFrom }: Clause): Day | null {
  if (!isTemporary || day === null || statement.some(({ isHabit }) => isHabit)) return null;
  // A state that had lasted for months when it was said is not temporary: "ill since 2019".
  const hasLasted = validFrom !== undefined && addDays(validFrom, LONG_DAYS) < day;
  return hasLasted ? null : addDays(day, TEMPORARY_DAYS);
}

/** Number of days after which a state is no temporary one. */
const LONG_DAYS = 60;

/** The place of a clause that the words of a later clause, or a judge, ended. */
function settledAs<F extends DatedFact>({ part, fact: by }: ThreadEntry<F>, verdict: PairVerdict | undefined) {
  const ending = verdict?.relation === 'ends' ? 'ended' : 'replaced';
  const to = part.validFrom ?? by.day;
  return { place: 'before', ending, to, by, settledBy: verdict?.by ?? 'words' } as const;
}

function dayAfter(from: Day | null, to: Day | null, { isPeriod }: Clause): Day | null {
  return isPeriod ? from : (to ?? from);
}

/** The places, from the one that counts most for a fact with several clauses. */
const PLACES: readonly StatusSection[] = ['now', 'planned', 'preferences', 'lately', 'before', 'nowhere'];

/**
 * The status of a fact, from those of its clauses.
 * @param below the clause by which the fact stands below a newer one
 */
function statusOf<F extends DatedFact>(
  fact: F,
  parts: readonly Placed<F>[],
  below: Placed<F> | undefined,
): FactStatus<F> | undefined {
  const rank = ({ place }: Placed<F>): number => PLACES.indexOf(place);
  const free = parts.filter(({ above }) => above === null);
  const chosen = below ?? (free.length > 0 ? free : parts).toSorted((a, b) => rank(a) - rank(b))[0];
  if (chosen === undefined) return undefined;
  const isElsewhere = (one: Placed<F>): boolean => below !== undefined || one.place !== chosen.place;
  const others = parts.filter((one) => !isOver(one) && one.above === null && isElsewhere(one));
  return combined(fact, chosen, parts, others);
}

function isOver({ place }: { readonly place: StatusSection }): boolean {
  return place === 'before' || place === 'nowhere';
}

/**
 * The fact at the place of one of its clauses. Its text is whole, and what is over is struck.
 * @param others the clauses that have a place of their own
 */
function combined<F extends DatedFact>(
  fact: F,
  chosen: Placed<F>,
  parts: readonly Placed<F>[],
  others: readonly Placed<F>[],
): FactStatus<F> {
  const { part, above, over, ...status } = chosen;
  const ended = isOver(chosen) ? [] : parts.filter(({ place }) => place === 'before');
  const struck = struckParts(fact, ended);
  const by = ended.find((one) => one.by !== null);
  const days = parts.flatMap(({ changesOn }) => changesOn ?? []).sort();
  const held = parts.filter((one) => !isOver(one) && !others.includes(one));
  const rest = groupBy(others, ({ place }) => place);
  const words = [...struck.map(({ text }) => text), over ?? []].flat();
  return {
    ...status,
    fact,
    text: words.reduce((text, one) => (one === text ? text : text.replace(one, () => `~~${one}~~`)), fact.text),
    struck,
    held: heldWords(fact, held.length > 0 ? held : parts, parts.length),
    rest: [...rest].map(([place, of]) => ({ place, held: heldWords(fact, of, parts.length) })),
    by: status.by ?? by?.by ?? null,
    settledBy: status.settledBy ?? by?.settledBy ?? null,
    over: over ?? struck[0]?.text ?? null,
    changesOn: days[0] ?? null,
    earlier: [],
  };
}

/** Clauses that are over. Those beside each other with the same reason are one part. */
function struckParts<F extends DatedFact>(fact: F, ended: readonly Placed<F>[]): readonly OverPart<F>[] {
  const parts: (Pick<OverPart<F>, 'ending' | 'by'> & { readonly from: number; to: number })[] = [];
  for (const { part, ending, by } of ended) {
    const last = parts.at(-1);
    if (last !== undefined && last.by === by && part.from - last.to <= LONGEST_JOINT) last.to = part.to;
    else parts.push({ from: part.from, to: part.to, ending, by });
  }
  return parts.map(({ from, to, ending, by }) => ({ text: textOf(fact, from, to), ending, by }));
}

/** The longest text between two clauses that says nothing by itself: `, and `. */
const LONGEST_JOINT = 6;

/**
 * The words of some clauses of a fact, without those that a judge found over.
 * @param all number of clauses of the fact
 */
function heldWords<F extends DatedFact>(fact: F, parts: readonly Placed<F>[], all: number): string {
  const over = parts[0]?.over ?? null;
  if (parts.length === all && over === null) return fact.text;
  const runs: { readonly from: number; to: number }[] = [];
  for (const { part } of parts) {
    const last = runs.at(-1);
    if (last !== undefined && part.from - last.to <= LONGEST_JOINT) last.to = part.to;
    else runs.push({ from: part.from, to: part.to });
  }
  const said = runs.map(({ from, to }) => textOf(fact, from, to)).join('; ');
  return over === null ? said : withoutEdges(said.replace(over, ''));
}

/** The words of a clause, without the signs that end it. */
function textOf({ text }: DatedFact, from: number, to: number): string {
  return withoutEdges(text.slice(from, to));
}

function withoutEdges(text: string): string {
  return text.replace(/^[\s,;]+|[\s,;.。，；]+$/gu, '');
}
