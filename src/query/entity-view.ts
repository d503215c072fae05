import type { Day } from '../base/clock.js';
import { compareText, groupBy } from '../base/order.js';
import { list, nullable, number, type ReportFields, type ReportOf, text } from '../base/report.js';
import { dayOfUnit } from '../index/found.js';
import type { FoundUnit, IndexSearch, UnitFilter, UnitKey } from '../index/search.js';
import { openTimeReader } from '../language/time/read-time.js';
import { statesDecision } from '../line/said.js';
import { readValidity } from '../line/validity.js';
import { joinEntityName } from '../markdown/bullet.js';
import { AwayFiles } from '../memory/away.js';
import { entitySlug } from '../text/slug.js';
import { withBeliefConfidence } from './answer/attach-beliefs.js';
import { toResult } from './answer/result.js';
import { checkSources } from './answer/sources.js';
import type { BeliefLookup } from './beliefs.js';
import { findMentions, newestLineFirst } from './mentions.js';
import { type AsOfContext, asOfContext, isLater, opinionAsOf } from './rank/as-of.js';
import { fold, toFoldedResult } from './rank/fold.js';
import type { RecallResult } from './request.js';

/** Everything that the memory knows about one entity. */
export const ENTITY_VIEW = {
  name: text(),
  slug: text(),
  aliases: list(),
  /** Path of the entity's page. Null if the entity has no page. */
  page: nullable<string>(),
  /** The lines of the entity's page that are not facts. */
  summary: list<{ readonly text: string; readonly source: string }>(),
  /** Typed facts about the entity, newest first. At most as many as were asked for. */
  facts: list<RecallResult>(),
  /** Number of all facts about the entity. */
  factCount: number(),
  /** The newest lines that name the entity and are not facts, at most {@link MOST_LINES}. */
  lines: list<EntityMention>(),
  lineCount: number(),
  /** Lines of the core that name the entity, with the lines below them, at most {@link MOST_LINES}. */
  core: list<{ readonly text: string; readonly source: string }>(),
  /** The newest lines and facts that name the entity only in plain words, at most {@link MOST_LINES}. */
  mentions: list<EntityMention>(),
  mentionCount: number(),
  /** The newest of all these lines that state a decision, at most {@link MOST_DECISIONS}. */
  decisions: list<EntityMention>(),
  /**
   * The lines that name a day `on` after the day of the line, at most {@link MOST_DATES}. Days to come are first, the next
   * one before the others; then past days, the latest first.
   */
  dates: list<EntityMention & { readonly on: Day }>(),
  /** Other entities that facts about this entity name, most frequent first. */
  related: list<{ readonly name: string; readonly facts: number }>(),
  /**
   * Number of facts in each month, in order. Only the last {@link MOST_MONTHS} months if fewer facts were asked for than
   * there are.
   */
  timeline: list<{ readonly month: string; readonly facts: number }>(),
  firstMention: nullable<Day>(),
  lastMention: nullable<Day>(),
} satisfies ReportFields;

export type EntityView = ReportOf<typeof ENTITY_VIEW>;

/** A line that names an entity, and its day. */
interface EntityMention {
  readonly text: string;
  readonly source: string;
  readonly day: Day | null;
}

interface EntitySource {
  /** The day on which somebody asks. */
  readonly today: Day;
  readonly search: IndexSearch;
  readonly beliefs: BeliefLookup;
  /** Files that are away (temporarily unavailable). Default: none. */
  readonly away?: AwayFiles;
}

const MOST_UNITS = 5_000;
const MOST_MONTHS = 24;
const MOST_LINES = 10;
const MOST_DECISIONS = 5;
const MOST_DATES = 5;
/** Maximum number of the newest lines that are searched for days. */
const MOST_DATED = 100;
/** Maximum number of lines of a page that is a note of a person. */
const MOST_OF_NOTE = 20;

/**
 * Collects the page of an entity and at most `most` facts about it. Undefined if nothing mentions the entity.
 * @param asOf leaves out what was written later, and beside facts all that has no day
 */
export function showEntity(
  { search: whole, beliefs, today, away = AwayFiles.NONE }: EntitySource,
  name: string,
  most = Number.POSITIVE_INFINITY,
  asOf?: Day,
): EntityView | undefined {
  const search = searchAt(whole, asOf);
  const then = asOf === undefined ? undefined : asOfContext({ search: whole, beliefs }, asOf);
  const wasThere = (unit: FoundUnit): boolean => then === undefined || isStatedThen(unit, then);
  const slug = entitySlug(name);
  const linked = search.entity(slug);
  const known = linked ?? { slug, slugs: [slug], links: [], name: null, path: null };
  const found = findMentions(search, known.slugs);
  const mentioned = then === undefined ? found : { ...found, core: [], lines: found.lines.filter(wasThere) };
  if (linked === undefined && !mentioned.isName) return undefined;
  const filter: UnitFilter = { withResources: false };
  const units = search
    .units(search.linked([...known.slugs, ...known.links], filter, MOST_UNITS))
    .filter(wasThere)
    .map((unit) => (then === undefined ? unit : opinionAsOf(unit, then)))
    .sort((a, b) => b.key - a.key);
  // The index may list names of later days.
  if (then !== undefined && units.length + mentioned.lines.length === 0) return undefined;
  const page = known.path ?? mentioned.page?.file.path ?? null;
  const ofPage =
    known.path === null
      ? linesOfNote(search, mentioned.page).filter(wasThere)
      : units.filter((unit) => unit.file.path === page);
  const facts = units.filter((unit) => unit.fact !== null).sort(newestFirst);
  const lines = units
    .filter(({ fact, file }) => fact === null && file.path !== page && file.role !== 'copy')
    .sort(newestFirst);
  const isTold = new Set(units.map(({ key }) => key));
  const mentions = mentioned.lines.filter(({ key, file }) => file.path !== page && !isTold.has(key));
  const plain = [...lines, ...mentions].sort(newestLineFirst);
  const decisions = plain.filter(({ text }) => statesDecision(text));
  const days = [...units.map((unit) => unit.file.day), ...mentions.map(dayOfUnit)].filter((day) => day !== null).sort();
  const sourced = checkSources(facts.map(toFoldedResult), search, away);
  const elsewhere = new Set(sourced.away.map(({ unit }) => unit));
  const folded = fold([...sourced.here, ...sourced.away], beliefs);
  const shown = folded.slice(0, most);
  const keys = new Set(shown.flatMap(({ unit }) => keysAround(unit)));
  const around = new Map(search.units([...keys]).map((unit) => [unit.key, unit]));
  const unitAt = (key: UnitKey) => around.get(key) ?? search.unit(key);
  return {
    name: known.name ?? writtenName(units, known.slug) ?? mentioned.written ?? name.replace(/^@/, ''),
    slug: known.slug,
    aliases: known.slugs.slice(1),
    page,
    summary: ofPage
      .filter((unit) => unit.fact === null)
      .sort((a, b) => a.line - b.line)
      .map(asLine),
    facts: shown.map((item) =>
      toResult(
        asOf === undefined ? withBeliefConfidence(item, beliefs) : item,
        { search, beliefs, until: asOf },
        elsewhere.has(item.unit) ? { sourceAway: true } : {},
        unitAt,
      ),
    ),
    factCount: folded.length,
    lines: lines.slice(0, MOST_LINES).map(asMention),
    lineCount: lines.length,
    core: mentioned.core.slice(0, MOST_LINES).map(asLine),
    mentions: mentions.slice(0, MOST_LINES).map(asMention),
    mentionCount: mentions.length,
    decisions: decisions.slice(0, MOST_DECISIONS).map(asMention),
    dates: datesIn(plain.slice(0, MOST_DATED), asOf ?? today),
    related: related(facts, new Set(known.slugs)),
    timeline: timeline(facts).slice(most < facts.length ? -MOST_MONTHS : 0),
    firstMention: days[0] ?? null,
    lastMention: days.at(-1) ?? null,
  };
}

/** The index, without the logs of later days than the given one. */
export function searchAt(search: IndexSearch, asOf: Day | undefined): IndexSearch {
  return asOf === undefined ? search : (search.upTo(asOf) ?? search);
}

/** Reads the confidence of beliefs by their ids, or by those of the facts that they came from. */
export function confidenceReader(
  { search, beliefs }: Omit<EntitySource, 'today'>,
  asOf?: Day,
): (id: string) => number | undefined {
  const then = asOf === undefined ? undefined : asOfContext({ search, beliefs }, asOf);
  return (id) => {
    const belief = beliefs.byId(id);
    if (belief === undefined || then === undefined) return belief?.detail?.confidence;
    return isLater(belief, then) ? undefined : opinionAsOf(belief, then).detail?.confidence;
  };
}

/** Whether a unit was there on a day: a fact that is no line of a generated page, or a line of that day or an earlier one. */
function isStatedThen(unit: FoundUnit, then: AsOfContext): boolean {
  const day = dayOfUnit(unit);
  if (unit.fact === null) return day !== null && day <= then.day;
  return unit.file.role !== 'entity' && (day ?? then.day) <= then.day && !isLater(unit, then);
}

function linesOfNote(search: IndexSearch, page: FoundUnit | undefined): readonly FoundUnit[] {
  if (page === undefined) return [];
  const { firstUnit, lastUnit } = page.file;
  return search.range(firstUnit + 1, Math.min(firstUnit + MOST_OF_NOTE, lastUnit));
}

/** The lines that name a day after their own, in the order of {@link ENTITY_VIEW}. */
function datesIn(units: readonly FoundUnit[], today: Day): EntityView['dates'] {
  const dated = units.flatMap((unit) => {
    const day = dayOfUnit(unit);
    const { from, to } = readValidity(unit.text, day, openTimeReader(unit.text)) ?? { from: null, to: null };
    const on = from ?? to;
    return on === null || on <= (day ?? '') ? [] : [{ ...asMention(unit), on }];
  });
  const ahead = dated.filter(({ on }) => on >= today).sort((a, b) => compareText(a.on, b.on));
  const past = dated.filter(({ on }) => on < today).sort((a, b) => compareText(b.on, a.on));
  return [...ahead, ...past].slice(0, MOST_DATES);
}

function asMention(unit: FoundUnit): EntityMention {
  return { ...asLine(unit), day: dayOfUnit(unit) };
}

function asLine({ text, file, line }: FoundUnit) {
  return { text, source: `${file.path}#L${line}` };
}

/** Keys of the units that a result needs to show where it is: the heading above it, and the first three units of its page. */
function keysAround({ file: { firstUnit, lastUnit }, section }: FoundUnit): readonly UnitKey[] {
  const first = [firstUnit, firstUnit + 1, firstUnit + 2].filter((key) => key <= lastUnit);
  return section === null ? first : [...first, section];
}

function timeline(facts: readonly FoundUnit[]): EntityView['timeline'] {
  const months = facts.flatMap(({ file }) => file.day?.slice(0, 7) ?? []).sort();
  return [...groupBy(months, (month) => month)].map(([month, { length }]) => ({ month, facts: length }));
}

function newestFirst(a: FoundUnit, b: FoundUnit): number {
  return compareText(b.file.day ?? '', a.file.day ?? '') || a.key - b.key;
}

function writtenName(units: readonly FoundUnit[], slug: string): string | undefined {
  for (const { detail } of units) {
    const name = detail?.entities?.find((entity) => entitySlug(entity) === slug);
    if (name !== undefined) return name;
  }
  return undefined;
}

function related(facts: readonly FoundUnit[], own: ReadonlySet<string>): EntityView['related'] {
  const counts = new Map<string, { name: string; facts: number }>();
  for (const { detail, text } of facts) {
    for (const name of detail?.entities ?? []) {
      const slug = entitySlug(name);
      if (own.has(slug) || own.has(entitySlug(joinEntityName(name, text) ?? ''))) continue;
      const entry = counts.get(slug) ?? { name, facts: 0 };
      entry.facts++;
      counts.set(slug, entry);
    }
  }
  return [...counts.values()].sort((a, b) => b.facts - a.facts || (a.name < b.name ? -1 : 1));
}
