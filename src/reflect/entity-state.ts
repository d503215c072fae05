import { join } from 'node:path';
import type { Day } from '../base/clock.js';
import { compareText } from '../base/order.js';
import type { IndexSearch } from '../index/search.js';
import { LEAST_SHOWN_CONFIDENCE } from '../memory/confidence.js';
import { EVIDENCE_PATH } from '../memory/evidence.js';
import type { Ending, StatusSection } from '../memory/threads/fact-status.js';
import type { FactSimilarityTest } from '../memory/threads/threads.js';
import { type PairJudge, readFinalVerdicts } from '../memory/threads/verdicts.js';
import { readPageText } from '../workspace/changes.js';
import { findLinesWithText } from '../workspace/files.js';
import { EntityStatuses, type PageFactStatus } from './entity-statuses.js';
import { FactReader, type ReflectFact } from './facts.js';
import { dropSameTexts, formatSentence } from './pages/fact-line.js';

export { MAX_ALL_ENTITY_FACTS, MAX_ENTITY_FACTS } from './entity-statuses.js';

/** An earlier statement of a thread. No judge has compared it with the newer one. */
interface EarlierStatement {
  /** The words that are not over. */
  readonly text: string;
  /** The whole statement, with the words that are over struck (`~~…~~`), if `text` has only a part of it. */
  readonly whole?: string;
  /** Id of the fact with this statement: `f-…`. */
  readonly id: string;
  readonly source: string;
  /** Day on which the statement was made. */
  readonly day: Day | null;
}

/** A statement with its status on a day. */
export interface CurrentStatement extends EarlierStatement {
  /**
   * First day on which the statement holds or held; `to` is the last day. For an event or a plan: its own first and
   * last day. Null if unknown.
   */
  readonly from: Day | null;
  readonly to: Day | null;
  /** Why the statement no longer holds. `repeated`: a judge decided that the newer statement `by` says the same. */
  readonly ending: Ending | 'repeated' | null;
  /** Id of the later fact that ends the statement. */
  readonly by?: string;
  /** Source of the ending: a date, the words of the later fact, or a judge. */
  readonly settledBy?: 'date' | 'words' | PairJudge;
  /** Set if only a part of the statement has ended: the words of that part, which `whole` shows struck. */
  readonly over?: string;
  /** Set if `text` is only a part, and the whole statement stands at another place, by itself or below a newer one. */
  readonly isPart?: true;
  /** Earlier statements of the same thread, newest first. */
  readonly earlier?: readonly EarlierStatement[];
  /** Number of all earlier statements, if `earlier` has only some. */
  readonly earlierCount?: number;
  /** For a preference: how certain it is, from 0 to 1. */
  readonly confidence?: number;
}

/**
 * All statements about an entity by their status on a day: current, planned, recent events, preferences, and former
 * ones.
 */
export type EntityState = Readonly<Record<Exclude<StatusSection, 'nowhere'>, readonly CurrentStatement[]>>;

/** Number of statements in each section. */
export type StateCount = Readonly<Record<keyof EntityState, number>>;

interface EntityStateOptions {
  readonly today: Day;
  /** Root folder of the workspace. */
  readonly root: string;
  /** Maximum number of facts to read per entity, newest first; default: as many as reflect reads. */
  readonly mostFacts?: number;
  /**
   * Compares statements by meaning, as in `ThreadOptions`. Use it only for display: it may differ between machines, but
   * generated pages must be the same on all of them.
   */
  readonly alike?: FactSimilarityTest | undefined;
  /** Confidence of the belief that the opinion with this id states or supports. Undefined if there is no such belief. */
  readonly confidenceOf?: (id: string) => number | undefined;
}

/**
 * Computes the statuses of the facts about entities. Caches the facts that it reads, so that computing many entities is
 * fast.
 */
export class EntityStateReader {
  readonly known: EntityStatuses;
  private readonly confidenceOf: (fact: ReflectFact) => number;

  constructor(search: IndexSearch, options: EntityStateOptions) {
    const { today, root, mostFacts, alike, confidenceOf } = options;
    this.confidenceOf = ({ id, confidence }) => confidenceOf?.(id) ?? confidence;
    const reader = new FactReader(search, (path) => readPageText(root, path), today);
    const verdicts = readFinalVerdicts(findLinesWithText(join(root, EVIDENCE_PATH), '"of"'));
    this.known = new EntityStatuses(reader, today, verdicts, mostFacts, alike);
  }

  /** @param name name or alias of the entity */
  of(name: string): EntityState {
    const slug = this.known.reader.slugOf(name);
    const standings = this.known.of(slug);
    const at = (place: StatusSection) => [
      ...standings.filter((one) => one.place === place).map((one) => held(one, slug)),
      ...standings.flatMap((one) => [one, ...one.earlier].flatMap((of) => restOf(of, place, slug))),
    ];
    // If the words alone show that a newer statement says the same, leave out the earlier statement. If a judge decided
    // that both say the same, list the earlier statement as `repeated`. The judge may be wrong, and then the statement
    // would be lost.
    const repeated = standings
      .filter(({ place, settledBy }) => place === 'nowhere' && settledBy !== null)
      .map((one) => ({ ...held(one, slug), ending: 'repeated' as const }));
    return {
      now: at('now'),
      planned: at('planned'),
      lately: at('lately'),
      preferences: standings
        .filter(({ place }) => place === 'preferences')
        .flatMap((one) => this.preference(one))
        .map((one) => ({ ...held(one, slug), confidence: this.confidenceOf(one.fact) })),
      before: [...at('before'), ...repeated],
    };
  }

  /** A preference without the statements of its thread that are likelier untrue than true. */
  private preference(standing: PageFactStatus): readonly PageFactStatus[] {
    const [first, ...earlier] = [standing, ...standing.earlier].filter(
      ({ fact }) => this.confidenceOf(fact) >= LEAST_SHOWN_CONFIDENCE,
    );
    return first === undefined ? [] : [{ ...first, earlier }];
  }
}

/** Maximum number of earlier statements that are listed with one statement. */
const MOST_EARLIER = 3;

/**
 * Keeps only the newest statements of each section, because a page or a model has no room for the statements of many
 * years. Also returns the number of all statements in each section.
 * @param most maximum number per section; default: all
 */
export function limitToNewest(holds: EntityState, most: number | undefined) {
  const holdsCount: StateCount = eachPart(holds, (part) => part.length);
  if (most === undefined) return { holds, holdsCount };
  const newest = (part: readonly CurrentStatement[]) =>
    part.toSorted((a, b) => compareText(b.day ?? '', a.day ?? '')).slice(0, most);
  return { holds: eachPart(holds, (part) => newest(part).map(withFewEarlier)), holdsCount };
}

function withFewEarlier(statement: CurrentStatement): CurrentStatement {
  const { earlier = [] } = statement;
  if (earlier.length <= MOST_EARLIER) return statement;
  return {
    ...statement,
    earlier: dropSameTexts(statement.text, earlier).slice(0, MOST_EARLIER),
    earlierCount: earlier.length,
  };
}

function eachPart<T>(
  { now, planned, lately, preferences, before }: EntityState,
  of: (part: readonly CurrentStatement[]) => T,
): Readonly<Record<keyof EntityState, T>> {
  return { now: of(now), planned: of(planned), lately: of(lately), preferences: of(preferences), before: of(before) };
}

function held(standing: PageFactStatus, slug: string): CurrentStatement {
  const { from, to, ending, by, settledBy, over, earlier } = standing;
  const isSettled = settledBy !== null || ending !== null;
  return {
    ...told(standing, slug),
    from,
    to,
    ending,
    ...(by === null ? {} : { by: by.id }),
    ...(isSettled ? { settledBy: settledBy ?? 'date' } : {}),
    ...(over === null ? {} : { over }),
    ...(earlier.length === 0 ? {} : { earlier: earlier.map((one) => told(one, slug)) }),
  };
}

/** Words of a statement that have a place of their own, as a statement. */
function restOf(one: PageFactStatus, place: StatusSection, slug: string): readonly CurrentStatement[] {
  const alone = { ...one, place, struck: [], over: null, by: null, settledBy: null, ending: null, earlier: [] };
  return one.rest
    .filter((rest) => rest.place === place)
    .map(({ held: words }) => ({ ...held({ ...alone, held: words }, slug), isPart: true }));
}

function told(standing: PageFactStatus, slug: string): EarlierStatement {
  const { fact, text: whole, held: words } = standing;
  const { id, source, day } = fact;
  const text = formatSentence({ fact, text: words }, slug);
  return { text, ...(words === whole ? {} : { whole: formatSentence({ fact, text: whole }, slug) }), id, source, day };
}
