import type { Day } from '../base/clock.js';
import { compareText } from '../base/order.js';
import type { RequestFields, RequestOf } from '../base/request.js';
import { resolveId } from '../index/query/ids.js';
import type { FoundUnit, IndexSearch, UnitFilter } from '../index/search.js';
import type { OpinionEvidence } from '../line/unit.js';
import { DEFAULT_CONFIDENCE, normaliseText } from '../memory/fact.js';
import { entitySlug } from '../text/slug.js';
import { citationOf } from './answer/result.js';
import { type BeliefLookup, slugsOf } from './beliefs.js';
import { FILTER_FIELDS } from './request.js';

/** An opinion on the page of opinions, or in a log that `reflect` has not processed yet. */
export interface OpinionView {
  readonly id: string;
  readonly content: string;
  readonly entities: readonly string[];
  /** Confidence of the opinion, from 0 to 1. */
  readonly confidence: number;
  readonly prior: { readonly confidence: number; readonly day: Day | null } | null;
  readonly updated: Day | null;
  readonly evidence: OpinionEvidence;
  readonly source: string;
  /** `log`: stated in a log that `reflect` has not processed yet. `retired`: in the section of retired opinions. */
  readonly place: 'bank' | 'retired' | 'log';
}

export const OPINIONS_REQUEST = {
  entities: { ...FILTER_FIELDS.entities, doc: 'only beliefs about this entity (repeatable)' },
  minConfidence: {
    type: 'number',
    least: 0,
    most: 1,
    example: 0.8,
    doc: 'only beliefs with at least this confidence, 0 to 1',
  },
} as const satisfies RequestFields;

export type OpinionFilter = RequestOf<typeof OPINIONS_REQUEST>;

const MOST_OPINIONS = 100_000;

export interface OpinionSource {
  readonly search: IndexSearch;
  readonly beliefs: BeliefLookup;
}

/**
 * Lists opinions: first those of the bank, then those of logs, then retired ones. Each group is sorted by confidence,
 * highest first. Logs add only opinions that belong to no belief and have not been judged yet.
 */
export function listOpinions(
  { search, beliefs }: OpinionSource,
  { entities, minConfidence }: OpinionFilter,
): readonly OpinionView[] {
  const slugs = entities?.flatMap((name) => search.entity(entitySlug(name))?.slugs ?? [entitySlug(name)]);
  const filter: UnitFilter = { withResources: false, kinds: ['opinion'], entities: slugs };
  const keys = search.filtered(filter, MOST_OPINIONS);
  const found = new Map(search.units(keys).map((unit) => [unit.key, unit]));
  const units = keys
    .flatMap((key) => found.get(key) ?? [])
    .filter((unit) => unit.file.role === 'opinions' || isOpen(unit, beliefs));
  const views = new Map<string, OpinionView>();
  // If several lines of logs state one opinion, the newest line gives its confidence.
  for (const view of units.map(toView).sort(byPlaceAndDay)) {
    const statement = JSON.stringify([slugsOf(view.entities), normaliseText(view.content)]);
    if (!views.has(statement)) views.set(statement, view);
  }
  return [...views.values()]
    .filter(({ confidence }) => confidence >= (minConfidence ?? 0))
    .sort((a, b) => ORDER[a.place] - ORDER[b.place] || b.confidence - a.confidence);
}

/** The opinion with an id, or the opinions that contain a text. */
export function findOpinions(source: OpinionSource, given: string): readonly OpinionView[] {
  const { search, beliefs } = source;
  const wanted = resolveId(search, given);
  if (/^\^?[of]-[0-9a-z]{13}$/.test(wanted)) {
    const [unit] = search.statements(wanted.replace('^', '')).filter(({ kind }) => kind === 'opinion');
    const belief = unit === undefined ? undefined : (beliefs.of(unit) ?? (isOpen(unit, beliefs) ? unit : undefined));
    return belief === undefined ? [] : [toView(belief)];
  }
  const text = normaliseText(wanted);
  return listOpinions(source, {}).filter(({ content }) => normaliseText(content).includes(text));
}

/** Whether a stated opinion belongs to no belief and has not been judged yet. */
function isOpen(unit: FoundUnit, beliefs: BeliefLookup): boolean {
  return beliefs.of(unit) === undefined && !beliefs.isJudged(unit);
}

const ORDER = { bank: 0, log: 1, retired: 2 } as const;

function byPlaceAndDay(a: OpinionView, b: OpinionView): number {
  return ORDER[a.place] - ORDER[b.place] || compareText(b.updated ?? '', a.updated ?? '');
}

function toView(unit: FoundUnit): OpinionView {
  const { detail, fact, file, text } = unit;
  return {
    id: fact ?? '',
    content: text,
    entities: detail?.entities ?? [],
    confidence: detail?.confidence ?? DEFAULT_CONFIDENCE,
    prior: detail?.prior ?? null,
    updated: detail?.updated ?? file.day,
    evidence: detail?.evidence ?? { for: [], against: [] },
    source: citationOf(unit),
    place: detail?.retired ? 'retired' : file.role === 'opinions' ? 'bank' : 'log',
  };
}
