import type { Day } from '../base/clock.js';
import type { Database } from '../db/open.js';
import type { PageRole } from '../memory/pages.js';
import type { Unit, UnitKind } from '../memory/unit.js';

/**
 * One database of an answer. Normally there is one; while another process writes, changed files are read into a second
 * one in memory, and the first one's rows of those files are masked.
 */
export interface Segment {
  readonly db: Database;
  /** Ids of files whose rows are not true any more. */
  readonly masked: ReadonlySet<number>;
}

/** A unit of any segment. Orders as the units of its file do. */
export type UnitKey = number;

export interface FoundUnit extends Omit<Unit, 'section' | 'slugs' | 'search'> {
  readonly key: UnitKey;
  readonly file: FoundFile;
  /** Key of the heading that it stands under, or null. */
  readonly section: UnitKey | null;
}

/** As much of a unit as others beside it need. */
export interface FoundLine {
  readonly key: UnitKey;
  /** Of its segment's files and headings: equal to those of a line nearby when they are in the same section. */
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
  /** Of its bytes. */
  readonly hash: string;
  readonly role: PageRole;
}

/** Hard conditions on what may be an answer. */
export interface Filter {
  readonly kinds?: readonly UnitKind[] | undefined;
  /** Slugs: one of these must be linked. */
  readonly entities?: readonly string[] | undefined;
  /** Globs: the path of its page must be one of these. */
  readonly paths?: readonly string[] | undefined;
  /** It, its section or its page must have one of these, as `tagKeys` has them. */
  readonly tags?: readonly string[] | undefined;
  /** Inclusive; the source day inside, or written validity overlapping. */
  readonly since?: Day | undefined;
  readonly until?: Day | undefined;
  /** Source day not later (undated stays), and a written validity, if any, overlapping [asOfFrom, asOf]. */
  readonly asOf?: Day | undefined;
  readonly asOfFrom?: Day | undefined;
  readonly withResources: boolean;
}

export interface Hit {
  readonly key: UnitKey;
  /** FTS5's, negated: larger is better. */
  readonly bm25: number;
}

/** How many units are typed facts, and how many others are no headings. */
export interface UnitCounts {
  readonly facts: number;
  readonly lines: number;
}

/** What a full-text expression finds. */
export interface TextMatch {
  readonly count: number;
  /** In no order that means anything; undefined when there are too many, and `count` is an estimate then. */
  readonly keys: readonly UnitKey[] | undefined;
}

export interface KnownEntity {
  readonly slug: string;
  /** Its slug and those of its aliases: units may be linked to any. */
  readonly slugs: readonly string[];
  /** What links to its page are joined by: they mention it, too. None without a page. */
  readonly links: readonly string[];
  /** As written on its page; null when it is only mentioned. */
  readonly name: string | null;
  readonly path: string | null;
}
