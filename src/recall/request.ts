import type { Clock, Day } from '../base/clock.js';
import { fail } from '../base/failure.js';
import type { Naming, RequestField, RequestFields, RequestOf } from '../base/request.js';
import { KIND_NAMES } from '../markdown/fact-kinds.js';
import { workspacePath } from '../memory/pages.js';
import { type EvidenceCount, type OpinionEvidence, UNIT_KINDS, type UnitKind } from '../memory/unit.js';
import type { Coverage } from './answer/coverage.js';
import type { TimeOptions } from './day-options.js';

const RECALL_MODES = ['auto', 'lexical', 'hybrid'] as const;
export type RecallMode = (typeof RECALL_MODES)[number];

const COUNT = { type: 'number', whole: true, least: 1, example: 25 } as const;
const TEXTS = { type: 'list', of: { type: 'text' } } as const;

/** Times of the user's zone, inclusive: a day (`2026-03-01`), an age (`30d`) or words (`last week`). */
export const TIMES = {
  since: { type: 'time', doc: 'from this day on: a date, 30d, 2w, or words such as "last week"' },
  until: { type: 'time', doc: 'up to this day' },
  around: { type: 'time', doc: 'three days before to three days after' },
  asOf: { type: 'time', doc: 'what held on that day' },
} as const satisfies RequestFields;

/** What narrows an answer. An empty list is as none. */
export const FILTERS = {
  ...TIMES,
  entities: { ...TEXTS, value: 'name', instead: ['entity'], doc: 'only about this entity (again for more)' },
  kinds: {
    type: 'list',
    of: { type: 'choice', noun: 'kind', choices: UNIT_KINDS, meant: KIND_NAMES },
    instead: ['kind'],
    doc: `only this kind: ${UNIT_KINDS.join(', ')}`,
  },
  paths: {
    ...TEXTS,
    value: 'glob',
    instead: ['path'],
    doc: 'only from these pages, such as "pages/**" (again for more)',
  },
  tags: { ...TEXTS, instead: ['tag'], doc: 'only what has this tag, itself or by its page (again for more)' },
} as const satisfies RequestFields;

export type RecallFilters = RequestOf<typeof FILTERS>;

/** A request without its mode: those of a batch share one. */
export const BATCHED = {
  query: { type: 'text', required: true, place: 'words?', doc: 'what to find, in your own words' },
  k: { ...COUNT, instead: ['limit'], doc: 'most results (default 10)' },
  ...FILTERS,
  budget: { ...COUNT, value: 'tokens', doc: 'at most so many tokens of content' },
  explain: { type: 'boolean', doc: 'say how the question was read and why each result is there' },
} as const satisfies RequestFields;

export type BatchedRecall = RequestOf<typeof BATCHED>;

export const MODE = {
  type: 'choice',
  noun: 'mode',
  choices: RECALL_MODES,
  default: 'auto',
  doc: 'lexical (by words), hybrid (by meaning too), or auto: hybrid when it can be',
} as const satisfies RequestField;

/** What `recall` is asked. */
export const RECALL = { ...BATCHED, mode: MODE } as const satisfies RequestFields;

export type RecallRequest = RequestOf<typeof RECALL>;

/** A checked request, its times read. */
export interface RecallQuery extends Omit<RecallRequest, keyof TimeOptions> {
  readonly since?: Day | undefined;
  readonly until?: Day | undefined;
  readonly asOf?: Day | undefined;
}

/**
 * Reads the times of a checked request.
 * @throws MemoryError `usage` for a text that is no time
 */
export async function readRecall(
  { since, until, around, asOf, entities, kinds, paths, tags, ...rest }: RecallRequest,
  clock: Clock,
  naming: Naming = 'key',
): Promise<RecallQuery> {
  const times = { since, until, around, asOf };
  const days = Object.values(times).some((time) => time !== undefined)
    ? await (await import('./day-options.js')).readDayOptions(times, clock, naming)
    : {};
  return {
    ...rest,
    ...days,
    ...(entities?.length ? { entities } : {}),
    ...(kinds?.length ? { kinds } : {}),
    ...(paths?.length ? { paths: paths.map((glob) => (glob.includes('://') ? workspacePath(glob) : glob)) } : {}),
    ...(tags?.length ? { tags } : {}),
  };
}

/** @throws MemoryError `usage` for an empty question without a filter */
export function checkQuestion(query: RecallQuery): void {
  if (query.query.trim() === '' && !hasFilter(query))
    fail('usage', 'the question is empty', 'ask something: openclaw memory recall "what does Peter prefer?"');
}

/** Whether anything but the question decides what may answer. */
export function hasFilter({ kinds, entities, paths, tags, since, until, asOf }: Partial<RecallQuery>): boolean {
  return [kinds, entities, paths, tags, since, until, asOf].some((value) => value !== undefined);
}

/** What `recall --json` prints. */
export interface RecallAnswer {
  readonly query: string;
  readonly mode: 'lexical' | 'hybrid';
  readonly window: { readonly since: Day | null; readonly until: Day | null } | null;
  readonly results: readonly RecallResult[];
  /** How far they go, whatever `k`: whether they have the question's telling words, names aside, or something else. */
  readonly answers: Coverage;
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

/** A line that another result stands for. */
export interface FoldedLine {
  readonly content: string;
  readonly entities: readonly string[];
  /** `memory/2025-11-27.md#L12` or `…#L12-L14` */
  readonly source: string;
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
  /** Of a row of a table its cells, each with what the head of the table calls it: `Status: sold`. */
  readonly row?: readonly string[];
  /** What the content leads in, where it ends in a colon or is the head of a table; the last is `…` where there is more. */
  readonly below?: readonly string[];
  readonly confidence?: number;
  readonly evidence?: OpinionEvidence;
  /** How much there is, where `evidence` has only the newest. */
  readonly evidenceCount?: EvidenceCount;
  /** `memory/2025-11-27.md#L12` or `…#L12-L14` */
  readonly source: string;
  /** The headings that it stands under, the highest first. */
  readonly heading?: readonly string[];
  /** What its page calls itself. */
  readonly title?: string;
  /** The other lines that say the same: the views of a fact, and the lines that a belief came from. */
  readonly standsFor?: readonly FoldedLine[];
  /** How many these are, where `standsFor` has only some. */
  readonly standsForCount?: number;
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  /** 0..1 */
  readonly score: number;
  /** Id of the fact that replaced it. */
  readonly superseded?: string;
  /** Id of the newest later fact of its matter: nobody has said that this one is over. */
  readonly newer?: string;
  /** Words of it that are over; the rest holds. */
  readonly over?: string;
  /** Its log is of a day that has not come yet: it tells nothing of now. */
  readonly future?: true;
  /** Id of the result that it stands beside: there is no other reason why it is here. */
  readonly beside?: string;
  /** It was made of what stands in a file that is away: nobody can say whether it holds. */
  readonly sourceAway?: true;
  /** It stands in a conflict copy alone, and not in the page that a sync program made the copy of. */
  readonly conflictCopy?: true;
  /** Why it is here; only with `explain`. */
  readonly why?: string;
}
