import type { Clock, Day } from '../base/clock.js';
import { fail } from '../base/failure.js';
import { flag, list, maybe, nullable, number, type ReportFields, type ReportOf, text } from '../base/report.js';
import type { KeyNameForm, RequestField, RequestFields, RequestOf } from '../base/request.js';
import type { DaySpan } from '../language/time/calendar.js';
import { type EvidenceCount, type OpinionEvidence, UNIT_KINDS, type UnitKind } from '../line/unit.js';
import { KIND_NAME_OF_LETTER } from '../markdown/bullet.js';
import { workspacePath } from '../memory/pages.js';
import type { Coverage, MissingWord } from './answer/coverage.js';
import type { TimeOptions } from './day-options.js';

const RECALL_MODES = ['auto', 'lexical', 'hybrid'] as const;
export type RecallMode = (typeof RECALL_MODES)[number];

const COUNT = { type: 'number', whole: true, least: 1, example: 25 } as const;
const TEXTS = { type: 'list', of: { type: 'text' } } as const;

/**
 * Times of a request, in the user's time zone. Each is a day (`2026-03-01`), an age (`30d`) or words (`last week`). The
 * last day of a range belongs to the range.
 */
export const TIME_FIELDS = {
  since: { type: 'time', doc: 'only from this day on: a date, 30d, 2w, or words such as "last week"' },
  until: { type: 'time', doc: 'only up to this day' },
  around: { type: 'time', doc: 'only within 3 days of this day' },
  asOf: { type: 'time', doc: 'answer as of this day' },
} as const satisfies RequestFields;

/** Filters of an answer. An empty list is the same as no list. */
export const FILTER_FIELDS = {
  ...TIME_FIELDS,
  entities: { ...TEXTS, value: 'name', instead: ['entity'], doc: 'only about this entity (repeatable)' },
  kinds: {
    type: 'list',
    of: { type: 'choice', noun: 'kind', choices: UNIT_KINDS, meant: KIND_NAME_OF_LETTER },
    instead: ['kind'],
    doc: `only this kind: ${UNIT_KINDS.join(', ')}`,
  },
  paths: {
    ...TEXTS,
    value: 'glob',
    instead: ['path'],
    doc: 'only from these pages, such as "pages/**" (repeatable)',
  },
  tags: { ...TEXTS, instead: ['tag'], doc: 'only lines or pages with this tag (repeatable)' },
} as const satisfies RequestFields;

export type RecallFilters = RequestOf<typeof FILTER_FIELDS>;

/** The fields of one question in a batch. The mode is missing, because all questions of a batch share it. */
export const BATCHED_REQUEST = {
  query: { type: 'text', required: true, place: 'words?', doc: 'your question, in your own words' },
  k: { ...COUNT, instead: ['limit'], doc: 'maximum results (default 10)' },
  ...FILTER_FIELDS,
  budget: { ...COUNT, value: 'tokens', doc: 'maximum tokens of all results' },
  explain: { type: 'boolean', doc: 'show how the question was read, and why each result was found' },
} as const satisfies RequestFields;

export type BatchedRecall = RequestOf<typeof BATCHED_REQUEST>;

export const MODE_FIELD = {
  type: 'choice',
  noun: 'mode',
  choices: RECALL_MODES,
  default: 'auto',
  doc: 'lexical (by words), hybrid (also by meaning), or auto (hybrid if vectors exist)',
} as const satisfies RequestField;

/** The fields of a request to `recall`. */
export const RECALL_REQUEST = { ...BATCHED_REQUEST, mode: MODE_FIELD } as const satisfies RequestFields;

export type RecallRequest = RequestOf<typeof RECALL_REQUEST>;

/** A checked request whose times are converted to days. */
export interface RecallQuery extends Omit<RecallRequest, keyof TimeOptions> {
  readonly since?: Day | undefined;
  readonly until?: Day | undefined;
  readonly asOf?: Day | undefined;
}

/**
 * Converts the times of a checked request to days, and leaves out empty filters.
 * @throws MemoryError `usage` for a text that is no time
 */
export async function readRecallRequest(
  { since, until, around, asOf, entities, kinds, paths, tags, ...rest }: RecallRequest,
  clock: Clock,
  naming: KeyNameForm = 'key',
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
    fail(
      'usage',
      'the question is empty',
      'write a question, for example: openclaw memory recall "what does Peter prefer?"',
    );
}

/** The filters of a request, without its times. */
export function filtersOf({ query, k, budget, explain, mode, since, until, asOf, ...filters }: RecallQuery) {
  return filters;
}

/** Whether a request has a filter. */
export function hasFilter(request: object): boolean {
  return Object.entries(request).some(([name, value]) => name in FILTER_FIELDS && value !== undefined);
}

/** The answer of `recall`, which `recall --json` prints. */
export const RECALL_ANSWER = {
  query: text(),
  mode: text<'lexical' | 'hybrid'>(),
  /** Name of the embedding model that was asked, for the mode `hybrid`. */
  model: maybe(text()),
  /** The time of the question; null without one. */
  window: nullable<DaySpan>(),
  /**
   * All spans of days that the time may mean, the earlier first. Set only if there are two: a day or month without a year,
   * and no tense that shows which one is meant. A line of either span is within the time.
   */
  windows: maybe(list<DaySpan>()),
  results: list<RecallResult>(),
  /**
   * Whether the results contain all, some or too few of the question's telling words. Names do not count as telling words
   * here. Does not depend on `k`.
   */
  answers: text<Coverage>(),
  /** The telling words that no line of the first results has. Set only if there are any. Does not depend on `k`. */
  missing: maybe(list<MissingWord>()),
  /** Number of tokens of the content of all results. */
  tokens: number(),
  /**
   * Number of results within `k` that did not fit into the budget. If the question asks for all that was true at a time,
   * also the number of statements that were true then and are not within `k`.
   */
  dropped: number(),
  /** Whether the index may be out of date, because changed files could not be read. */
  stale: flag(),
  warnings: list(),
  /** How the question was read, and what each channel found. Set only with `explain`. */
  explain: maybe(list()),
} satisfies ReportFields;

export type RecallAnswer = ReportOf<typeof RECALL_ANSWER>;

/** A line that is not shown as a result, because a result with the same statement stands for it. */
export interface FoldedLine {
  readonly content: string;
  readonly entities: readonly string[];
  /** Place of the lines: `memory/2025-11-27.md#L12` or `…#L12-L14`. */
  readonly source: string;
}

export interface RecallResult {
  readonly id: string;
  readonly kind: UnitKind;
  readonly pageType?: string;
  /** Day of the line, by its place on the page, else of the page; null without both. */
  readonly timestamp: Day | null;
  /** The place from which the line has its day: its beginning, its row, a heading or field above, its page, or its file. */
  readonly dayBy?: 'line' | 'row' | 'heading' | 'page' | 'file';
  /** Who says the line, if it is not the author of the page. */
  readonly speaker?: string;
  readonly validFrom: Day | null;
  readonly validTo: Day | null;
  readonly entities: readonly string[];
  readonly content: string;
  /** For a row of a table: its cells, each with its column name: `Status: sold`. */
  readonly row?: readonly string[];
  /**
   * If the content ends in a colon or is the header of a table: the list items or rows below. The last is `…` if there are
   * more.
   */
  readonly below?: readonly string[];
  readonly confidence?: number;
  readonly evidence?: OpinionEvidence;
  /** Number of all pieces of evidence, if `evidence` has only the newest. */
  readonly evidenceCount?: EvidenceCount;
  /** Place of the lines: `memory/2025-11-27.md#L12` or `…#L12-L14`. */
  readonly source: string;
  /** The headings above the result on its page, highest first. */
  readonly heading?: readonly string[];
  /** The title of the page that has the result. */
  readonly title?: string;
  /** Other lines with the same statement: copies of a fact on other pages, and the lines of logs behind a belief. */
  readonly standsFor?: readonly FoldedLine[];
  /** Number of all lines that the result stands for. Set if `standsFor` has only some of them. */
  readonly standsForCount?: number;
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  /** Score of the result, from 0 to 1. */
  readonly score: number;
  /** Id of the fact that replaced the fact of this result. */
  readonly superseded?: string;
  /** Id of the newest later fact about the same topic. No judge has said that the later fact replaces this one. */
  readonly newer?: string;
  /** Words of the result that no longer apply. The other words still do. */
  readonly over?: string;
  /** Whether the result is from a log of a future day. Such a log says nothing about the present. */
  readonly future?: true;
  /**
   * Id of the result next to which this line stands on its page. Set if the line is a result only because it stands there.
   */
  readonly beside?: string;
  /**
   * Whether the result was generated from a file that is away (temporarily unavailable). Nobody can check now whether it
   * still holds.
   */
  readonly sourceAway?: true;
  /** Whether the result stands only in a conflict copy that a sync program made, and not in the original page. */
  readonly conflictCopy?: true;
  /** The channels that found the result, and the signals of its score. Set only with `explain`. */
  readonly why?: string;
}
