import { join } from 'node:path';
import { parseRecord } from '../../base/json.js';
import { VERSION } from '../../base/version.js';
import { skillText } from '../../context/skill.js';
import { shellLine } from '../../text/shell.js';
import { contentHash, readTextIfThere } from '../../workspace/files.js';
import { buildClaudeHooks } from '../hooks.js';

const NAME = 'openclaw-memory';
/** The id of our plugin in Claude Code: the name of the plugin and the name of its marketplace. */
const ID = `${NAME}@${NAME}`;
const ABOUT = 'Long-term memory over Markdown files: memories before a prompt, the transcript kept, a skill, tools';

/** The parts of our Claude Code plugin that differ between machines. */
interface PluginParts {
  /** The shell command that every hook runs. */
  readonly command: string;
  readonly server: object;
  /** The words with which every command in the text of the skill begins, quoted for a shell. */
  readonly called: string;
}

/**
 * Builds the files of a folder that is both the plugin and its marketplace. The version contains a hash of the content,
 * so that the host sees when its copy is outdated. Pure, except that it reads the template of the skill.
 */
export function buildPluginFiles({ command, server, called }: PluginParts): readonly (readonly [string, string])[] {
  const owner = { name: NAME };
  const skill = skillText(called);
  const hooks = Object.fromEntries(buildClaudeHooks(command).map(([event, entry]) => [event, [entry]]));
  const manifest = { name: NAME, description: ABOUT, author: owner, hooks, mcpServers: { [NAME]: server } };
  const version = `${VERSION}-h${contentHash(JSON.stringify([manifest, skill])).slice(0, 8)}`;
  const plugins = [{ name: NAME, source: './', description: ABOUT, version }];
  return [
    ['.claude-plugin/marketplace.json', json({ name: NAME, description: ABOUT, owner, plugins })],
    ['.claude-plugin/plugin.json', json({ ...manifest, version })],
    [`skills/${NAME}/SKILL.md`, skill],
  ];
}

/** The shell lines that install the plugin from its folder. */
export function buildPluginInstallLines(folder: string): readonly string[] {
  return [shellLine(['claude', 'plugin', 'marketplace', 'add', folder]), `claude plugin install ${ID}`];
}

/** Arguments for the host's program that remove the plugin. */
export const PLUGIN_REMOVAL_COMMANDS: readonly (readonly string[])[] = [
  ['plugin', 'uninstall', ID],
  ['plugin', 'marketplace', 'remove', NAME],
];

export const PLUGIN_UPDATE_COMMAND = `claude plugin update ${ID}`;

/**
 * The installed version of the plugin; undefined if it is not installed.
 * @param host the folder with the settings of Claude Code
 */
export function findInstalledPluginVersion(host: string): string | undefined {
  const { plugins } = parseRecord(readTextIfThere(join(host, 'plugins', 'installed_plugins.json')) ?? '') ?? {};
  const [first] = [Object(plugins)[ID]].flat();
  return first === undefined ? undefined : String(Object(first).version);
}

function json(value: object): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
