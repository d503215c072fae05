import { asRecord, type Fields } from '../base/json.js';
import { shellLine, shellWord } from '../text/shell.js';
import type { OpenClawConfig } from '../workspace/openclaw-config.js';

/** The plugin's name in the host OpenClaw. */
export const PLUGIN_ID = 'openclaw-memory';

/** A command line of the host, with what it reads. */
export interface HostCommand {
  readonly args: readonly string[];
  readonly input?: string;
}

/** Where our plugin and our command line are: absolute paths. */
export interface PluginPlace {
  readonly plugin: string;
  readonly node: string;
  readonly bin: string;
}

/** What the host has of our plugin already. */
export interface PresentPlugin {
  /** Whether it runs from our folder, as earlier versions had it: once that is gone, some hosts do not start. */
  readonly isLinked: boolean;
  /** The other folders that plugins are loaded from. */
  readonly otherPaths: readonly string[];
  /** What a person has set for it. */
  readonly config: Fields;
}

/** What of our plugin the settings of the host name; undefined for nothing. Pure. */
export function presentPlugin(config: OpenClawConfig | undefined): PresentPlugin | undefined {
  const entry = config?.plugins[PLUGIN_ID];
  if (config === undefined || entry === undefined) return undefined;
  const otherPaths = config.pluginPaths.filter((path) => !/[\\/]dist[\\/]plugin$/u.test(path));
  const isLinked = otherPaths.length < config.pluginPaths.length;
  return { isLinked, otherPaths, config: asRecord(asRecord(entry).config) };
}

/**
 * What installs the plugin. The host copies it into its own state; its own command edits its settings, since one that is
 * edited by hand may be set aside. Hooks of a conversation have to be allowed. Pure.
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
 * The same where settings name a plugin that is not there, or a folder that is gone: some hosts keep such settings as they
 * are until they are taken out, and uninstall nothing. Pure.
 */
export function installationAnew(place: PluginPlace, present: PresentPlugin): readonly HostCommand[] {
  const gone = settingsOf(null, present.isLinked ? present.otherPaths : undefined);
  return installation(place, { ...present, isLinked: false }).toSpliced(1, 0, gone);
}

const UNINSTALL: HostCommand = { args: ['plugins', 'uninstall', PLUGIN_ID, '--force'] };

/** What takes it away again, with its settings. Pure. */
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

/** Lets the host's own search find the bank. It concerns more than us: a person decides. */
export const SEARCH_BANK = `openclaw config set memory.search.extraPaths '["bank"]' --strict-json`;

/** A command line of the host for a shell. Pure. */
export function shellOf({ args, input }: HostCommand): string {
  const line = shellLine(['openclaw', ...args]);
  return input === undefined ? line : `printf %s ${shellWord(input)} | ${line}`;
}
