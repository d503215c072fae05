import { asRecord, type Fields } from '../base/json.js';
import { shellLine, shellWord } from '../text/shell.js';
import type { OpenClawConfig } from '../workspace/openclaw-config.js';

/** The name of the plugin in the host OpenClaw. */
export const PLUGIN_ID = 'openclaw-memory';

/** A command line of the host, with its standard input. */
export interface HostCommand {
  readonly args: readonly string[];
  readonly input?: string;
}

/** Absolute paths of our plugin and our command line. */
export interface PluginPlace {
  readonly plugin: string;
  readonly node: string;
  readonly bin: string;
}

/** The state of our plugin in the host. */
export interface PresentPlugin {
  /** Whether it runs from our folder, as in earlier versions: some hosts do not start once that folder is gone. */
  readonly isLinked: boolean;
  /** The other folders that plugins are loaded from. */
  readonly otherPaths: readonly string[];
  /** Settings of the plugin that a person made. */
  readonly config: Fields;
}

/** Our plugin in the settings of the host; undefined if it is not there. Pure. */
export function presentPlugin(config: OpenClawConfig | undefined): PresentPlugin | undefined {
  const entry = config?.plugins[PLUGIN_ID];
  if (config === undefined || entry === undefined) return undefined;
  const otherPaths = config.pluginPaths.filter((path) => !/[\\/]dist[\\/]plugin$/u.test(path));
  const isLinked = otherPaths.length < config.pluginPaths.length;
  return { isLinked, otherPaths, config: asRecord(asRecord(entry).config) };
}

/**
 * The commands that install the plugin. The host copies it into its own state. The settings are changed by the host's own
 * command, because it may reject a file that was edited by hand. Hooks need permission to read conversations. Pure.
 */
export function installation({ plugin, node, bin }: PluginPlace, present?: PresentPlugin): readonly HostCommand[] {
  const config = { ...present?.config, node, bin };
  return [
    ...(present?.isLinked ? [UNINSTALL] : []),
    { args: ['plugins', 'install', plugin, '--force', '--accept-capabilities'] },
    settingsOf({ enabled: true, hooks: { allowConversationAccess: true }, config }),
  ];
}

/**
 * The same if the settings name a plugin or folder that is gone: some hosts then refuse to uninstall it until the settings
 * are removed. Pure.
 */
export function installationAnew(place: PluginPlace, present: PresentPlugin): readonly HostCommand[] {
  const gone = settingsOf(null, present.isLinked ? present.otherPaths : undefined);
  return installation(place, { ...present, isLinked: false }).toSpliced(1, 0, gone);
}

const UNINSTALL: HostCommand = { args: ['plugins', 'uninstall', PLUGIN_ID, '--force'] };

/** The commands that remove the plugin and its settings. Pure. */
export function removal(): readonly HostCommand[] {
  return [UNINSTALL, settingsOf(null), { args: ['plugins', 'registry', '--refresh'] }];
}

function settingsOf(entry: object | null, paths?: readonly string[]): HostCommand {
  const load = paths === undefined ? {} : { load: { paths } };
  return {
    args: ['config', 'patch', '--stdin'],
    input: JSON.stringify({ plugins: { ...load, entries: { [PLUGIN_ID]: entry } } }),
  };
}

/** Lets the host's own search find the bank. It affects more than our plugin, so a person decides. */
export const SEARCH_BANK = `openclaw config set memory.search.extraPaths '["bank"]' --strict-json`;

/** A command line of the host for a shell. Pure. */
export function shellOf({ args, input }: HostCommand): string {
  const line = shellLine(['openclaw', ...args]);
  return input === undefined ? line : `printf %s ${shellWord(input)} | ${line}`;
}
