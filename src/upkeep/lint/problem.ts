import type { Day } from '../../base/clock.js';
import type { BrokenType } from '../../extract/types.js';
import type { FoundUnit, IndexSearch } from '../../index/search.js';
import type { Notice } from '../../index/tree.js';
import type { MarkdownScan } from '../../markdown/block.js';
import type { AwayFiles } from '../../memory/away.js';
import type { EntityPage } from '../../memory/entity-page.js';
import type { Page } from '../../memory/pages.js';
import type { LeftoverStatement } from '../../retain/erase.js';

/** Only errors and warnings make `lint` end with exit code 4; `info` does not. */
type Severity = 'error' | 'warning' | 'info';

/** Something in a file that a person should look at. */
export interface Problem {
  /** Name of the rule that found the problem, such as `malformed-bullet`. It never changes, so that scripts can use it. */
  readonly rule: string;
  readonly severity: Severity;
  readonly path: string;
  /** 1-based number of the line with the problem; null if the problem is about the whole file. */
  readonly line: number | null;
  readonly message: string;
  readonly hint?: string;
  /** The corrected line, if the correction is safe. */
  readonly fix?: string;
}

/**
 * Creates a problem of a page.
 * @param line null if it is about the whole file
 */
export function createProblem(
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

/** A page with everything that the rules need to check it. */
export interface LintPage {
  readonly path: string;
  readonly page: Page;
  readonly text: string;
  readonly scan: MarkdownScan;
  /** The facts of the page. */
  readonly facts: readonly Omit<FoundUnit, 'key' | 'file' | 'section'>[];
  readonly entity: EntityPage | null;
}

/** A conflict copy of a page, which a sync program made. */
export interface ConflictCopy {
  readonly path: string;
  /** Path of the page that this file is a copy of; null if that page is missing. */
  readonly of: string | null;
  readonly lines: readonly { readonly line: number; readonly text: string }[];
}

/** The input of all rules, prepared once for all of them. */
export interface LintInput {
  readonly pages: readonly LintPage[];
  /** An index that is up to date. */
  readonly search: IndexSearch;
  /** All entities of the index. */
  readonly entities: ReturnType<IndexSearch['entities']>;
  /** Ids of facts that are stated in logs or on topic pages, not only shown there as views. */
  readonly stated: ReadonlySet<string>;
  /** The folder of the workspace. */
  readonly root: string;
  readonly today: Day;
  readonly coreBudgetChars: number;
  /** Files that exist but are not indexed, or are indexed with a warning. */
  readonly notices: readonly Notice[];
  /** Files that are temporarily unavailable. Citations of them are not reported. */
  readonly away: AwayFiles;
  /** Conflict copies, with the lines that exist only in them. */
  readonly copies: readonly ConflictCopy[];
  /** Leftovers: forgotten statements that are still in a file. */
  readonly standing: readonly LeftoverStatement[];
  /** `bank/evidence.jsonl`, or '' when there is none. */
  readonly evidence: string;
  /** Memory types of the workspace that can't be read. */
  readonly brokenTypes: readonly BrokenType[];
}

/** A check for one kind of problem. Writes nothing. */
export type LintRule = (view: LintInput) => Iterable<Problem>;
