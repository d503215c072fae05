import { shellLine, shellWord } from './schedule/quote.js';

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

/**
 * What installs the plugin. It runs from where it is; the host's own command edits its settings, since one that is
 * edited by hand may be set aside. Hooks of a conversation have to be allowed. Pure.
 */
export function installation({ plugin, node, bin }: PluginPlace): readonly HostCommand[] {
  const entry = { enabled: true, hooks: { allowConversationAccess: true }, config: { node, bin } };
  return [{ args: ['plugins', 'install', '--link', plugin, '--force', '--accept-capabilities'] }, settingsOf(entry)];
}

/** What takes it away again, with its settings. Pure. */
export function removal(): readonly HostCommand[] {
  return [
    { args: ['plugins', 'uninstall', PLUGIN_ID, '--force'] },
    settingsOf(null),
    { args: ['plugins', 'registry', '--refresh'] },
  ];
}

function settingsOf(entry: object | null): HostCommand {
  return {
    args: ['config', 'patch', '--stdin'],
    input: JSON.stringify({ plugins: { entries: { [PLUGIN_ID]: entry } } }),
  };
}

/** Lets the host's own search find the bank. It concerns more than us: a person decides. */
export const SEARCH_BANK = `openclaw config set memory.search.extraPaths '["bank"]' --strict-json`;

/** A command line of the host for a shell. Pure. */
export function shellOf({ args, input }: HostCommand): string {
  const line = shellLine(['openclaw', ...args]);
  return input === undefined ? line : `printf %s ${shellWord(input)} | ${line}`;
}
