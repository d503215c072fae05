import type { Clock, Day } from '../base/clock.js';
import { fail } from '../base/failure.js';
import type { Description, Naming } from '../base/request.js';
import { KIND_NAMES } from '../markdown/fact-kinds.js';
import { type EvidenceLink, UNIT_KINDS, type UnitKind } from '../memory/unit.js';
import { workspacePath } from '../memory/uri.js';
import type { Times } from './day-options.js';

export const RECALL_MODES = ['auto', 'lexical', 'hybrid'] as const;
export type RecallMode = (typeof RECALL_MODES)[number];

/** What `recall` is asked. */
export interface RecallRequest extends Times {
  readonly query: string;
  /** Most results; 10 when not given. */
  readonly k?: number | undefined;
  /** Names, aliases or slugs: results must be about one of these. An empty list is as none, here and for `kinds`. */
  readonly entities?: readonly string[] | undefined;
  readonly kinds?: readonly UnitKind[] | undefined;
  /** Globs of paths, such as `pages/**`: results must be from one of these. */
  readonly paths?: readonly string[] | undefined;
  /** Results, their section or their page must have one of these. */
  readonly tags?: readonly string[] | undefined;
  /** Most tokens of all contents together. */
  readonly budget?: number | undefined;
  readonly explain?: boolean | undefined;
  /** `auto`, the default, is `hybrid` when there are vectors and the question's arrives in time, else `lexical`. */
  readonly mode?: RecallMode | undefined;
}

/** A checked request, its times read. */
export interface RecallQuery extends Omit<RecallRequest, keyof Times> {
  readonly since?: Day | undefined;
  readonly until?: Day | undefined;
  readonly asOf?: Day | undefined;
}

/** What narrows an answer. */
export type RecallFilters = Times & Pick<RecallRequest, 'entities' | 'kinds' | 'paths' | 'tags'>;

const COUNT = { type: 'number', whole: true, least: 1, example: 25 } as const;

export const TIMES: Description<Times> = {
  since: { type: 'time', doc: 'from this time on' },
  until: { type: 'time', doc: 'up to this time' },
  around: { type: 'time', doc: 'three days before this time to three days after it' },
  asOf: { type: 'time', doc: 'what held then' },
};

export const FILTERS: Description<RecallFilters> = {
  ...TIMES,
  entities: {
    type: 'list',
    of: { type: 'text' },
    flag: '--entity',
    instead: ['entity'],
    doc: 'names: only what is about one of these',
  },
  kinds: {
    type: 'list',
    of: { type: 'choice', noun: 'kind', choices: UNIT_KINDS, meant: KIND_NAMES },
    flag: '--kind',
    instead: ['kind'],
    doc: 'only these kinds',
  },
  paths: { type: 'list', of: { type: 'text' }, flag: '--path', instead: ['path'], doc: 'globs: only from these pages' },
  tags: { type: 'list', of: { type: 'text' }, flag: '--tag', instead: ['tag'], doc: 'only what has one of these tags' },
};

/** A request without its mode: those of a batch share one. */
export type BatchedRecall = Omit<RecallRequest, 'mode'>;

export const BATCHED: Description<BatchedRecall> = {
  query: { type: 'text', required: true, doc: 'what to find, in plain words' },
  k: { ...COUNT, instead: ['limit'], doc: 'most results' },
  ...FILTERS,
  budget: { ...COUNT, doc: 'most tokens of all contents together' },
  explain: { type: 'boolean', doc: 'say how the question was read and why each result is there' },
};

export const MODE = {
  type: 'choice',
  noun: 'mode',
  choices: RECALL_MODES,
  doc: 'by words, or by meaning too',
} as const;

export const RECALL: Description<RecallRequest> = { ...BATCHED, mode: MODE };

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
export function checkAsked(query: RecallQuery): void {
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
export interface StoodFor {
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
  readonly confidence?: number;
  readonly evidence?: { readonly for: readonly EvidenceLink[]; readonly against: readonly EvidenceLink[] };
  /** `memory/2025-11-27.md#L12` or `…#L12-L14` */
  readonly source: string;
  /** The headings that it stands under, the highest first. */
  readonly heading?: readonly string[];
  /** What its page calls itself. */
  readonly title?: string;
  /** The other lines that say the same: the views of a fact, and the lines that a belief came from. */
  readonly standsFor?: readonly StoodFor[];
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
  /** Id of the result that it stands beside: there is no other reason why it is here. */
  readonly beside?: string;
  /** Why it is here; only with `explain`. */
  readonly why?: string;
}
