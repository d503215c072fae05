import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../base/clock.js';
import { toFailure, tryWithFallback } from '../base/failure.js';
import { isRecord } from '../base/json.js';
import { addAll, compareText } from '../base/order.js';
import { openDatabase } from '../db/open.js';
import { MemoryTypes } from '../extract/types.js';
import { checkIndexHealth } from '../index/health.js';
import { runIndex } from '../index/run.js';
import { type Notice, readFileTree } from '../index/tree.js';
import { CORE_FILE_NAMES } from '../memory/pages.js';
import { readUnits } from '../memory/units.js';
import { findCoreFile } from '../retain/core.js';
import { type LeftoverStatement, leftoversIn } from '../retain/erase.js';
import { decodeBytes } from '../text/bytes.js';
import { readPageText } from '../workspace/changes.js';
import { formatLocalTime, openClock, systemZone, today } from '../workspace/clock.js';
import { mayAccessPath, namesIn, removeFolder } from '../workspace/files.js';
import type { FormerWorkspaceFolder } from '../workspace/former.js';
import {
  checkWorkspace,
  isFolderNamedByUser,
  isInGit,
  type LocatedWorkspace,
  openStateFolder,
  requireMemory,
  type StateFolder,
} from '../workspace/locate.js';
import { readLockHolder, tryLock } from '../workspace/lock.js';
import { type HostEnvironment, readOpenClawConfig } from '../workspace/openclaw-config.js';
import { readScope, type WorkspaceContext } from '../workspace/read-scope.js';
import { readSettings } from '../workspace/read-settings.js';
import { whyNotRead } from '../workspace/readable.js';
import { addGitLines, missingGitLines } from '../workspace/scaffold.js';
import { DEFAULT_SETTINGS, SETTINGS_FILE, type Settings } from '../workspace/settings.js';
import { packageFolder } from '../workspace/templates.js';
import { findHostFolders, findHostTitle, listConnectionStates } from './connect.js';
import { findForgottenInFiles, findOddDayNames, findSkippedFiles } from './lint/page-rules.js';
import { listReadablePages } from './lint.js';
import { ADD_BANK_TO_SEARCH_COMMAND, findNpmPrefix, OWN_NPM_PREFIX_HINT, PLUGIN_ID } from './openclaw.js';
import { checkSchedule } from './schedule.js';

export interface HealthReport {
  readonly checks: readonly Finding[];
  /** True if there are no problems and no warnings. Warnings about models are allowed, because models are optional. */
  readonly ok: boolean;
}

/** The result of a check, with advice in `hint`. */
interface CheckResult {
  readonly state: 'ok' | 'warning' | 'problem';
  readonly message: string;
  readonly hint?: string;
}

/** The result of one check in the report, with the name of the check. */
export interface Finding extends CheckResult {
  /** Name of the check. It stays the same, so that scripts can use it. */
  readonly check: string;
  /** True if `--fix` repaired what the check found. */
  readonly mended?: true;
}

/** The objects that are checked. An object that could not be opened is undefined, and its own check says why. */
interface DoctorContext {
  readonly host: HostEnvironment;
  readonly located: LocatedWorkspace;
  /** Time zone of the option `--tz`. `userTimezone` is the one in openclaw.json. */
  readonly timezone: string | undefined;
  readonly userTimezone: string | undefined;
  readonly state: StateFolder | undefined;
  readonly settings: Settings | undefined;
  /** The workspace, when it and its settings could be opened. */
  readonly place: WorkspaceContext | undefined;
  readonly clock: Clock;
}

interface DoctorRequest extends Pick<DoctorContext, 'host' | 'located' | 'timezone' | 'userTimezone'> {
  readonly now: string | undefined;
  readonly fix: boolean;
  readonly former: readonly FormerWorkspaceFolder[];
  /** Checks the configured models and the vectors of a state folder. */
  readonly models: (settings: Settings, stateFolder: string | undefined) => Promise<readonly Finding[]>;
}

/**
 * A check, with an optional repair that can do no damage. After a repair the check runs again. If a check throws an
 * error, the error is reported as a problem.
 */
type Check = readonly [
  look: (patient: DoctorContext) => Promise<CheckResult> | CheckResult,
  mend?: (patient: DoctorContext) => Promise<void> | void,
];

/** Checks by name, in the order of the report. */
const CHECKS: Readonly<Record<string, Check>> = {
  node: [checkNode],
  sqlite: [checkNativeModule],
  workspace: [checkWorkspaceFolder],
  settings: [checkSettingsFile],
  permissions: [checkPermissions],
  'file-system': [checkFileSystem],
  lock: [checkLock],
  index: [checkIndex, repairIndex],
  files: [checkFiles],
  git: [checkGit, addMissingGitLines],
  zone: [checkTimeZone],
  leftovers: [checkTemporaryFiles, removeTemporaryFiles],
  core: [checkCore],
  types: [checkTypes],
  reflect: [checkReflect],
  plugin: [checkPlugin],
};

/** Checks to skip when SQLite does not load: they would only report the same problem again. */
const NEED_SQLITE: ReadonlySet<string> = new Set(['lock', 'index']);

/** Checks everything that the workspace depends on. A broken part is a finding, never an error. */
export async function doctor(request: DoctorRequest): Promise<HealthReport> {
  const patient = await admit(request);
  const checks: Finding[] = [];
  for (const [name, check] of Object.entries(CHECKS)) {
    const isBlind = NEED_SQLITE.has(name) && checks.some((done) => done.check === 'sqlite' && done.state !== 'ok');
    if (!isBlind) checks.push(await examine(name, check, patient, request.fix));
  }
  for (const { message, hint, isSettled } of request.former)
    checks.push({ check: 'former-folder', state: isSettled ? 'ok' : 'warning', message, hint });
  checks.push(...checkConnections(request.host, request.located.root));
  const models = await examineModels(patient, request);
  const ok = checks.every(({ state }) => state === 'ok') && models.every(({ state }) => state !== 'problem');
  return { checks: [...checks, ...models], ok };
}

async function examineModels(
  { settings, state }: DoctorContext,
  { models }: DoctorRequest,
): Promise<readonly Finding[]> {
  if (settings === undefined) return [];
  try {
    return await models(settings, state?.path);
  } catch (error) {
    if (toFailure(error).type === 'interrupted') throw error;
    return [{ check: 'ollama', state: 'problem', ...toErrorFinding(error) }];
  }
}

async function admit({ host, located, timezone, userTimezone, now }: DoctorRequest): Promise<DoctorContext> {
  const state = tryWithFallback(() => {
    checkWorkspace(located.root);
    const opened = openStateFolder(located.root, host, isFolderNamedByUser(located));
    requireMemory(located.root, opened.path);
    return opened;
  }, undefined);
  // Errors are ignored here: the check of the workspace says why it or its state folder can't be opened, and the check of
  // the settings says why they can't be read.
  const settings = state && (await readSettings(located.root, state.path).catch(() => undefined));
  const zone = timezone ?? settings?.timezone ?? userTimezone ?? systemZone();
  const clock = openClock(zone, now, settings?.dateOrder);
  const { root } = located;
  const place = state && settings && { root, stateFolder: state.path, reads: readScope(settings, root, host), clock };
  return { host, located, timezone, userTimezone, state, settings, place, clock };
}

async function examine(check: string, [look, mend]: Check, patient: DoctorContext, fix: boolean): Promise<Finding> {
  try {
    const found = { check, ...(await look(patient)) };
    if (!fix || found.state === 'ok' || mend === undefined) return found;
    await mend(patient);
    const after = { check, ...(await look(patient)) };
    return after.state === 'ok' ? { ...after, mended: true } : after;
  } catch (error) {
    return { check, state: 'problem', ...toErrorFinding(error) };
  }
}

function result(state: CheckResult['state'], message: string, hint?: string): CheckResult {
  return { state, message, ...(hint === undefined ? {} : { hint }) };
}

/** The message of an error, for a finding. */
function toErrorFinding(error: unknown): Pick<Finding, 'message' | 'hint'> {
  const { message, hint } = toFailure(error);
  return { message, ...(hint === undefined ? {} : { hint }) };
}

/** The Node versions that the tests run on: from `least` on, and below `below`. */
const NODE = { least: [20, 19], below: 27 } as const;

function checkNode(): CheckResult {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const isOld = major < NODE.least[0] || (major === NODE.least[0] && minor < NODE.least[1]);
  const state = isOld ? 'problem' : major < NODE.below ? 'ok' : 'warning';
  const hint = state === 'ok' ? undefined : `use Node ${NODE.least.join('.')} to ${NODE.below - 1}`;
  return result(state, `Node ${process.versions.node}`, hint);
}

function checkNativeModule(): CheckResult {
  openDatabase(':memory:').close();
  return result('ok', 'better-sqlite3 works');
}

async function checkSettingsFile({ located, state }: DoctorContext): Promise<CheckResult> {
  const former: string[] = [];
  const read = await readSettings(located.root, state?.path ?? '', (warning) => former.push(warning));
  const [warning] = former;
  if (warning !== undefined) return { state: 'warning', message: warning, hint: 'remove them from the file' };
  const defaults = new Map(Object.entries(DEFAULT_SETTINGS).map(([name, value]) => [name, JSON.stringify(value)]));
  const own = Object.entries(read)
    .map(([name, value]) => [name, JSON.stringify(value)] as const)
    .filter(([name, written]) => written !== defaults.get(name));
  if (own.length === 0) return result('ok', 'all settings have their default values');
  const said = own.map(([name, written]) => `${name} = ${written}`).join(', ');
  return result('ok', `from ${SETTINGS_FILE}: ${said}; all others have their default values`);
}

function checkTimeZone({ timezone, settings: read, userTimezone, clock }: DoctorContext): CheckResult {
  const ofUser = userTimezone === undefined ? `the system, ${systemZone()}` : 'openclaw.json';
  const from = timezone !== undefined ? '--tz' : read?.timezone ? SETTINGS_FILE : ofUser;
  return result('ok', `${clock.zone} (from ${from}): today is ${today(clock)}`);
}

const AGAIN = 'run: openclaw-memory connect openclaw';

/** Checks whether our plugin in the host OpenClaw, if there is one, can work. */
async function checkPlugin({ host }: DoctorContext): Promise<CheckResult> {
  const config = await readOpenClawConfig(host);
  const entry = config.plugins[PLUGIN_ID];
  const shared = findNpmPrefix(packageFolder());
  if (shared?.hasHost)
    return result(
      'warning',
      `OpenClaw and openclaw-memory are both installed in ${shared.prefix}`,
      OWN_NPM_PREFIX_HINT,
    );
  if (!isRecord(entry)) return result('ok', 'not installed in OpenClaw');
  const { node, bin } = isRecord(entry.config) ? entry.config : {};
  for (const path of [node, bin])
    if (typeof path !== 'string' || !existsSync(path))
      return result(
        'problem',
        `the plugin in OpenClaw calls ${String(path ?? 'nothing')}, which does not exist`,
        AGAIN,
      );
  if (entry.enabled === false) return result('warning', 'the plugin in OpenClaw is switched off', AGAIN);
  if (!isRecord(entry.hooks) || entry.hooks.allowConversationAccess !== true)
    return result('problem', 'the plugin in OpenClaw is not allowed to read conversations', AGAIN);
  const search = `to let OpenClaw's own search find the bank, too: ${ADD_BANK_TO_SEARCH_COMMAND}`;
  return result('ok', 'the plugin in OpenClaw is set up', search);
}

const STATES = { works: 'ok', old: 'warning', broken: 'problem' } as const;

/** Checks each host that calls us: whether the call works, and whether `connect` would write the same settings now. */
function checkConnections(host: HostEnvironment, workspace: string): readonly Finding[] {
  const usual = { program: [], workspace, options: [], isUsual: true, skill: ['openclaw-memory'] };
  try {
    return listConnectionStates(usual, { places: findHostFolders(host.env), env: host }).map((each) => {
      const place = each.project === undefined ? '' : ` in ${each.project}`;
      const hint = `to write it again: openclaw memory connect ${each.words}; to remove it: openclaw memory disconnect ${each.host}`;
      const message = `${findHostTitle(each.host)}${place}: ${each.message}`;
      return { check: 'connection', state: STATES[each.state], message, ...(each.state === 'works' ? {} : { hint }) };
    });
  } catch (error) {
    return [{ check: 'connection', state: 'problem', ...toErrorFinding(error) }];
  }
}

function checkWorkspaceFolder({ host, located }: DoctorContext): CheckResult {
  const { root, by } = located;
  checkWorkspace(root);
  requireMemory(root, openStateFolder(root, host, isFolderNamedByUser(located)).path);
  return result('ok', `${root} (from ${by})`);
}

const UNSEEN = result('warning', 'not checked, because there is no workspace');

function checkPermissions({ located: { root }, state }: DoctorContext): CheckResult {
  const folders = [root, join(root, 'memory'), join(root, 'bank'), state?.path ?? join(root, '.memory')];
  const denied = folders.filter((folder) => existsSync(folder) && !mayAccessPath(folder));
  if (denied.length === 0) return result('ok', 'all folders are writable');
  const hint = 'recall still works; to save facts, fix the permissions';
  return result('warning', `not writable: ${denied.join(', ')}`, hint);
}

function checkFileSystem({ state }: DoctorContext): CheckResult {
  if (state === undefined) return UNSEEN;
  if (state.place === 'workspace') return result('ok', `index and lock are in ${state.path}`);
  const why = state.reason === 'network' ? 'the workspace is on a network file system' : 'the workspace is read-only';
  return result('ok', `${why}, so index and lock are in ${state.path}`);
}

function checkLock({ state, clock }: DoctorContext): CheckResult {
  if (state === undefined) return UNSEEN;
  const held = tryLock(state.path, { command: 'doctor', clock });
  if (held !== undefined) {
    held.release();
    return result('ok', 'free');
  }
  const holder = readLockHolder(state.path);
  const who =
    holder === undefined ? 'another process' : `process ${holder.pid} (${holder.command}, since ${holder.since})`;
  // No need to test whether the process that holds the lock is alive: when a process dies, the kernel releases the lock.
  return result('warning', `held by ${who}`, 'other commands wait until it is done');
}

function checkIndex({ place }: DoctorContext): CheckResult {
  if (place === undefined) return UNSEEN;
  const health = checkIndexHealth(place);
  if (health.state === 'missing') return result('ok', 'not made yet; the first recall makes it');
  if (health.state === 'unusable')
    return result('problem', health.why, 'rebuild it: openclaw memory index --force, or doctor --fix');
  const changed = health.changed === 0 ? 'up to date' : `${health.changed} changed; the next recall reads them`;
  return result('ok', `${health.files} indexed, ${changed}`);
}

async function repairIndex({ place }: DoctorContext): Promise<void> {
  if (place === undefined || checkIndexHealth(place).state !== 'unusable') return;
  await runIndex({ ...place, command: 'doctor' }, { force: true });
}

async function checkGit({ located: { root } }: DoctorContext): Promise<CheckResult> {
  const missing = missingGitLines(root);
  if (!isInGit(root)) return result('ok', 'not a git repository; to make one: openclaw memory init --git');
  const { detachedHeadWarning } = await import('../workspace/git/commit.js');
  const { Git } = await import('../workspace/git/run.js');
  const lacks = missing.length === 0 ? [] : [`missing in .gitignore or .gitattributes: ${missing.join(', ')}`];
  // Ignore an error of git here, because a commit reports it.
  const detached = await detachedHeadWarning(new Git(root)).catch(() => undefined);
  const found = [...lacks, ...(detached === undefined ? [] : [detached])];
  if (found.length === 0) return result('ok', '.gitignore and .gitattributes are correct');
  const hint = lacks.length === 0 ? undefined : 'add the lines: openclaw memory init, or doctor --fix';
  return result('warning', found.join('; '), hint);
}

function addMissingGitLines({ located: { root } }: DoctorContext): void {
  if (isInGit(root)) addGitLines(root);
}

function checkTemporaryFiles(patient: DoctorContext): CheckResult {
  const found = leftoverFiles(patient);
  if (found.length === 0) return result('ok', 'none');
  const message = `temporary files of a process that died, and damaged files that were moved away: ${found.slice(0, 5).join(', ')}${found.length > 5 ? ', …' : ''}`;
  return result('warning', message, 'remove them: openclaw memory doctor --fix');
}

function removeTemporaryFiles(patient: DoctorContext): void {
  for (const path of leftoverFiles(patient)) removeFolder(path);
}

function checkCore({ located: { root }, settings }: DoctorContext): CheckResult {
  const notices = existsSync(root) ? readFileTree(root).notices : [];
  const both = notices.find(({ reason }) => reason.includes('both exist'));
  if (both !== undefined)
    return result('warning', `${both.path} ${both.reason}`, 'move its text into the other file, then delete it');
  const name = CORE_FILE_NAMES.find((candidate) => existsSync(join(root, candidate)));
  if (name === undefined || settings === undefined) return result('ok', 'there is no core file');
  const { length } = readPageText(root, name) ?? '';
  const message = `${name}: ${length} of ${settings.coreBudgetChars} characters`;
  const isTooLong = length > settings.coreBudgetChars;
  return isTooLong
    ? result('problem', message, 'move the lines that are not needed every day to bank/')
    : result('ok', message);
}

function checkTypes({ located: { root } }: DoctorContext): CheckResult {
  const [broken, ...others] = MemoryTypes.broken(root);
  if (broken === undefined) return result('ok', 'all memory types are valid');
  const more = others.length === 0 ? '' : `, and ${others.map(({ path }) => path).join(', ')}`;
  const { message, hint = 'fix this file' } = broken;
  return result('problem', `extract does not work: ${message}${more}`, hint);
}

/** Checks how the last run of reflect ended. `schedule --check` checks whether reflect runs often enough. */
async function checkReflect({ place, clock }: DoctorContext): Promise<CheckResult> {
  if (place === undefined) return UNSEEN;
  const { last, problem } = await checkSchedule(place);
  if (last === null) return result('ok', 'has never run on this machine');
  const ended = formatLocalTime(new Date(last.endedAt), clock.zone);
  if (problem === 'ahead') {
    const message = `the last run has the date ${ended}, which is after the time of this machine's clock`;
    return result('warning', message, 'write its pages again: openclaw memory reflect');
  }
  const why = last.message === undefined ? '' : `: ${last.message}`;
  const message = `the last run ended at ${ended}, ${last.result}${why}`;
  if (problem !== 'failed') return result('ok', message);
  return result('warning', message, 'try again: openclaw memory reflect');
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
function checkFiles({ place, clock }: DoctorContext): CheckResult {
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
  if (problems.length === 0) return result('ok', `all files can be read${but}`);
  const named = problems
    .slice(0, MOST_NAMED)
    .map(({ path, line, message }) => `${path}${line === null ? '' : `#L${line}`} (${message})`);
  const state = problems.some(({ severity }) => severity === 'error') ? 'problem' : 'warning';
  const message = `${named.join(', ')}${problems.length > MOST_NAMED ? `, and ${problems.length - MOST_NAMED} more` : ''}`;
  return result(state, message, 'see the details: openclaw memory lint');
}
