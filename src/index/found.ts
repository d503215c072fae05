import type { Day } from '../base/clock.js';
import type { Database } from '../db/open.js';
import type { Unit } from '../line/unit.js';
import { withoutProvenance } from '../markdown/inline.js';
import { textWithLinkLabels } from '../markdown/wiki.js';
import type { PageRole } from '../memory/pages.js';

/**
 * One of the databases that an answer comes from. Normally there is only one. While another process writes, changed files
 * are read into a second database in memory, and their rows in the first one are ignored.
 */
export interface IndexSegment {
  readonly db: Database;
  /** Ids of files whose rows in this database are outdated and must be ignored. */
  readonly masked: ReadonlySet<number>;
}

/** Identifies a unit across all segments. Within a file, keys are in the order of the units. */
export type UnitKey = number;

export interface FoundUnit extends Omit<Unit, 'section' | 'slugs' | 'search'> {
  readonly key: UnitKey;
  readonly file: FoundFile;
  /** Key of the heading above the unit; null if there is none. */
  readonly section: UnitKey | null;
}

/** A unit with only the fields that are needed when it is shown beside a result. */
export interface FoundLine {
  readonly key: UnitKey;
  /** Id of the file within the segment. Lines are in the same section if both `file` and `section` are the same. */
  readonly file: number;
  readonly section: number;
  readonly text: string;
  /** Bits of `LINE_FORM`. */
  readonly form: number;
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

/** An indexed file with the hash of its content. */
export interface IndexedFile {
  readonly path: string;
  /** Hash of the content of the file. */
  readonly hash: string;
  readonly role: PageRole;
}

export interface FullTextHit {
  readonly key: UnitKey;
  /** The BM25 score of SQLite's full-text search, negated: larger is better. */
  readonly bm25: number;
}

/** Number of facts, and number of other units that are not headings. */
export interface UnitCounts {
  readonly facts: number;
  readonly lines: number;
}

/** The matches of a full-text expression. */
export interface FullTextMatches {
  readonly count: number;
  /** Keys of the matching units, in any order. Undefined if there are too many; then `count` is an estimate. */
  readonly keys: readonly UnitKey[] | undefined;
}

export interface KnownEntity {
  readonly slug: string;
  /** The slug of the entity and those of its aliases. Units may be linked to any of them. */
  readonly slugs: readonly string[];
  /** Slugs under which links to the page of the entity are stored. Such a link mentions the entity. Empty without a page. */
  readonly links: readonly string[];
  /** The name as the page of the entity writes it. Null if the entity has no page. */
  readonly name: string | null;
  readonly path: string | null;
}

/** Whether a line, or its file, is of a day in a range. Both ends are included. */
export function isOfDays({ day, file }: Pick<FoundUnit, 'day' | 'file'>, since: string, until: string): boolean {
  return [day, file.day].some((one) => one !== null && one >= since && one <= until);
}

/** The day of a line: its own, or else that of its file. */
export function dayOfUnit({ day, file }: Pick<FoundUnit, 'day' | 'file'>): Day | null {
  return day ?? file.day;
}

/** Whether a unit is a heading, or the page itself as the heading above all others. */
export function isHeading({ section, key }: Pick<FoundUnit, 'section' | 'key'>): boolean {
  return section === key;
}

/** Whether a unit is the page itself, over all of its headings. */
export function isPageUnit({ detail }: Pick<FoundUnit, 'detail'>): boolean {
  return detail?.page === true;
}

/** A unit's text with what is written in it and not shown: what is looked for may be there. */
export function fullUnitText({ text, detail }: FoundUnit): string {
  return detail?.unseen === undefined ? text : `${text} ${detail.unseen}`;
}

/** The text of a unit for display. For the page itself, this is its name. */
export function displayText(unit: FoundUnit): string {
  return withoutProvenance(textWithLinkLabels(isPageUnit(unit) ? (unit.text.split('\n')[0] ?? '') : unit.text));
}
