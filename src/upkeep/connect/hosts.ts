import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { fail, tryWithFallback } from '../../base/failure.js';
import { isRecord, parseRecord } from '../../base/json.js';
import { VERSION } from '../../base/version.js';
import { isGeneratedSkillText, skillText, skillTextWithHash } from '../../context/skill.js';
import { shellLine } from '../../text/slug.js';
import { contentHash, readTextIfThere } from '../../workspace/files.js';
import { systemHome, userFolders } from '../../workspace/openclaw-config.js';
import { buildClaudeHooks, formatHookCommand, isOurHook, wordsOfCall } from '../hooks.js';
import {
  findLineEnd,
  type HostSettingsValue,
  JSON_FORMAT,
  JSON_WITH_COMMENTS_FORMAT,
  LOOSE_JSON_FORMAT,
  type SettingsFormat,
  TOML_FORMAT,
} from './formats.js';
import type { CallFromHost } from './record.js';

/** The name of our MCP server in the settings of every host. */
const NAME = 'openclaw-memory';

/** Folders and environment of this user, which tell where the hosts keep their settings. */
export interface HostFolders {
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
  readonly platform: NodeJS.Platform;
  /** Our folder with the plugin for Claude Code. */
  readonly plugin: string;
}

export function findHostFolders(env: NodeJS.ProcessEnv): HostFolders {
  const plugin = join(userFolders({ env }).data, 'claude-code');
  return { home: systemHome(env), env, platform: process.platform, plugin };
}

/** A file that we write for a host, and the values that we put into it. */
export interface TargetFile {
  readonly part: ConnectionPart;
  /** Files that the host would read. The first one that exists is changed. If none exists, the first one is created. */
  readonly files: readonly string[];
  readonly format: SettingsFormat;
  readonly pieces: readonly HostSettingsValue[];
  /** A folder that has only files of ours. It is removed together with the last of these files. */
  readonly top?: string;
}

/**
 * The parts that we write for a host. `skill` is a page. `plugin` is a folder that replaces the other parts. `ignore`
 * is a line that keeps a settings file of this machine out of git.
 */
export type ConnectionPart = 'server' | 'hooks' | 'skill' | 'plugin' | 'ignore';

/** A program that runs agents, with the places and the format of its settings. */
interface Host {
  readonly title: string;
  /** Programs of the host. If one of them is on PATH, or `folder` (its folder of settings) exists, the host is installed. */
  readonly programs: readonly string[];
  readonly folder: (places: HostFolders) => string;
  readonly format: SettingsFormat;
  /** Settings files of this user that list MCP servers. */
  readonly user: (places: HostFolders, folder: string) => readonly string[];
  /**
   * Settings files of a project, relative to the project's folder. All users of the project share them. `root` is the
   * placeholder that the host replaces by the project's folder.
   */
  readonly project: readonly string[];
  readonly root?: string;
  readonly keys: readonly string[];
  readonly server: (words: readonly string[]) => object;
  /** Text for the user: under which condition the host starts the server of a project. */
  readonly trust: string;
}

/** The placeholder that editors replace by the folder of the project. */
const EDITOR_ROOT = `\${workspaceFolder}`;

const NO_PROJECTS = 'it has no settings for a project, so nothing is written';

const plain = ([command, ...args]: readonly string[]): object => ({ command, args });
const typed = (words: readonly string[]): object => ({ type: 'stdio', ...plain(words) });

const HOSTS = {
  'claude-code': {
    title: 'Claude Code',
    programs: ['claude'],
    folder: ({ env, home }) => env.CLAUDE_CONFIG_DIR || join(home, '.claude'),
    format: JSON_FORMAT,
    user: ({ env, home }) => [join(env.CLAUDE_CONFIG_DIR || home, '.claude.json')],
    project: [],
    keys: ['mcpServers'],
    server: typed,
    trust: 'it asks whether the folder is trusted when it starts there; what is written there is for you alone',
  },
  codex: {
    title: 'Codex',
    programs: ['codex'],
    folder: ({ env, home }) => env.CODEX_HOME || join(home, '.codex'),
    format: TOML_FORMAT,
    user: (_, folder) => [join(folder, 'config.toml')],
    project: ['.codex/config.toml'],
    keys: ['mcp_servers'],
    server: plain,
    trust: 'it reads the file in a project that you trust',
  },
  'gemini-cli': {
    title: 'Gemini CLI',
    programs: ['gemini'],
    folder: ({ env, home }) => join(env.GEMINI_CLI_HOME || home, '.gemini'),
    format: JSON_WITH_COMMENTS_FORMAT,
    user: (_, folder) => [join(folder, 'settings.json')],
    project: ['.gemini/settings.json'],
    keys: ['mcpServers'],
    server: plain,
    trust: 'it reads the file in a folder that you trust',
  },
  cursor: {
    title: 'Cursor',
    programs: ['cursor', 'cursor-agent'],
    folder: ({ home }) => join(home, '.cursor'),
    format: LOOSE_JSON_FORMAT,
    user: (_, folder) => [join(folder, 'mcp.json')],
    project: ['.cursor/mcp.json'],
    root: EDITOR_ROOT,
    keys: ['mcpServers'],
    server: plain,
    trust: 'switch the server on in the settings of Cursor',
  },
  opencode: {
    title: 'opencode',
    programs: ['opencode'],
    folder: ({ env, home }) => join(env.XDG_CONFIG_HOME || join(home, '.config'), 'opencode'),
    format: LOOSE_JSON_FORMAT,
    user: (_, folder) => ['opencode.jsonc', 'opencode.json'].map((name) => join(folder, name)),
    project: ['opencode.json', 'opencode.jsonc'],
    keys: ['mcp'],
    server: (words) => ({ type: 'local', command: words, enabled: true }),
    trust: 'it asks nothing',
  },
  vscode: {
    title: 'VS Code',
    programs: ['code'],
    folder: (places) => join(applicationFolder(places), 'Code', 'User'),
    format: LOOSE_JSON_FORMAT,
    user: (_, folder) => [join(folder, 'mcp.json')],
    project: ['.vscode/mcp.json'],
    root: EDITOR_ROOT,
    keys: ['servers'],
    server: typed,
    trust: 'it asks before it starts the server for the first time',
  },
  'claude-desktop': {
    title: 'Claude Desktop',
    programs: ['claude-desktop'],
    folder: (places) => join(applicationFolder(places), 'Claude'),
    format: JSON_FORMAT,
    user: (_, folder) => [join(folder, 'claude_desktop_config.json')],
    project: [],
    keys: ['mcpServers'],
    server: plain,
    trust: NO_PROJECTS,
  },
  windsurf: {
    title: 'Windsurf',
    programs: ['windsurf'],
    folder: ({ home }) => join(home, '.codeium', 'windsurf'),
    format: JSON_FORMAT,
    user: (_, folder) => [join(folder, 'mcp_config.json')],
    project: [],
    keys: ['mcpServers'],
    server: plain,
    trust: NO_PROJECTS,
  },
  zed: {
    title: 'Zed',
    programs: ['zed', 'zeditor'],
    folder: ({ env, home, platform }) =>
      platform === 'win32'
        ? join(applicationFolder({ env, home, platform }), 'Zed')
        : join(env.XDG_CONFIG_HOME || join(home, '.config'), 'zed'),
    format: LOOSE_JSON_FORMAT,
    user: (_, folder) => [join(folder, 'settings.json')],
    project: ['.zed/settings.json'],
    keys: ['context_servers'],
    server: plain,
    trust: 'it reads the file in a folder that you trust',
  },
} satisfies Readonly<Record<Exclude<HostName, 'openclaw'>, Host>>;

/** The names of the hosts. OpenClaw is configured by its own commands; the only file that we write there is the skill. */
export const HOST_NAMES = [
  'openclaw',
  'claude-code',
  'codex',
  'gemini-cli',
  'cursor',
  'opencode',
  'vscode',
  'claude-desktop',
  'windsurf',
  'zed',
] as const;
export type HostName = (typeof HOST_NAMES)[number];

/** Returns the description of a host whose settings we write. */
export function findHostByName(name: Exclude<HostName, 'openclaw'>): Host {
  return HOSTS[name];
}

/** The folder in which applications keep their settings. It depends on the operating system. */
function applicationFolder({ env, home, platform }: Omit<HostFolders, 'plugin'>): string {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support');
  if (platform === 'win32') return env.APPDATA || join(home, 'AppData', 'Roaming');
  return env.XDG_CONFIG_HOME || join(home, '.config');
}

/** The files to write for a host, for this user or for one project. */
export function listTargetFiles(
  name: HostName,
  places: HostFolders,
  calling: CallFromHost,
  project?: string,
): readonly TargetFile[] {
  if (name === 'openclaw') return [skillIn(calling.workspace, calling.skill)];
  const host = findHostByName(name);
  const folder = host.folder(places);
  const server = (files: readonly string[], keys: readonly string[], words: readonly string[]): TargetFile => {
    const value = host.server([...words, 'mcp']);
    const piece = { keys: [...keys, ...host.keys, NAME], value, isElement: false, isOurs: isOurServer };
    return { part: 'server', files, format: host.format, pieces: [piece] };
  };
  const own = wordsOfCall(calling);
  if (name === 'claude-code') {
    // Personal settings of a project are in two files: a local file beside the shared settings, and the state file of
    // the host.
    if (project !== undefined)
      return [
        server(host.user(places, folder), ['projects', project], own),
        hooksIn(join(project, LOCAL_SETTINGS), calling),
        ...outOfGit(project, `/${LOCAL_SETTINGS}`),
      ];
    const user = server(host.user(places, folder), [], own);
    const plugin = pluginIn(places.plugin, calling, host.server([...own, 'mcp']));
    return [user, hooksIn(join(folder, 'settings.json'), calling), skillIn(folder, calling.skill), ...plugin];
  }
  if (project === undefined) return [server(host.user(places, folder), [], own)];
  const files = host.project.map((file) => join(project, file));
  if (files.length === 0) return [];
  return [server(files, [], sharedWords(host, project, calling))];
}

/**
 * The command that starts the server of a project. Other users share the settings file, so the command must not contain
 * anything specific to this machine.
 */
function sharedWords({ root, title }: Host, project: string, { workspace, isUsual }: CallFromHost): readonly string[] {
  if (isUsual) return [NAME];
  const path = relative(project, workspace).split(sep).join('/');
  if (path.startsWith('..') || isAbsolute(path)) {
    const message = `${title} has one settings file for everyone who works on ${project}, but the workspace ${workspace} is outside of the project`;
    return fail('usage', message, 'connect without --project, or use a workspace inside the project');
  }
  return [NAME, '-w', [...(root === undefined ? [] : [root]), ...(path === '' ? [] : [path])].join('/') || '.'];
}

const LOCAL_SETTINGS = '.claude/settings.local.json';

/** The change that excludes a file from git, in this clone only. */
function outOfGit(project: string, pattern: string): readonly TargetFile[] {
  const file = excludeFile(project);
  if (file === undefined) return [];
  const piece = { keys: [], value: pattern, isElement: false, isOurs: () => true };
  return [{ part: 'ignore', files: [file], format: LINES_FORMAT, pieces: [piece] }];
}

function pluginIn(folder: string, calling: CallFromHost, server: object): readonly TargetFile[] {
  const command = formatHookCommand(calling, 'claude-code', ['--plugin']);
  return buildPluginFiles({ command, server, called: shellLine(calling.skill) }).map(([name, value]) => {
    const piece = { keys: [], value, isElement: false, isOurs: () => true };
    return { part: 'plugin', files: [join(folder, name)], format: WHOLE_FORMAT, pieces: [piece], top: folder };
  });
}

function hooksIn(file: string, calling: CallFromHost): TargetFile {
  const command = formatHookCommand(calling, 'claude-code');
  const pieces = buildClaudeHooks(command).map(([event, value]) => {
    return { keys: ['hooks', event], value, isElement: true, isOurs: isOurHook };
  });
  return { part: 'hooks', files: [file], format: JSON_FORMAT, pieces };
}

function skillIn(folder: string, called: readonly string[]): TargetFile {
  const piece = { keys: [], value: skillTextWithHash(shellLine(called)), isElement: false, isOurs: () => true };
  const top = join(folder, 'skills', NAME);
  return { part: 'skill', files: [join(top, 'SKILL.md')], format: PAGE_FORMAT, pieces: [piece], top };
}

/**
 * Whether an entry in the list of servers calls us. Either it has the name of our server, or its command starts this
 * program because a person configured it by hand.
 */
function isOurServer(value: unknown, key: string): boolean {
  if (key === NAME) return true;
  if (!isRecord(value)) return false;
  const words = [value.command, value.args].flat().filter((word) => typeof word === 'string');
  return words.includes('mcp') && words.some((word) => /(?:^|[\\/])openclaw(?:-memory)?(?:\.js)?$/u.test(word));
}

/** Format of a file that only we write: its whole content is our value. */
const WHOLE_FORMAT: SettingsFormat = {
  add: (_, { value }) => ({ at: 0, before: '', after: String(value) }),
  find: (text) => (text === '' ? [] : [text]),
  strip: () => '',
};

/**
 * Format of a page whose whole content is our value. If a person has edited the page, it is neither replaced nor removed:
 * `strip` throws `conflict`.
 */
const PAGE_FORMAT: SettingsFormat = {
  ...WHOLE_FORMAT,
  strip: (text) =>
    text === '' || isGeneratedSkillText(text)
      ? ''
      : fail(
          'conflict',
          'it was changed by hand',
          'move it away, or compare it with the output of: openclaw memory skill',
        ),
};

/** Format of a text file with one value per line, such as git's exclude file. One of its lines is our value. */
const LINES_FORMAT: SettingsFormat = {
  add: (text, { value }) => {
    const end = findLineEnd(text);
    const gap = text === '' || text.endsWith('\n') ? '' : end;
    return { at: text.length, before: '', after: `${gap}${String(value)}${end}` };
  },
  find: (text, { value }) => text.split(/\r?\n/u).filter((line) => line === value),
  strip: (text, { value }) =>
    text
      .split(/(?<=\n)/u)
      .filter((line) => line.trimEnd() !== value)
      .join(''),
};

/**
 * The exclude file of a clone, which lists files that git ignores in this clone only. Undefined if the folder is not
 * the top of a repository.
 */
function excludeFile(project: string): string | undefined {
  const git = join(project, '.git');
  const pointer = textOf(git);
  if (pointer === undefined) return undefined;
  const [, named] = /^gitdir: (.+)$/mu.exec(pointer) ?? [];
  const folder = named === undefined ? git : resolve(dirname(git), named);
  // All worktrees of a repository share one exclude file.
  return join(resolve(folder, textOf(join(folder, 'commondir'))?.trim() || '.'), 'info', 'exclude');
}

/** The text of a file; '' if it can't be read, as for a folder; undefined if it does not exist. */
function textOf(path: string): string | undefined {
  return tryWithFallback(() => readTextIfThere(path), '');
}

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
function buildPluginFiles({ command, server, called }: PluginParts): readonly (readonly [string, string])[] {
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
