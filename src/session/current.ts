import { statSync } from 'node:fs';
import { readArchivedMessages } from './archive/archives.js';
import { logSourcesOf } from './context/timeline.js';
import { readLedger } from './finish.js';
import { linesFromEnd } from './log/read.js';
import { addDaysToLines } from './memory/dated-lines.js';
import { normalisePath } from './memory/ledger/files.js';
import { updateByRules } from './memory/update.js';
import { parseMessage } from './message.js';
import type { SessionWorkspace } from './place.js';
import { listSessions, Session } from './session.js';

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
