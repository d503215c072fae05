import { join } from 'node:path';
import { type Fields, parseRecord } from '../base/json.js';
import { type OpinionMark, type PageOpinion, readCodes, writtenCodes } from '../memory/opinions-page.js';
import { editFile, readVersion, removeFile } from '../workspace/files.js';
import type { Belief } from './beliefs/beliefs.js';
import type { JudgePairs } from './judges.js';

/**
 * Content hashes of the pages that reflection has seen, by path; of beliefs, by id, the day after which facts were judged
 * against them; and the names of entities that a model was not asked about in time, by `unasked` and slug. Only of this machine, and may be lost: facts are then looked at again, and nothing is judged twice,
 * for verdicts are in `bank/evidence.jsonl`.
 */
export type ReflectProgress = ReadonlyMap<string, string>;

export function readProgress(stateFolder: string): ReflectProgress {
  const entries = Object.entries(readNotes(stateFolder, PROGRESS_FILE));
  return new Map(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

/** Files of `reflect/` in the state folder: what it has seen of pages, and what it has written into them. */
export const PROGRESS_FILE = 'progress.json';
export const PAGES_FILE = 'pages.json';
type Notes = typeof PROGRESS_FILE | typeof PAGES_FILE;

export function readNotes(stateFolder: string, name: Notes): Fields {
  return parseRecord(readVersion(notesPath(stateFolder, name))?.bytes.toString('utf8') ?? '') ?? {};
}

export function writeNotes(stateFolder: string, name: Notes, notes: ReadonlyMap<string, unknown>): void {
  const text = `${JSON.stringify(Object.fromEntries(notes))}\n`;
  editFile(notesPath(stateFolder, name), (current) => (current?.toString('utf8') === text ? undefined : text));
}

/** Has everything looked at again by the next run. */
export function forgetNotes(stateFolder: string): void {
  for (const name of [PROGRESS_FILE, PAGES_FILE] as const) removeFile(notesPath(stateFolder, name));
}

function notesPath(stateFolder: string, name: Notes): string {
  return join(stateFolder, 'reflect', name);
}

/** Whether a belief is new here, or reaches back to another day: a first run looks at every fact anyway. */
export function needsRejudging(belief: Belief, progress: ReflectProgress): boolean {
  return belief.page === null || (progress.size > 0 && progress.get(belief.id) !== evidenceStart(belief));
}

/** The day after which facts count for a belief. */
export function evidenceStart({ prior }: Belief): string {
  return prior.day ?? 'always';
}

/** Under this key stands the day of the newest run. */
export const NEWEST_RUN = 'newest run';

/** Under this key stands by which rules the evidence was last looked at. */
export const RULES_OF_EVIDENCE = 'rules of the evidence';

/** Under this key stand the settings by which the pages were made. */
export const PAGE_SETTINGS = 'page settings';

/** Under this key stands how long the evidence was, in characters: what comes after is new. */
export const EVIDENCE_LENGTH = 'length of the evidence';

const ANSWERED_PARTS = 'answered parts';

/** How many parts of the open pairs the calling agent's model has answered, while others wait. */
export function answeredParts(progress: ReflectProgress): number {
  return Number(progress.get(ANSWERED_PARTS) ?? 0) || 0;
}

export function withAnsweredParts(progress: ReflectProgress, parts = 0): ReflectProgress {
  const known = new Map(progress);
  if (parts > 0) known.set(ANSWERED_PARTS, String(parts));
  else known.delete(ANSWERED_PARTS);
  return known;
}

const TAKEN = 'taken ';

/** What was seen of a belief on which nothing of ours is written: a confidence that is another one later is a person's. */
export function handledBefore(progress: ReflectProgress, opinion: string): OpinionMark | undefined {
  const [confidence, codes = ''] = progress.get(TAKEN + opinion)?.split(' ') ?? [];
  return confidence === undefined || confidence === ''
    ? undefined
    : { confidence: Number(confidence), base: null, listed: readCodes(codes) };
}

/** Remembers the beliefs of a page on which nothing of ours is written. @param isFact whether there is a fact with an id */
export function markHandled(
  page: readonly PageOpinion[],
  isFact: (id: string) => boolean,
  seen: Map<string, string>,
): void {
  for (const { id, mark, confidence, evidence } of page) {
    const matched = evidence.filter(({ fact }) => fact !== null && isFact(fact));
    seen.set(TAKEN + id, mark === null ? `${confidence} ${writtenCodes(matched)}` : '');
  }
}

const UNASKED = 'unasked ';

/** Entities that an earlier run had no time to ask a model about, with their names. */
export function unaskedBefore(progress: ReflectProgress): readonly (readonly [slug: string, name: string])[] {
  return [...progress].flatMap(([key, name]) =>
    key.startsWith(UNASKED) && name !== '' ? [[key.slice(UNASKED.length), name] as const] : [],
  );
}

/** Remembers which of the entities that something is new about a model is still to be asked about. */
export function noteUnasked(
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
/** So many facts that were judged without the model are looked at again by a run that has it. */
const MOST_A_RUN = 40;

/** Facts that the rules have judged because the model that somebody has set was away: they stay open for it. */
export class PendingModelFacts {
  readonly reopened: ReadonlySet<string>;
  /** How often each was put to the model in vain: those that it cannot answer come last. */
  private readonly before: ReadonlyMap<string, number>;
  private readonly unjudged = new Set<string>();

  /**
   * @param wanted ids of the facts that the model is asked about once more; without them some of those that wait
   */
  constructor(progress: ReflectProgress, wanted?: ReadonlySet<string>) {
    const waiting = [...progress].filter(([key, value]) => key.startsWith(AWAITED) && value !== '');
    this.before = new Map(waiting.map(([key, value]) => [key.slice(AWAITED.length), Number(value) || 0]));
    const byTries = [...this.before].sort(([, a], [, b]) => a - b).map(([id]) => id);
    this.reopened = wanted ?? new Set(byTries.slice(0, MOST_A_RUN));
  }

  /** The same judge; what it leaves to the model is noted. */
  watch(judge: JudgePairs): JudgePairs {
    return async (pairs) => {
      const judgements = await judge(pairs);
      for (const [index, { fact }] of pairs.entries()) {
        const judgement = judgements[index];
        // One that had to wait and is new is looked at again anyway.
        if (judgement === undefined ? this.reopened.has(fact.id) : judgement.isProvisional) this.unjudged.add(fact.id);
      }
      return judgements;
    };
  }

  /**
   * Remembers which facts wait for the model after the run.
   * @returns how many they are
   */
  note(isFact: (id: string) => boolean, seen: Map<string, string>): number {
    for (const id of this.before.keys()) if (this.reopened.has(id) || !isFact(id)) seen.set(AWAITED + id, '');
    for (const id of this.unjudged) seen.set(AWAITED + id, String((this.before.get(id) ?? 0) + 1));
    const left = new Set([...this.before.keys(), ...this.unjudged]);
    return [...left].filter((id) => seen.get(AWAITED + id) !== '').length;
  }
}
