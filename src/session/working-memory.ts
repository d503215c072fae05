import { fail } from '../base/failure.js';
import type { Operations } from '../wm/operations.js';
import { buildWmPrompt, type WmPrompt } from '../wm/prompt.js';
import type { Archive } from './archive/archives.js';
import { type MadeBy, overviewMaker } from './archive/meta.js';
import { finishArchives, type ResumeReport, resumeReport } from './commit.js';
import { type FinishTools, gather, type MakeOverview } from './finish.js';
import { toTranscript } from './memory/transcript.js';
import { appliedStep } from './memory/update.js';
import type { SessionPlace } from './place.js';
import { Session } from './session.js';

/** The Working Memory of a session. `wm show --json` prints exactly this. */
export interface ShownWm {
  readonly session: string;
  /** The archive whose overview it is; null when there is none yet. */
  readonly archive: string | null;
  readonly overview_by: MadeBy | null;
  readonly document: string | null;
}

/** @throws MemoryError `not_found` */
export function showWorkingMemory(root: string, session: string): ShownWm {
  const { overview } = Session.open(root, session);
  if (overview === undefined) return { session, archive: null, overview_by: null, document: null };
  const { archive, text } = overview;
  return { session, archive: archive.id, overview_by: overviewMaker(archive), document: text };
}

/** `wm prompt <session> --json` */
export interface SessionWmPrompt extends WmPrompt {
  readonly session: string;
  readonly archive: string;
}

/**
 * What the calling agent's own model needs to finish the oldest archive that waits.
 * @throws MemoryError `not_found` when none waits
 */
export function sessionWmPrompt(root: string, session: string, { templates }: FinishTools): SessionWmPrompt {
  const at = Session.open(root, session);
  const archive = waitingArchive(at);
  const { base, messages } = gather(at, archive);
  const built = buildWmPrompt(base?.text ?? null, messages.map(toTranscript), templates);
  return { session, archive: archive.id, ...built };
}

/**
 * Finishes the oldest archive that waits by operations that the calling agent's model chose, under the same guards.
 * @param expected id of the archive that the prompt was for: another one is refused
 * @throws MemoryError `not_found`, `conflict`, `busy`, `invalid_answer` when it chose nothing
 */
export async function applyWorkingMemory(
  place: SessionPlace,
  session: string,
  operations: Operations,
  tools: FinishTools,
  expected?: string,
): Promise<ResumeReport> {
  const at = Session.open(place.root, session);
  const { id } = waitingArchive(at);
  if (expected !== undefined && expected !== id) {
    fail('conflict', `${id} waits, not ${expected}`, `answer the prompt of openclaw memory wm prompt ${session}`);
  }
  if (Object.values(operations).every(({ name }) => name === 'NONE')) {
    fail('invalid_answer', 'no section has an operation', 'answer KEEP for the sections that stay as they are');
  }
  const makeOverview: MakeOverview = async ({ base, messages, ledger }) =>
    appliedStep({ old: base?.text ?? null, messages, ledger }, operations);
  const report = await finishArchives(place, session, tools, { only: id, retry: true, makeOverview });
  return resumeReport(session, report, at.meta);
}

/** The oldest archive that is pending; when none is, the newest failed one that no later archive covers. */
function waitingArchive({ id, archives }: Session): Archive {
  const waiting = archives.find(({ state }) => state === 'pending') ?? archives.at(-1);
  if (waiting !== undefined && waiting.state !== 'completed') return waiting;
  const hint = `make one: openclaw memory session commit ${id} --defer`;
  return fail('not_found', `no archive of "${id}" waits for its Working Memory`, hint);
}
