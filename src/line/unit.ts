import type { Day } from '../base/clock.js';
import { FACT_KIND_NAMES, type FactKindName } from '../markdown/bullet.js';
import type { Ahead } from './ahead.js';
import type { ParsedStatement } from './statement/statement.js';

/** Kinds of units that are not facts. */
const OTHER_KINDS = ['log', 'page', 'entity', 'core', 'summary'] as const;

/** Kind of a unit, as `recall` reports it. */
export type UnitKind = FactKindName | (typeof OTHER_KINDS)[number];

export const UNIT_KINDS: readonly UnitKind[] = [...FACT_KIND_NAMES, ...OTHER_KINDS];

/** The smallest citable piece of a page. */
export interface Unit {
  /** The first and the last line of the unit, both included. Lines are counted from 1. */
  readonly line: number;
  readonly endLine: number;
  readonly kind: UnitKind;
  /** Index of the unit's heading among the units of the page, or -1. */
  readonly section: number;
  /** Displayed text, without list marker and kind letter. */
  readonly text: string;
  /** Id of a typed fact; null for log text, whose id is computed for display. */
  readonly fact: string | null;
  /** First and last of the days that the fact names. `isPeriod` says whether they are its validity. */
  readonly validFrom: Day | null;
  readonly validTo: Day | null;
  /** Whether the dates are a validity; otherwise they are only mentioned ("born 3 May 1985"). */
  readonly isPeriod: boolean;
  /** The day of the line itself, where its place gives it another one than its file has (see `line/day`). */
  readonly day: Day | null;
  /** Name of the speaker of the line, as written. Null if the author of the page speaks. */
  readonly speaker: string | null;
  /** Bits of `LINE_FORM`. */
  readonly form: number;
  /** Distance, in units, to the unit above that says who speaks; 0 if there is none, or it is this one. */
  readonly head: number;
  /** Key that lines of one series share (see `readSeries`). Null for facts, and for a line of no series. */
  readonly series: number | null;
  readonly detail: UnitDetail | null;
  readonly slugs: readonly string[];
  /** Text for the full-text index. */
  readonly search: string;
}

/** Evidence that the page of opinions lists under an opinion. */
export interface OpinionEvidence {
  readonly for: readonly EvidenceLink[];
  readonly against: readonly EvidenceLink[];
  /** Number of older pieces of evidence that are only in `bank/evidence.jsonl`; missing: none. */
  readonly more?: number;
}

/** Number of pieces of evidence in each direction. */
export interface EvidenceCount {
  readonly for: number;
  readonly against: number;
}

/** Optional fields of a unit. Stored as JSON. */
export interface UnitDetail {
  /** Names of the entities, as written. */
  readonly entities?: readonly string[];
  readonly confidence?: number;
  /** Whether the unit has the id of another statement. Then it is a copy of that statement, and never new evidence. */
  readonly view?: boolean;
  /** First and last of the lines of the same page in which a program found the fact. */
  readonly from?: readonly [from: number, to: number];
  /** Id of the fact or belief that a line shows, which is not that statement itself. */
  readonly shows?: string;
  /** On pages of entities and opinions: the latest day of which the line knows, by what it cites. */
  readonly latest?: Day;
  /** `updated`, `prior` and `evidence` come from the notes under an opinion. */
  readonly updated?: Day;
  readonly prior?: { readonly confidence: number; readonly day: Day | null };
  readonly evidence?: OpinionEvidence;
  readonly retired?: boolean;
  /** Whether the unit stands in a managed block that nobody has edited. */
  readonly generated?: true;
  /**
   * Index of the parent among the units of the page. The parent of a heading is the heading above it. The parent of a line
   * in a list item is the item, of a list item the line that introduces the list, and of a table row the header.
   */
  readonly under?: number;
  /** Whether the unit is the header of a table. */
  readonly cells?: true;
  /** The parsed statement of a typed fact, without its leading entities. */
  readonly statement?: ParsedStatement;
  /**
   * Whether the unit is a field of the front matter, or a property (`key:: value`). Such a unit answers only questions about
   * itself.
   */
  readonly field?: true;
  /** Searchable text that is not displayed: names of embedded files, block ids. */
  readonly unseen?: string;
  /**
   * Whether the line is only an embed. Such a line is never a parent of other lines, and is never shown for the heading
   * above it.
   */
  readonly embed?: true;
  /** Coming days and the task that the line names. */
  readonly ahead?: Ahead;
  /** Whether the unit stands for the page itself. Its text is the names of the page, one per line. */
  readonly page?: true;
}

/** Link from an opinion to a fact. */
export interface EvidenceLink {
  /** Place of the fact: `memory/2025-11-27.md#L14`. */
  readonly source: string;
  readonly fact: string | null;
  /** Weight of the fact as evidence, from 0 to 1. Default: 1. */
  readonly weight?: number;
}
