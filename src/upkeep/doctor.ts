import { toFailure } from '../base/failure.js';
import { tryWithFallback } from '../base/result.js';
import { openClock, systemZone } from '../workspace/clock.js';
import type { FormerWorkspaceFolder } from '../workspace/former.js';
import { checkWorkspace, isFolderNamedByUser, requireMemory } from '../workspace/locate.js';
import { readScope } from '../workspace/read-scope.js';
import { readSettings } from '../workspace/read-settings.js';
import type { Settings } from '../workspace/settings.js';
import { openStateFolder } from '../workspace/state-folder.js';
import { type CheckResult, type DoctorContext, type Finding, toErrorFinding } from './doctor/check.js';
import * as system from './doctor/system.js';
import * as workspace from './doctor/workspace.js';

export interface HealthReport {
  readonly checks: readonly Finding[];
  /** True if there are no problems and no warnings. Warnings about models are allowed, because models are optional. */
  readonly ok: boolean;
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
  node: [system.checkNode],
  sqlite: [system.checkNativeModule],
  workspace: [workspace.checkWorkspaceFolder],
  settings: [system.checkSettingsFile],
  permissions: [workspace.checkPermissions],
  'file-system': [workspace.checkFileSystem],
  lock: [workspace.checkLock],
  index: [workspace.checkIndex, workspace.repairIndex],
  files: [workspace.checkFiles],
  git: [workspace.checkGit, workspace.addMissingGitLines],
  zone: [system.checkTimeZone],
  leftovers: [workspace.checkTemporaryFiles, workspace.removeTemporaryFiles],
  core: [workspace.checkCore],
  types: [workspace.checkTypes],
  reflect: [workspace.checkReflect],
  plugin: [system.checkPlugin],
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
  checks.push(...system.checkConnections(request.host, request.located.root));
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

export type { Finding } from './doctor/check.js';
