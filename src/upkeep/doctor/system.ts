import { existsSync } from 'node:fs';
import { isRecord } from '../../base/json.js';
import { openDatabase } from '../../db/open.js';
import { systemZone, today } from '../../workspace/clock.js';
import { type HostEnvironment, readOpenClawConfig } from '../../workspace/openclaw-config.js';
import { readSettings } from '../../workspace/read-settings.js';
import { DEFAULT_SETTINGS, SETTINGS_FILE } from '../../workspace/settings.js';
import { packageFolder } from '../../workspace/templates.js';
import { findHostFolders, findHostTitle, listConnectionStates } from '../connect.js';
import { ADD_BANK_TO_SEARCH_COMMAND, PLUGIN_ID } from '../host-plugin.js';
import { findNpmPrefix, OWN_NPM_PREFIX_HINT } from '../launcher.js';
import { type CheckResult, type DoctorContext, type Finding, toErrorFinding } from './check.js';

/** The Node versions that the tests run on: from `least` on, and below `below`. */
const NODE = { least: [20, 19], below: 27 } as const;

export function checkNode(): CheckResult {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const isOld = major < NODE.least[0] || (major === NODE.least[0] && minor < NODE.least[1]);
  const message = `Node ${process.versions.node}`;
  if (!isOld && major < NODE.below) return { state: 'ok', message };
  const hint = `use Node ${NODE.least.join('.')} to ${NODE.below - 1}`;
  return { state: isOld ? 'problem' : 'warning', message, hint };
}

export function checkNativeModule(): CheckResult {
  openDatabase(':memory:').close();
  return { state: 'ok', message: 'better-sqlite3 works' };
}

export async function checkSettingsFile({ located, state }: DoctorContext): Promise<CheckResult> {
  const read = await readSettings(located.root, state?.path ?? '');
  const defaults = new Map(Object.entries(DEFAULT_SETTINGS).map(([name, value]) => [name, JSON.stringify(value)]));
  const own = Object.entries(read)
    .map(([name, value]) => [name, JSON.stringify(value)] as const)
    .filter(([name, written]) => written !== defaults.get(name));
  const said = own.map(([name, written]) => `${name} = ${written}`).join(', ');
  const message =
    own.length === 0
      ? 'all settings have their default values'
      : `from ${SETTINGS_FILE}: ${said}; all others have their default values`;
  return { state: 'ok', message };
}

export function checkTimeZone({ timezone, settings: read, userTimezone, clock }: DoctorContext): CheckResult {
  const from =
    timezone !== undefined
      ? '--tz'
      : read?.timezone
        ? SETTINGS_FILE
        : userTimezone !== undefined
          ? 'openclaw.json'
          : `the system, ${systemZone()}`;
  return { state: 'ok', message: `${clock.zone} (from ${from}): today is ${today(clock)}` };
}

const AGAIN = 'run: openclaw-memory hooks openclaw --write';

/** Checks whether our plugin in the host OpenClaw, if there is one, can work. */
export async function checkPlugin({ host }: DoctorContext): Promise<CheckResult> {
  const config = await readOpenClawConfig(host);
  const entry = config.plugins[PLUGIN_ID];
  const said = (state: CheckResult['state'], message: string, hint: string): CheckResult => ({ state, message, hint });
  const shared = findNpmPrefix(packageFolder());
  if (shared?.hasHost)
    return said('warning', `OpenClaw and openclaw-memory are both installed in ${shared.prefix}`, OWN_NPM_PREFIX_HINT);
  if (!isRecord(entry)) return { state: 'ok', message: 'not installed in OpenClaw' };
  const { node, bin } = isRecord(entry.config) ? entry.config : {};
  for (const path of [node, bin])
    if (typeof path !== 'string' || !existsSync(path))
      return said('problem', `the plugin in OpenClaw calls ${String(path ?? 'nothing')}, which does not exist`, AGAIN);
  if (entry.enabled === false) return said('warning', 'the plugin in OpenClaw is switched off', AGAIN);
  if (!isRecord(entry.hooks) || entry.hooks.allowConversationAccess !== true)
    return said('problem', 'the plugin in OpenClaw is not allowed to read conversations', AGAIN);
  return said(
    'ok',
    'the plugin in OpenClaw is set up',
    `to let OpenClaw's own search find the bank, too: ${ADD_BANK_TO_SEARCH_COMMAND}`,
  );
}

const STATES = { works: 'ok', old: 'warning', broken: 'problem' } as const;

/** Checks each host that calls us: whether the call works, and whether `connect` would write the same settings now. */
export function checkConnections(host: HostEnvironment, workspace: string): readonly Finding[] {
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
