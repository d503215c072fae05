import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fail, tryWithFallback } from '../base/failure.js';
import { parseRecord } from '../base/json.js';
import { type Database, isBusyError, mayMeanDamage, openDatabase } from '../db/open.js';
import { finishPendingChanges } from './changes.js';
import { readTextIfThere, truncateFile, writeNote } from './files.js';
import { makeMemoryFolder } from './locate.js';
import type { WorkspaceContext } from './read-scope.js';
import { hasOldState, takeOver } from './take-over.js';

/** A lock that this process holds. Only the holder of the writer lock may write to the workspace. */
export interface Lock {
  release(): void;
}

/** Milliseconds that a writer waits for another writer. */
export const LOCK_WAIT_MS = 30_000;

/**
 * A request for a lock. `command` names the command that wants it. Other processes that wait for the lock show this
 * name to their users, to say which command holds the lock.
 */
interface LockRequest extends Pick<WorkspaceContext, 'clock' | 'signal'> {
  readonly command: string;
  /** The name of the lock, which is also the name of its file. Undefined for the writer lock. */
  readonly name?: string;
}

/**
 * Takes the lock if it is free. There is one writer per workspace: it holds an exclusive transaction on `lock.sqlite`.
 * If its process ends, the kernel releases the lock, so no lock remains after a crash. SQLite must use its rollback
 * journal: in WAL mode readers would not exclude each other, and files would stay behind. No other code of this process
 * may open that file, because on POSIX systems closing it anywhere releases all locks of the process. The returned
 * object keeps the database open: if it were garbage-collected, the lock would be released, too.
 */
export function tryLock(stateFolder: string, who: LockRequest): Lock | undefined {
  // Somebody may delete the workspace while a process runs. A deleted workspace must not be created again.
  if (existsSync(dirname(stateFolder))) makeMemoryFolder(stateFolder);
  const db = lockDatabase(join(stateFolder, `${who.name ?? 'lock'}.sqlite`));
  if (db === undefined) return undefined;
  noteHolder(stateFolder, who);
  return { release: () => releaseLock(db) };
}

/** Locks the database. @returns undefined if another process holds the lock */
function lockDatabase(path: string, mayMend = true): Database | undefined {
  const db = openDatabase(path, { busyMs: 0 });
  try {
    db.exec('PRAGMA journal_mode = DELETE');
    db.exec('BEGIN EXCLUSIVE');
    return db;
  } catch (error) {
    db.close();
    if (isBusyError(error)) return undefined;
    if (!mayMend || !mayMeanDamage(error)) throw error;
    // A damaged file is emptied and not replaced, so that all processes that find the damage lock the same file. It is never
    // emptied while somebody holds the lock: a held lock is noticed before a byte is read.
    truncateFile(path, 0);
    return lockDatabase(path, false);
  }
}

function releaseLock(db: Database): void {
  if (!db.open) return;
  db.exec('ROLLBACK');
  db.close();
}

/**
 * Waits for the writer lock, up to {@link LOCK_WAIT_MS}. The pauses are random, so that several waiting processes do not
 * try together. If the last holder was killed while it wrote files, the rest of its changes is written first.
 * @param who the request, with the folder of the workspace (`root`)
 * @throws MemoryError `busy` that names the holder, `interrupted`
 */
export async function waitForLock(
  stateFolder: string,
  who: LockRequest & Pick<WorkspaceContext, 'root'>,
): Promise<Lock> {
  await heldForTest(who.command);
  const held = await waitForLockUntilTimeout(stateFolder, who, LOCK_WAIT_MS);
  if (held !== undefined) {
    // An error here is ignored, and the changes stay pending. Otherwise a single page that can't be written would
    // prevent all other writing.
    tryWithFallback(() => finishPendingChanges(who.root, stateFolder), undefined);
    tryWithFallback(() => takeOver(who.root, stateFolder), undefined);
    return held;
  }
  return fail('busy', `${lockHolderName(stateFolder)} is writing to the workspace`, 'try again when it is done');
}

/**
 * Used only by tests, to change a file while a command is between reading and writing. With
 * `OPENCLAW_TEST_HOLD=retain:1:FILE`, `retain` creates the file when it is about to take the lock for the first time,
 * and waits until somebody removes the file.
 */
async function heldForTest(command: string): Promise<void> {
  const [name, count, ...file] = process.env.OPENCLAW_TEST_HOLD?.split(':') ?? [];
  if (name !== command || ++askedForTest !== Number(count)) return;
  writeNote(file.join(':'), '');
  while (existsSync(file.join(':'))) await delay(5);
}

let askedForTest = 0;

/** Names the holder of a lock, for messages. */
export function lockHolderName(folder: string): string {
  const holder = readLockHolder(folder);
  return holder ? `process ${holder.pid} (${holder.command}, since ${holder.since})` : 'another process';
}

/**
 * Calls a function while holding the writer lock of a workspace. Releases the lock even if the function fails.
 * @param who with `dryRun` nothing is written, so no lock is taken
 * @throws MemoryError as {@link waitForLock} does
 */
export async function runWithLock<T>(
  { dryRun, ...who }: WorkspaceContext & LockRequest & { readonly dryRun?: boolean | undefined },
  work: () => T | Promise<T>,
): Promise<T> {
  const held = dryRun ? undefined : await waitForLock(who.stateFolder, who);
  try {
    return await work();
  } finally {
    held?.release();
  }
}

/** Like {@link waitForLock}, but waits at most `waitMs` and then returns undefined. Does not finish changes of a killed holder. */
export async function waitForLockUntilTimeout(
  stateFolder: string,
  who: LockRequest,
  waitMs: number,
): Promise<Lock | undefined> {
  // The time since the process started, because a change of the clock must not end or prolong the wait. The module
  // `performance` would take 4 ms to load.
  const uptimeMs = () => process.uptime() * 1000;
  const deadline = uptimeMs() + waitMs;
  for (let pause = 2; ; pause = Math.min(pause * 1.5, 60)) {
    const held = tryLock(stateFolder, who);
    if (held !== undefined) return held;
    const left = deadline - uptimeMs();
    if (left <= 0) return undefined;
    if (who.signal?.aborted)
      return fail('interrupted', 'interrupted while waiting for another process that writes', 'run the command again');
    const ms = Math.min(left, pause * (0.5 + Math.random()));
    // If the signal aborts, the pause ends early, and the loop then sees the signal.
    await delay(ms, undefined, who.signal && { signal: who.signal }).catch(() => {});
  }
}

/** Takes over what an older version of the program left. Call it before reading the store without the writer lock. */
export async function takeOverOldState(context: WorkspaceContext): Promise<void> {
  if (hasOldState(context.stateFolder)) await runWithLock({ ...context, command: 'update' }, () => undefined);
}

/** Creates a folder for a lock that does not belong to a workspace. */
export function makeLockFolder(path: string): string {
  mkdirSync(path, { recursive: true });
  return path;
}

// The holder is written to a file of its own, because other processes can't read the locked database.
function noteHolder(stateFolder: string, { command, clock, name }: LockRequest): void {
  if (name !== undefined) return;
  const holder = { pid: process.pid, since: clock.now().toISOString(), command };
  // Errors are ignored, because the file is only for a message, and the lock is held already.
  tryWithFallback(() => writeNote(join(stateFolder, 'lock.holder'), JSON.stringify(holder)), undefined);
}

/** Reads who holds the lock, as the holder wrote it down. Undefined if unknown. */
export function readLockHolder(stateFolder: string) {
  const text = tryWithFallback(() => readTextIfThere(join(stateFolder, 'lock.holder')), undefined);
  const { pid, since, command } = parseRecord(text ?? '') ?? {};
  return typeof pid === 'number' && typeof since === 'string' && typeof command === 'string'
    ? { pid, since, command }
    : undefined;
}
