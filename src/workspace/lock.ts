import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fail } from '../base/failure.js';
import { parseRecord } from '../base/json.js';
import { attempt } from '../base/result.js';
import { type Database, isBusy, mayBeDamage, openDatabase } from '../db/open.js';
import { finishPending } from './changes.js';
import { readTextIfThere, truncateFile, writeNote } from './files.js';
import type { WorkspaceContext } from './read-scope.js';
import { makeMemoryFolder } from './state-folder.js';

/** The writer lock of a workspace while it is held. */
export interface Lock {
  release(): void;
}

/** Milliseconds that a writer waits for another writer. */
export const LOCK_WAIT_MS = 30_000;

/** A request for the lock; its command is shown to processes that wait. */
export interface LockRequest extends Pick<WorkspaceContext, 'clock' | 'signal'> {
  readonly command: string;
  /** Name of another lock of the workspace than the writer lock, and of its file. */
  readonly name?: string;
}

/**
 * One writer per workspace: an exclusive transaction on `lock.sqlite`. The kernel releases it when its holder dies, so a
 * lock never becomes stale. It needs the rollback journal: in WAL mode readers would not exclude each other, and the lock
 * would leave side files. No other code of this process may open that file: POSIX releases the locks of a process on any
 * close. The returned object keeps the handle, because a collected handle would release the lock too.
 */
export function tryLock(stateFolder: string, who: LockRequest): Lock | undefined {
  // The folder may be deleted at any time, even under a long-running process. Do not recreate a workspace that is gone.
  if (existsSync(dirname(stateFolder))) makeMemoryFolder(stateFolder);
  const db = lockDatabase(join(stateFolder, `${who.name ?? 'lock'}.sqlite`));
  if (db === undefined) return undefined;
  noteHolder(stateFolder, who);
  return { release: () => releaseLock(db) };
}

/** @returns undefined when another process holds it */
function lockDatabase(path: string, mayMend = true): Database | undefined {
  const db = openDatabase(path, { busyMs: 0 });
  try {
    db.exec('PRAGMA journal_mode = DELETE');
    db.exec('BEGIN EXCLUSIVE');
    return db;
  } catch (error) {
    db.close();
    if (isBusy(error)) return undefined;
    if (!mayMend || !mayBeDamage(error)) throw error;
    // Empty the file instead of replacing it: processes that find it damaged then still lock the same file. A held lock is
    // detected before a byte of the file is read, so the file is never emptied under a holder.
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
 * Waits for the writer lock, up to {@link LOCK_WAIT_MS}, with jittered retries. Finishes the changes of a previous holder
 * that was killed.
 * @param who with the workspace, which may be half-written
 * @throws MemoryError `busy` that names the holder, `interrupted`
 */
export async function lock(stateFolder: string, who: LockRequest & Pick<WorkspaceContext, 'root'>): Promise<Lock> {
  await heldForTest(who.command);
  const held = await lockWithin(stateFolder, who, LOCK_WAIT_MS);
  if (held !== undefined) {
    // After an error the changes stay pending: a page that can't be written must not block all other writing.
    attempt(() => finishPending(who.root, stateFolder), undefined);
    return held;
  }
  return fail('busy', `the workspace is being written by ${holderName(stateFolder)}`, 'try again when it is done');
}

/**
 * For tests of events between reading and writing: `OPENCLAW_TEST_HOLD=retain:1:FILE` creates the file when `retain` is
 * about to take the lock for the first time, and waits until the file is gone.
 */
async function heldForTest(command: string): Promise<void> {
  const [name, count, ...file] = process.env.OPENCLAW_TEST_HOLD?.split(':') ?? [];
  if (name !== command || ++askedForTest !== Number(count)) return;
  writeNote(file.join(':'), '');
  while (existsSync(file.join(':'))) await delay(5);
}

let askedForTest = 0;

/** The holder of a lock, for messages. */
export function holderName(folder: string): string {
  const holder = readHolder(folder);
  return holder ? `process ${holder.pid} (${holder.command}, since ${holder.since})` : 'another process';
}

/**
 * Runs work under the writer lock of a workspace, and releases the lock even if the work fails.
 * @param who with `dryRun` nothing is written, so no lock is taken
 * @throws MemoryError as {@link lock} does
 */
export async function locked<T>(
  { dryRun, ...who }: WorkspaceContext & LockRequest & { readonly dryRun?: boolean | undefined },
  work: () => T | Promise<T>,
): Promise<T> {
  const held = dryRun ? undefined : await lock(who.stateFolder, who);
  try {
    return await work();
  } finally {
    held?.release();
  }
}

/** As {@link lock}, but waits at most `waitMs` and then returns undefined. */
export async function lockWithin(stateFolder: string, who: LockRequest, waitMs: number): Promise<Lock | undefined> {
  // Monotonic: a clock change must neither end nor prolong the wait. `performance` would take 4 ms to load.
  const uptimeMs = () => process.uptime() * 1000;
  const deadline = uptimeMs() + waitMs;
  for (let pause = 2; ; pause = Math.min(pause * 1.5, 60)) {
    const held = tryLock(stateFolder, who);
    if (held !== undefined) return held;
    const left = deadline - uptimeMs();
    if (left <= 0) return undefined;
    if (who.signal?.aborted)
      return fail('interrupted', 'another process is writing, and was not waited for', 'run it again');
    const ms = Math.min(left, pause * (0.5 + Math.random()));
    // An abort ends the delay early; the loop then tests the signal.
    await delay(ms, undefined, who.signal && { signal: who.signal }).catch(() => {});
  }
}

/** Creates a folder for a separate lock, beside that of the workspace. */
export function makeStateFolder(path: string): string {
  mkdirSync(path, { recursive: true });
  return path;
}

// A separate file, because other processes can't read the locked database.
function noteHolder(stateFolder: string, { command, clock, name }: LockRequest): void {
  if (name !== undefined) return;
  const holder = { pid: process.pid, since: clock.now().toISOString(), command };
  // Ignore errors: the file only serves a message, and the lock is held.
  attempt(() => writeNote(join(stateFolder, 'lock.holder'), JSON.stringify(holder)), undefined);
}

/** The holder of the lock as it noted itself; undefined if unknown. */
export function readHolder(stateFolder: string) {
  const text = attempt(() => readTextIfThere(join(stateFolder, 'lock.holder')), undefined);
  const { pid, since, command } = parseRecord(text ?? '') ?? {};
  return typeof pid === 'number' && typeof since === 'string' && typeof command === 'string'
    ? { pid, since, command }
    : undefined;
}
