import type { Day } from '../../base/clock.js';
import type { FoundUnit, Search } from '../../index/search.js';
import { statementTerms } from '../../language/words/terms.js';
import { compareState, isOldValue, readState, type StateStatement } from '../../memory/attribute.js';
import { isReplaced, type Replacement, readReplacement } from '../../memory/replacement.js';
import { entitySlug } from '../../text/slug.js';
import type { Ranked } from './rank.js';

/** A result that a later fact has replaced ranks behind it: its score is cut to this share. */
const SUPERSEDED_SHARE = 0.6;
/** Where it keeps its place otherwise, it comes right behind what replaced it. */
const JUST_BEHIND = 0.999;
/** Log text that has so many of a fact's terms says the same. */
const SAME_SHARE = 0.6;
/** Only results that may be shown are looked at, and of each entity only so many of its latest units. */
const MOST_RESULTS = 40;
const MOST_OF_ENTITY = 150;

export interface SupersedeOptions {
  /** Later facts than of this day do not count. */
  readonly until: Day;
  /** Whether replaced statements rank much lower; they are marked, and behind what replaced them, anyway. */
  readonly demote: boolean;
}

export interface Supersession {
  readonly ranked: readonly Ranked[];
  /** Superseded unit to the id of the fact that replaced it. Log text is only ranked lower. */
  readonly marks: ReadonlyMap<FoundUnit, string>;
}

/**
 * Finds what later facts have replaced: a fact of the same kind about the same entity whose value a later one says it
 * replaces ("moved from A to B", "no longer A", 不再A), or that states another value of the same attribute. What is not
 * plain stays unmarked, and experiences (B) never contradict: they happened.
 */
export function supersede(
  search: Search,
  ranked: readonly Ranked[],
  { until, demote }: SupersedeOptions,
): Supersession {
  const top = ranked.slice(0, MOST_RESULTS);
  const later = laterFacts(search, top, until);
  const replaced = new Map<FoundUnit, FoundUnit>();
  if (later.length > 0)
    for (const { unit } of top) {
      const by = replacedBy(unit, later);
      if (by !== undefined) replaced.set(unit, by.unit);
    }
  for (const { unit } of top) {
    const by = unit.fact === null && !replaced.has(unit) ? tellsOf(unit, replaced) : undefined;
    if (by !== undefined) replaced.set(unit, by);
  }
  if (replaced.size === 0) return { ranked, marks: new Map() };
  const marks = new Map<FoundUnit, string>();
  for (const [unit, by] of replaced) if (unit.fact !== null && by.fact !== null) marks.set(unit, by.fact);
  const scores = new Map(ranked.map(({ unit, score }) => [unit.key, score]));
  const rescored = ranked.map((entry) => {
    const by = replaced.get(entry.unit);
    if (by === undefined) return entry;
    // Where history is asked for, what was true once is an answer, but what is true goes before it.
    const most = demote ? entry.score * SUPERSEDED_SHARE : (scores.get(by.key) ?? entry.score) * JUST_BEHIND;
    return { ...entry, score: Math.min(entry.score, most) };
  });
  return { ranked: rescored.sort((a, b) => b.score - a.score), marks };
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

interface LaterFact {
  readonly unit: FoundUnit;
  readonly day: string;
  readonly slugs: ReadonlySet<string>;
  readonly replacement: Replacement | undefined;
  readonly state: StateStatement | undefined;
}

/** The dated facts about the entities of the results that say something a fact can contradict, the newest first. */
function laterFacts(search: Search, top: readonly Ranked[], until: string): readonly LaterFact[] {
  const units = new Map<number, FoundUnit>();
  for (const { unit } of top) units.set(unit.key, unit);
  const slugs = new Set(top.slice(0, 12).flatMap(({ unit }) => slugsOf(unit)));
  for (const slug of [...slugs].slice(0, 6)) {
    for (const unit of search.latestFacts(slug, MOST_OF_ENTITY)) if (!units.has(unit.key)) units.set(unit.key, unit);
  }
  const facts: LaterFact[] = [];
  for (const unit of units.values()) {
    const day = unit.file.day;
    if (unit.fact === null || day === null || day > until || unit.kind === 'experience') continue;
    const replacement = readReplacement(unit.text);
    const state = readState(unit.text);
    if (replacement === undefined && state === undefined) continue;
    facts.push({ unit, day, slugs: new Set(slugsOf(unit)), replacement, state });
  }
  return facts.sort((a, b) => (a.day === b.day ? b.unit.line - a.unit.line : a.day > b.day ? -1 : 1));
}

function slugsOf({ detail }: FoundUnit): readonly string[] {
  return (detail?.entities ?? []).map(entitySlug);
}

function replacedBy(unit: FoundUnit, later: readonly LaterFact[]): LaterFact | undefined {
  const day = unit.file.day;
  if (day === null || unit.kind === 'experience') return undefined;
  const earlier = new Earlier(unit);
  return later.find((fact) => fact.day > day && contradicts(fact, earlier));
}

/** A statement that may be replaced. Its terms are read when the first fact may contradict it: of most none does. */
class Earlier {
  readonly slugs: readonly string[];
  private read: ReadonlySet<string> | undefined;

  constructor(readonly unit: FoundUnit) {
    this.slugs = slugsOf(unit);
  }

  get terms(): ReadonlySet<string> {
    this.read ??= new Set(statementTerms(this.unit.text));
    return this.read;
  }

  isAbout({ slugs }: LaterFact): boolean {
    return this.slugs.some((slug) => slugs.has(slug));
  }

  /** Log text often links no entity: it must name what a fact is about. */
  names({ slugs }: LaterFact): boolean {
    const has = (word: string): boolean =>
      this.terms.has(word) || statementTerms(word).every((term) => this.terms.has(term));
    return [...slugs].some((slug) => slug.split('-').every(has));
  }
}

function contradicts(later: LaterFact, earlier: Earlier): boolean {
  const { replacement } = later;
  const { unit } = earlier;
  if (unit.fact === null) {
    if (replacement === undefined || !(earlier.isAbout(later) || earlier.names(later))) return false;
    return isReplaced(earlier.terms, replacement);
  }
  if (later.unit.kind !== unit.kind || !earlier.isAbout(later)) return false;
  const state = readState(unit.text);
  if (replacement !== undefined && (isReplaced(earlier.terms, replacement) || isOldValue(state, replacement)))
    return true;
  return later.state !== undefined && compareState(state, later.state) === 'other value';
}
