import type { Day } from '../base/clock.js';
import { groupBy } from '../base/order.js';
import { list, nullable, number, type ReportFields, type ReportOf, text } from '../base/report.js';
import type { FoundUnit, IndexSearch, UnitFilter, UnitKey } from '../index/search.js';
import { joinEntityName } from '../markdown/bullet.js';
import { AwayFiles } from '../memory/away.js';
import { entitySlug } from '../text/slug.js';
import { withBeliefConfidence } from './answer/attach-beliefs.js';
import { toResult } from './answer/result.js';
import { checkSources } from './answer/sources.js';
import type { BeliefLookup } from './beliefs.js';
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
  lines: list<{ readonly text: string; readonly source: string }>(),
  lineCount: number(),
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

interface EntitySource {
  readonly search: IndexSearch;
  readonly beliefs: BeliefLookup;
  /** Files that are away (temporarily unavailable). Default: none. */
  readonly away?: AwayFiles;
}

const MOST_UNITS = 5_000;
const MOST_MONTHS = 24;
const MOST_LINES = 10;

/** Collects the page of an entity and at most `most` facts about it. Undefined if nothing mentions the entity. */
export function showEntity(
  { search, beliefs, away = AwayFiles.NONE }: EntitySource,
  name: string,
  most = Number.POSITIVE_INFINITY,
): EntityView | undefined {
  const known = search.entity(entitySlug(name));
  if (known === undefined) return undefined;
  const filter: UnitFilter = { withResources: false };
  const units = search
    .units(search.linked([...known.slugs, ...known.links], filter, MOST_UNITS))
    .toSorted((a, b) => b.key - a.key);
  const ofPage = units.filter((unit) => unit.file.path === known.path).sort((a, b) => a.line - b.line);
  const facts = units.filter((unit) => unit.fact !== null).sort(newestFirst);
  const lines = units
    .filter(({ fact, file }) => fact === null && file.path !== known.path && file.role !== 'copy')
    .sort(newestFirst);
  const days = units
    .map((unit) => unit.file.day)
    .filter((day) => day !== null)
    .sort();
  const sourced = checkSources(facts.map(toFoldedResult), search, away);
  const elsewhere = new Set(sourced.away.map(({ unit }) => unit));
  const folded = fold([...sourced.here, ...sourced.away], beliefs);
  const shown = folded.slice(0, most);
  const keys = new Set(shown.flatMap(({ unit }) => keysAround(unit)));
  const around = new Map(search.units([...keys]).map((unit) => [unit.key, unit]));
  const unitAt = (key: UnitKey) => around.get(key) ?? search.unit(key);
  return {
    name: known.name ?? writtenName(units, known.slug),
    slug: known.slug,
    aliases: known.slugs.slice(1),
    page: known.path,
    summary: ofPage.filter((unit) => unit.fact === null).map(asLine),
    facts: shown.map((item) =>
      toResult(
        withBeliefConfidence(item, beliefs),
        { search, beliefs },
        elsewhere.has(item.unit) ? { sourceAway: true } : {},
        unitAt,
      ),
    ),
    factCount: folded.length,
    lines: lines.slice(0, MOST_LINES).map(asLine),
    lineCount: lines.length,
    related: related(facts, new Set(known.slugs)),
    timeline: timeline(facts).slice(most < facts.length ? -MOST_MONTHS : 0),
    firstMention: days[0] ?? null,
    lastMention: days.at(-1) ?? null,
  };
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
  const [dayA, dayB] = [a.file.day ?? '', b.file.day ?? ''];
  return dayA === dayB ? a.key - b.key : dayA > dayB ? -1 : 1;
}

function writtenName(units: readonly FoundUnit[], slug: string): string {
  for (const { detail } of units) {
    const name = detail?.entities?.find((entity) => entitySlug(entity) === slug);
    if (name !== undefined) return name;
  }
  return slug;
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
