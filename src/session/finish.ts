import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../base/clock.js';
import type { Result } from '../base/failure.js';
import { fail, MemoryError, toFailure } from '../base/failure.js';
import { readForgotten } from '../index/forgotten-page.js';
import { openScratchIndex } from '../index/open.js';
import { readFile } from '../index/read-file.js';
import { IndexSearch } from '../index/search.js';
import { IndexWriter } from '../index/writer.js';
import type { ForgottenStatements } from '../memory/forgotten.js';
import { pageOfPath } from '../memory/pages.js';
import { joinSignals } from '../model/call.js';
import type { ChatTask } from '../model/levels.js';
import type { ChatModel } from '../model/model.js';
import { BeliefLookup } from '../query/beliefs.js';
import { recall } from '../query/query.js';
import { estimateTokens } from '../text/tokens.js';
import { contentItems, parseDocument, SECTION_NAMES } from '../wm/document.js';
import type { MergeResult } from '../wm/merge.js';
import type { WmTemplates } from '../wm/prompt.js';
import { removeFile } from '../workspace/files.js';
import {
  type Archive,
  type ArchiveOrigin,
  type ArchiveOutcome,
  type ArchiveOverview,
  addToArchiveOutcome,
  archiveDamage,
  type ExtractionOutcome,
  formatArchiveMeta,
  newestOverview,
  type OverviewSource,
  originFromMessages,
  readArchivedMessages,
  readArchiveText,
  readExtraction,
  readOrigin,
  readOverviewSource,
  writeArchiveFile,
} from './archive/archives.js';
import { ARCHIVE_FILES, SESSIONS_FOLDER } from './log/meta.js';
import { addDaysToLines } from './memory/dated-lines.js';
import { EMPTY_LEDGER, formatLedger, type MemoryLedger, parseLedger } from './memory/ledger/ledger.js';
import type { UnsupportedItem } from './memory/support.js';
import type { WmUpdate } from './memory/update.js';
import type { SessionMessage } from './message.js';
import type { Session, SessionWorkspace } from './session.js';

/** Input of the extraction of long-term memories. */
export interface ExtractionInput {
  readonly session: string;
  /** Id of the archive: `archive_007`. */
  readonly archive: string;
  /** Absolute path of the archive's folder, which gets the file `memory_diff.json`. */
  readonly folder: string;
  readonly messages: readonly SessionMessage[];
  /** The new Working Memory. */
  readonly overview: string;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Extracts long-term memories from an archive. If it fails, by a thrown error or a returned status, the archive still counts
 * as finished.
 */
export type ExtractMemories = (input: ExtractionInput) => Promise<ExtractionOutcome>;

/** The settings and functions that phase 2 of a commit needs, in addition to the session itself. */
export interface FinishServices {
  readonly templates: WmTemplates;
  /** Opens the chat model for a task, or returns the reason why there is none. Called only if the task must be done. */
  readonly model?: ((task: ChatTask) => Promise<Result<ChatModel>>) | undefined;
  readonly extract?: ExtractMemories | undefined;
  /** Aborts when the time limit of the model is reached. The rules then read the rest of the messages. */
  readonly limit?: AbortSignal | undefined;
}

export interface FinishedArchive {
  readonly archive: string;
  readonly state: 'completed' | 'failed';
  readonly overview_by?: OverviewSource;
  /**
   * Number of items removed from a Working Memory or refused for lack of room; `session show --removed` lists the
   * reasons.
   */
  readonly removed?: number;
  /** Items of the model that no message carries, if any. */
  readonly refused?: readonly UnsupportedItem[];
  /** Outcome of the extraction of long-term memories. */
  readonly extraction?: ExtractionOutcome;
  readonly notes: readonly string[];
  /** Stage and reason of the failure; only if the archive failed. */
  readonly stage?: FinishStage;
  readonly reason?: string;
}

type FinishStage = 'archive_read' | 'summary' | 'extraction' | 'index';

/**
 * A new Working Memory. `readByModel`: number of messages of the archive that the model had read when it ran out of time.
 */
interface OverviewResult extends WmUpdate {
  readonly readByModel?: number | undefined;
}

/** Makes the new Working Memory of an archive. */
export type MakeOverview = (input: ReturnType<typeof gatherOverviewInput>, archive: Archive) => Promise<OverviewResult>;

/**
 * Phase 2 of a commit, for one archive. Updates the newest completed overview under its guards, writes the other files of
 * the archive, and extracts memories. Proves by a query that the overview can be found, and writes `.done` last. The caller
 * holds the lock of the session's archives and has finished all older ones. After an error it writes `.failed.json`, and a
 * later commit covers the archive's messages. If the archive is already completed, only updates its overview with the
 * messages that no model has read.
 * @throws MemoryError `interrupted`: the archive then stays pending
 */
export async function finishArchive(
  place: SessionWorkspace,
  session: Session,
  archive: Archive,
  tools: FinishServices,
  makeOverview: MakeOverview,
): Promise<FinishedArchive> {
  let stage: FinishStage = 'archive_read';
  try {
    const gathered = gatherOverviewInput(session, archive);
    stage = 'summary';
    const { base, ledger, own } = gathered;
    const messages = gathered.messages.length > 0 ? gathered.messages : own;
    const from = { old: base?.text ?? null, messages, countBefore: ledger.messages, clock: place.clock };
    const made = await addDaysToLines(await makeOverview(gathered, archive), from);
    const step = withoutForgotten(made, readForgotten(place.root));
    writeArchiveFile(archive, ARCHIVE_FILES.overview, step.document);
    writeArchiveFile(archive, ARCHIVE_FILES.abstract, `${abstractOf(step.document)}\n`);
    writeArchiveFile(archive, ARCHIVE_FILES.ledger, formatLedger(step.ledger, step.document));
    writeArchiveFile(archive, ARCHIVE_FILES.guard, formatGuard(step, gathered.base));
    if (archive.state === 'completed') return updated(archive, step);
    stage = 'extraction';
    const input = { ...gathered, session: session.id, overview: step.document };
    const extraction = await runExtraction(place, archive, input, tools);
    const outcome: ArchiveOutcome = {
      overview_by: step.madeBy,
      overview_model: step.model,
      based_on: gathered.base?.archive.id ?? null,
      covered_failed_archives: gathered.covers,
      read_by_model: step.readByModel,
      overview_tokens: estimateTokens(step.document),
      extraction,
      notes: step.notes,
    };
    writeArchiveFile(archive, ARCHIVE_FILES.meta, formatArchiveMeta(gathered.origin, outcome));
    stage = 'index';
    const path = `${SESSIONS_FOLDER}/${session.id}/history/${archive.id}/${ARCHIVE_FILES.overview}`;
    await throwIfNotFindable(place.root, path, place.clock);
    return done(place, archive, gathered.origin, outcome, step);
  } catch (error) {
    const failure = toFailure(error);
    if (failure.type === 'interrupted' || place.signal?.aborted === true) throw error;
    if (archive.state === 'completed') return { archive: archive.id, state: 'completed', notes: [failure.message] };
    return failed(place, archive, stage, failure.message);
  }
}

/** Removes forgotten lines from a new overview, including lines that were forgotten while it was made. */
function withoutForgotten<T extends WmUpdate>(step: T, forgotten: ForgottenStatements): T {
  if (forgotten.size === 0) return step;
  const lines = step.document.split('\n');
  const kept = lines.filter((line) => forgotten.lineIn(line) === undefined);
  if (kept.length === lines.length) return step;
  const note = `${lines.length - kept.length} lines are left out, since they were forgotten`;
  return { ...step, document: kept.join('\n'), notes: [...step.notes, note] };
}

/**
 * Gathers the input for the new overview of an archive. `base`: the overview that the new one continues. `messages`: the
 * messages of failed archives that the new one covers, then the archive's own. `withoutModel`: the archives up to `base`
 * whose only overview was made without a model, oldest first.
 * @throws MemoryError `io` when the archive can't be read
 */
export function gatherOverviewInput({ archives }: Session, archive: Archive) {
  const isDone = archive.state === 'completed';
  const earlier = archives.filter(({ number }) => number < archive.number || (isDone && number === archive.number));
  const base = newestOverview(earlier);
  const after = base?.archive.number ?? 0;
  const uncovered = earlier.filter(({ number, state }) => state === 'failed' && number > after);
  const own = readArchivedMessages(archive);
  const origin = readOrigin(archive) ?? { ...originFromMessages(own), created_at: '' };
  const damage = archiveDamage(archive, own.length);
  if (damage !== undefined)
    return fail('io', damage, 'restore its messages.jsonl, then run: openclaw memory session resume');
  const messages = isDone ? [] : [...uncovered.flatMap(readArchivedMessages), ...own];
  const covers = uncovered.map(({ id }) => id);
  const withoutModel = withoutModelSince(earlier, base);
  return { base, covers, own, origin, messages, ledger: readLedger(base), withoutModel };
}

/** The ledger of the lines that the rules wrote into a Working Memory. */
export function readLedger(base: ArchiveOverview | undefined): MemoryLedger {
  return base === undefined
    ? EMPTY_LEDGER
    : parseLedger(readArchiveText(base.archive, ARCHIVE_FILES.ledger), base.text);
}

/** The archives after the last one whose overview a model or an agent wrote, up to and including the archive of `base`. */
function withoutModelSince(archives: readonly Archive[], base: ArchiveOverview | undefined): readonly Archive[] {
  const upTo = archives.filter(({ number }) => number <= (base?.archive.number ?? 0));
  const last = upTo.findLastIndex(
    (archive) => archive.state === 'completed' && readOverviewSource(archive) !== 'deterministic',
  );
  return upTo.slice(last + 1);
}

async function runExtraction(
  { signal }: SessionWorkspace,
  { id: archive, folder }: Archive,
  { session, own, overview }: { session: string; own: readonly SessionMessage[]; overview: string },
  { extract, model, limit }: Pick<FinishServices, 'extract' | 'model' | 'limit'>,
): Promise<ExtractionOutcome> {
  if (extract === undefined) return { status: 'skipped', reason: 'no extraction step' };
  try {
    // Ask for the model first, so that the code of the extraction is not loaded without one.
    const opened = await model?.('facts');
    if (opened?.ok === false) throw new MemoryError(opened.error);
    return await extract({ session, archive, folder, messages: own, overview, signal: joinSignals(signal, limit) });
  } catch (error) {
    if (signal?.aborted === true) throw error;
    const { type, message } = toFailure(error);
    if (type === 'model_unavailable') return { status: 'skipped', reason: `${WITHOUT_MODEL}${message}` };
    return { status: 'failed', reason: message };
  }
}

/**
 * Extracts memories from a completed archive that waits for extraction, and records the outcome. If it fails, the archive
 * stays completed.
 */
export async function extractFromArchive(
  place: SessionWorkspace,
  session: string,
  archive: Archive,
  tools: Pick<FinishServices, 'extract' | 'model'>,
): Promise<ExtractionOutcome> {
  const own = readArchivedMessages(archive);
  const overview = readArchiveText(archive, ARCHIVE_FILES.overview) ?? '';
  const outcome = await runExtraction(place, archive, { session, own, overview }, tools);
  if (outcome.status === 'skipped') return outcome;
  const extraction =
    outcome.status === 'failed' ? { ...outcome, failures: (readExtraction(archive)?.failures ?? 1) + 1 } : outcome;
  addToArchiveOutcome(archive, { extraction });
  return outcome;
}

/** Warnings about an extraction that a person should read, one sentence each. Pure. */
export function extractionWarnings({ status, reason = '', notes = [] }: ExtractionOutcome): readonly string[] {
  return [...(status === 'failed' ? [`long-term memories were not saved, or only some: ${reason}`] : []), ...notes];
}

/**
 * True if a completed archive still waits for extraction. If the model's answer was not usable, extraction is tried again,
 * up to {@link MOST_FAILURES} times in all.
 */
export function waitsForExtraction(archive: Archive): boolean {
  const { status, reason = '', failures = 1 } = readExtraction(archive) ?? {};
  return status === 'skipped' ? reason.startsWith(WITHOUT_MODEL) : status === 'failed' && failures < MOST_FAILURES;
}

const MOST_FAILURES = 3;

/** The reason of an extraction that waits for a model begins with this text. */
const WITHOUT_MODEL = 'without a model: ';

/** Records the new overview of a completed archive. Nothing else of the archive changes. */
function updated(archive: Archive, step: OverviewResult): FinishedArchive {
  const { document, madeBy, model, merges, notes, readByModel } = step;
  const overview_tokens = estimateTokens(document);
  addToArchiveOutcome(archive, {
    overview_by: madeBy,
    overview_model: model,
    overview_tokens,
    notes,
    read_by_model: readByModel,
  });
  const removed = removedItems(merges).filter(isItemRemoved).length;
  return { archive: archive.id, state: 'completed', overview_by: madeBy, removed, ...refusedOf(step), notes };
}

function refusedOf({ refused = [] }: WmUpdate): Pick<FinishedArchive, 'refused'> {
  return refused.length === 0 ? {} : { refused };
}

function done(
  { clock }: SessionWorkspace,
  archive: Archive,
  { first_message_id, last_message_id, message_count }: ArchiveOrigin,
  outcome: ArchiveOutcome,
  step: WmUpdate,
): FinishedArchive {
  const completed_at = clock.now().toISOString();
  const mark = { completed_at, first_message_id, last_message_id, message_count, ...outcome };
  writeArchiveFile(archive, ARCHIVE_FILES.done, `${JSON.stringify(mark, undefined, 2)}\n`);
  removeFile(join(archive.folder, ARCHIVE_FILES.failed));
  const removed = removedItems(step.merges).filter(isItemRemoved).length;
  const { overview_by, extraction, notes } = outcome;
  return { archive: archive.id, state: 'completed', overview_by, removed, ...refusedOf(step), extraction, notes };
}

function failed({ clock }: SessionWorkspace, archive: Archive, stage: FinishStage, reason: string): FinishedArchive {
  const mark = { stage, reason, failed_at: clock.now().toISOString() };
  // The error may have come after `.done` was written. Remove that file, so that the archive does not count as completed.
  removeFile(join(archive.folder, ARCHIVE_FILES.done));
  writeArchiveFile(archive, ARCHIVE_FILES.failed, `${JSON.stringify(mark, undefined, 2)}\n`);
  return { archive: archive.id, state: 'failed', stage, reason, notes: [] };
}

/** One line about a Working Memory: its title and the first line of its state. */
function abstractOf(document: string): string {
  const { bodies } = parseDocument(document);
  const [title] = contentItems(bodies['Session Title']);
  const [state] = contentItems(bodies['Current State']);
  return [title, state].filter((part) => part !== undefined).join(' – ') || 'Working Memory';
}

/**
 * True if an item is really gone. Two kinds of items do not count: lines of Current State, which every commit rewrites, and
 * lines that were only updated. Pure.
 */
export function isItemRemoved({ section, reason }: { readonly section: string; readonly reason: string }): boolean {
  return section !== 'Current State' && !reason.startsWith('updated: ');
}

/** Items of old Working Memories that merges removed, with the reasons. */
function removedItems(merges: readonly MergeResult[]) {
  return merges.flatMap(({ sections }) =>
    SECTION_NAMES.flatMap((section) => {
      const { op: operation, removed } = sections[section];
      return removed.map(({ item, reason }) => ({ section, item, operation, reason }));
    }),
  );
}

function formatGuard({ madeBy, merges, notes, refused = [] }: WmUpdate, base: ArchiveOverview | undefined): string {
  const account = {
    overview_by: madeBy,
    based_on: base?.archive.id ?? null,
    notes,
    removed: removedItems(merges),
    refused,
    lost: merges.flatMap(({ lost }) => lost),
    reminders: merges.at(-1)?.reminders ?? [],
    merges: merges.map(({ sections }) => sections),
  };
  return `${JSON.stringify(account, undefined, 2)}\n`;
}

/** Number of lines of a page that are tried as queries before the page counts as not found. */
const TRIES = 3;

/**
 * Proves by queries that a page can be found: indexes it alone and searches for its own lines. The next recall adds it
 * to the index of the workspace.
 * @param path relative to the workspace, with `/`
 * @throws MemoryError `index` when no query finds it
 */
async function throwIfNotFindable(root: string, path: string, clock: Clock): Promise<void> {
  const page = pageOfPath(path);
  if (page === undefined) throw new Error(`not a page: ${path}`);
  const { size, mtimeMs, ctimeMs, ino: inode } = statSync(join(root, path));
  const read = await readFile(root, { path, page, size, mtimeMs, ctimeMs, inode }, clock, readForgotten(root));
  const { notice } = read.file;
  const lines = Array.from(read.units ?? [], ({ values: [, , , , text], search = text }) => ({ text, search })).filter(
    ({ search }) => search.trim() !== '',
  );
  // The page has only headings or forgotten lines, so there is no text to search for.
  if (lines.length === 0 && notice === null) return;
  const db = openScratchIndex();
  try {
    new IndexWriter(db).add(read);
    const source = { clock, withResources: false, defaultLimit: 5, stale: false, warnings: [] };
    const search = new IndexSearch([{ db, masked: new Set() }]);
    const beliefs = new BeliefLookup(search, () => '');
    for (const { text } of lines.slice(-TRIES)) {
      const { results } = await recall({ ...source, search, beliefs }, { query: text });
      if (results.some((result) => result.path === path)) return;
    }
  } finally {
    db.close();
  }
  fail('index', `search does not find ${path} by its own words${notice === null ? '' : `: it ${notice}`}`);
}
