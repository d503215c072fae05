import { statSync } from 'node:fs';
import { fail } from '../base/failure.js';
import { number, type ReportFields, type ReportOf, text } from '../base/report.js';
import { addPartName } from '../model/answer.js';
import { estimateTokens } from '../text/tokens.js';
import { mergeWorkingMemory } from '../wm/merge.js';
import type { SectionOperations } from '../wm/operations.js';
import { buildWmPrompt, WM_PROMPT, type WmPrompt, type WmTemplates } from '../wm/prompt.js';
import type { Archive } from './archive/archives.js';
import {
  deleteSavedPartAnswers,
  type OverviewSource,
  readAnsweredParts,
  readArchivedMessages,
  readOverviewSource,
  writeAnsweredParts,
} from './archive/archives.js';
import { finishArchives, makeResumeReport, type ResumeReport } from './commit.js';
import { logSourcesOf } from './context/timeline.js';
import { type FinishServices, gatherOverviewInput, type MakeOverview, readLedger } from './finish.js';
import { linesFromEnd } from './log/read.js';
import { addDaysToLines } from './memory/dated-lines.js';
import { normalisePath } from './memory/ledger/files.js';
import { applyAgentAnswers, makeMessageChunks, toTranscript, updateByRules } from './memory/update.js';
import { parseMessage, readDrafts } from './message.js';
import type { WmApplyOptions, WmPromptOptions } from './requests.js';
import { listSessions, Session, type SessionWorkspace, withArchivesLock } from './session.js';

/** The Working Memory of a session. `wm show --json` prints exactly this. */
export interface WmView {
  readonly session: string;
  /** Id of the archive whose overview this is; null if there is no overview yet. */
  readonly archive: string | null;
  readonly overview_by: OverviewSource | null;
  readonly document: string | null;
}

/** @throws MemoryError `not_found` */
export function showWorkingMemory(root: string, session: string): WmView {
  const { overview } = Session.open(root, session);
  const overview_by = overview === undefined ? null : readOverviewSource(overview.archive);
  return { session, archive: overview?.archive.id ?? null, overview_by, document: overview?.text ?? null };
}

/** The output of `wm prompt <session> --json`. */
export const SESSION_WM_PROMPT = {
  session: text(),
  archive: text(),
  /** `part`: number of this part of the archive; the first is 1. `parts`: number of all parts. */
  part: number(),
  parts: number(),
  ...WM_PROMPT,
} satisfies ReportFields;

type SessionWmPrompt = ReportOf<typeof SESSION_WM_PROMPT>;

const MAX_TOKENS = 16_000;
/** Minimum room for messages in each part, in tokens. */
const LEAST_ROOM = 500;

/**
 * The prompt with which the calling agent's own model finishes the oldest archive that still has no Working Memory. A long
 * archive has several parts; each call returns the prompt of one part.
 * @throws MemoryError `not_found` if no archive is unfinished, `usage` if the part is not one of the remaining parts
 */
export function sessionWmPrompt(
  root: string,
  session: string,
  { templates }: Pick<FinishServices, 'templates'>,
  { maxTokens = MAX_TOKENS, part: wanted }: WmPromptOptions = {},
): SessionWmPrompt {
  const { archive, document, answered, chunks } = waitingParts(Session.open(root, session), templates, maxTokens);
  const parts = answered.length + chunks.length;
  const part = wanted ?? answered.length + 1;
  const chunk = chunks[part - answered.length - 1];
  if (chunk === undefined) {
    const next = `${answered.length + 1} to ${parts} are left`;
    return fail('usage', `part ${part} of ${archive.id} does not wait for an answer`, `parts ${next}`);
  }
  const built = buildWmPrompt(document, chunk.transcript, templates);
  const prompt = parts === 1 ? built : addPartName(built, { part, parts, ...IN_PARTS });
  return { session, archive: archive.id, part, parts, ...prompt };
}

const IN_PARTS = { subject: 'Of what was said, the messages are', field: ['sections', '{…}'] } as const;

/** The waiting archive, its Working Memory after the answers so far, and the remaining parts. */
function waitingParts(session: Session, templates: WmTemplates, maxTokens: number) {
  const archive = waitingArchive(session);
  const { base, messages } = gatherOverviewInput(session, archive);
  const answered = readAnsweredParts(archive);
  let document = base?.text ?? null;
  for (const { operations } of answered) document = mergeWorkingMemory(document, operations).document;
  const { system, user } = buildWmPrompt(document, [], templates);
  const room = maxTokens - estimateTokens(system) - estimateTokens(user) - 60;
  if (room < LEAST_ROOM) {
    const needed = maxTokens - room + LEAST_ROOM;
    fail('usage', `${maxTokens} tokens are not enough for the Working Memory`, `use --max-tokens ${needed} or more`);
  }
  return { archive, document, answered, chunks: makeMessageChunks(messages, answered.at(-1)?.until ?? 0, room) };
}

/**
 * Applies the calling agent's operations to a part of the oldest waiting archive. The guards check them like operations of
 * our own model. The last part finishes the archive.
 * @throws MemoryError `not_found`, `usage` if `part` is missing, `conflict` if another part comes first, `busy`,
 * `invalid_answer` when no section has an operation
 */
export async function applyWorkingMemory(
  place: SessionWorkspace,
  session: string,
  operations: SectionOperations,
  tools: FinishServices,
  { archive: expected, part, maxTokens = MAX_TOKENS }: WmApplyOptions = {},
): Promise<ResumeReport> {
  const at = Session.open(place.root, session);
  const { archive, answered, chunks } = waitingParts(at, tools.templates, maxTokens);
  const { id } = archive;
  const prompt = `openclaw memory wm prompt ${session}`;
  if (expected !== undefined && expected !== id)
    fail('conflict', `the oldest waiting archive is ${id}, not ${expected}`, `answer this prompt: ${prompt}`);
  const next = answered.length + 1;
  const isOnly = answered.length === 0 && chunks.length === 1;
  if (part === undefined && !isOnly)
    fail('usage', 'the answer does not name its part', `add "part": ${next} to the answer`);
  if (part !== undefined && part !== next)
    fail('conflict', `the next part of ${id} is ${next}, not ${part}`, `answer this prompt: ${prompt}`);
  if (Object.values(operations).every(({ name }) => name === 'NONE')) {
    fail('invalid_answer', 'no section has an operation', 'use KEEP for sections that do not change');
  }
  const parts = [...answered, { until: chunks[0]?.end ?? 0, operations }];
  if (chunks.length > 1) {
    const written = await withArchivesLock(place, session, { command: 'wm apply' }, () => {
      writeAnsweredParts(archive, parts);
      return parts;
    });
    if (written === undefined)
      fail('busy', 'another process is finishing archives of this session', 'try again when that is done');
    return makeResumeReport(session, { finished: [], pending: at.pending, warnings: [], meta: undefined }, at.meta);
  }
  const makeOverview: MakeOverview = async ({ base, messages, ledger }) =>
    applyAgentAnswers(
      { old: base?.text ?? null, messages, ledger },
      parts.map((each) => each.operations),
    );
  const report = await finishArchives(place, at, tools, { only: id, retry: true, makeOverview });
  if (report.finished.some(({ state }) => state === 'completed')) deleteSavedPartAnswers(archive);
  return makeResumeReport(session, report, at.meta);
}

/**
 * The oldest pending archive. If no archive is pending, the newest failed archive whose messages are not in a later
 * overview.
 */
function waitingArchive({ id, archives }: Session): Archive {
  const waiting = archives.find(({ state }) => state === 'pending') ?? archives.at(-1);
  if (waiting !== undefined && waiting.state !== 'completed') return waiting;
  const hint = `make one: openclaw memory session commit ${id} --defer`;
  return fail('not_found', `no archive of "${id}" waits for a Working Memory`, hint);
}

/**
 * The prompt to update a Working Memory with messages that belong to no session.
 * @param messages JSON, or JSON lines
 * @throws MemoryError `usage`
 */
export function wmPromptForMessages(old: string, messages: string, templates: WmTemplates): WmPrompt {
  const transcript = readDrafts(messages).map((message) => toTranscript(message));
  return buildWmPrompt(old, transcript, templates);
}

/**
 * The Working Memory of a session as of its newest message. The rules make it from the Working Memory of the last commit and
 * the messages since then. Writes nothing. Null for a session without messages.
 * @throws MemoryError `not_found`, `interrupted`
 */
export async function makeCurrentWorkingMemory(
  { root, clock, signal }: Pick<SessionWorkspace, 'root' | 'clock' | 'signal'>,
  id: string,
): Promise<string | null> {
  const session = Session.open(root, id);
  const { overview, archives, live } = session;
  const covered = overview?.archive.number ?? 0;
  const messages = [...archives.filter(({ number }) => number > covered).flatMap(readArchivedMessages), ...live];
  if (messages.length === 0) return overview?.text ?? null;
  const ledger = readLedger(overview);
  const old = overview?.text ?? null;
  const step = await updateByRules({ old, messages, ledger, signal }, 'as of now');
  return (await addDaysToLines(step, { old, messages, countBefore: ledger.messages, clock })).document;
}

/** The Working Memory of a session's last commit; null if the session was never compacted. */
export function workingMemoryOfLastCommit(root: string, id: string): string | null {
  const { meta, overview } = new Session(root, id);
  return meta.compaction_count > 0 ? (overview?.text ?? null) : null;
}

/**
 * `MOST_SESSIONS`: number of newest sessions that are searched. `MOST_LINES`: number of newest lines that are read in each
 * log.
 */
const MOST_SESSIONS = 30;
const MOST_LINES = 400;

/**
 * The last session that worked in a folder. Finds only sessions whose host recorded the folder.
 * @param but a session to exclude
 */
export function lastSessionInFolder(root: string, folder: string, but?: string) {
  const wanted = normalisePath(folder);
  const others = listSessions(root, new Date(0)).filter(({ session }) => session !== but);
  return others.slice(0, MOST_SESSIONS).find(({ session }) => worksIn(new Session(root, session), wanted));
}

function worksIn(session: Session, wanted: string): boolean {
  const { open, covered } = logSourcesOf(session);
  for (const { path } of [...open, ...covered].filter(isFile).slice(0, 2)) {
    let left = MOST_LINES;
    for (const line of linesFromEnd(path)) {
      if (left-- === 0) break;
      const cwd = line.includes('"cwd"') ? parseMessage(line)?.cwd : undefined;
      if (cwd !== undefined && isAt(normalisePath(cwd), wanted)) return true;
    }
  }
  return false;
}

/** True if `folder` is the wanted folder or is below it. During a session, an agent may go to a subfolder of its project. */
function isAt(folder: string, wanted: string): boolean {
  return folder === wanted || folder.startsWith(`${wanted}/`);
}

function isFile({ path }: { readonly path: string }): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}
