import { memoize } from '../base/cache.js';
import type { Day } from '../base/clock.js';
import type { OnProgress } from '../base/request.js';
import { mayMeanDamage } from '../db/open.js';
import type { IndexedFile, IndexSearch } from '../index/search.js';
import type { VectorSearch } from '../index/vectors/nearest.js';
import { isVectorError } from '../index/vectors/path.js';
import { dayOfPath } from '../language/time/calendar.js';
import type { Bullet } from '../markdown/bullet.js';
import type { AwayFiles } from '../memory/away.js';
import { EVIDENCE_PATH, type Judge, VerdictStore } from '../memory/evidence.js';
import type { KnownProposal } from '../memory/proposals.js';
import { PairVerdictStore } from '../memory/threads/verdicts.js';
import { UnitSimilarity } from '../query/similarity.js';
import type { UnreadReason } from '../workspace/readable.js';
import { type BeliefSimilarity, BeliefStore } from './beliefs.js';
import { FactReader, type ReflectFact } from './facts.js';
import type { Judges } from './judges.js';
import type { PageRecords } from './pages/page-records.js';
import { type ObservationWeeks, PendingModelFacts, pageHash, type ReflectProgress } from './progress.js';

export const OPINIONS_PATH = 'bank/opinions.md';

/** Input of a run: the data, settings and judges that it uses. */
export interface RunInput extends Judges {
  readonly search: IndexSearch;
  /** Files that are temporarily unavailable. Lines on pages that were generated from these files stay. */
  readonly elsewhere: AwayFiles;
  readonly today: Day;
  /** The current time, ISO 8601. */
  readonly now: string;
  readonly progress: ReflectProgress;
  /** Receives the progress of the run. */
  readonly onProgress?: OnProgress | undefined;
  /** Limits the run to facts from this day on. */
  readonly since?: Day | undefined;
  /** Ask the model again about pairs that only the rules, or other models, have judged. */
  readonly rejudge?: boolean | undefined;
  /** Ask again what this judge has judged. */
  readonly rejudgedJudge?: Judge | undefined;
  /** Revoke the verdicts of this judge. */
  readonly revokedJudge?: Judge | undefined;
  /** Judge again the pairs of a fact and a belief that have no verdict, because the rules found nothing in them. */
  readonly withOpenPairs?: boolean | undefined;
  /** Text of a page; null if there is none. */
  readonly readPage: (path: string) => string | null;
  /** Why the index does not read a page, whose text is `before`; undefined if it does, or if the file is no page. */
  readonly whyUnread: (path: string, before: string | null) => UnreadReason | undefined;
  /** Path of the core file. */
  readonly core: string;
  /** Maximum length of the core file in characters. */
  readonly coreBudget: number;
  /** Proposals of earlier runs. */
  readonly proposed: readonly KnownProposal[];
  readonly pageRecords: PageRecords;
  /** Set if the run writes observations. */
  readonly observe?:
    | { readonly known: ObservationWeeks; readonly isForgotten: (bullet: Bullet) => boolean }
    | undefined;
  /** Vectors. With them, related beliefs are found by meaning, and not only by words. */
  readonly vectors?: VectorSearch | undefined;
}

/** State of a run: input, data read, and results. All steps share it. */
export type ReflectRun = ReturnType<typeof beginRun>;

/** Roles of pages with facts, and of pages that a merge may have damaged. */
const WATCHED: ReadonlySet<string> = new Set(['daily', 'topic', 'bank', 'core', 'entity', 'opinions']);

/** Reads the state before the run, and the changes since the last one. */
export function beginRun(input: RunInput) {
  const { search, elsewhere, progress, readPage, today, rejudge, rejudgedJudge, withOpenPairs, since } = input;
  const reader = new FactReader(search, readPage, today);
  const all = search.files();
  const there = new Set(all.map(({ path }) => path));
  // Leave out files dated after the day of the run. A run on their day reads them.
  const isLater = (path: string): boolean => (dayOfPath(path) ?? '') > today;
  const files = all.filter(({ path }) => !isLater(path));
  const watched = files.filter(({ role }) => WATCHED.has(role));
  const changed = watched.filter(({ path, hash }) => progress.get(path) !== hash);
  const texts = { opinions: readPage(OPINIONS_PATH) ?? '', evidence: readPage(EVIDENCE_PATH) ?? '' };
  const gone = [...progress.keys()].filter((path) => !there.has(path) && !elsewhere.has(path));
  const hasForeign = progress.get(EVIDENCE_PATH) !== pageHash(texts.evidence);
  const paths = [...changed.map(({ path }) => path), ...gone, ...all.map(({ path }) => path).filter(isLater)];
  /** What a run must check again, because opinions, evidence or logs have changed since the last run. */
  const scope = {
    /** Whether to check all opinions: the page of opinions or the evidence has changed since the last run. */
    all: hasForeign || progress.get(OPINIONS_PATH) !== pageHash(texts.opinions),
    /**
     * Whether the file of the evidence has changed since the last run of `reflect`. Then it may have verdicts that
     * `reflect` did not write: verdicts of a person, or verdicts that a merge brought from another machine.
     */
    hasForeign,
    /** Days whose logs have changed or were deleted. Facts that are evidence may be gone from these logs. */
    days: new Set(paths.flatMap((path) => dayOfPath(path) ?? [])),
  };
  const books = readEvidence(texts.evidence, input);
  const wanted = rejudge || withOpenPairs ? readFactsOfPages(watched, reader, since).wanted : [];
  const reopened = [...wanted, ...books.revoked.flatMap((id) => reader.byId(id) ?? [])].filter(
    (fact) => fact.isEvidence,
  );
  const isSome = rejudge || rejudgedJudge !== undefined;
  const awaited = new PendingModelFacts(progress, isSome ? new Set(reopened.map(({ id }) => id)) : undefined);
  const near = input.vectors && nearnessOf(search, input.vectors);
  return {
    ...input,
    judge: awaited.watch(input.judge),
    reader,
    files,
    changed,
    /** Pages that a run has read and that no longer exist. Other keys of the progress are not pages. */
    gone: gone.filter((path) => path.endsWith('.md')),
    /**
     * New entries of {@link ReflectProgress}. If a fact of a page must wait, the page gets no entry, so that the next
     * run reads it again.
     */
    seen: new Map(changed.map(({ path, hash }) => [path, hash])),
    texts,
    scope,
    awaited,
    /** Facts of earlier runs that this run judges again. */
    reopened,
    book: books.book,
    pairs: books.pairs,
    near,
    beliefs: new BeliefStore(near),
  };
}

/** Reads the verdicts, and revokes those that the run takes back. */
function readEvidence(text: string, { revokedJudge, now }: Pick<RunInput, 'revokedJudge' | 'now'>) {
  const [book, pairs] = [new VerdictStore(text), new PairVerdictStore(text)];
  const revoked = revokedJudge === undefined ? [] : book.revoke(revokedJudge, now);
  if (revokedJudge !== undefined) pairs.revoke(revokedJudge, now);
  /** `revoked` has the ids of facts about which the rules must judge. */
  return { book, pairs, revoked: [...new Set(revoked.map(({ fact }) => fact))] };
}

/** Appends lines to a text. If the text does not end with a line end, adds one first. */
export function addLinesToText(text: string, lines: string): string {
  return `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${lines}`;
}

/** Facts of the given pages. Facts from before `since` are left for another run. */
export function readFactsOfPages(files: readonly IndexedFile[], reader: FactReader, since: Day | undefined) {
  const facts = files
    .filter(({ role }) => role !== 'entity' && role !== 'opinions')
    .flatMap(({ path }) => reader.ofPage(path));
  const isWanted = ({ day }: ReflectFact): boolean => since === undefined || (day !== null && day >= since);
  return { wanted: facts.filter(isWanted), left: facts.filter((fact) => !isWanted(fact)) };
}

/** Similarity of a fact and a belief of the page, by their vectors. A belief that this run adds has no vector yet. */
function nearnessOf(search: IndexSearch, vectors: VectorSearch): BeliefSimilarity {
  const nearness = new UnitSimilarity(search, vectors);
  const unitOf = memoize((id: string) => search.statements(id)[0]);
  return (fact, belief) => {
    const [one, other] = [unitOf(fact.id), unitOf(belief.id)];
    try {
      return one === undefined || other === undefined ? 0 : nearness.between(one, other);
    } catch (error) {
      // If the vectors are damaged, words still find the pair. The next query by meaning discards the damaged vectors.
      if (isVectorError(error) && mayMeanDamage(error)) return 0;
      throw error;
    }
  };
}
