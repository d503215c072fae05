import type { Day } from '../base/clock.js';
import { type ListedEntity, listEntities } from './entity-list.js';
import type {
  Filter,
  FoundFile,
  FoundLine,
  FoundUnit,
  Hit,
  IndexedFile,
  KnownEntity,
  Segment,
  TextMatch,
  UnitCounts,
  UnitKey,
} from './found.js';
import { SEGMENT_SIZE, SegmentSearch } from './query/segment-search.js';
import type { Notice } from './tree.js';

export type * from './found.js';

/**
 * Turns rows into candidates: the only code that queries the index. Holds no state except prepared statements and caches.
 */
export class Search {
  private static readonly open = new WeakMap<readonly Segment[], Search>();
  private readonly parts: readonly SegmentSearch[];

  constructor(private readonly segments: readonly Segment[]) {
    this.parts = segments.map((segment, number) => new SegmentSearch(segment, number));
  }

  /** The shared instance for an index that may stay open between answers. */
  static of(segments: readonly Segment[]): Search {
    const search = Search.open.get(segments) ?? new Search(segments);
    Search.open.set(segments, search);
    return search;
  }

  /**
   * Runs work on a snapshot of the index, whatever another process writes meanwhile. Also spares each statement its own
   * lock: a third of the time of short statements.
   */
  async atOneMoment<T>(work: () => Promise<T>): Promise<T> {
    for (const part of this.parts) part.begin();
    try {
      return await work();
    } finally {
      for (const part of this.parts) part.end();
    }
  }

  /** The same index without the files of later days; undefined if there are none. */
  upTo(day: Day): Search | undefined {
    const segments = this.parts.map((part) => part.upTo(day));
    return segments.every((segment, number) => segment === this.segments[number]) ? undefined : new Search(segments);
  }

  /** Approximate number of units. */
  size(): number {
    return this.parts.reduce((sum, part) => sum + part.size(), 0);
  }

  /** The units that match a full-text expression; only an estimated count when there are `cap` or more. Not filtered. */
  having(expression: string, cap: number): TextMatch {
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
  match(expression: string, filter: Filter, limit: number): readonly Hit[] {
    const hits = this.parts.flatMap((part) => part.match(expression, filter, limit));
    return this.parts.length === 1 ? hits : hits.sort((a, b) => b.bm25 - a.bm25 || a.key - b.key).slice(0, limit);
  }

  /** Matches of a full-text expression that contain a string or are lists of tags; the last indexed first. */
  containing(expression: string, needle: string, filter: Filter, limit: number): readonly UnitKey[] {
    return this.parts.flatMap((part) => part.containing(expression, needle, filter, limit));
  }

  /**
   * Units that are linked to one of the entities, those of the latest days first.
   * @param limit maximum per entity
   */
  linked(slugs: readonly string[], filter: Filter, limit: number): readonly UnitKey[] {
    return this.parts.flatMap((part) => part.linked(slugs, filter, limit));
  }

  /** Units that pass a filter, the newest first. Cheap with a time window; without one it may read every row. */
  filtered(filter: Filter, limit: number): readonly UnitKey[] {
    return this.parts.flatMap((part) => part.filtered(filter, limit));
  }

  /** The nearest days before and after a window that have a unit which passes the filter. */
  nearestDays(filter: Filter): readonly Day[] {
    const found = this.parts.map((part) => part.nearestDays(filter));
    const before = found
      .flatMap(([day]) => day ?? [])
      .sort()
      .at(-1);
    const [after] = found.flatMap(([, day]) => day ?? []).sort();
    return [before, after].filter((day) => day !== undefined);
  }

  /** The given units that pass a filter. */
  allowed(keys: readonly UnitKey[], filter: Filter): readonly UnitKey[] {
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

  /** A file as it is now. */
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

  /** Units from key to key, both included; only `from` may lie before the first unit of the segment. */
  range(from: UnitKey, to: UnitKey): readonly FoundUnit[] {
    return this.part(to)?.range(from, to) ?? [];
  }

  /**
   * As {@link range}, but typed facts only, optionally only those that are linked to one of the entities: no other unit is
   * read.
   */
  factsIn(from: UnitKey, to: UnitKey, slugs?: readonly string[]): readonly FoundUnit[] {
    return this.part(to)?.factsIn(from, to, slugs) ?? [];
  }

  /** Number of facts in a file, and of other lines that are not headings. */
  countIn({ firstUnit, lastUnit }: FoundFile): UnitCounts {
    return this.part(lastUnit)?.countIn(firstUnit, lastUnit) ?? { facts: 0, lines: 0 };
  }

  /** The texts of units from key to key: like `range`, for units that are only context. */
  lines(from: UnitKey, to: UnitKey): readonly FoundLine[] {
    return this.part(to)?.lines(from, to) ?? [];
  }

  /** Units by key, with one query per segment, in no meaningful order. */
  units(keys: readonly UnitKey[]): readonly FoundUnit[] {
    return this.parts.flatMap((part) => part.units(keys));
  }

  /** The texts of units, for units that are only context. */
  texts(keys: readonly UnitKey[]): ReadonlyMap<UnitKey, string> {
    return new Map(this.parts.flatMap((part) => part.texts(keys)));
  }

  /** The given units that are typed facts, with one query per segment. */
  facts(keys: readonly UnitKey[]): readonly FoundUnit[] {
    return this.parts.flatMap((part) => part.facts(keys));
  }

  /** As {@link facts}, but only facts of a closed period that contains the day. */
  factsFor(day: Day, keys: readonly UnitKey[]): readonly FoundUnit[] {
    return this.parts.flatMap((part) => part.facts(keys, day));
  }

  /**
   * The newest of the given units that are facts of dated pages which state facts.
   * @param limit maximum number
   */
  newestFacts(keys: readonly UnitKey[], limit: number): readonly UnitKey[] {
    return this.parts.flatMap((part) => part.newestFacts(keys, limit));
  }

  /** The given units that are facts of undated pages which state facts, with the facts that they are views of. */
  undatedFacts(keys: readonly UnitKey[]): readonly UnitKey[] {
    return this.parts.flatMap((part) => part.undatedFacts(keys));
  }

  /** The typed facts among the latest units that are linked to an entity. */
  latestFacts(slug: string, limit: number): readonly FoundUnit[] {
    return this.parts.flatMap((part) => part.latestFacts(slug, limit));
  }

  /** All statements with a fact id: the fact and its views. */
  statements(fact: string): readonly FoundUnit[] {
    return this.statementsOf([fact]);
  }

  /** As `statements` for several facts, with one query per segment. */
  statementsOf(facts: readonly string[]): readonly FoundUnit[] {
    return this.parts.flatMap((part) => part.statements(facts));
  }

  /** The keys of the units that `statementsOf` reads. */
  stating(facts: readonly string[]): readonly UnitKey[] {
    return this.parts.flatMap((part) => part.stating(facts).map(([, key]) => key));
  }

  /** The given facts that a log or topic page states, with the first day on which one does. */
  daysOf(facts: readonly string[]): ReadonlyMap<string, Day | null> {
    return new Map(this.parts.flatMap((part) => part.daysOf(facts)));
  }

  /** The line of log text with an id. Reads every line: ids of log text are not stored. */
  logLine(id: string): FoundUnit | undefined {
    for (const part of this.parts) {
      const found = part.logLine(id);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Ids with this beginning, at most `limit`. For ids of log text it reads every line. */
  idsWith(beginning: string, limit: number): readonly string[] {
    if (!beginning.startsWith('l-')) return [...new Set(this.parts.flatMap((part) => part.factIds(beginning, limit)))];
    const found = new Set<string>();
    for (const part of this.parts)
      for (const [id] of part.logLines())
        if (id.startsWith(beginning) && found.add(id).size === limit) return [...found];
    return [...found];
  }

  /** Number of earlier lines of the file with the same text: part of the id of a log line. */
  occurrence(unit: FoundUnit): number {
    return this.part(unit.key)?.occurrence(unit) ?? 0;
  }

  /** The entity that has this slug as its name or alias, or a mentioned entity without a page. */
  entity(slug: string): KnownEntity | undefined {
    // A mention ends before its last punctuation: `@__proto__` names `__proto`.
    for (const name of new Set([slug, slug.replace(/[._-]+$/, '')])) {
      for (const part of this.parts) {
        const known = part.entity(name);
        if (known !== undefined) return known;
      }
    }
    return undefined;
  }

  /** Every entity, the most mentioned first. */
  entities(): readonly ListedEntity[] {
    return listEntities(this.segments);
  }

  private part(key: UnitKey): SegmentSearch | undefined {
    return this.parts[Math.floor(key / SEGMENT_SIZE)];
  }
}
