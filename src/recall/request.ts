import type { Day } from '../base/clock.js';
import type { EvidenceLink, UnitKind } from '../memory/unit.js';

/** What `recall` is asked. */
export interface RecallRequest {
  readonly query: string;
  /** Most results; 10 when not given. */
  readonly k?: number | undefined;
  /** Days in the user's zone, inclusive. */
  readonly since?: Day | undefined;
  readonly until?: Day | undefined;
  readonly asOf?: Day | undefined;
  /** Names, aliases or slugs: results must be about one of these. */
  readonly entities?: readonly string[] | undefined;
  readonly kinds?: readonly UnitKind[] | undefined;
  /** Most tokens of all contents together. */
  readonly budget?: number | undefined;
  readonly explain?: boolean | undefined;
  /** `auto`, the default, is `hybrid` when there are vectors and the question's arrives in time, else `lexical`. */
  readonly mode?: RecallMode | undefined;
}

export const RECALL_MODES = ['auto', 'lexical', 'hybrid'] as const;
export type RecallMode = (typeof RECALL_MODES)[number];

/** What `recall --json` prints. */
export interface RecallAnswer {
  readonly query: string;
  readonly mode: 'lexical' | 'hybrid';
  readonly window: { readonly since: Day | null; readonly until: Day | null } | null;
  readonly results: readonly RecallResult[];
  /** Of all contents together. */
  readonly tokens: number;
  /** How many more results there were within `k` that the budget had no room for. */
  readonly dropped: number;
  /** Whether changed files could not be looked at. */
  readonly stale: boolean;
  readonly warnings: readonly string[];
  /** How the question was read and what each channel found; only with `explain`. */
  readonly explain?: readonly string[];
}

export interface RecallResult {
  readonly id: string;
  readonly kind: UnitKind;
  readonly pageType?: string;
  /** Source day; null on undated pages. */
  readonly timestamp: Day | null;
  readonly validFrom: Day | null;
  readonly validTo: Day | null;
  readonly entities: readonly string[];
  readonly content: string;
  readonly confidence?: number;
  readonly evidence?: { readonly for: readonly EvidenceLink[]; readonly against: readonly EvidenceLink[] };
  /** `memory/2025-11-27.md#L12` or `…#L12-L14` */
  readonly source: string;
  /** Other places of the same statement. */
  readonly also?: readonly string[];
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  /** 0..1 */
  readonly score: number;
  /** Id of the fact that replaced it. */
  readonly superseded?: string;
  /** Why it is here; only with `explain`. */
  readonly why?: string;
}
