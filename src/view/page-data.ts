import type { Day } from '../base/clock.js';
import type { FactKindName } from '../markdown/fact-kinds.js';

/**
 * What the page shows, as JSON inside it. The browser's code sorts, filters and draws; what holds, why, and what was let
 * go is decided by whoever fills this in.
 */
export interface PageData {
  /** The name of the workspace's folder. */
  readonly workspace: string;
  readonly today: Day;
  readonly zone: string;
  /** What the page was narrowed to. */
  readonly since: Day | null;
  readonly entity: string | null;
  /** Between the address of a file and a line; empty when what opens it takes no lines. */
  readonly lineMark: string;
  readonly files: readonly PageFile[];
  /** By file and line. */
  readonly items: readonly PageItem[];
  /** The most mentioned first. */
  readonly entities: readonly PageEntity[];
  /** Pairs of entities, and in how many facts they stand together; the most first. */
  readonly together: readonly PlacePair[];
  /** Pages of notes, by their paths. */
  readonly notes: readonly PageNote[];
  /** Where the names in links lead: a place among `notes`, or an address of this page without its `#`. */
  readonly links: readonly PageLink[];
  readonly beliefs: readonly PageBelief[];
  readonly waiting: PendingItems;
  readonly lastRun: PageRun | null;
  /** The newest first; null when they were left out. */
  readonly sessions: readonly PageSession[] | null;
  /** The newest first, or why there are none. */
  readonly commits: readonly PageCommit[] | string;
  readonly left_out: OmittedLines;
}

/** Two places, the lower first, and how often they stand together. */
export type PlacePair = readonly [a: number, b: number, times: number];

/** How often two places stand together, for every pair of some. Pure. */
export function countPairs(ends: Iterable<readonly [number, number]>): PlacePair[] {
  const pairs = new Map<string, PlacePair>();
  for (const [one, other] of ends) {
    const [a, b] = one < other ? [one, other] : [other, one];
    pairs.set(`${a} ${b}`, [a, b, (pairs.get(`${a} ${b}`)?.[2] ?? 0) + 1]);
  }
  return [...pairs.values()];
}

export type PageLink = readonly [name: string, target: number | string];

/** A page of notes. */
export interface PageNote {
  readonly file: number;
  readonly title: string;
  /** Its other names. */
  readonly names: readonly string[];
  /** As `tagKeys` has them: in lower case, with those that they lie below. */
  readonly tags: readonly string[];
  /** Of its front matter, without names and what is for machines: `status: done`. */
  readonly fields: readonly string[];
  /** Its Markdown below the front matter, without what is forgotten, and the line at which it begins. */
  readonly text: string;
  readonly line: number;
  /** Notes that it links to, each once. */
  readonly to: readonly number[];
  /** Names that lead elsewhere from here than from other notes. */
  readonly own?: readonly PageLink[];
  /** How many characters at its end the page has no room for. */
  readonly cut: number;
}

/** The oldest log lines and facts that the page had no room for: how many, and up to which day. */
export interface OmittedLines {
  readonly log_lines: number;
  /** The newest day of which some are left out. */
  readonly until: Day | null;
  readonly facts: number;
  readonly facts_until: Day | null;
  /** How many pages of notes are not whole. */
  readonly shortened_pages: number;
}

/** A file and a line of it: an index into `files`, and a line from 1. */
export type FileLine = readonly [file: number, line: number];

export interface PageFile {
  readonly path: string;
  readonly day: Day | null;
  readonly href: string;
}

/** A fact, a line of a log or a line of a page. */
export interface PageItem {
  readonly kind: FactKindName | 'log' | 'page' | 'core';
  readonly text: string;
  readonly at: FileLine;
  /** Indices into `entities`. */
  readonly about?: readonly number[];
}

export interface PageEntity {
  readonly name: string;
  readonly slug: string;
  readonly type: string | null;
  readonly aliases: readonly string[];
  readonly mentions: number;
  readonly page: FileLine | null;
  /** What people wrote on its page: indices into `items`. */
  readonly prose: readonly number[];
  /** Null for one that is only named in what is shown of another. */
  readonly holds: Readonly<Record<'now' | 'planned' | 'lately' | 'before', readonly PageStatement[]>> | null;
  /** Whether more is known than `holds` has: older statements, or facts that were not judged for this page. */
  readonly hasMore: boolean;
}

export interface PageStatement {
  readonly text: string;
  readonly at: FileLine;
  readonly from: Day | null;
  readonly to: Day | null;
  /** Why it holds no more. */
  readonly ending: string | null;
  /** What was said before it of the same, the newest first. */
  readonly earlier?: readonly PageSide[];
}

export interface PageBelief {
  readonly id: string;
  readonly text: string;
  readonly about: readonly number[];
  /** 0..1 */
  readonly confidence: number;
  /** `log`: nobody has reflected on it. */
  readonly place: 'bank' | 'retired' | 'log';
  readonly at: FileLine;
  readonly prior: { readonly confidence: number; readonly day: Day | null } | null;
  /** The confidence after each day that moved it. */
  readonly curve: readonly (readonly [Day, number])[];
  readonly steps: readonly PageStep[];
}

export interface PageStep {
  readonly day: Day | null;
  readonly direction: 'supports' | 'contradicts' | 'none';
  /** Null when the fact is gone, or nobody knows which it is; not given where the item at `at` says it. */
  readonly text?: string | null;
  readonly at: FileLine | null;
  /** Who judged it; `page`: who wrote the page of opinions. */
  readonly by: string;
  readonly counts: boolean;
}

/** What waits for a person. */
export interface PendingItems {
  readonly questions: readonly { readonly text: string; readonly at: FileLine | null; readonly where: string }[];
  readonly contradictions: readonly { readonly entity: number; readonly sides: readonly PageSide[] }[];
  readonly proposals: readonly PageProposal[];
}

export interface PageSide {
  readonly text: string;
  readonly at: FileLine;
}

interface PageProposal {
  readonly number: number;
  readonly action: 'add' | 'shorten' | 'move-out' | 'change';
  readonly text: string;
  readonly reason: string;
  readonly at: FileLine;
}

/** How the last run of reflect ended, and what the last one that wrote something has changed. */
export interface PageRun {
  readonly day: Day;
  readonly result: string;
  readonly message: string | null;
  readonly facts: number;
  readonly written: number;
  readonly now: readonly (PageSide & {
    readonly page: string;
    readonly change: 'entered' | 'left';
    readonly why: string;
  })[];
  readonly beliefs: readonly {
    readonly id: string;
    readonly text: string;
    readonly before: number | null;
    readonly after: number | null;
  }[];
}

export interface PageSession {
  readonly id: string;
  readonly day: Day | null;
  readonly live: number;
  readonly archived: number;
  /** The sections of its Working Memory that say something; null when there is none yet. */
  readonly memory: readonly { readonly title: string; readonly lines: readonly string[] }[] | null;
  readonly removed: readonly {
    readonly archive: string;
    readonly section: string;
    readonly item: string;
    readonly reason: string;
  }[];
  readonly archives: readonly {
    readonly id: string;
    readonly state: string;
    readonly day: Day | null;
    readonly messages: number | null;
    readonly abstract: string;
    readonly at: FileLine;
  }[];
}

export interface PageCommit {
  readonly commit: string;
  readonly day: Day;
  readonly subject: string;
  /** Indices into `files`, of the pages that it changed. */
  readonly files: readonly number[];
}
