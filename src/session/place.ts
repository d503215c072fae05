import { join } from 'node:path';
import { fail } from '../base/failure.js';
import { resolveContainedPath } from '../workspace/contained.js';
import { LOCK_WAIT_MS, lockHolderName, makeLockFolder, waitForLockUntilTimeout } from '../workspace/lock.js';
import type { WorkspaceContext } from '../workspace/read-scope.js';
import { Session } from './session.js';

/** The workspace that contains the sessions. */
export type SessionWorkspace = Omit<WorkspaceContext, 'reads'>;

/**
 * Runs `work` under the lock of a session's log and meta. The lock is held only for a short time, and never during a model
 * call.
 * @param before the session as the caller read it: a file that has not changed since then is not parsed again
 * @throws MemoryError `busy` with the name of the holder, `refused` when a link leads the session out of the workspace
 */
export async function withLogLock<T>(
  place: SessionWorkspace,
  id: string,
  command: string,
  work: (session: Session) => T,
  before = new Session(place.root, id),
) {
  resolveContainedPath(place.root, `sessions/${id}`);
  const folder = makeLockFolder(logLock(place, id));
  const held =
    (await waitForLockUntilTimeout(folder, { ...place, command }, LOCK_WAIT_MS)) ??
    fail('busy', `${lockHolderName(folder)} is writing to the session`, 'try again when it is done');
  try {
    return work(before.again());
  } finally {
    held.release();
  }
}

/**
 * Runs `work` under the lock of a session's archives, so that they are finished strictly in order. The lock is held during
 * model calls; messages can still be added and archived meanwhile. A process that holds the log lock never takes this lock.
 * @returns undefined if another process holds the lock for longer than `waitMs`
 */
export async function withArchivesLock<T extends object>(
  place: SessionWorkspace,
  id: string,
  { command, waitMs = 0 }: { readonly command: string; readonly waitMs?: number },
  work: () => T | Promise<T>,
): Promise<T | undefined> {
  const folder = makeLockFolder(join(logLock(place, id), 'archives'));
  const held = await waitForLockUntilTimeout(folder, { ...place, command }, waitMs);
  try {
    return held && (await work());
  } finally {
    held?.release();
  }
}

/** The name of the process that is finishing archives of a session. */
export function archivesLockHolder(place: SessionWorkspace, id: string): string {
  return lockHolderName(join(logLock(place, id), 'archives'));
}

function logLock({ stateFolder }: SessionWorkspace, id: string): string {
  return join(stateFolder, 'sessions', id);
}
