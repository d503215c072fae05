import { asRecord, type UnknownFields } from '../base/json.js';
import { shellLine, shellWord } from '../text/shell.js';
import type { OpenClawConfig } from '../workspace/openclaw-config.js';

/** The name of the plugin in the host OpenClaw. */
export const PLUGIN_ID = 'openclaw-memory';

/** A command of the host: its arguments, and the text for its standard input. */
export interface HostCommand {
  readonly args: readonly string[];
  readonly input?: string;
}

/** Absolute paths of our plugin, of Node and of our program. */
export interface PluginPaths {
  readonly plugin: string;
  readonly node: string;
  readonly bin: string;
}

/** The state of our plugin in the host. */
export interface InstalledPlugin {
  /**
   * Whether the host runs the plugin from our own folder, as earlier versions installed it, and not from a copy. Some
   * hosts do not start once that folder is gone.
   */
  readonly isLinked: boolean;
  /** Folders from which the host loads other plugins. */
  readonly otherPaths: readonly string[];
  /** Settings of the plugin that a person made. */
  readonly config: UnknownFields;
}

/** Our plugin in the settings of the host; undefined if it is not there. Pure. */
export function findInstalledPlugin(config: OpenClawConfig | undefined): InstalledPlugin | undefined {
  const entry = config?.plugins[PLUGIN_ID];
  if (config === undefined || entry === undefined) return undefined;
  const otherPaths = config.pluginPaths.filter((path) => !/[\\/]dist[\\/]plugin$/u.test(path));
  const isLinked = otherPaths.length < config.pluginPaths.length;
  return { isLinked, otherPaths, config: asRecord(asRecord(entry).config) };
}

/**
 * The commands with which the host installs the plugin and copies it into its own state folder. They also change the
 * settings, because the host may reject a settings file that was edited by hand. The settings permit the hooks of the
 * plugin to read conversations. Pure.
 */
export function listInstallCommands(
  { plugin, node, bin }: PluginPaths,
  present?: InstalledPlugin,
): readonly HostCommand[] {
  const config = { ...present?.config, node, bin };
  return [
    ...(present?.isLinked ? [UNINSTALL] : []),
    { args: ['plugins', 'install', plugin, '--force', '--accept-capabilities'] },
    settingsOf({ enabled: true, hooks: { allowConversationAccess: true }, config }),
  ];
}

/**
 * The commands that install the plugin if the settings name a plugin or folder that is gone. Some hosts then refuse to
 * uninstall it, so its settings are removed first. Pure.
 */
export function listFreshInstallCommands(place: PluginPaths, present: InstalledPlugin): readonly HostCommand[] {
  const gone = settingsOf(null, present.isLinked ? present.otherPaths : undefined);
  return listInstallCommands(place, { ...present, isLinked: false }).toSpliced(1, 0, gone);
}

const UNINSTALL: HostCommand = { args: ['plugins', 'uninstall', PLUGIN_ID, '--force'] };

/** The commands that remove the plugin and its settings. Pure. */
export function listRemovalCommands(): readonly HostCommand[] {
  return [UNINSTALL, settingsOf(null), { args: ['plugins', 'registry', '--refresh'] }];
}

function settingsOf(entry: object | null, paths?: readonly string[]): HostCommand {
  const load = paths === undefined ? {} : { load: { paths } };
  return {
    args: ['config', 'patch', '--stdin'],
    input: JSON.stringify({ plugins: { ...load, entries: { [PLUGIN_ID]: entry } } }),
  };
}

/**
 * Command that adds the pages of the bank to the host's own search. It affects more than our plugin, so a person must
 * run it.
 */
export const ADD_BANK_TO_SEARCH_COMMAND = `openclaw config set memory.search.extraPaths '["bank"]' --strict-json`;

/** Formats a command of the host for a shell. Pure. */
export function formatHostCommand({ args, input }: HostCommand): string {
  const line = shellLine(['openclaw', ...args]);
  return input === undefined ? line : `printf %s ${shellWord(input)} | ${line}`;
}
