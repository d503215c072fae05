import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { addAll, compareText } from '../../base/order.js';
import { MemoryTypes } from '../../extract/types.js';
import { checkIndexHealth } from '../../index/health.js';
import { runIndex } from '../../index/run.js';
import { type Notice, readFileTree } from '../../index/tree.js';
import { CORE_FILE_NAMES } from '../../memory/pages.js';
import { readUnits } from '../../memory/units.js';
import { findCoreFile } from '../../retain/core.js';
import { type LeftoverStatement, leftoversIn } from '../../retain/leftovers.js';
import { decodeBytes } from '../../text/bytes.js';
import { readPageText } from '../../workspace/changes.js';
import { formatLocalTime, today } from '../../workspace/clock.js';
import { mayAccessPath, namesIn, removeFolder } from '../../workspace/files.js';
import { checkWorkspace, isFolderNamedByUser, isInGit, requireMemory } from '../../workspace/locate.js';
import { readLockHolder, tryLock } from '../../workspace/lock.js';
import { whyNotRead } from '../../workspace/pages/readable.js';
import { addGitLines, missingGitLines } from '../../workspace/scaffold.js';
import { openStateFolder } from '../../workspace/state-folder.js';
import { findForgottenInFiles, findOddDayNames, findSkippedFiles } from '../lint/rules/files.js';
import { listReadablePages } from '../lint.js';
import { checkSchedule } from '../schedule.js';
import type { CheckResult, DoctorContext } from './check.js';

export function checkWorkspaceFolder({ host, located }: DoctorContext): CheckResult {
  const { root, by } = located;
  checkWorkspace(root);
  requireMemory(root, openStateFolder(root, host, isFolderNamedByUser(located)).path);
  return { state: 'ok', message: `${root} (from ${by})` };
}

const UNSEEN: CheckResult = { state: 'warning', message: 'not checked, because there is no workspace' };

export function checkPermissions({ located: { root }, state }: DoctorContext): CheckResult {
  const folders = [root, join(root, 'memory'), join(root, 'bank'), state?.path ?? join(root, '.memory')];
  const denied = folders.filter((folder) => existsSync(folder) && !mayAccessPath(folder));
  if (denied.length === 0) return { state: 'ok', message: 'all folders are writable' };
  const hint = 'recall still works; to save facts, fix the permissions';
  return { state: 'warning', message: `not writable: ${denied.join(', ')}`, hint };
}

export function checkFileSystem({ state }: DoctorContext): CheckResult {
  if (state === undefined) return UNSEEN;
  if (state.place === 'workspace') return { state: 'ok', message: `index and lock are in ${state.path}` };
  const why = state.reason === 'network' ? 'the workspace is on a network file system' : 'the workspace is read-only';
  return { state: 'ok', message: `${why}, so index and lock are in ${state.path}` };
}

export function checkLock({ state, clock }: DoctorContext): CheckResult {
  if (state === undefined) return UNSEEN;
  const held = tryLock(state.path, { command: 'doctor', clock });
  if (held !== undefined) {
    held.release();
    return { state: 'ok', message: 'free' };
  }
  const holder = readLockHolder(state.path);
  const who =
    holder === undefined ? 'another process' : `process ${holder.pid} (${holder.command}, since ${holder.since})`;
  // No need to test whether the process that holds the lock is alive: when a process dies, the kernel releases the lock.
  return { state: 'warning', message: `held by ${who}`, hint: 'other commands wait until it is done' };
}

export function checkIndex({ place }: DoctorContext): CheckResult {
  if (place === undefined) return UNSEEN;
  const health = checkIndexHealth(place);
  if (health.state === 'missing') return { state: 'ok', message: 'not made yet; the first recall makes it' };
  if (health.state === 'unusable') {
    return {
      state: 'problem',
      message: health.why,
      hint: 'rebuild it: openclaw memory index --force, or doctor --fix',
    };
  }
  const changed = health.changed === 0 ? 'up to date' : `${health.changed} changed; the next recall reads them`;
  return { state: 'ok', message: `${health.files} indexed, ${changed}` };
}

export async function repairIndex({ place }: DoctorContext): Promise<void> {
  if (place === undefined || checkIndexHealth(place).state !== 'unusable') return;
  await runIndex({ ...place, command: 'doctor' }, { force: true });
}

export async function checkGit({ located: { root } }: DoctorContext): Promise<CheckResult> {
  const missing = missingGitLines(root);
  if (!isInGit(root)) return { state: 'ok', message: 'not a git repository; to make one: openclaw memory init --git' };
  const { detachedHeadWarning } = await import('../../workspace/git/commit.js');
  const { Git } = await import('../../workspace/git/run.js');
  const lacks = missing.length === 0 ? [] : [`missing in .gitignore or .gitattributes: ${missing.join(', ')}`];
  // Ignore an error of git here, because a commit reports it.
  const detached = await detachedHeadWarning(new Git(root)).catch(() => undefined);
  const found = [...lacks, ...(detached === undefined ? [] : [detached])];
  if (found.length === 0) return { state: 'ok', message: '.gitignore and .gitattributes are correct' };
  const hint = lacks.length === 0 ? {} : { hint: 'add the lines: openclaw memory init, or doctor --fix' };
  return { state: 'warning', message: found.join('; '), ...hint };
}

export function addMissingGitLines({ located: { root } }: DoctorContext): void {
  if (isInGit(root)) addGitLines(root);
}

export function checkTemporaryFiles(patient: DoctorContext): CheckResult {
  const found = leftoverFiles(patient);
  if (found.length === 0) return { state: 'ok', message: 'none' };
  const message = `temporary files of a process that died, and damaged files that were moved away: ${found.slice(0, 5).join(', ')}${found.length > 5 ? ', …' : ''}`;
  return { state: 'warning', message, hint: 'remove them: openclaw memory doctor --fix' };
}

export function removeTemporaryFiles(patient: DoctorContext): void {
  for (const path of leftoverFiles(patient)) removeFolder(path);
}

export function checkCore({ located: { root }, settings }: DoctorContext): CheckResult {
  const notice = existsSync(root)
    ? readFileTree(root).notices.find(({ reason }) => reason.includes('both exist'))
    : undefined;
  if (notice !== undefined) {
    const hint = 'move its text into the other file, then delete it';
    return { state: 'warning', message: `${notice.path} ${notice.reason}`, hint };
  }
  const name = CORE_FILE_NAMES.find((candidate) => existsSync(join(root, candidate)));
  if (name === undefined || settings === undefined) return { state: 'ok', message: 'there is no core file' };
  const { length } = readPageText(root, name) ?? '';
  const message = `${name}: ${length} of ${settings.coreBudgetChars} characters`;
  if (length > settings.coreBudgetChars)
    return { state: 'problem', message, hint: 'move the lines that are not needed every day to bank/' };
  return { state: 'ok', message };
}

export function checkTypes({ located: { root } }: DoctorContext): CheckResult {
  const [broken, ...others] = MemoryTypes.broken(root);
  if (broken === undefined) return { state: 'ok', message: 'all memory types are valid' };
  const more = others.length === 0 ? '' : `, and ${others.map(({ path }) => path).join(', ')}`;
  const { message, hint = 'fix this file' } = broken;
  return { state: 'problem', message: `extract does not work: ${message}${more}`, hint };
}

/** Checks how the last run of reflect ended. `schedule --check` checks whether reflect runs often enough. */
export function checkReflect({ state, clock }: DoctorContext): CheckResult {
  if (state === undefined) return UNSEEN;
  const { last, problem } = checkSchedule(state.path, clock);
  if (last === null) return { state: 'ok', message: 'has never run on this machine' };
  const ended = formatLocalTime(new Date(last.endedAt), clock.zone);
  if (problem === 'ahead') {
    const message = `the last run has the date ${ended}, which is after the time of this machine's clock`;
    return { state: 'warning', message, hint: 'write its pages again: openclaw memory reflect' };
  }
  const why = last.message === undefined ? '' : `: ${last.message}`;
  const message = `the last run ended at ${ended}, ${last.result}${why}`;
  if (problem !== 'failed') return { state: 'ok', message };
  return { state: 'warning', message, hint: 'try again: openclaw memory reflect' };
}

/** A temporary file that is older than an hour (in ms) is a leftover, because no write takes that long. */
const OLD_MS = 3_600_000;

/** Temporary files of processes that have ended, and damaged indexes that were set aside. */
function leftoverFiles({ located: { root }, state, clock }: DoctorContext): readonly string[] {
  const ours = state === undefined ? [] : filesIn(state.path);
  const own = ours.filter((path) => /\.unusable(?:-\w+)?$|[/\\](?:verify|index\.next)\.sqlite(?:-\w+)?$/.test(path));
  const names = ['', 'memory', 'memory/topics', 'bank', 'bank/entities', 'bank/experiences', 'bank/proposals'];
  const folders = names.map((name) => join(root, name));
  const temporary = folders.flatMap(filesIn).filter((path) => isDeadTemporary(path, clock.machineMs()));
  return [...own, ...temporary];
}

function filesIn(folder: string): readonly string[] {
  return namesIn(folder).map((name) => join(folder, name));
}

/**
 * Whether a temporary file is old, or its process has ended. In `.2025-11-27.md.4711.tmp` the number is the process id.
 */
function isDeadTemporary(path: string, nowMs: number): boolean {
  const pid = /[/\\]\.[^/\\]+\.(\d+)\.tmp$/.exec(path)?.[1];
  const stat = pid === undefined ? undefined : statSync(path, { throwIfNoEntry: false });
  if (pid === undefined || stat === undefined) return false;
  return nowMs - stat.mtimeMs > OLD_MS || !isAlive(Number(pid));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

const MOST_NAMED = 20;

/** Runs the rules of lint about files: unreadable or skipped ones, odd names, and leftovers of forgotten statements. */
export function checkFiles({ place, clock }: DoctorContext): CheckResult {
  if (place === undefined) return UNSEEN;
  const { root, reads } = place;
  const { files: pages, notices: listed, forgotten } = readFileTree(root, reads);
  const notices: Notice[] = [...listed];
  const standing: LeftoverStatement[] = [];
  for (const { path, page, bytes } of listReadablePages(root, pages, notices)) {
    if (forgotten.size > 0)
      addAll(standing, leftoversIn(path, readUnits(path, page, decodeBytes(bytes)).units, forgotten));
  }
  const targets = [`memory/${today(clock)}.md`, findCoreFile(root).path];
  for (const path of targets) {
    const unread = whyNotRead({ root, reads }, path, undefined);
    if (unread !== undefined) notices.push({ path, ...unread });
  }
  const problems = [
    ...findSkippedFiles({ notices }),
    ...findOddDayNames({ pages }),
    ...findForgottenInFiles({ standing }),
  ]
    .filter(({ severity, rule }) => severity !== 'info' && rule !== 'two-core-files')
    .sort((a, b) => compareText(a.severity, b.severity));
  const ignored = reads?.ignore.map((glob) => `"${glob}"`) ?? [];
  const but = ignored.length === 0 ? '' : `, except files that "ignore" excludes (${ignored.join(', ')})`;
  if (problems.length === 0) return { state: 'ok', message: `all files can be read${but}` };
  const named = problems
    .slice(0, MOST_NAMED)
    .map(({ path, line, message }) => `${path}${line === null ? '' : `#L${line}`} (${message})`);
  const state = problems.some(({ severity }) => severity === 'error') ? 'problem' : 'warning';
  const message = `${named.join(', ')}${problems.length > MOST_NAMED ? `, and ${problems.length - MOST_NAMED} more` : ''}`;
  return { state, message, hint: 'see the details: openclaw memory lint' };
}
