import type { Day } from '../../base/clock.js';
import type { BrokenType } from '../../extract/types.js';
import type { FoundUnit, Search } from '../../index/search.js';
import type { Notice } from '../../index/tree.js';
import type { MarkdownScan } from '../../markdown/block.js';
import type { AwayPlaces } from '../../memory/away.js';
import type { EntityPage } from '../../memory/entity-page.js';
import type { Page } from '../../memory/pages.js';
import type { LeftoverStatement } from '../../retain/leftovers.js';

/** `info` alone is no reason to worry a script: only errors and warnings make `lint` end with exit code 4. */
export type Severity = 'error' | 'warning' | 'info';

/** Something in a file that a person should look at. */
export interface Problem {
  /** Stable name, for scripts: `malformed-bullet`, … */
  readonly rule: string;
  readonly severity: Severity;
  readonly path: string;
  /** 1-based; null when it is about the file. */
  readonly line: number | null;
  readonly message: string;
  readonly hint?: string;
  /** What the line becomes where mending it is safe. */
  readonly fix?: string;
}

/** A problem of a page. @param line null when it is about the file */
export function problem(
  rule: string,
  severity: Severity,
  path: string,
  line: number | null,
  message: string,
  hint?: string,
  fix?: string,
): Problem {
  return { rule, severity, path, line, message, ...(hint && { hint }), ...(fix !== undefined && { fix }) };
}

/** A page as the rules see it. */
export interface LintPage {
  readonly path: string;
  readonly page: Page;
  readonly text: string;
  readonly scan: MarkdownScan;
  /** Its typed facts. */
  readonly facts: readonly Omit<FoundUnit, 'key' | 'file' | 'section'>[];
  readonly entity: EntityPage | null;
}

/** A conflict copy of a page. */
export interface LintCopy {
  readonly path: string;
  /** Null when the page is not there. */
  readonly of: string | null;
  readonly lines: readonly { readonly line: number; readonly text: string }[];
}

/** Everything that a rule may look at. Prepared once. */
export interface LintView {
  readonly pages: readonly LintPage[];
  /** An index that is up to date. */
  readonly search: Search;
  /** All that it knows of. */
  readonly entities: ReturnType<Search['entities']>;
  /** Facts that logs and topics state themselves. */
  readonly stated: ReadonlySet<string>;
  /** The workspace. */
  readonly root: string;
  readonly today: Day;
  readonly coreBudgetChars: number;
  /** Files that are there but not indexed, or only with reservations. */
  readonly notices: readonly Notice[];
  /** What is elsewhere for now: what is cited from there is not missing. */
  readonly away: AwayPlaces;
  /** Conflict copies, with the lines that stand in them alone. */
  readonly copies: readonly LintCopy[];
  /** What was forgotten and stands in a page all the same. */
  readonly standing: readonly LeftoverStatement[];
  /** `bank/evidence.jsonl`, or '' when there is none. */
  readonly evidence: string;
  /** Memory types of the workspace that can't be read. */
  readonly brokenTypes: readonly BrokenType[];
}

/** One idea of what may be wrong. Writes nothing. */
export type Rule = (view: LintView) => Iterable<Problem>;
