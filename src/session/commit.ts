import { join } from 'node:path';
import { type Failure, fail, MemoryError, toFailure } from '../base/failure.js';
import { groupBy } from '../base/order.js';
import { list, nullable, number, type ReportFields, type ReportOf, text } from '../base/report.js';
import { keepReplies, removeKeptReplies } from '../model/kept-replies.js';
import { UnusableAnswerLimit } from '../model/unusable.js';
import { removeFile } from '../workspace/files.js';
import { LOCK_WAIT_MS } from '../workspace/lock.js';
import { type ArchiveResult, archiveLiveMessages, repairMeta } from './archive/archive-live.js';
import {
  type Archive,
  addToArchiveOutcome,
  archiveDamage,
  countMessagesReadByModel,
  type ExtractionOutcome,
  readArchivedMessages,
} from './archive/archives.js';
import {
  type ExtractMemories,
  extractFromArchive,
  extractionWarnings,
  type FinishedArchive,
  type FinishServices,
  finishArchive,
  type MakeOverview,
  waitsForExtraction,
} from './finish.js';
import type { FlushEvent, FlushReport } from './flush.js';
import { decideSessionFlush, type FlushDecision, type FlushSettings } from './flush-decision.js';
import type { SessionMeta } from './log/meta.js';
import { ARCHIVE_FILES } from './log/meta.js';
import { clampKeepCount, MAX_KEEP_COUNT } from './log/pending-window.js';
import { updateByChoice } from './memory/choose.js';
import { toTranscript, updateByRules, updateWorkingMemory } from './memory/update.js';
import { countMessageTokens, dayOfMessage, type SessionMessage } from './message.js';
import type { CompactRequest } from './requests.js';
import { archivesLockHolder, Session, type SessionWorkspace, withArchivesLock, withLogLock } from './session.js';

interface CommitRequest {
  /**
   * Number of newest messages that stay in the log. If it is below 0 or above 10,000, then 0 or 10,000 is used, with a
   * warning.
   */
  readonly keep: number;
  /** Minimum number of pending tokens. If there are fewer, the commit archives nothing. */
  readonly threshold?: number | undefined;
  /** True if the host compacts the conversation. The session then counts one more compaction. */
  readonly compaction?: boolean | undefined;
  /** True to stop after archiving. Another command then finishes the archive. */
  readonly defer?: boolean | undefined;
}

const FINISHED = {
  /** Archives finished by this command, oldest first. */
  finished: list<FinishedArchive>(),
  /** Archives that wait to be finished. */
  pending: list(),
  warnings: list(),
} satisfies ReportFields;

type Finished = ReportOf<typeof FINISHED>;

/** The output of `session commit --json`. */
export const COMMIT_REPORT = {
  session: text(),
  outcome: text<ArchiveResult['outcome']>(),
  /** Id of the new archive. */
  archive: nullable<string>(),
  archived: number(),
  live_messages: number(),
  pending_tokens: number(),
  keep_recent_count: number(),
  compaction_count: number(),
  ...FINISHED,
} satisfies ReportFields;

export type CommitReport = ReportOf<typeof COMMIT_REPORT>;

/** `meta`: the session's meta after the command; undefined if nothing was done. */
type Outcome = Finished & { readonly meta: SessionMeta | undefined };

/**
 * Commits a session: archives its older messages (phase 1), then finishes every unfinished archive, oldest first (phase
 * 2).
 * @throws MemoryError `usage`, `not_found`, `busy`, `interrupted`, and errors of the file system
 */
export async function commitSession(
  place: SessionWorkspace,
  id: string,
  request: CommitRequest,
  tools: FinishServices,
): Promise<CommitReport> {
  const opened = Session.open(place.root, id);
  const keep = clampKeepCount(request.keep);
  const warnings = keep === request.keep ? [] : [`--keep-recent must be 0 to ${MAX_KEEP_COUNT}, so ${keep} was used`];
  const compaction = request.compaction === true;
  const archive = (session: Session) => ({
    ...archiveLiveMessages(session, { keep, compaction, threshold: request.threshold }, place.clock),
    pending: session.pending,
  });
  const { meta, pending, ...made } = await withLogLock(place, id, 'session commit', archive, opened);
  const done: Outcome = request.defer
    ? { finished: [], pending, warnings: [], meta }
    : await finishArchives(place, opened, tools);
  const { live_count: live_messages, pending_tokens, keep_recent_count, compaction_count } = done.meta ?? meta;
  const counts = { live_messages, pending_tokens, keep_recent_count, compaction_count };
  const { finished, pending: left } = done;
  return { session: id, ...made, ...counts, finished, pending: left, warnings: [...warnings, ...done.warnings] };
}

/** One session in the output of `session resume --json`; also the output of `wm apply --json`. */
export const RESUME_REPORT = {
  session: text(),
  live_messages: number(),
  archived_messages: number(),
  pending_tokens: number(),
  ...FINISHED,
} satisfies ReportFields;

export type ResumeReport = ReportOf<typeof RESUME_REPORT>;

/**
 * Repairs a session after a crash: first mends its log and its counts, then finishes its archives. These are all waiting
 * archives, and failed archives whose messages are not in the overview of a later archive. Idempotent.
 */
export async function resumeSession(place: SessionWorkspace, id: string, tools: FinishServices): Promise<ResumeReport> {
  const opened = Session.open(place.root, id);
  // Report damage only for completed archives. If an unfinished archive is damaged, finishing it fails with a report.
  const damaged = opened.archives.flatMap((archive) =>
    archive.state === 'completed' ? (archiveDamage(archive) ?? []) : [],
  );
  const meta = await withLogLock(place, id, 'session resume', settleCounts, opened);
  const finished = await finishArchives(place, opened, tools, { retry: true });
  return makeResumeReport(id, { ...finished, warnings: [...damaged, ...finished.warnings] }, meta);
}

/** @param before the session's meta before the command: its counts are reported if nothing was done */
export function makeResumeReport(session: string, { meta, ...done }: Outcome, before: SessionMeta): ResumeReport {
  const { live_count: live_messages, archived_count: archived_messages, pending_tokens } = meta ?? before;
  return { session, ...done, live_messages, archived_messages, pending_tokens };
}

interface FinishOptions {
  /** True to retry failed archives whose messages are not in the overview of a later archive. */
  readonly retry?: boolean;
  /** Finish only this archive. */
  readonly only?: string | undefined;
  readonly makeOverview?: MakeOverview;
}

/**
 * Finishes waiting archives strictly in order, under the lock of the session's archives. After it has released the lock it
 * checks once more, so that it does not miss an archive that was added at the last moment.
 */
export async function finishArchives(
  place: SessionWorkspace,
  opened: Session,
  tools: FinishServices,
  options: FinishOptions = {},
): Promise<Outcome> {
  const { id } = opened;
  const makeOverview = options.makeOverview ?? byModel(place, id, tools);
  const guarded = { ...tools, ...(tools.extract !== undefined && { extract: untilUnusable(tools.extract) }) };
  const finished: FinishedArchive[] = [];
  const tried = new Set<string>();
  let meta: SessionMeta | undefined;
  // Reads the session from disk again, because another process may have changed it. Called before the lock is taken, while
  // it is held, and once after its release.
  const look = (): Session => opened.again();
  const canAsk = async (): Promise<boolean> => (await tools.model?.('memory'))?.ok === true;
  const next = async (session: Session): Promise<Archive | undefined> => {
    const waiting = unfinished(session, tried, options)[0];
    if (waiting !== undefined || options.only !== undefined) return waiting;
    const newest = session.archives.findLast(({ state }) => state === 'completed');
    const isCut = newest !== undefined && !tried.has(newest.id) && countMessagesReadByModel(newest) !== undefined;
    return isCut && (await canAsk()) ? newest : undefined;
  };
  while ((await next(look())) !== undefined) {
    const settled = await withArchivesLock(place, id, { command: 'session commit', waitMs: LOCK_WAIT_MS }, async () => {
      for (let session = look(); ; session = look()) {
        const archive = await next(session);
        if (archive === undefined) break;
        tried.add(archive.id);
        // Remove the mark of the failure, so that the archive is pending again. If this attempt is killed, the next command
        // continues with it.
        removeFile(join(archive.folder, ARCHIVE_FILES.failed));
        finished.push(await finishArchive(place, session, archive, guarded, makeOverview));
        removeKeptReplies(place.stateFolder, keptRepliesOf(id));
      }
      return withLogLock(place, id, 'session commit', settleCounts, opened);
    });
    if (settled === undefined) {
      const warning = `${archivesLockHolder(place, id)} is finishing archives of this session`;
      return { finished, pending: look().pending, warnings: [warning], meta };
    }
    meta = settled;
  }
  const later = await extractWaiting(place, look(), guarded, finished);
  const outcomes = [...finished.map(({ extraction }) => extraction), ...later];
  const warnings = outcomes.flatMap((outcome) => (outcome === undefined ? [] : extractionWarnings(outcome)));
  return { finished, pending: look().pending, warnings: [...new Set(warnings)], meta };
}

/** Extracts until the answers are unusable too often. The other archives then wait for the next run. */
function untilUnusable(extract: ExtractMemories): ExtractMemories {
  const unusable = new UnusableAnswerLimit();
  return async (input) => {
    if (unusable.isReached) throw new MemoryError(unusable.failure);
    let isUsable = false;
    try {
      const outcome = await extract(input);
      isUsable = outcome.status !== 'failed';
      return outcome;
    } finally {
      unusable.note(isUsable);
    }
  };
}

/**
 * If there is a model now, extracts memories from archives that were finished without a model, or whose extraction failed.
 */
async function extractWaiting(
  place: SessionWorkspace,
  { id, archives }: Session,
  tools: FinishServices,
  finished: readonly FinishedArchive[],
): Promise<readonly ExtractionOutcome[]> {
  if (tools.extract === undefined) return [];
  const now = new Set(finished.map(({ archive }) => archive));
  const waiting = archives.filter((one) => one.state === 'completed' && !now.has(one.id) && waitsForExtraction(one));
  // Ask for the model before reading the messages of these archives: without a model they are not needed.
  if (waiting.length === 0 || (await tools.model?.('facts'))?.ok === false) return [];
  const outcomes = await withArchivesLock(place, id, { command: 'session commit' }, async () => {
    const extracted: ExtractionOutcome[] = [];
    for (const archive of waiting) extracted.push(await extractFromArchive(place, id, archive, tools));
    return extracted;
  });
  return outcomes ?? [];
}

/** Archives to finish, oldest first, without those already tried in this run. */
function unfinished({ archives }: Session, tried: ReadonlySet<string>, options: FinishOptions): readonly Archive[] {
  const covered = archives.findLast(({ state }) => state === 'completed')?.number ?? 0;
  return archives.filter(
    ({ id, number, state }) =>
      !tried.has(id) &&
      (options.only === undefined || options.only === id) &&
      (state === 'pending' || (options.retry === true && state === 'failed' && number > covered)),
  );
}

function settleCounts(session: Session): SessionMeta {
  return session.save({ ...repairMeta(session), archives: session.archiveCounts });
}

/** The kind of the replies that no finished archive of a session has used yet. */
function keptRepliesOf(session: string): string {
  return `commit replies ${session}`;
}

/** Makes overviews with the model. The model also reads messages that were summarised without a model before. */
function byModel(
  { signal, onProgress, clock, stateFolder }: SessionWorkspace,
  session: string,
  { model: open, templates, limit }: FinishServices,
): MakeOverview {
  const unusable = new UnusableAnswerLimit();
  return async ({ base, messages, ledger, withoutModel }, archive) => {
    const old = base?.text ?? null;
    if (unusable.isReached) return updateByRules({ old, messages, ledger, signal }, unusable.failure.message);
    const opened = await open?.('memory');
    if (opened?.ok !== true) return updateByRules({ old, messages, ledger, signal }, whyNone(opened?.error));
    const model = keepReplies(opened.value, stateFolder, keptRepliesOf(session));
    const again = readAgain(withoutModel, model.window / 2);
    const all = [...again.map(({ message }) => message), ...messages];
    const level = model.levelFor('memory', all.map((message) => toTranscript(message).body).join('\n'));
    if (level === 'unused')
      return updateByRules({ old, messages, ledger, signal }, `${model.name} did not pass its test in this language`);
    const dayOf = (message: SessionMessage) => dayOfMessage(message, clock);
    const input = { old, messages: all, ledger, covered: again.length, model, dayOf, signal, limit };
    const made =
      level === 'free' ? await updateWorkingMemory({ ...input, templates, onProgress }) : await updateByChoice(input);
    const step = made.madeBy === 'model' ? { ...made, model: model.name } : made;
    unusable.note(step.madeBy === 'model' || step.goesOn === true);
    if (step.goesOn !== true) return step;
    noteRead(again.slice(0, step.read));
    // A completed archive has no new messages here: its messages are in `again`. So `noteRead` has just recorded how many of
    // them the model has read.
    if (archive.state === 'completed') return { ...step, readByModel: countMessagesReadByModel(archive) };
    const unread = again.length + messages.length - step.read;
    return { ...step, readByModel: Math.max(0, readArchivedMessages(archive).length - unread) };
  };
}

/**
 * Records in each archive that was read again how many messages the model has read, so that the next model continues there.
 */
function noteRead(read: readonly ReadAgain[]): void {
  for (const [archive, messages] of groupBy(read, (each) => each.archive))
    addToArchiveOutcome(archive, { read_by_model: (countMessagesReadByModel(archive) ?? 0) + messages.length });
}

type ReadAgain = { readonly archive: Archive; readonly message: SessionMessage };

function whyNone(failure: Failure | undefined): string {
  if (failure?.type === 'interrupted') throw new MemoryError(failure);
  return failure?.message ?? 'there is no extraction step';
}

/**
 * Messages that no model has read, oldest first. If a model ran out of time while it read an archive, all unread messages of
 * that archive are returned. Of the other archives only the newest messages are returned, up to `most` tokens in all.
 */
function readAgain(archives: readonly Archive[], most: number): readonly ReadAgain[] {
  const kept: ReadAgain[] = [];
  let tokens = 0;
  for (const archive of archives.toReversed()) {
    const read = countMessagesReadByModel(archive);
    for (const message of readArchivedMessages(archive).slice(read).toReversed()) {
      tokens += read === undefined ? countMessageTokens(message) : 0;
      if (tokens <= most || read !== undefined) kept.push({ archive, message });
    }
  }
  return kept.reverse();
}

export type CompactionEvent =
  | { readonly type: 'compaction_start'; readonly session: string; readonly live_messages: number }
  | FlushEvent
  | {
      readonly type: 'compaction_end';
      readonly session: string;
      readonly archive: string | null;
      readonly archived: number;
      readonly compaction_count: number;
    };

interface CompactionServices extends FinishServices {
  readonly settings: FlushSettings;
  /** Saves memories before messages are archived. */
  readonly flush: () => Promise<FlushReport>;
}

export interface CompactReport extends CommitReport {
  readonly flush: FlushDecision;
}

/**
 * Archives all live messages. Then finishes the archive, unless another command will do that (`defer`). If messages were
 * archived, adds 1 to the compaction count of the session; an ordinary commit does not. With each compaction, a new cycle of
 * the memory flush begins.
 * @throws MemoryError `usage` if `tokens` is given without `contextWindow`
 */
export async function compactSession(
  place: SessionWorkspace,
  id: string,
  { tokens, contextWindow, defer }: CompactRequest,
  tools: CompactionServices,
  emit: (event: CompactionEvent) => void,
): Promise<CompactReport> {
  const session = Session.open(place.root, id);
  if (tokens !== undefined && contextWindow === undefined)
    fail('usage', '--tokens needs --context-window', 'use both, or none (then the tokens of the log are counted)');
  const counted = tokens ?? session.live.reduce((sum, message) => sum + countMessageTokens(message), 0);
  const flush = decideSessionFlush(place.root, id, tools.settings, { tokens: counted, contextWindow });
  const warnings: string[] = [];
  if (flush?.shouldFlush) {
    try {
      warnings.push(...(await tools.flush()).warnings);
    } catch (error) {
      if (place.signal?.aborted === true) throw error;
      warnings.push(`memories were not saved: ${toFailure(error).message}`);
    }
  }
  emit({ type: 'compaction_start', session: id, live_messages: session.meta.live_count });
  const report = await commitSession(place, id, { keep: 0, compaction: true, defer }, tools);
  const { archive, archived, compaction_count } = report;
  emit({ type: 'compaction_end', session: id, archive, archived, compaction_count });
  return { ...report, flush, warnings: [...warnings, ...report.warnings] };
}
