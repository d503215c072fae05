import type { Day } from '../base/clock.js';
import type { Database } from '../db/open.js';
import type { PageRole } from '../memory/pages.js';
import type { Unit, UnitKind } from '../memory/unit.js';

/**
 * One database behind an answer. Normally there is one. While another process writes, changed files are read into a second
 * database in memory, and their rows in the first one are masked.
 */
export interface Segment {
  readonly db: Database;
  /** Ids of files whose rows are outdated. */
  readonly masked: ReadonlySet<number>;
}

/** A unit of any segment. Keys sort in the order of the units in their file. */
export type UnitKey = number;

export interface FoundUnit extends Omit<Unit, 'section' | 'slugs' | 'search'> {
  readonly key: UnitKey;
  readonly file: FoundFile;
  /** Key of the heading above it, or null. */
  readonly section: UnitKey | null;
}

/** The fields of a unit that its neighbours need. */
export interface FoundLine {
  readonly key: UnitKey;
  /** File and section ids within the segment: equal for nearby lines of the same section. */
  readonly file: number;
  readonly section: number;
  readonly text: string;
}

export interface FoundFile {
  readonly segment: number;
  readonly id: number;
  readonly path: string;
  readonly day: Day | null;
  readonly role: PageRole;
  readonly pageType: string | null;
  readonly firstUnit: UnitKey;
  readonly lastUnit: UnitKey;
}

/** A file by its content. */
export interface IndexedFile {
  readonly path: string;
  /** Hash of its content. */
  readonly hash: string;
  readonly role: PageRole;
}

/** Hard conditions on the units of an answer. */
export interface Filter {
  readonly kinds?: readonly UnitKind[] | undefined;
  /** Slugs: the unit must be linked to one of them. */
  readonly entities?: readonly string[] | undefined;
  /** Globs: the path of its page must match one of them. */
  readonly paths?: readonly string[] | undefined;
  /** The unit, its section or its page must have one of these tags, in the form of `tagKeys`. */
  readonly tags?: readonly string[] | undefined;
  /** Inclusive. The source day must be inside, or the written validity must overlap. */
  readonly since?: Day | undefined;
  readonly until?: Day | undefined;
  /** The source day must not be later (undated units pass), and a written validity must overlap [asOfFrom, asOf]. */
  readonly asOf?: Day | undefined;
  readonly asOfFrom?: Day | undefined;
  readonly withResources: boolean;
}

export interface Hit {
  readonly key: UnitKey;
  /** The score of FTS5, negated: larger is better. */
  readonly bm25: number;
}

/** Number of typed facts, and of other units without headings. */
export interface UnitCounts {
  readonly facts: number;
  readonly lines: number;
}

/** The matches of a full-text expression. */
export interface TextMatch {
  readonly count: number;
  /** In no meaningful order; undefined when there are too many, and then `count` is an estimate. */
  readonly keys: readonly UnitKey[] | undefined;
}

export interface KnownEntity {
  readonly slug: string;
  /** Its slug and those of its aliases: units may be linked to any of them. */
  readonly slugs: readonly string[];
  /** Link slugs of its page: a link to the page mentions the entity. Empty without a page. */
  readonly links: readonly string[];
  /** As written on its page; null when it is only mentioned. */
  readonly name: string | null;
  readonly path: string | null;
}
