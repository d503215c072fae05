import { join } from 'node:path';
import { fail, MemoryError, toFailure } from '../base/failure.js';
import type { Result } from '../base/result.js';
import { readForgotten } from '../index/forgotten-page.js';
import type { Forgotten } from '../memory/forgotten.js';
import { anySignal } from '../model/call.js';
import type { ChatModel } from '../model/model.js';
import { estimateTokens } from '../text/tokens.js';
import { parseDocument } from '../wm/document.js';
import { contentItems } from '../wm/items.js';
import type { Merge } from '../wm/merge.js';
import type { WmTemplates } from '../wm/prompt.js';
import { SECTION_NAMES } from '../wm/sections.js';
import { removeFile } from '../workspace/files.js';
import { type Archive, newestOverview, type Overview, readArchived, readArchiveText } from './archive/archives.js';
import { proveFindable } from './archive/findable.js';
import {
  type ArchiveOrigin,
  type ArchiveOutcome,
  archiveOrigin,
  damageOf,
  type ExtractionOutcome,
  editOutcome,
  formatArchiveMeta,
  type MadeBy,
  overviewMaker,
  readExtraction,
  readOrigin,
  writeArchiveFile,
} from './archive/meta.js';
import { ARCHIVE_FILES, SESSIONS_FOLDER } from './log/paths.js';
import { withDays } from './memory/dated-lines.js';
import { EMPTY_LEDGER, formatLedger, type MemoryLedger, parseLedger } from './memory/ledger/ledger.js';
import type { WmStep } from './memory/update.js';
import type { SessionMessage } from './message.js';
import type { SessionPlace } from './place.js';
import type { Session } from './session.js';

/** What long-term memory extraction gets. */
export interface ExtractionInput {
  readonly session: string;
  /** `archive_007` */
  readonly archive: string;
  /** Absolute path of the archive, for `memory_diff.json`. */
  readonly folder: string;
  readonly messages: readonly SessionMessage[];
  /** The new Working Memory. */
  readonly overview: string;
  readonly signal?: AbortSignal | undefined;
}

/** Extracts long-term memories from an archive; fails by throwing or by its outcome, and never fails the archive. */
export type Extract = (input: ExtractionInput) => Promise<ExtractionOutcome>;

/** What phase 2 works with beside the session itself. */
export interface FinishTools {
  readonly templates: WmTemplates;
  /** The chat model, or why there is none. Asked for when a Working Memory is to be made, and no earlier. */
  readonly model?: (() => Promise<Result<ChatModel>>) | undefined;
  readonly extract?: Extract | undefined;
  /** When the model has had its time: the rules finish what is left. */
  readonly limit?: AbortSignal | undefined;
}

export interface FinishedArchive {
  readonly archive: string;
  readonly state: 'completed' | 'failed';
  readonly overview_by?: MadeBy;
  /** Items that a Working Memory had or was to have, and has no more; `session show --removed` says why of each. */
  readonly removed?: number;
  /** What came of long-term memories. */
  readonly extraction?: ExtractionOutcome;
  readonly notes: readonly string[];
  /** Of a failed one. */
  readonly stage?: Stage;
  readonly reason?: string;
}

export type Stage = 'archive_read' | 'summary' | 'extraction' | 'index';

/** A Working Memory, and how far into the archive's own messages the model came whose time was over. */
export interface MadeOverview extends WmStep {
  readonly readByModel?: number | undefined;
}

/** Makes the new Working Memory of an archive. */
export type MakeOverview = (input: ReturnType<typeof gatherInput>, archive: Archive) => Promise<MadeOverview>;

/**
 * Phase 2 for one archive, under the lock of the session's archives, with all older ones finished: the newest completed
 * overview becomes the next one under its guards; sidecars; extraction; a query that proves it findable; `.done` last.
 * What goes wrong leaves `.failed.json`, and the archive's messages to a later commit. Of a completed archive the overview is
 * updated by what a model has not read.
 * @throws MemoryError `interrupted`: the archive stays pending then
 */
export async function finishArchive(
  place: SessionPlace,
  session: Session,
  archive: Archive,
  tools: FinishTools,
  makeOverview: MakeOverview,
): Promise<FinishedArchive> {
  let stage: Stage = 'archive_read';
  try {
    const gathered = gatherInput(session, archive);
    stage = 'summary';
    const { base, ledger, own } = gathered;
    const messages = gathered.messages.length > 0 ? gathered.messages : own;
    const from = { old: base?.text ?? null, messages, countBefore: ledger.messages, clock: place.clock };
    const made = await withDays(await makeOverview(gathered, archive), from);
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
    await proveFindable(place.root, path, place.clock);
    return done(place, archive, gathered.origin, outcome, step);
  } catch (error) {
    const failure = toFailure(error);
    if (failure.type === 'interrupted' || place.signal?.aborted === true) throw error;
    if (archive.state === 'completed') return { archive: archive.id, state: 'completed', notes: [failure.message] };
    return failed(place, archive, stage, failure.message);
  }
}

/** What was forgotten, also while the overview was made, is not in it. */
function withoutForgotten<T extends WmStep>(step: T, forgotten: Forgotten): T {
  if (forgotten.size === 0) return step;
  const lines = step.document.split('\n');
  const kept = lines.filter((line) => forgotten.lineIn(line) === undefined);
  if (kept.length === lines.length) return step;
  const note = `${lines.length - kept.length} lines are left out, since they were forgotten`;
  return { ...step, document: kept.join('\n'), notes: [...step.notes, note] };
}

/**
 * What an archive's new overview is made from, and the prompt for it: its own messages after those of failed archives that
 * it covers; `withoutModel` are the archives up to `base` whose only overview was made without a model, oldest first.
 * @throws MemoryError `io` when the archive can't be read
 */
export function gatherInput({ archives }: Session, archive: Archive) {
  const isDone = archive.state === 'completed';
  const earlier = archives.filter(({ number }) => number < archive.number || (isDone && number === archive.number));
  const base = newestOverview(earlier);
  const after = base?.archive.number ?? 0;
  const uncovered = earlier.filter(({ number, state }) => state === 'failed' && number > after);
  const own = readArchived(archive);
  const origin = readOrigin(archive) ?? { ...archiveOrigin(own), created_at: '' };
  const damage = damageOf(archive, own.length);
  if (damage !== undefined) return fail('io', damage, 'restore its messages.jsonl, then resume');
  const messages = isDone ? [] : [...uncovered.flatMap(readArchived), ...own];
  const covers = uncovered.map(({ id }) => id);
  const withoutModel = withoutModelSince(earlier, base);
  return { base, covers, own, origin, messages, ledger: ledgerOf(base), withoutModel };
}

/** What the rules know of the lines of a Working Memory. */
export function ledgerOf(base: Overview | undefined): MemoryLedger {
  return base === undefined
    ? EMPTY_LEDGER
    : parseLedger(readArchiveText(base.archive, ARCHIVE_FILES.ledger), base.text);
}

/** Back to the last archive that a model or an agent wrote the overview of. */
function withoutModelSince(archives: readonly Archive[], base: Overview | undefined): readonly Archive[] {
  const upTo = archives.filter(({ number }) => number <= (base?.archive.number ?? 0));
  const last = upTo.findLastIndex(
    (archive) => archive.state === 'completed' && overviewMaker(archive) !== 'deterministic',
  );
  return upTo.slice(last + 1);
}

async function runExtraction(
  { signal }: SessionPlace,
  { id: archive, folder }: Archive,
  { session, own, overview }: { session: string; own: readonly SessionMessage[]; overview: string },
  { extract, model, limit }: Pick<FinishTools, 'extract' | 'model' | 'limit'>,
): Promise<ExtractionOutcome> {
  if (extract === undefined) return { status: 'skipped', reason: 'no extraction step' };
  try {
    // Nothing of extraction is loaded where there is no model.
    const opened = await model?.();
    if (opened?.ok === false) throw new MemoryError(opened.error);
    return await extract({ session, archive, folder, messages: own, overview, signal: anySignal(signal, limit) });
  } catch (error) {
    if (signal?.aborted === true) throw error;
    const { type, message } = toFailure(error);
    if (type === 'model_unavailable') return { status: 'skipped', reason: `${WITHOUT_MODEL}${message}` };
    return { status: 'failed', reason: message };
  }
}

/**
 * Extracts from a completed archive that waits for it; its record says what came of it. Never fails the archive.
 */
export async function extractLater(
  place: SessionPlace,
  session: string,
  archive: Archive,
  tools: Pick<FinishTools, 'extract' | 'model'>,
): Promise<ExtractionOutcome> {
  const own = readArchived(archive);
  const overview = readArchiveText(archive, ARCHIVE_FILES.overview) ?? '';
  const outcome = await runExtraction(place, archive, { session, own, overview }, tools);
  if (outcome.status === 'skipped') return outcome;
  const extraction =
    outcome.status === 'failed' ? { ...outcome, failures: (readExtraction(archive)?.failures ?? 1) + 1 } : outcome;
  editOutcome(archive, { extraction });
  return outcome;
}

/** What of an extraction a person has to hear, one sentence each. Pure. */
export function extractionWarnings({ status, reason = '', notes = [] }: ExtractionOutcome): readonly string[] {
  return [...(status === 'failed' ? [`no long-term memories, or not all: ${reason}`] : []), ...notes];
}

/** Whether a completed archive is to be extracted from yet. A model that gave no answer of use gets some more chances. */
export function waitsForExtraction(archive: Archive): boolean {
  const { status, reason = '', failures = 1 } = readExtraction(archive) ?? {};
  return status === 'skipped' ? reason.startsWith(WITHOUT_MODEL) : status === 'failed' && failures < MOST_FAILURES;
}

const MOST_FAILURES = 3;

/** How the reason of an extraction begins that waits for a model. */
const WITHOUT_MODEL = 'without a model: ';

/** A completed archive after its overview was made anew: nothing else of it changes. */
function updated(archive: Archive, { document, madeBy, merges, notes, readByModel }: MadeOverview): FinishedArchive {
  const overview_tokens = estimateTokens(document);
  editOutcome(archive, { overview_by: madeBy, overview_tokens, notes, read_by_model: readByModel });
  const removed = removedItems(merges).filter(isDropped).length;
  return { archive: archive.id, state: 'completed', overview_by: madeBy, removed, notes };
}

function done(
  { clock }: SessionPlace,
  archive: Archive,
  { first_message_id, last_message_id, message_count }: ArchiveOrigin,
  outcome: ArchiveOutcome,
  { merges }: WmStep,
): FinishedArchive {
  const completed_at = clock.now().toISOString();
  const mark = { completed_at, first_message_id, last_message_id, message_count, ...outcome };
  writeArchiveFile(archive, ARCHIVE_FILES.done, `${JSON.stringify(mark, undefined, 2)}\n`);
  removeFile(join(archive.folder, ARCHIVE_FILES.failed));
  const removed = removedItems(merges).filter(isDropped).length;
  const { overview_by, extraction, notes } = outcome;
  return { archive: archive.id, state: 'completed', overview_by, removed, extraction, notes };
}

function failed({ clock }: SessionPlace, archive: Archive, stage: Stage, reason: string): FinishedArchive {
  const mark = { stage, reason, failed_at: clock.now().toISOString() };
  // It was written, but not flushed.
  removeFile(join(archive.folder, ARCHIVE_FILES.done));
  writeArchiveFile(archive, ARCHIVE_FILES.failed, `${JSON.stringify(mark, undefined, 2)}\n`);
  return { archive: archive.id, state: 'failed', stage, reason, notes: [] };
}

/** One line that says what a Working Memory is about: its title and the first line of its state. */
function abstractOf(document: string): string {
  const { bodies } = parseDocument(document);
  const [title] = contentItems(bodies['Session Title']);
  const [state] = contentItems(bodies['Current State']);
  return [title, state].filter((part) => part !== undefined).join(' – ') || 'Working Memory';
}

/** Whether an item is gone: what every commit writes anew and what only counts on is not. Pure. */
export function isDropped({ section, reason }: { readonly section: string; readonly reason: string }): boolean {
  return section !== 'Current State' && !reason.startsWith('updated: ');
}

/** Items of old Working Memories that a commit let go. */
function removedItems(merges: readonly Merge[]) {
  return merges.flatMap(({ sections }) =>
    SECTION_NAMES.flatMap((section) => {
      const { op: operation, removed } = sections[section];
      return removed.map(({ item, reason }) => ({ section, item, operation, reason }));
    }),
  );
}

function formatGuard({ madeBy, merges, notes }: WmStep, base: Overview | undefined): string {
  const account = {
    overview_by: madeBy,
    based_on: base?.archive.id ?? null,
    notes,
    removed: removedItems(merges),
    lost: merges.flatMap(({ lost }) => lost),
    reminders: merges.at(-1)?.reminders ?? [],
    merges: merges.map(({ sections }) => sections),
  };
  return `${JSON.stringify(account, undefined, 2)}\n`;
}
