import type { Day } from '../../base/clock.js';
import type { FoundUnit, Search } from '../../index/search.js';
import { statementTerms } from '../../language/words/terms.js';
import { isReplaced } from '../../memory/supersession/ended-value.js';
import { isNotHolding, isSameState } from '../../memory/supersession/states.js';
import { newestFirst, replacedBy, type Told } from '../../memory/supersession/supersession.js';
import type { UnitKind } from '../../memory/unit.js';
import { entitySlug } from '../../text/slug.js';
import { compareRanked, isMoreExact } from './order.js';
import type { Ranked } from './ranked.js';
import { slugReader, ToldUnit } from './told-unit.js';

/** A result that a later fact has replaced ranks behind it: its score is cut to this share. */
const SUPERSEDED_SHARE = 0.6;
/** Where it keeps its place otherwise, it comes right behind what replaced it. */
const JUST_BEHIND = 0.999;
/** Log text that has so many of a fact's terms says the same. */
const SAME_SHARE = 0.6;
/** Only results that may be shown, if some before them fold, are looked at, and of each entity only its latest units. */
const MORE_RESULTS = 5;
const MOST_OF_ENTITY = 150;
const MOST_ENTITIES = 6;

export interface SupersedeOptions {
  /** So many results may be shown. */
  readonly k: number;
  /** Later facts than of this day do not count. */
  readonly until: Day;
  /** Whether what holds is asked for: what replaced a result then takes its place. Both are marked and ordered anyway. */
  readonly wantsCurrent: boolean;
  /** Whether what says of itself that it is over, or only planned, comes behind what holds. */
  readonly isPresent: boolean;
  /** Whether a unit folds into another result: a line of an entity's page, a log line of a belief. */
  readonly isView: (unit: FoundUnit) => boolean;
  /** Those of some units that may be results. */
  readonly allowed: (units: readonly FoundUnit[]) => readonly FoundUnit[];
  /** The score of one that was no candidate. */
  readonly score: (unit: FoundUnit) => Ranked;
}

export interface Supersession {
  readonly ranked: readonly Ranked[];
  /** Superseded unit to the id of the fact that replaced it. Log text is only ranked lower. */
  readonly marks: ReadonlyMap<FoundUnit, string>;
}

/**
 * Finds what later facts have replaced (see `memory/supersession`), and lets what holds stand before what it replaced.
 * A fact that replaced a result is one, too, whether or not it has the words of the question.
 */
export function supersede(search: Search, ranked: readonly Ranked[], options: SupersedeOptions): Supersession {
  const top = statementsOf(ranked, options);
  const slugOf = slugReader(search);
  const facts = factsBeside(search, top, slugOf, options.until).filter(
    ({ fact }) => fact.day !== null && fact.day <= options.until,
  );
  if (facts.length === 0) return { ranked, marks: new Map() };
  const told = top.map(({ unit }) => new ToldUnit(unit, slugOf, options.until));
  const replaced = findReplaced(told, facts);
  const marks = new Map<FoundUnit, string>();
  for (const [unit, by] of replaced) if (unit.fact !== null && by.fact !== null) marks.set(unit, by.fact);
  const behind = new Map(options.isPresent ? findOver(told, facts, replaced) : []);
  for (const [unit, by] of replaced) behind.set(unit, [by, ...(behind.get(unit) ?? [])]);
  return { ranked: behind.size === 0 ? ranked : inOrder(ranked, behind, options), marks };
}

/** The first results, without what only shows one of them once more. */
function statementsOf(ranked: readonly Ranked[], { k, isView }: SupersedeOptions): readonly Ranked[] {
  const top: Ranked[] = [];
  for (const entry of ranked) {
    if (top.length >= k + MORE_RESULTS) break;
    if (!isView(entry.unit)) top.push(entry);
  }
  return top;
}

/**
 * Lets what holds stand before what it replaced, the newest in the place of that, where that one has no exact token
 * which it lacks.
 */
function inOrder(
  ranked: readonly Ranked[],
  behind: ReadonlyMap<FoundUnit, readonly FoundUnit[]>,
  { wantsCurrent, allowed, score }: SupersedeOptions,
): readonly Ranked[] {
  const entries = new Map(ranked.map((entry) => [entry.unit.key, entry]));
  const newest = [...behind.values()].flatMap(([first]) => first ?? []);
  const missing = wantsCurrent ? newest.filter(({ key }) => !entries.has(key)) : [];
  for (const unit of allowed(missing)) entries.set(unit.key, score(unit));
  const lifted = new Map<FoundUnit, number>();
  const lowered = new Map<FoundUnit, number>();
  const whole = new Map<FoundUnit, boolean>();
  for (const [unit, holding] of behind) {
    const old = entries.get(unit.key);
    const [by, ...others] = holding.flatMap(({ key }) => entries.get(key) ?? []);
    if (old === undefined || by === undefined || isMoreExact(old, by)) continue;
    const own = lifted.get(by.unit) ?? by.score;
    const best = wantsCurrent ? Math.max(own, old.score) : own;
    lifted.set(by.unit, best);
    whole.set(by.unit, by.isWhole || whole.get(by.unit) === true || old.isWhole);
    if (wantsCurrent) whole.set(unit, false);
    // Where history is asked for, what was true once is an answer, but what is true goes before it.
    const most = wantsCurrent ? old.score * SUPERSEDED_SHARE : best * JUST_BEHIND;
    lowered.set(unit, Math.min(old.score, most, ...others.map((other) => other.score * JUST_BEHIND)));
  }
  return [...entries.values()]
    .map((entry) => ({
      ...entry,
      isWhole: whole.get(entry.unit) ?? entry.isWhole,
      score: lowered.get(entry.unit) ?? lifted.get(entry.unit) ?? entry.score,
    }))
    .sort(compareRanked);
}

/** Each replaced unit of some results with the one that replaced it. */
function findReplaced(told: readonly ToldUnit[], facts: readonly ToldUnit[]): ReadonlyMap<FoundUnit, FoundUnit> {
  const replaced = new Map<FoundUnit, FoundUnit>();
  const later = facts.filter((fact) => fact.counts);
  for (const earlier of told) {
    const by = earlier.unit.fact === null ? endedBy(earlier, later) : replacedBy(earlier, later);
    if (by !== undefined) replaced.set(earlier.unit, by.unit);
  }
  for (const { unit } of told) {
    const by = unit.fact === null && !replaced.has(unit) ? tellsOf(unit, replaced) : undefined;
    if (by !== undefined) replaced.set(unit, by);
  }
  return replaced;
}

const SAYS_STATE: ReadonlySet<UnitKind> = new Set(['world', 'observation', 'log']);

/**
 * Each result that is over or only planned, with the facts about the same subject's same state that hold: as the results
 * stand, then the newest first, and what is replaced itself last.
 */
function findOver(
  told: readonly ToldUnit[],
  facts: readonly ToldUnit[],
  replaced: ReadonlyMap<FoundUnit, FoundUnit>,
): ReadonlyMap<FoundUnit, readonly FoundUnit[]> {
  const over = new Map<FoundUnit, readonly FoundUnit[]>();
  const places = new Map(told.map(({ unit }, place) => [unit, place]));
  const placeOf = ({ unit }: ToldUnit) => (replaced.has(unit) ? Number.MAX_VALUE : (places.get(unit) ?? told.length));
  for (const one of told) {
    if (one.subject.size === 0 || !SAYS_STATE.has(one.unit.kind) || !isNotHolding(one)) continue;
    const holding = facts.filter(
      (fact) =>
        SAYS_STATE.has(fact.unit.kind) &&
        fact.isAboutSame(one) &&
        fact.unit !== one.unit &&
        isSameState(one, fact) &&
        !isNotHolding(fact),
    );
    if (holding.length > 0)
      over.set(
        one.unit,
        holding.sort((a, b) => placeOf(a) - placeOf(b)).map(({ unit }) => unit),
      );
  }
  return over;
}

/** The facts about the entities of the results, and these themselves, the newest first. */
function factsBeside(
  search: Search,
  top: readonly Ranked[],
  slugOf: (name: string) => string,
  until: Day,
): readonly ToldUnit[] {
  const units = new Map<number, FoundUnit>();
  for (const { unit } of top) units.set(unit.key, unit);
  const slugs = new Set(top.slice(0, 12).flatMap(({ unit }) => unit.detail?.entities?.map(entitySlug) ?? []));
  for (const slug of [...slugs].slice(0, MOST_ENTITIES)) {
    for (const unit of search.latestFacts(slug, MOST_OF_ENTITY)) if (!units.has(unit.key)) units.set(unit.key, unit);
  }
  return [...units.values()]
    .filter((unit) => unit.fact !== null && unit.kind !== 'experience')
    .map((unit) => new ToldUnit(unit, slugOf, until))
    .sort(newestFirst);
}

/** Log text is ended by a fact that names its value, and is about an entity that the text links or names. */
function endedBy(earlier: ToldUnit, later: readonly ToldUnit[]): ToldUnit | undefined {
  const { day } = earlier.fact;
  if (day === null) return undefined;
  return later.find(({ fact, replacement, subject }) => {
    if (fact.day === null || fact.day <= day || replacement === undefined) return false;
    const isAbout = [...subject].some((slug) => earlier.subject.has(slug) || names(earlier, slug));
    return isAbout && isReplaced(earlier.terms, replacement);
  });
}

function names({ terms }: Told, slug: string): boolean {
  return slug.split('-').every((word) => terms.has(word) || statementTerms(word).every((term) => terms.has(term)));
}

/** What replaced the fact that a line of log text of the same file tells of: the fact was made from it. */
function tellsOf(line: FoundUnit, replaced: ReadonlyMap<FoundUnit, FoundUnit>): FoundUnit | undefined {
  let terms: ReadonlySet<string> | undefined;
  for (const [unit, by] of replaced) {
    if (unit.fact === null || unit.file !== line.file) continue;
    terms ??= new Set(statementTerms(line.text));
    const said = statementTerms(unit.text);
    if (said.filter((term) => terms?.has(term)).length >= SAME_SHARE * said.length) return by;
  }
  return undefined;
}
