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

/** Rows to candidates: the only place that asks the index. Holds no state but prepared statements and what it has read. */
export class Search {
  private static readonly open = new WeakMap<readonly Segment[], Search>();
  private readonly parts: readonly SegmentSearch[];

  constructor(private readonly segments: readonly Segment[]) {
    this.parts = segments.map((segment, number) => new SegmentSearch(segment, number));
  }

  /** The one of an index that may stay open from one answer to the next. */
  static of(segments: readonly Segment[]): Search {
    const search = Search.open.get(segments) ?? new Search(segments);
    Search.open.set(segments, search);
    return search;
  }

  /**
   * Does some work on the index as it is at one moment, whatever another process writes meanwhile. Also spares every
   * statement inside its own lock, a third of what short ones take.
   */
  async atOneMoment<T>(work: () => Promise<T>): Promise<T> {
    for (const part of this.parts) part.begin();
    try {
      return await work();
    } finally {
      for (const part of this.parts) part.end();
    }
  }

  /** The same index without the files of later days; undefined where there are none. */
  upTo(day: Day): Search | undefined {
    const segments = this.parts.map((part) => part.upTo(day));
    return segments.every((segment, number) => segment === this.segments[number]) ? undefined : new Search(segments);
  }

  /** How many units there are, about. */
  size(): number {
    return this.parts.reduce((sum, part) => sum + part.size(), 0);
  }

  /** The units that a full-text expression finds; only about how many when they are `cap` or more. Nothing is filtered. */
  having(expression: string, cap: number): TextMatch {
    const found = this.parts.map((part) => part.having(expression, cap));
    const count = found.reduce((sum, part) => sum + part.count, 0);
    const keys = found.some((part) => part.keys === undefined) ? undefined : found.flatMap((part) => part.keys ?? []);
    return { count, keys };
  }

  /** The stems that words of the full text have, of those with a beginning. */
  vocabulary(beginning: string): readonly string[] {
    return [...new Set(this.parts.flatMap((part) => part.vocabulary(beginning)))].sort();
  }

  /** The best units of a full-text expression. */
  match(expression: string, filter: Filter, limit: number): readonly Hit[] {
    const hits = this.parts.flatMap((part) => part.match(expression, filter, limit));
    return this.parts.length === 1 ? hits : hits.sort((a, b) => b.bm25 - a.bm25 || a.key - b.key).slice(0, limit);
  }

  /** Units of a full-text expression in which a string stands, or that are lists of tags; those indexed last first. */
  containing(expression: string, needle: string, filter: Filter, limit: number): readonly UnitKey[] {
    return this.parts.flatMap((part) => part.containing(expression, needle, filter, limit));
  }

  /** Units that are linked to one of some entities, at most so many of each, those of the latest days first. */
  linked(slugs: readonly string[], filter: Filter, limit: number): readonly UnitKey[] {
    return this.parts.flatMap((part) => part.linked(slugs, filter, limit));
  }

  /** Units that a filter lets through, the newest first. Cheap with a time window; without one it may read every row. */
  filtered(filter: Filter, limit: number): readonly UnitKey[] {
    return this.parts.flatMap((part) => part.filtered(filter, limit));
  }

  /** The days nearest to a window, before and after it, of which there is a unit that a filter lets through. */
  nearestDays(filter: Filter): readonly Day[] {
    const found = this.parts.map((part) => part.nearestDays(filter));
    const before = found
      .flatMap(([day]) => day ?? [])
      .sort()
      .at(-1);
    const [after] = found.flatMap(([, day]) => day ?? []).sort();
    return [before, after].filter((day) => day !== undefined);
  }

  /** Those of some units that a filter lets through. */
  allowed(keys: readonly UnitKey[], filter: Filter): readonly UnitKey[] {
    return this.parts.flatMap((part) => part.allowed(keys, filter));
  }

  /** The files that are read well, in path order. */
  files(): readonly IndexedFile[] {
    return this.parts.flatMap((part) => part.files.indexed());
  }

  /** How many files are read well. */
  fileCount(): number {
    return this.parts.reduce((sum, part) => sum + part.files.count(), 0);
  }

  /** Pages that are there and could not be read. */
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

  /** Units from key to key, both included; only `from` may be before the first of its segment. */
  range(from: UnitKey, to: UnitKey): readonly FoundUnit[] {
    return this.part(to)?.range(from, to) ?? [];
  }

  /** As {@link range}, typed facts only, or of these what is linked to one of some entities: the others are not read. */
  factsIn(from: UnitKey, to: UnitKey, slugs?: readonly string[]): readonly FoundUnit[] {
    return this.part(to)?.factsIn(from, to, slugs) ?? [];
  }

  /** How many units of a file are facts, and how many other lines that are no headings. */
  countIn({ firstUnit, lastUnit }: FoundFile): UnitCounts {
    return this.part(lastUnit)?.countIn(firstUnit, lastUnit) ?? { facts: 0, lines: 0 };
  }

  /** The texts of units from key to key: as `range`, for those that are only looked at beside others. */
  lines(from: UnitKey, to: UnitKey): readonly FoundLine[] {
    return this.part(to)?.lines(from, to) ?? [];
  }

  /** Some units, in one read for each segment, in no order that means anything. */
  units(keys: readonly UnitKey[]): readonly FoundUnit[] {
    return this.parts.flatMap((part) => part.units(keys));
  }

  /** The texts of some units, for those that are only looked at beside others. */
  texts(keys: readonly UnitKey[]): ReadonlyMap<UnitKey, string> {
    return new Map(this.parts.flatMap((part) => part.texts(keys)));
  }

  /** Those of some units that are typed facts, in one read for each segment. */
  facts(keys: readonly UnitKey[]): readonly FoundUnit[] {
    return this.parts.flatMap((part) => part.facts(keys));
  }

  /** As {@link facts}, those of a period with both ends that a day is in. */
  factsFor(day: Day, keys: readonly UnitKey[]): readonly FoundUnit[] {
    return this.parts.flatMap((part) => part.facts(keys, day));
  }

  /** Of some units so many of those that are facts of pages with a day that state some, the newest. */
  newestFacts(keys: readonly UnitKey[], limit: number): readonly UnitKey[] {
    return this.parts.flatMap((part) => part.newestFacts(keys, limit));
  }

  /** Of some units those that are facts of pages without a day that state some, with what they are views of. */
  undatedFacts(keys: readonly UnitKey[]): readonly UnitKey[] {
    return this.parts.flatMap((part) => part.undatedFacts(keys));
  }

  /** The typed facts among the units that are linked to an entity, of the latest days. */
  latestFacts(slug: string, limit: number): readonly FoundUnit[] {
    return this.parts.flatMap((part) => part.latestFacts(slug, limit));
  }

  /** All statements with a fact id: the fact and its views. */
  statements(fact: string): readonly FoundUnit[] {
    return this.statementsOf([fact]);
  }

  /** As `statements` for several, in one read for each segment. */
  statementsOf(facts: readonly string[]): readonly FoundUnit[] {
    return this.parts.flatMap((part) => part.statements(facts));
  }

  /** As `statementsOf`, which reads them. */
  stating(facts: readonly string[]): readonly UnitKey[] {
    return this.parts.flatMap((part) => part.stating(facts).map(([, key]) => key));
  }

  /** Of some facts those that a log or topic states, with the first day of one that does. */
  daysOf(facts: readonly string[]): ReadonlyMap<string, Day | null> {
    return new Map(this.parts.flatMap((part) => part.daysOf(facts)));
  }

  /** The line of log text that has an id. Reads every line: ids of log text are not stored. */
  logLine(id: string): FoundUnit | undefined {
    for (const part of this.parts) {
      const found = part.logLine(id);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Ids that begin so, at most `limit`. Of log text it reads every line. */
  idsWith(beginning: string, limit: number): readonly string[] {
    if (!beginning.startsWith('l-')) return [...new Set(this.parts.flatMap((part) => part.factIds(beginning, limit)))];
    const found = new Set<string>();
    for (const part of this.parts)
      for (const [id] of part.logLines())
        if (id.startsWith(beginning) && found.add(id).size === limit) return [...found];
    return [...found];
  }

  /** How many earlier lines of its file have the same text: part of a log line's id. */
  occurrence(unit: FoundUnit): number {
    return this.part(unit.key)?.occurrence(unit) ?? 0;
  }

  /** The entity that a slug is the name or an alias of, or a mentioned one without a page. */
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
