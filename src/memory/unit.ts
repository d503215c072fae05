import type { Day } from '../base/clock.js';
import { FACT_KIND_NAMES, type FactKindName } from '../markdown/fact-kinds.js';
import type { PageRole } from './pages.js';
import type { ParsedStatement } from './statement/statement.js';

/** What a unit is that is no fact. */
const OTHER_KINDS = ['log', 'page', 'entity', 'core', 'summary'] as const;

/** What a unit is, as `recall` names it. */
export type UnitKind = FactKindName | (typeof OTHER_KINDS)[number];

/** The kind of what is no fact on a page of a role. */
export function lineKindOf(role: PageRole): UnitKind {
  switch (role) {
    case 'core':
    case 'summary':
    case 'entity':
      return role;
    case 'daily':
    case 'dump':
    case 'topic':
    case 'copy':
      return 'log';
    default:
      return 'page';
  }
}

export const UNIT_KINDS: readonly UnitKind[] = [...FACT_KIND_NAMES, ...OTHER_KINDS];

/** One citable piece of a page. */
export interface Unit {
  /** 1-based, inclusive. */
  readonly line: number;
  readonly endLine: number;
  readonly kind: UnitKind;
  /** Position of its heading among the units of the page, or -1. */
  readonly section: number;
  /** What is shown: without list marker and kind letter. */
  readonly text: string;
  /** Id of a typed fact; null for log text, whose id is computed when it is shown. */
  readonly fact: string | null;
  /** Validity as far as it is written in the fact. */
  readonly validFrom: Day | null;
  readonly validTo: Day | null;
  /** Whether the dates say when it holds; else they are only mentioned ("born 3 May 1985"). */
  readonly isPeriod: boolean;
  readonly detail: UnitDetail | null;
  readonly slugs: readonly string[];
  /** What the full-text index gets. */
  readonly search: string;
}

/** The evidence that the page of opinions lists under one of them. */
export interface OpinionEvidence {
  readonly for: readonly EvidenceLink[];
  readonly against: readonly EvidenceLink[];
  /** How many older pieces of evidence count and stand only in `bank/evidence.jsonl`; missing: none. */
  readonly more?: number;
}

/** What only some units have. Stored as JSON. */
export interface UnitDetail {
  /** Entities as written. */
  readonly entities?: readonly string[];
  readonly confidence?: number;
  /** It carries the id of another statement: a promoted view of it, never new evidence. */
  readonly view?: boolean;
  /** What a program made it from: `from L12–L14, by rules`. */
  readonly origin?: string;
  /** From the notes under an opinion. */
  readonly updated?: Day;
  readonly prior?: { readonly confidence: number; readonly day: Day | null };
  readonly evidence?: OpinionEvidence;
  readonly retired?: boolean;
  /** It stands in a block that a program made of facts, and that nobody has edited. */
  readonly generated?: true;
  /**
   * Of a heading below another one, a line in a list item, an item of a list that a line leads in, a row of a table: the
   * position of that heading, of the item, of the line, of the table's header among the units of the page.
   */
  readonly under?: number;
  /** The header of a table. */
  readonly cells?: true;
  /** A typed fact as it was read, without its leading entities. */
  readonly statement?: ParsedStatement;
  /** A field of the front matter, or a property: it answers when it itself is asked for. */
  readonly field?: true;
  /** Written in it and not shown: names of embedded files, ids of blocks. Each is found when it is asked for. */
  readonly unseen?: string;
  /** A field that is nothing but what it embeds: it stands over nothing and for nothing. */
  readonly embed?: true;
  /** The page itself: its text are the names of it, a line each. It stands for the first lines of the page. */
  readonly page?: true;
}

/** A pointer from an opinion to a fact. */
export interface EvidenceLink {
  /** `memory/2025-11-27.md#L14` */
  readonly source: string;
  readonly fact: string | null;
  /** How much it weighs, 0..1; 1 when not given. */
  readonly weight?: number;
}
