import { existsSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative } from 'node:path';
import { fail, tryWithFallback } from '../base/failure.js';
import { asRecord, type UnknownFields } from '../base/json.js';
import { shellLine, shellWord } from '../text/slug.js';
import { readTextIfThere, readVersion, removeFile, replaceFile } from '../workspace/files.js';
import type { OpenClawConfig } from '../workspace/openclaw-config.js';

/** The name of the plugin in the host OpenClaw. */
export const PLUGIN_ID = 'openclaw-memory';

/** A command of the host: its arguments, and the text for its standard input. */
interface HostCommand {
  readonly args: readonly string[];
  readonly input?: string;
}

/** Absolute paths of our plugin, of Node and of our program. */
interface PluginPaths {
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

const MARK = '# written by openclaw-memory link';

/** The names of our program. The first name is also the name of the host's program. */
const NAMES = ['openclaw', 'openclaw-memory'] as const;

/**
 * The text of a script that starts us. If Node or our program was removed, the script starts the next program of that
 * name on PATH. So `openclaw` then starts the host as if we were not installed.
 * @param program paths of Node and of our file with that name
 */
function launcherText(name: string, program: readonly [node: string, file: string]): string {
  const [node, file] = program.map(shellWord);
  return `#!/bin/sh
${MARK}
if [ -x ${node} ] && [ -e ${file} ]; then exec ${shellLine(program)} "$@"; fi
set -f
IFS=:
for folder in $PATH; do
  next="$folder/${name}"
  if [ -f "$next" ] && [ -x "$next" ] && ! grep -qsx '${MARK}' "$next"; then
    unset IFS
    exec "$next" "$@"
  fi
done
echo "${name}: openclaw-memory is gone, and there is no other ${name} on PATH; remove $0" >&2
exit 127
`;
}

/** Whether the text of a program is that of a launcher that we wrote. */
export function isLauncher(text: string): boolean {
  return text.startsWith('#!/bin/sh\n') && text.includes(`\n${MARK}\n`);
}

/**
 * The first folder on PATH that is in the user's home and comes before the folder of the host's program. Undefined if
 * there is none.
 * @param folders folders of PATH, in order
 */
export function findLauncherFolder(
  folders: readonly string[],
  { home, host }: { readonly home: string; readonly host: string | undefined },
): string | undefined {
  const before = host === undefined ? folders : folders.slice(0, folders.indexOf(dirname(host)));
  return before.find((folder) => {
    const path = relative(home, folder);
    return isAbsolute(folder) && path !== '' && !path.startsWith('..') && !isAbsolute(path);
  });
}

/**
 * Writes the launchers of both names, or updates them.
 * @param bin folder with our files
 * @param isOurs whether a program starts this package without a launcher, such as a link that an installer made. Such a
 * program stays
 * @returns whether a file has changed
 * @throws MemoryError `conflict` when a file of that name is not ours
 */
export function writeLaunchers(
  folder: string,
  { node, bin, isOurs }: { node: string; bin: string; isOurs: (path: string) => boolean },
): boolean {
  const changes = NAMES.map((name) => {
    const path = join(folder, name);
    const present = readVersion(path);
    const text = present?.bytes.toString('utf8');
    const isLaunched = text !== undefined && isLauncher(text);
    if (text !== undefined && !isLaunched && !isOurs(path))
      fail(
        'conflict',
        `${path} was not made by openclaw-memory, so it was not changed`,
        'use another folder with --dir',
      );
    const next = launcherText(name, [node, join(bin, `${name}.js`)]);
    return { path, present, next, isDone: text === next || (text !== undefined && !isLaunched) };
  }).filter(({ isDone }) => !isDone);
  for (const { path, present, next } of changes)
    if (!replaceFile(path, present, next, 0o755))
      fail('conflict', `another program changed ${path} during this command`, 'run the command again');
  return changes.length > 0;
}

/**
 * Finds the prefix of npm under which a package was installed globally, and whether the host is installed there, too.
 * Undefined if the package was not installed globally.
 * @param own folder of our package
 */
export function findNpmPrefix(own: string): { readonly prefix: string; readonly hasHost: boolean } | undefined {
  const modules = dirname(own);
  if (basename(modules) !== 'node_modules' || basename(dirname(modules)) !== 'lib') return undefined;
  return { prefix: dirname(dirname(modules)), hasHost: existsSync(join(modules, 'openclaw', 'package.json')) };
}

/**
 * Advice for the error `EEXIST` of npm. Under one prefix, npm can't install two packages that have a program of the
 * same name.
 */
export const OWN_NPM_PREFIX_HINT =
  'npm can\'t install both in one place, because both have a program "openclaw" (EEXIST); run: npm uninstall -g openclaw-memory, then ' +
  'npm install -g --prefix ~/.openclaw-memory --allow-scripts=better-sqlite3 openclaw-memory';

/**
 * Removes our launchers from folders, or only finds them with `dryRun`.
 * @returns their paths
 */
export function removeLaunchers(folders: readonly string[], dryRun: boolean): readonly string[] {
  const paths = [...new Set(folders)].filter(isAbsolute).flatMap((folder) => NAMES.map((name) => join(folder, name)));
  // A program that can't be read as text (a large file, a folder, a pipe) is not ours.
  const ours = paths.filter((path) => tryWithFallback(() => isLauncher(readTextIfThere(path) ?? ''), false));
  if (!dryRun) for (const path of ours) removeFile(path);
  return ours;
}
