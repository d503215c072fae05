import type { Day } from '../../base/clock.js';
import { addToGroup } from '../../base/order.js';
import { dayOfUnit } from '../../index/found.js';
import type { FoundUnit, IndexSearch, UnitFilter, UnitKey } from '../../index/search.js';
import { addDays } from '../../language/time/calendar.js';
import { LEAST_SHOWN_CONFIDENCE } from '../../memory/confidence.js';
import { type DatedFact, factStatuses, type StatusSection } from '../../memory/threads/fact-status.js';
import type { FinalPairVerdicts } from '../../memory/threads/verdicts.js';
import type { BeliefLookup } from '../beliefs.js';
import type { QuestionReading } from '../parse/reading.js';
import type { RecallQuery } from '../request.js';
import { type AsOfContext, asOfContext, isLater, opinionAsOf } from './as-of.js';
import type { FoldedResult } from './fold.js';
import { type StatementUnit, slugReader, toStatement } from './statement-unit.js';

/** The facts that held on a day. Only a question such as "what was true in May?" has them. */
export interface StateAt {
  /** The facts in the order of the answer: states first, then plans, then events. */
  readonly listed: readonly FoundUnit[];
  /** Keys of the facts that the answer leaves out: they were over, or a newer fact of their thread is listed. */
  readonly left: ReadonlySet<UnitKey>;
}

interface StateSource {
  readonly search: IndexSearch;
  readonly beliefs: BeliefLookup;
  readonly verdicts?: () => FinalPairVerdicts;
}

/** The days of a question for what was true. */
interface StateDays {
  readonly day: Day;
  /** The first day of what has happened. */
  readonly since: Day;
}

/** For a day without a month, this many days before it count as the time in which something happened. */
const LATELY_DAYS = 30;

/** The day of a question that asks for nothing but what was true then. Undefined for all other questions. */
export function stateDaysOf(request: RecallQuery, reading: QuestionReading): StateDays | undefined {
  const day = request.asOf ?? reading.asOf;
  if (day === null || request.since !== undefined || request.until !== undefined) return undefined;
  // "What happened in May" asks for no state, whatever the options say.
  if (!reading.isBare || (reading.window !== null && reading.asOf === null)) return undefined;
  const { since = null, until = null } = request.asOf === undefined ? (reading.window ?? {}) : {};
  return { day, since: since === null || since === until ? addDays(day, -LATELY_DAYS) : since };
}

/** Maximum number of facts that are read, the newest first. */
const MOST_FACTS = 5_000;
const FACT_KINDS = ['world', 'experience', 'opinion', 'observation'] as const;

/** The groups of the list, in their order, each with its statuses. */
const GROUPS: readonly (readonly StatusSection[])[] = [['now', 'preferences'], ['planned'], ['lately']];

type StateFact = StatementUnit & DatedFact;

/**
 * Finds what was true on a day. In each group the first results are one statement of each subject, that of which most is
 * told first. Then the second of each follows, and so on. Of each thread only the newest statement is listed.
 * @param filter the filters of the request, without its times
 */
export function stateAt(source: StateSource, filter: UnitFilter, { day, since }: StateDays): StateAt {
  const { search } = source;
  const facts = factsUntil(source, filter, day);
  const bySubject = new Map<string, StateFact[]>();
  for (const fact of facts)
    for (const subject of fact.subjects.length > 0 ? fact.subjects : [fact.id]) addToGroup(bySubject, subject, fact);
  const subjects = [...bySubject.values()].sort((a, b) => b.length - a.length);
  const placed = subjects.map((own) => groupsOf(own, { day, verdicts: source.verdicts?.() }, since));
  // A statement about two subjects is not the newest of its thread if it is not for one of them.
  const beneath = new Set(subjects.flatMap((own, at) => own.filter((fact) => !placed[at]?.has(fact))));
  const keys = facts.flatMap((fact) => (beneath.has(fact) ? [] : fact.unit.key));
  const allowed = new Set(search.allowed(keys, { ...filter, asOf: day }));
  const listed = new Set<FoundUnit>();
  for (const group of GROUPS.keys()) {
    const queues = placed.map((groups) =>
      [...groups].flatMap(([{ unit }, at]) => (at === group && allowed.has(unit.key) ? unit : [])),
    );
    takeInTurn(queues, listed);
  }
  return { listed: [...listed], left: new Set([...beneath].map(({ unit }) => unit.key)) };
}

/** The facts that were stated until a day, each once. */
function factsUntil({ search, beliefs }: StateSource, filter: UnitFilter, day: Day): readonly StateFact[] {
  const slugOf = slugReader(search);
  const asOf = asOfContext({ search, beliefs }, day);
  const until = { withResources: filter.withResources, kinds: FACT_KINDS, asOf: day, asOfFrom: '0000-01-01' } as const;
  const facts = new Map<string, StateFact>();
  for (const found of [...beliefs.all(), ...search.units(search.filtered(until, MOST_FACTS))]) {
    const unit = statedThen(found, beliefs, asOf);
    if (unit === undefined) continue;
    const told = toStatement(unit, slugOf, day);
    const fact = { ...told, day: told.day ?? dayOfUnit(unit), isJob: false };
    const known = facts.get(fact.id);
    // A copy of a fact on a curated page has no day: the log says when it was stated.
    if (fact.day !== null && (known === undefined || known.unit.file.day === null)) facts.set(fact.id, fact);
  }
  return [...facts.values()];
}

/**
 * A fact as it was on a day; a belief has the confidence of that day. Undefined for a line that only shows another fact,
 * and for a belief that began later or was less than likely.
 */
function statedThen(found: FoundUnit, beliefs: BeliefLookup, asOf: AsOfContext): FoundUnit | undefined {
  const { role } = found.file;
  if (found.fact === null || role === 'entity' || role === 'copy' || isLater(found, asOf)) return undefined;
  if (role !== 'opinions') {
    const belief = beliefs.of(found);
    return belief === undefined || isLater(belief, asOf) ? found : undefined;
  }
  const unit = opinionAsOf(found, asOf);
  return (unit.detail?.confidence ?? 1) < LEAST_SHOWN_CONFIDENCE ? undefined : unit;
}

/** The group of each fact of a subject that stands at the top of a thread, the newest first. */
function groupsOf(
  own: readonly StateFact[],
  options: { readonly day: Day; readonly verdicts: FinalPairVerdicts | undefined },
  since: Day,
): ReadonlyMap<StateFact, number> {
  const groups = new Map<StateFact, number>();
  for (const { fact, place, from, to } of factStatuses(own, options)) {
    const group = GROUPS.findIndex((places) => places.includes(place));
    if (group < 0) continue;
    const isOld = place === 'lately' && (to ?? from ?? fact.day ?? since) < since;
    groups.set(fact, Math.min(groups.get(fact) ?? GROUPS.length, isOld ? GROUPS.length : group));
  }
  return groups;
}

/** Adds the first of each queue, then the second of each, and so on. */
function takeInTurn(queues: readonly (readonly FoundUnit[])[], taken: Set<FoundUnit>): void {
  const open = queues.map((queue) => queue.filter((unit) => !taken.has(unit))).filter(({ length }) => length > 0);
  const most = Math.max(0, ...open.map(({ length }) => length));
  for (let turn = 0; turn < most; turn++)
    for (const queue of open) {
      const next = queue[turn];
      if (next !== undefined) taken.add(next);
    }
}

/**
 * Puts what was true on a day before all other results, and leaves out what was over. Pure.
 * @param items the best first
 */
export function stateFirst(items: readonly FoldedResult[], { listed, left }: StateAt): readonly FoldedResult[] {
  const places = new Map(listed.map(({ key }, place) => [key, place]));
  const placeOf = ({ unit, standsFor }: FoldedResult): number =>
    Math.min(...[unit, ...standsFor].map(({ key }) => places.get(key) ?? Number.POSITIVE_INFINITY));
  const placed = items.map((item) => ({ item, place: placeOf(item) }));
  const isLeft = ({ unit, standsFor }: FoldedResult): boolean => [unit, ...standsFor].some(({ key }) => left.has(key));
  return [
    ...placed.filter(({ place }) => place < listed.length).sort((a, b) => a.place - b.place),
    ...placed.filter(({ item, place }) => place >= listed.length && !isLeft(item)),
  ].map(({ item }) => item);
}
