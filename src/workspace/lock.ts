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

/** The writer lock of a workspace, held. */
export interface Lock {
  release(): void;
}

/** How long whoever writes waits for whoever is writing, in ms. */
export const LOCK_WAIT_MS = 30_000;

/** Who asks for the lock, for the message to those who wait. */
export interface LockRequest extends Pick<WorkspaceContext, 'clock' | 'signal'> {
  readonly command: string;
  /** Another lock of the workspace than the writers'; its file is called so. */
  readonly name?: string;
}

/**
 * One writer a workspace: an exclusive transaction on `lock.sqlite`. The kernel releases it when its holder dies, so
 * nothing is ever stale. It needs the rollback journal: in WAL mode readers would not exclude, and the lock would
 * leave side files. Nothing else in this process may open that file: POSIX drops a process's locks on any close.
 * The handle is kept in the returned object, because a collected one would drop the lock too.
 */
export function tryLock(stateFolder: string, who: LockRequest): Lock | undefined {
  // It may be deleted at any time, also under a process that runs for long; a workspace that is gone is not made anew.
  if (existsSync(dirname(stateFolder))) makeMemoryFolder(stateFolder);
  const db = lockDatabase(join(stateFolder, `${who.name ?? 'lock'}.sqlite`));
  if (db === undefined) return undefined;
  noteHolder(stateFolder, who);
  return { release: () => releaseLock(db) };
}

/** @returns undefined when another holds it */
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
    // Emptied, not replaced: of several who find it damaged one locks the file that all of them have. Whoever holds the
    // lock is met before a byte of the file is read, so nobody empties it under a holder.
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
 * Waits for the writers' lock, up to {@link LOCK_WAIT_MS}, trying again at jittered intervals. What a holder before was
 * killed in the middle of is finished.
 * @param who with the workspace, which somebody may have left half-written
 * @throws MemoryError `busy` that names the holder, `interrupted`
 */
export async function lock(stateFolder: string, who: LockRequest & Pick<WorkspaceContext, 'root'>): Promise<Lock> {
  await heldForTest(who.command);
  const held = await lockWithin(stateFolder, who, LOCK_WAIT_MS);
  if (held !== undefined) {
    // Else it stays pending: a page that can't be written is no reason to write nothing else.
    attempt(() => finishPending(who.root, stateFolder), undefined);
    return held;
  }
  return fail('busy', `the workspace is being written by ${holderName(stateFolder)}`, 'try again when it is done');
}

/**
 * For tests of what happens between reading and writing: `OPENCLAW_TEST_HOLD=retain:1:FILE` makes that file when `retain`
 * is about to take the lock for the first time, and goes on when the file is gone.
 */
async function heldForTest(command: string): Promise<void> {
  const [name, count, ...file] = process.env.OPENCLAW_TEST_HOLD?.split(':') ?? [];
  if (name !== command || ++askedForTest !== Number(count)) return;
  writeNote(file.join(':'), '');
  while (existsSync(file.join(':'))) await delay(5);
}

let askedForTest = 0;

/** Who holds a lock, in words. */
export function holderName(folder: string): string {
  const holder = readHolder(folder);
  return holder ? `process ${holder.pid} (${holder.command}, since ${holder.since})` : 'another process';
}

/**
 * Does work under the writers' lock of a workspace, and gives it back whatever comes of the work.
 * @param who with `dryRun` nothing is written, so that nobody need wait
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

/** As {@link lock}, but for so long, in ms, and undefined when the time is up. */
export async function lockWithin(stateFolder: string, who: LockRequest, waitMs: number): Promise<Lock | undefined> {
  // Monotonic: a clock that jumps must neither end nor prolong the wait. Without `performance`, which takes 4 ms to load.
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
    // What ends the wait early ends it at its head.
    await delay(ms, undefined, who.signal && { signal: who.signal }).catch(() => {});
  }
}

/** Makes a folder for a lock of its own, beside that of the workspace. */
export function makeStateFolder(path: string): string {
  mkdirSync(path, { recursive: true });
  return path;
}

// A file of its own, since the locked database can't be read by others.
function noteHolder(stateFolder: string, { command, clock, name }: LockRequest): void {
  if (name !== undefined) return;
  const holder = { pid: process.pid, since: clock.now().toISOString(), command };
  // It only serves a message; the lock itself is held.
  attempt(() => writeNote(join(stateFolder, 'lock.holder'), JSON.stringify(holder)), undefined);
}

/** Who holds the lock, as far as it has said. */
export function readHolder(stateFolder: string) {
  const text = attempt(() => readTextIfThere(join(stateFolder, 'lock.holder')), undefined);
  const { pid, since, command } = parseRecord(text ?? '') ?? {};
  return typeof pid === 'number' && typeof since === 'string' && typeof command === 'string'
    ? { pid, since, command }
    : undefined;
}
