import { hash } from 'node:crypto';
import { formatFactCodes, type OpinionMark, type PageOpinion, readFactCodes } from '../memory/opinions-page.js';
import { encodeBytes } from '../text/bytes.js';
import { readEntries, readEntry, replaceEntries, storeEntries } from '../workspace/state.js';
import type { Belief } from './beliefs.js';
import type { JudgeBeliefPairs } from './judges.js';
import type { PageRecords } from './pages/page-records.js';

/**
 * Progress of reflect on this machine, as a map. The path of a page maps to the hash of the text that was read. The id of
 * a belief maps to the day after which facts were judged against it. `unasked` with a slug maps to the name of an entity
 * that waits for a model. The progress may be lost: then all facts are read again, but no pair is judged twice, because
 * the verdicts are in `bank/evidence.jsonl`.
 */
export type ReflectProgress = ReadonlyMap<string, string>;

/** Hash of a page's text, computed in the same way as in the index. */
export function pageHash(text: string): string {
  return hash('sha1', encodeBytes(text));
}

export function readProgress(stateFolder: string): ReflectProgress {
  return readEntries(stateFolder, PROGRESS);
}

/** Stores the progress after a run, with the records of the pages that it wrote. */
export function storeProgress(stateFolder: string, progress: ReflectProgress, pages: PageRecords): void {
  replaceEntries(stateFolder, PROGRESS, progress);
  replaceEntries(stateFolder, PAGES, pages);
}

export function readPageRecords(stateFolder: string): PageRecords {
  return readEntries(stateFolder, PAGES);
}

/**
 * By the first day of a week: the slugs of the entities for which an observation of that week was written. Somebody may have
 * edited or deleted the line since.
 */
export type ObservationWeeks = ReadonlyMap<string, readonly string[]>;

export function readObservationWeeks(stateFolder: string): ObservationWeeks {
  return readEntries(stateFolder, OBSERVED);
}

export function storeObservationWeeks(stateFolder: string, observed: ObservationWeeks): void {
  replaceEntries(stateFolder, OBSERVED, observed);
}

const OBSERVED = 'reflect observations';
const PROGRESS = 'reflect progress';
const PAGES = 'reflect pages';

/** Record of the last run of reflect. */
export interface LastRun {
  /** Id of the run. */
  readonly run: string;
  /** Start of the run. ISO 8601, like all times here. */
  readonly startedAt: string;
  readonly endedAt: string;
  readonly result: 'done' | 'failed' | 'interrupted';
  /** Reason of the failure, or the warnings of a run that succeeded. */
  readonly message?: string;
  /** Number of facts that the run read. */
  readonly facts: number;
  /** Number of files that the run wrote. */
  readonly written: number;
}

const LAST_RUN = 'reflect last run';

/** Writes the record of a run in place of the record of the run before. */
export function writeLastRun(stateFolder: string, run: LastRun): void {
  storeEntries(stateFolder, [{ kind: LAST_RUN, value: run }]);
}

/** The record of the last run; undefined if there is none. */
export function readLastRun(stateFolder: string): LastRun | undefined {
  return readEntry(stateFolder, LAST_RUN);
}

/**
 * Whether facts that were read before must be judged against a belief: it is new on this machine, or the day of its
 * prior has changed. A first run reads all facts anyway.
 */
export function needsRejudging(belief: Belief, progress: ReflectProgress): boolean {
  return belief.page === null || (progress.size > 0 && progress.get(belief.id) !== evidenceStart(belief));
}

/** The day after which facts count as evidence for or against a belief; `always` if its prior has no day. */
export function evidenceStart({ prior }: Belief): string {
  return prior.day ?? 'always';
}

/** Key in the progress: the day of the newest run. */
export const NEWEST_RUN_DAY_KEY = 'newest run';

/** Key in the progress: the version of the rules that last checked the evidence. */
export const EVIDENCE_RULES_VERSION_KEY = 'rules of the evidence';

/** Key in the progress: the length of the evidence file in characters. Text after it is new. */
export const EVIDENCE_LENGTH_KEY = 'length of the evidence';

/** Key in the progress: the number of parts that the calling agent's model has answered, if other parts still wait. */
export const ANSWERED_PARTS_KEY = 'answered parts';

const TAKEN = 'taken ';

/**
 * Last known state of a belief that a person wrote. Such a belief has no mark of reflect on the page, so the progress
 * has its state. If the page now shows another confidence, a person has changed it.
 */
export function readKnownOpinionMark(progress: ReflectProgress, opinion: string): OpinionMark | undefined {
  const [confidence, codes = ''] = progress.get(TAKEN + opinion)?.split(' ') ?? [];
  return confidence === undefined || confidence === ''
    ? undefined
    : { confidence: Number(confidence), base: null, listed: readFactCodes(codes) };
}

/**
 * Records the state of each belief that has no mark of reflect on the page.
 * @param isFact whether a fact with the given id exists
 */
export function recordKnownOpinionMarks(
  page: readonly PageOpinion[],
  isFact: (id: string) => boolean,
  seen: Map<string, string>,
): void {
  for (const { id, mark, confidence, evidence } of page) {
    const matched = evidence.filter(({ fact }) => fact !== null && isFact(fact));
    seen.set(TAKEN + id, mark === null ? `${confidence} ${formatFactCodes(matched)}` : '');
  }
}

const UNASKED = 'unasked ';

/** Entities that still waited for a model when an earlier run ended, with their names. */
export function readWaitingEntities(progress: ReflectProgress): readonly (readonly [slug: string, name: string])[] {
  return [...progress].flatMap(([key, name]) =>
    key.startsWith(UNASKED) && name !== '' ? [[key.slice(UNASKED.length), name] as const] : [],
  );
}

/** Records which of the updated entities still wait for a model. */
export function recordWaitingEntities(
  unasked: ReadonlySet<string>,
  touched: ReadonlyMap<string, string>,
  progress: ReflectProgress,
  seen: Map<string, string>,
): void {
  for (const [slug, name] of touched) {
    if (unasked.has(slug)) seen.set(UNASKED + slug, name);
    else if (progress.has(UNASKED + slug)) seen.set(UNASKED + slug, '');
  }
}

const AWAITED = 'awaits a model ';
/** Maximum number of facts, judged without the model, that a run with the model judges again. */
const MOST_A_RUN = 100;

/** Facts that the rules judged because the configured model was unavailable; they wait for the model. */
export class PendingModelFacts {
  readonly reopened: ReadonlySet<string>;
  /**
   * Number of failed attempts to ask the model about a fact, by its id. Facts with many failed attempts are asked about
   * last.
   */
  private readonly before: ReadonlyMap<string, number>;
  private readonly unjudged = new Set<string>();

  /** @param wanted ids of the facts to ask the model about again; default: some of those that wait */
  constructor(progress: ReflectProgress, wanted?: ReadonlySet<string>) {
    const waiting = [...progress].filter(([key, value]) => key.startsWith(AWAITED) && value !== '');
    this.before = new Map(waiting.map(([key, value]) => [key.slice(AWAITED.length), Number(value) || 0]));
    const byTries = [...this.before].sort(([, a], [, b]) => a - b).map(([id]) => id);
    this.reopened = wanted ?? new Set(byTries.slice(0, MOST_A_RUN));
  }

  /** Wraps a judge and records the facts that wait for the model. */
  watch(judge: JudgeBeliefPairs): JudgeBeliefPairs {
    return async (pairs) => {
      const judgements = await judge(pairs);
      for (const [index, { fact }] of pairs.entries()) {
        const judgement = judgements[index];
        // Do not record a new fact without a verdict: the next run reads it again anyway.
        if (judgement === undefined ? this.reopened.has(fact.id) : judgement.isProvisional) this.unjudged.add(fact.id);
      }
      return judgements;
    };
  }

  /**
   * Records which facts wait for the model after the run.
   * @returns their number
   */
  note(isFact: (id: string) => boolean, seen: Map<string, string>): number {
    for (const id of this.before.keys()) if (this.reopened.has(id) || !isFact(id)) seen.set(AWAITED + id, '');
    for (const id of this.unjudged) seen.set(AWAITED + id, String((this.before.get(id) ?? 0) + 1));
    const left = new Set([...this.before.keys(), ...this.unjudged]);
    return [...left].filter((id) => seen.get(AWAITED + id) !== '').length;
  }
}
