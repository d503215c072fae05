import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findWorkspace } from '../../../app/open.js';
import { MemoryError } from '../../../base/failure.js';
import * as hosts from '../../../upkeep/connect.js';
import { findInstalledPlugin, type InstalledPlugin } from '../../../upkeep/openclaw.js';
import { buildOwnProgramCommand } from '../../background.js';
import { findHost, isOnPath } from '../../host/find-host.js';
import type { CommandContext } from '../../verb.js';
import { buildWorkspaceOptions } from '../../workspace.js';

/** Settings, command line and plugin that a connection needs. */
export interface ConnectCommandContext {
  readonly ground: hosts.HostSettingsContext;
  readonly calling: hosts.CallFromHost;
  /** Our plugin in OpenClaw, if it is installed. */
  readonly plugin: InstalledPlugin | undefined;
}

/** Finds the user's settings, and the command with which hosts must call us. */
export async function readConnectCommandContext(context: CommandContext): Promise<ConnectCommandContext> {
  const { io, global } = context;
  const { host, located, config } = await findWorkspace(buildWorkspaceOptions(context));
  const isUsual =
    ['default', 'openclaw.json'].includes(located.by) &&
    global.agent === undefined &&
    (global.profile ?? io.env.OPENCLAW_PROFILE) === undefined;
  const program = buildOwnProgramCommand();
  const options = global.tz === undefined ? [] : ['--tz', global.tz];
  const name = isOnPath('openclaw-memory', io.env.PATH) ? ['openclaw-memory'] : program;
  const skill = [...name, ...(isUsual ? [] : ['-w', located.root]), ...options];
  return {
    ground: { places: hosts.findHostFolders(io.env), env: host },
    plugin: findInstalledPlugin(config),
    calling: { program, workspace: located.root, options, isUsual, skill },
  };
}

/** Reports whether a host is installed on this machine, and where we looked. */
export function checkHostInstallation(
  name: hosts.HostName,
  { io }: CommandContext,
): { readonly isThere: boolean; readonly sought: string } {
  if (name === 'openclaw')
    return { isThere: findHost(io.env.PATH) !== undefined, sought: 'OpenClaw (openclaw on PATH)' };
  const { title, programs, folder } = hosts.findHostByName(name);
  const path = folder(hosts.findHostFolders(io.env));
  const isThere = existsSync(path) || programs.some((program) => isOnPath(program, io.env.PATH));
  return { isThere, sought: `${title} (${programs.join(' or ')} on PATH, ${path})` };
}

/**
 * The folder that identifies a project: the repository around the current folder, or else the current folder itself.
 */
export function findProjectFolder(cwd: string): string {
  for (let folder = cwd; dirname(folder) !== folder; folder = dirname(folder))
    if (existsSync(join(folder, '.git'))) return folder;
  return cwd;
}

/** Writes or removes only some parts of a connection. */
export async function changeConnectionPart(
  context: CommandContext,
  { host, part, isGoing = false }: { host: hosts.HostName; part: hosts.ConnectionPart; isGoing?: boolean },
): Promise<{ readonly path: string; readonly changed: boolean }> {
  const { ground, calling } = await readConnectCommandContext(context);
  const where = { host, project: undefined, parts: [part] };
  const [step] = isGoing ? hosts.planDisconnect(where, calling, ground) : hosts.planConnect(where, calling, ground);
  if (step instanceof MemoryError) throw step;
  if (step === undefined) return { path: 'the settings', changed: false };
  hosts.writeFileEdit(step, ground);
  return { path: step.path, changed: step.after !== step.before };
}
