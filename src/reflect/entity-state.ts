import { join } from 'node:path';
import type { Day } from '../base/clock.js';
import { compareText } from '../base/order.js';
import type { Search } from '../index/search.js';
import type { Ending, StatusSection } from '../memory/threads/fact-status.js';
import type { AreSimilar } from '../memory/threads/threads.js';
import { type PairJudge, winningPairs } from '../memory/threads/verdicts.js';
import { readPageText } from '../workspace/changes.js';
import { readLinesWith } from '../workspace/files.js';
import { FactReader } from './facts.js';
import { EntityStatuses, type PageFactStatus } from './pages/entity-statuses.js';
import { differentlyWorded, sentenceOf } from './pages/fact-line.js';
import { EVIDENCE_PATH } from './scope.js';

export { ALL_FACTS, MOST_FACTS } from './pages/entity-statuses.js';

/** An earlier statement of a thread that nobody settled. */
export interface EarlierStatement {
  readonly text: string;
  /** `f-…` */
  readonly id: string;
  readonly source: string;
  /** The day on which it was said. */
  readonly day: Day | null;
}

/** What a fact says as it stands on a day. */
export interface CurrentStatement extends EarlierStatement {
  /** From when to when it holds or held; the days of an event or a plan. Null where nobody knows. */
  readonly from: Day | null;
  readonly to: Day | null;
  /** Why it holds no more, or stands for itself no more: the newer one, `by`, stands for both. */
  readonly ending: Ending | 'repeated' | null;
  /** Id of the later fact that says so, or of which a judge says so. */
  readonly by?: string;
  /** Who says so: a date, the words of the later fact, or a judge. */
  readonly settledBy?: 'date' | 'words' | PairJudge;
  /** Words of it that are over; `text` has `[…]` in their place. */
  readonly over?: string;
  /** The newest first. */
  readonly earlier?: readonly EarlierStatement[];
  /** How many earlier ones there are, where `earlier` has not all. */
  readonly earlierCount?: number;
}

/** What holds of an entity on a day, what is planned, what happened, what is thought, and what was before: all of it. */
export type EntityState = Readonly<Record<Exclude<StatusSection, 'nowhere'>, readonly CurrentStatement[]>>;

/** How many statements each part has. */
export type StateCount = Readonly<Record<keyof EntityState, number>>;

export interface EntityStateOptions {
  readonly today: Day;
  /** The workspace. */
  readonly root: string;
  /** So many of the newest facts about each are looked at; without it as many as reflection looks at. */
  readonly mostFacts?: number;
  /** See the threads' options: what is only shown may look at what facts mean, pages are the same on every machine. */
  readonly alike?: AreSimilar | undefined;
}

/** Judges the facts about entities by the day: what is told of one by facts about another is looked up once. */
export class EntityLedger {
  readonly known: EntityStatuses;

  constructor(search: Search, { today, root, mostFacts, alike }: EntityStateOptions) {
    const reader = new FactReader(search, (path) => readPageText(root, path), today);
    const verdicts = winningPairs(readLinesWith(join(root, EVIDENCE_PATH), '"of"'));
    this.known = new EntityStatuses(reader, today, verdicts, mostFacts, alike);
  }

  /** @param name or an alias */
  of(name: string): EntityState {
    const slug = this.known.reader.slugOf(name);
    const standings = this.known.of(slug);
    const at = (place: StatusSection) => standings.filter((one) => one.place === place).map((one) => held(one, slug));
    // What the words of a newer one say again is no loss; what a judge says is the same may be one.
    const repeated = standings
      .filter(({ place, settledBy }) => place === 'nowhere' && settledBy !== null)
      .map((one) => ({ ...held(one, slug), ending: 'repeated' as const }));
    return {
      now: at('now'),
      planned: at('planned'),
      lately: at('lately'),
      preferences: at('preferences'),
      before: [...at('before'), ...repeated],
    };
  }
}

/** Beneath each of these statements so many earlier ones. */
const MOST_EARLIER = 3;

/**
 * Of each part so many statements, the newest, and how many it has: what is known of somebody for years is more than a
 * page, and than a model should read.
 * @param most missing: all
 */
export function newestOf(holds: EntityState, most: number | undefined) {
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
    earlier: differentlyWorded(statement.text, earlier).slice(0, MOST_EARLIER),
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

function told(standing: PageFactStatus, slug: string): EarlierStatement {
  const { id, source, day } = standing.fact;
  return { text: sentenceOf(standing, slug), id, source, day };
}
