import type { Day } from '../base/clock.js';
import type { FactKindName } from '../markdown/bullet.js';

/**
 * Data of the page, embedded as JSON. The browser only sorts, filters and draws it. Which statements hold, and why the
 * other statements do not hold, is decided when the data is collected.
 */
export interface PageData {
  /** The name of the workspace's folder. */
  readonly workspace: string;
  readonly today: Day;
  readonly zone: string;
  /** First day of the logs, if the page is limited to a time. */
  readonly since: Day | null;
  readonly entity: string | null;
  /**
   * In a link to a line of a file: the text between the address of the file and the line number, such as `#L`. Empty if
   * the links can't name a line.
   */
  readonly lineMark: string;
  readonly files: readonly PageFile[];
  /** Facts, sorted by file and line. */
  readonly items: readonly PageItem[];
  /** Entities, sorted by their number of mentions, highest first. */
  readonly entities: readonly PageEntity[];
  /** The texts of pages, of days and of the pages of entities, sorted by path. */
  readonly notes: readonly PageNote[];
  /** The names in links, each with its target: an index into `notes`, or an address in this page without its `#`. */
  readonly links: readonly PageLink[];
  readonly beliefs: readonly PageBelief[];
  /** Null for a page about one entity. */
  readonly week: PageWeek | null;
  readonly waiting: PendingItems;
  /** Sessions, newest first; null if they were left out. */
  readonly sessions: readonly PageSession[] | null;
  /** Commits, newest first. */
  readonly commits: readonly PageCommit[];
  readonly left_out: OmittedLineCounts;
}

type PageLink = readonly [name: string, target: number | string];

/** A file that is shown as it was written. */
export interface PageNote {
  readonly file: number;
  /** Where it is shown: among the pages, at its day, or with its entity. */
  readonly kind: 'page' | 'day' | 'entity';
  readonly title: string;
  /** The aliases of the note. */
  readonly names: readonly string[];
  /** The tags of the note in lower case, with their parent tags, as `tagKeys` returns them. */
  readonly tags: readonly string[];
  /**
   * Lines of the note's front matter to show, such as `status: done`. Names, tags, and fields that only programs use
   * are left out.
   */
  readonly fields: readonly string[];
  /**
   * The note's Markdown below the front matter, without comments, forgotten text, and generated blocks of an entity's
   * page. `line` is the line of the file at which it begins. A line that is left out is empty, so that line numbers stay
   * right.
   */
  readonly text: string;
  readonly line: number;
  /** Notes that this note links to, each once: indices into `notes`. */
  readonly to: readonly number[];
  /**
   * Names for which links in this note lead to another target than links in other notes, each with the target for this
   * note.
   */
  readonly own?: readonly PageLink[];
  /** Number of characters that were cut at the end of the note. */
  readonly cut: number;
  /** Number of lines of a day that are neither facts nor headings. */
  readonly lines?: number;
}

/**
 * What the page has no room for: the number of log lines (`log_lines`), of facts (`facts`) and of beliefs. `until` is
 * the newest day of an omitted log line, and `facts_until` the newest day of an omitted fact.
 */
export interface OmittedLineCounts {
  readonly log_lines: number;
  /** The newest day with an omitted log line. */
  readonly until: Day | null;
  readonly facts: number;
  readonly facts_until: Day | null;
  /** Number of shortened notes. */
  readonly shortened_pages: number;
  readonly beliefs: number;
}

/** A line of a file: an index into `files`, and the 1-based number of the line. */
export type FileLine = readonly [file: number, line: number];

export interface PageFile {
  readonly path: string;
  readonly day: Day | null;
  readonly href: string;
}

/** A fact. The browser makes items of the kind `log` itself, from the lines of the days. */
export interface PageItem {
  readonly kind: FactKindName | 'log';
  readonly text: string;
  readonly at: FileLine;
  /** Entities that the item names: indices into `entities`. */
  readonly about?: readonly number[];
}

export interface PageEntity {
  readonly name: string;
  readonly slug: string;
  readonly type: string | null;
  readonly aliases: readonly string[];
  readonly mentions: number;
  readonly page: FileLine | null;
  /** The page of the entity without its generated blocks: an index into `notes`. Null if there is no such page. */
  readonly note: number | null;
  /**
   * Statements about the entity, by status. Null if this page is limited to another entity, and this one is only
   * mentioned there.
   */
  readonly holds: Readonly<Record<'now' | 'planned' | 'lately' | 'before', readonly PageStatement[]>> | null;
  /** Whether there are more statements than in `holds`: older ones, or facts that were not read for this page. */
  readonly hasMore: boolean;
}

export interface PageStatement {
  readonly text: string;
  readonly at: FileLine;
  readonly from: Day | null;
  readonly to?: Day;
  /** Why the statement no longer holds. */
  readonly ending?: string;
  /** Earlier statements of the same thread, newest first. */
  readonly earlier?: readonly StatementWithSource[];
}

export interface PageBelief {
  readonly id: string;
  readonly text: string;
  readonly about: readonly number[];
  /** Confidence of the belief, from 0 to 1. */
  readonly confidence: number;
  /** `log`: the opinion is only in a log, because `reflect` has not processed it yet. */
  readonly place: 'bank' | 'retired' | 'log';
  readonly at: FileLine;
  readonly prior: readonly [confidence: number, day: Day | null] | null;
  /** Pieces of evidence by day, oldest first. */
  readonly steps: readonly BeliefStep[];
  /** Number of older pieces of evidence for which the page has no room. */
  readonly more?: number;
}

/** A piece of evidence. */
export interface BeliefStep {
  readonly day: Day | null;
  readonly direction: 'supports' | 'contradicts' | 'none';
  /** Text of the fact; null if the fact is gone or unknown. */
  readonly text: string | null;
  readonly at: FileLine | null;
  /** True if the file of the fact is temporarily unavailable. */
  readonly isAway?: true;
  /** Name of the judge. `page`: the person who wrote the page of opinions. */
  readonly by: string;
  /** The confidence after the day of the evidence; omitted if the evidence does not change it. */
  readonly reached?: number;
}

/** Coming dates, open tasks and recent lines. */
export interface PageWeek {
  /** The last day of the dates. */
  readonly until: Day;
  /** The next first. `from` null: until the day `to`. `to` null: from then on. */
  readonly dates: readonly (StatementWithSource & {
    readonly from: Day | null;
    readonly to: Day | null;
    readonly type: 'date' | 'yearly';
  })[];
  /** Open tasks, overdue ones first. */
  readonly tasks: readonly (StatementWithSource & {
    readonly due: Day | null;
    readonly scheduled: Day | null;
    readonly owner: string | null;
    readonly isOverdue: boolean;
  })[];
  /** Number of dates and tasks that are left out. */
  readonly more: number;
  /** The last days with something, the newest first. A line is the first one of its section, or it has a label. */
  readonly days: readonly {
    readonly day: Day;
    readonly lines: readonly (StatementWithSource & { readonly label: string | null })[];
  }[];
}

/** Items that need a person's decision. */
export interface PendingItems {
  readonly questions: readonly { readonly text: string; readonly at: FileLine | null; readonly where: string }[];
  readonly contradictions: readonly { readonly entity: number; readonly sides: readonly StatementWithSource[] }[];
  readonly proposals: readonly PageProposal[];
}

export interface StatementWithSource {
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

export interface PageSession {
  readonly id: string;
  readonly day: Day | null;
  readonly live: number;
  readonly archived: number;
  /** The non-empty sections of the session's Working Memory; null if there is none yet. */
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
  /** Changed pages: indices into `files`. */
  readonly files: readonly number[];
}
