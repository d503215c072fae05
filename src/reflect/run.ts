import type { Day } from '../base/clock.js';
import type { OnProgress } from '../base/request.js';
import { mayBeDamage } from '../db/open.js';
import type { FoundUnit, IndexedFile, Search } from '../index/search.js';
import type { VectorSearch } from '../index/vectors/nearest.js';
import { isOfVectors } from '../index/vectors/path.js';
import { dayOfPath } from '../language/time/calendar.js';
import type { AwayFiles } from '../memory/away.js';
import { EvidenceBook } from '../memory/evidence.js';
import { PairBook } from '../memory/threads/verdicts.js';
import { SimilarityView } from '../recall/similarity.js';
import type { Unread } from '../workspace/pages/readable.js';
import { type BeliefSimilarity, BeliefStore } from './beliefs/beliefs.js';
import { FactReader, type ReflectFact } from './facts.js';
import type { Judges } from './judges.js';
import type { PageRecords } from './pages/page-records.js';
import type { PageBudget } from './pages/summary.js';
import { PendingModelFacts, type ReflectProgress } from './progress.js';
import { EVIDENCE_PATH, OPINIONS_PATH, runScope, type Scope } from './scope.js';

/** What people set about entity pages. */
export interface PageSettings {
  readonly budget: PageBudget;
  /** A page is made for whoever so many facts mention. */
  readonly mentions: number;
}

/** What a run is given. */
export interface RunInput extends Judges {
  readonly search: Search;
  /** Files that are elsewhere for now: what was made of them stays. */
  readonly elsewhere: AwayFiles;
  readonly today: Day;
  /** ISO 8601. */
  readonly now: string;
  readonly progress: ReflectProgress;
  /** Is told how far it is. */
  readonly onProgress?: OnProgress | undefined;
  /** Only facts from this day on. */
  readonly since?: Day | undefined;
  /** A model is to judge what the rules alone have judged. */
  readonly rejudge?: boolean | undefined;
  /** The text of a page, null when there is none. */
  readonly readPage: (path: string) => string | null;
  /** Why a page that is to be written would not be read, by its path and text. */
  readonly whyNotRead: (path: string, before: string | null, after: string) => Unread | undefined;
  /** Path of the core file. */
  readonly core: string;
  /** In characters. */
  readonly coreBudget: number;
  readonly pageSettings: PageSettings;
  readonly pageRecords: PageRecords;
  /** To find what a fact may be about by its meaning, too. */
  readonly vectors?: VectorSearch | undefined;
}

/** A run, with what it has read and what it finds: each of its steps works on this. */
export type ReflectRun = ReturnType<typeof beginRun>;

/** Roles of pages whose facts are looked at, and of those that a merge may have left in pieces. */
const WATCHED: ReadonlySet<string> = new Set(['daily', 'topic', 'bank', 'core', 'entity', 'opinions']);

/** Reads what is there before the run, and what has changed since the last one. */
export function beginRun(input: RunInput) {
  const { search, elsewhere, progress, readPage, today, rejudge, since } = input;
  const reader = new FactReader(search, readPage, today);
  const all = search.files();
  const there = new Set(all.map(({ path }) => path));
  // What is dated after the day of the run waits for its day.
  const isLater = (path: string): boolean => (dayOfPath(path) ?? '') > today;
  const files = all.filter(({ path }) => !isLater(path));
  const watched = files.filter(({ role }) => WATCHED.has(role));
  const changed = watched.filter(({ path, hash }) => progress.get(path) !== hash);
  const texts = { opinions: readPage(OPINIONS_PATH) ?? '', evidence: readPage(EVIDENCE_PATH) ?? '' };
  const gone = [...progress.keys()].filter((path) => !there.has(path) && !elsewhere.has(path));
  const scope: Scope = runScope(progress, changed, [...gone, ...all.map(({ path }) => path).filter(isLater)], texts);
  const evidence = rejudge ? factsOfPages(watched, reader, since).wanted.filter((fact) => fact.isEvidence) : undefined;
  const awaited = new PendingModelFacts(progress, evidence && new Set(evidence.map(({ id }) => id)));
  const near = input.vectors && nearnessOf(search, input.vectors);
  return {
    ...input,
    judge: awaited.watch(input.judge),
    reader,
    files,
    changed,
    /** Pages that a run has looked at and that are not there. What else is noted there is not about pages. */
    gone: gone.filter((path) => path.endsWith('.md')),
    /** What is to be remembered as {@link ReflectProgress}; pages with a fact that had to wait leave it. */
    seen: new Map(changed.map(({ path, hash }) => [path, hash])),
    texts,
    scope,
    awaited,
    book: new EvidenceBook(texts.evidence),
    pairs: new PairBook(texts.evidence),
    near,
    beliefs: new BeliefStore(near),
  };
}

/** The facts of some pages. A log before `since` is left for another run. */
export function factsOfPages(files: readonly IndexedFile[], reader: FactReader, since: Day | undefined) {
  const facts = files
    .filter(({ role }) => role !== 'entity' && role !== 'opinions')
    .flatMap(({ path }) => reader.ofPage(path));
  const isWanted = ({ day }: ReflectFact): boolean => since === undefined || (day !== null && day >= since);
  return { wanted: facts.filter(isWanted), left: facts.filter((fact) => !isWanted(fact)) };
}

/** How near facts are to beliefs of the page, by the vectors of both. One that this run begins has none yet. */
function nearnessOf(search: Search, vectors: VectorSearch): BeliefSimilarity {
  const nearness = new SimilarityView(search, vectors);
  const units = new Map<string, FoundUnit | undefined>();
  const unitOf = (id: string): FoundUnit | undefined => {
    if (!units.has(id)) units.set(id, search.statements(id)[0]);
    return units.get(id);
  };
  return (fact, belief) => {
    const [one, other] = [unitOf(fact.id), unitOf(belief.id)];
    try {
      return one === undefined || other === undefined ? 0 : nearness.between(one, other);
    } catch (error) {
      // Words find pairs without them; the next question by meaning sets them aside.
      if (isOfVectors(error) && mayBeDamage(error)) return 0;
      throw error;
    }
  };
}
