import type { Day } from '../base/clock.js';
import type { DaySpan } from '../language/time/calendar.js';
import { type ListedEntity, listEntities } from './entity-list.js';
import type {
  FoundFile,
  FoundLine,
  FoundUnit,
  FullTextHit,
  FullTextMatches,
  IndexedFile,
  IndexSegment,
  KnownEntity,
  UnitCounts,
  UnitKey,
} from './found.js';
import { isHeading, isPageUnit } from './found.js';
import type { LineCodes } from './meaning/line-codes.js';
import { type NameUses, readNameUses } from './name-uses.js';
import type { UnitFilter } from './query/filter-sql.js';
import { SEGMENT_ID_RANGE, SegmentSearch } from './query/segment-search.js';
import type { Notice } from './tree.js';

export type * from './found.js';
export type { UnitFilter };

/** How many units below a heading, or below the head of a table, are looked at. */
const LOOKED_AT = { below: 16, onPage: 40 } as const;

/**
 * Answers all queries for units, files and entities of the index. The object stores no data except prepared statements
 * and caches.
 */
export class IndexSearch {
  private static readonly open = new WeakMap<readonly IndexSegment[], IndexSearch>();
  private readonly parts: readonly SegmentSearch[];

  constructor(private readonly segments: readonly IndexSegment[]) {
    this.parts = segments.map((segment, number) => new SegmentSearch(segment, number));
  }

  /** Always returns the same instance for the same open index, so that several answers share its caches. */
  static of(segments: readonly IndexSegment[]): IndexSearch {
    const search = IndexSearch.open.get(segments) ?? new IndexSearch(segments);
    IndexSearch.open.set(segments, search);
    return search;
  }

  /**
   * Runs a function on a snapshot of the index: writes of other processes stay invisible. A snapshot needs one lock for all
   * statements. This saves a third of the time of a short statement.
   */
  async atOneMoment<T>(work: () => Promise<T>): Promise<T> {
    for (const part of this.parts) part.begin();
    try {
      return await work();
    } finally {
      for (const part of this.parts) part.end();
    }
  }

  /** The index without the files that have a later day than the given one. Undefined if there are no such files. */
  upTo(day: Day): IndexSearch | undefined {
    const segments = this.parts.map((part) => part.upTo(day));
    return segments.every((segment, number) => segment === this.segments[number])
      ? undefined
      : new IndexSearch(segments);
  }

  /** Approximate number of units in the index. */
  size(): number {
    return this.parts.reduce((sum, part) => sum + part.size(), 0);
  }

  /**
   * The units that match a full-text expression, without a filter. If a database has `cap` or more of them, no units are
   * returned, but an estimate of their number.
   */
  having(expression: string, cap: number): FullTextMatches {
    const found = this.parts.map((part) => part.having(expression, cap));
    const count = found.reduce((sum, part) => sum + part.count, 0);
    const keys = found.some((part) => part.keys === undefined) ? undefined : found.flatMap((part) => part.keys ?? []);
    return { count, keys };
  }

  /** The indexed stems that start with a string. */
  vocabulary(beginning: string): readonly string[] {
    return [...new Set(this.parts.flatMap((part) => part.vocabulary(beginning)))].sort();
  }

  /** The best matches of a full-text expression. */
  match(expression: string, filter: UnitFilter, limit: number): readonly FullTextHit[] {
    const hits = this.parts.flatMap((part) => part.match(expression, filter, limit));
    return this.parts.length === 1 ? hits : hits.sort((a, b) => b.bm25 - a.bm25 || a.key - b.key).slice(0, limit);
  }

  /**
   * Units that match a full-text expression and also contain the string `needle`. A unit that is a list of tags need
   * not contain this string. Units that were indexed last come first.
   */
  containing(expression: string, needle: string, filter: UnitFilter, limit: number): readonly UnitKey[] {
    return this.parts.flatMap((part) => part.containing(expression, needle, filter, limit));
  }

  /**
   * Units that are linked to one of the entities. Units of the latest days come first.
   * @param limit maximum per entity
   */
  linked(slugs: readonly string[], filter: UnitFilter, limit: number): readonly UnitKey[] {
    return this.parts.flatMap((part) => part.linked(slugs, filter, limit));
  }

  /** Units with a key between two keys, both included, in the order of their keys. */
  keyed(range: readonly [first: string, last: string], filter: UnitFilter, limit: number): readonly UnitKey[] {
    return this.parts.flatMap((part) => part.keyed(range, filter, limit));
  }

  /** The latest days, up to a day, of logs and of lines with a day of their own. The newest first, at most `limit`. */
  latestDays(until: Day, limit: number): readonly Day[] {
    const days = this.parts.flatMap((part) => part.latestDays(until, limit));
    return [...new Set(days)].sort().reverse().slice(0, limit);
  }

  /** Units that pass a filter, the newest first. Fast with a range of days; without one it may read every row. */
  filtered(filter: UnitFilter, limit: number): readonly UnitKey[] {
    return this.parts.flatMap((part) => part.filtered(filter, limit));
  }

  /**
   * The last day before a span and the first day after it that have a matching unit. A unit matches if it passes the filter,
   * whatever its day.
   */
  nearestDays(span: DaySpan, filter: UnitFilter): readonly Day[] {
    const found = this.parts.map((part) => part.nearestDays(span, filter));
    const before = found
      .flatMap(([day]) => day ?? [])
      .sort()
      .at(-1);
    const [after] = found.flatMap(([, day]) => day ?? []).sort();
    return [before, after].filter((day) => day !== undefined);
  }

  /** Returns only those of the given units that pass a filter. */
  allowed(keys: readonly UnitKey[], filter: UnitFilter): readonly UnitKey[] {
    return this.parts.flatMap((part) => part.allowed(keys, filter));
  }

  /** The files that were read without an error, in path order. */
  files(): readonly IndexedFile[] {
    return this.parts.flatMap((part) => part.files.indexed());
  }

  /** Number of files that were read without an error. */
  fileCount(): number {
    return this.parts.reduce((sum, part) => sum + part.files.count(), 0);
  }

  /** Pages that exist but could not be read. */
  unreadFiles(): readonly Notice[] {
    return this.parts.flatMap((part) => part.files.unread());
  }

  /** Finds the file that has this path. If the file has just changed, its new state is returned. */
  file(path: string): FoundFile | undefined {
    for (const part of this.parts) {
      const file = part.files.at(path);
      if (file !== undefined) return file;
    }
    return undefined;
  }

  unit(key: UnitKey): FoundUnit | undefined {
    return this.part(key)?.units([key])[0];
  }

  /**
   * The units from one key to another, both included. `from` may lie before the first unit of its database, but `to` must
   * exist.
   */
  range(from: UnitKey, to: UnitKey): readonly FoundUnit[] {
    return this.part(to)?.range(from, to) ?? [];
  }

  /** The units below a heading, or below the head of a table, as far as they are looked at; none below other units. */
  unitsBelow(unit: FoundUnit): readonly FoundUnit[] {
    const { key, file, detail } = unit;
    if (!isHeading(unit) && !detail?.cells) return [];
    return this.range(key + 1, Math.min(key + (isPageUnit(unit) ? LOOKED_AT.onPage : LOOKED_AT.below), file.lastUnit));
  }

  /** Those of {@link unitsBelow} that stand directly below a heading, or are rows of a table. */
  linesBelow(unit: FoundUnit): readonly FoundUnit[] {
    const { key, file, detail } = unit;
    const position = key - file.firstUnit;
    return this.unitsBelow(unit).filter((line) =>
      detail?.cells ? line.detail?.under === position : line.section === key,
    );
  }

  /**
   * Like {@link range}, but only typed facts; with `slugs`, only those that are linked to one of these entities. Other units
   * are not read.
   */
  factsIn(from: UnitKey, to: UnitKey, slugs?: readonly string[]): readonly FoundUnit[] {
    return this.part(to)?.factsIn(from, to, slugs) ?? [];
  }

  /** Number of facts in a file, and of other lines that are not headings. */
  countIn({ firstUnit, lastUnit }: FoundFile): UnitCounts {
    return this.part(lastUnit)?.countIn(firstUnit, lastUnit) ?? { facts: 0, lines: 0 };
  }

  /** Like {@link range}, but only the texts of the units. For units that are only shown beside others. */
  lines(from: UnitKey, to: UnitKey): readonly FoundLine[] {
    return this.part(to)?.lines(from, to) ?? [];
  }

  /** The units with the given keys, in no particular order. Runs one SQL query per database, not one per unit. */
  units(keys: readonly UnitKey[]): readonly FoundUnit[] {
    return this.parts.flatMap((part) => part.units(keys));
  }

  /** The texts of the units with the given keys. For units that are only shown beside others. */
  texts(keys: readonly UnitKey[]): ReadonlyMap<UnitKey, string> {
    return new Map(this.parts.flatMap((part) => part.texts(keys)));
  }

  /** Like {@link units}, but only the units that are typed facts. */
  facts(keys: readonly UnitKey[]): readonly FoundUnit[] {
    return this.parts.flatMap((part) => part.facts(keys));
  }

  /** Like {@link facts}, but only facts that state a period in which they hold, and only if the day is in this period. */
  factsFor(day: Day, keys: readonly UnitKey[]): readonly FoundUnit[] {
    return this.parts.flatMap((part) => part.facts(keys, day));
  }

  /**
   * The newest facts among the given units, the newest first. Facts count only if they stand in a daily log, on a topic
   * page, on a page of the bank or in the core file, and if this file has a day.
   * @param limit maximum number
   */
  newestFacts(keys: readonly UnitKey[], limit: number): readonly UnitKey[] {
    return this.parts.flatMap((part) => part.newestFacts(keys, limit));
  }

  /** The facts among the given units whose pages have no day, with all other units that state the same facts. */
  undatedFacts(keys: readonly UnitKey[]): readonly UnitKey[] {
    return this.parts.flatMap((part) => part.undatedFacts(keys));
  }

  /**
   * Takes the latest units that are linked to an entity, and returns those that are facts.
   * @param limit how many units are taken
   */
  latestFacts(slug: string, limit: number): readonly FoundUnit[] {
    return this.parts.flatMap((part) => part.latestFacts(slug, limit));
  }

  /** All units that have the given fact id: the fact itself and its copies on other pages. */
  statements(fact: string): readonly FoundUnit[] {
    return this.statementsOf([fact]);
  }

  /** Like {@link statements}, but for several fact ids. One SQL query reads all units of a database. */
  statementsOf(facts: readonly string[]): readonly FoundUnit[] {
    return this.parts.flatMap((part) => part.statements(facts));
  }

  /** Like `statementsOf`, but returns only the keys of the units. */
  stating(facts: readonly string[]): readonly UnitKey[] {
    return this.parts.flatMap((part) => part.stating(facts).map(([, key]) => key));
  }

  /**
   * For each of the given facts, the first day on which a log or topic page states it. Facts that no such page states are
   * left out.
   */
  daysOf(facts: readonly string[]): ReadonlyMap<string, Day | null> {
    return new Map(this.parts.flatMap((part) => part.daysOf(facts)));
  }

  /** Finds the line of log text with an id. Slow: ids of log text are not stored, so every line is read. */
  logLine(id: string): FoundUnit | undefined {
    for (const part of this.parts) {
      const found = part.logLine(id);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Ids that begin with some characters, at most `limit`. Slow for ids of log text: every line is read. */
  idsWith(beginning: string, limit: number): readonly string[] {
    if (!beginning.startsWith('l-')) return [...new Set(this.parts.flatMap((part) => part.factIds(beginning, limit)))];
    const found = new Set<string>();
    for (const part of this.parts)
      for (const [id] of part.logLines())
        if (id.startsWith(beginning) && found.add(id).size === limit) return [...found];
    return [...found];
  }

  /**
   * Number of earlier lines of the same file that have the same text. The id of a log line depends on this number, so
   * that equal lines have different ids.
   */
  occurrence(unit: FoundUnit): number {
    return this.part(unit.key)?.occurrence(unit) ?? 0;
  }

  /**
   * Finds the entity with this slug as name or alias. An entity without a page is found only if it is mentioned somewhere.
   */
  entity(slug: string): KnownEntity | undefined {
    // In a text, punctuation at the end of a mention does not belong to the name: `@__proto__` stands for `__proto`. So also
    // try the slug without this punctuation.
    for (const name of new Set([slug, slug.replace(/[._-]+$/, '')])) {
      for (const part of this.parts) {
        const known = part.entity(name);
        if (known !== undefined) return known;
      }
    }
    return undefined;
  }

  /** All entities, the most mentioned first. */
  entities(): readonly ListedEntity[] {
    return listEntities(this.segments);
  }

  /** The codes of the vectors of all units that have one, of the built-in model with this digest. */
  lineCodes(digest: string): readonly LineCodes[] {
    return this.parts.flatMap((part) => part.lineCodes(digest) ?? []);
  }

  /** Where the notes may name somebody in plain words. Slow: reads every line. */
  nameUses(): NameUses {
    return readNameUses(this.segments);
  }

  private part(key: UnitKey): SegmentSearch | undefined {
    return this.parts[Math.floor(key / SEGMENT_ID_RANGE)];
  }
}
