import { existsSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { join, resolve } from 'node:path';
import { fail } from '../../base/failure.js';

export type HostEnvironment = { readonly env: NodeJS.ProcessEnv; readonly profile?: string | undefined };

/**
 * Reads an environment variable as OpenClaw does. Removes blanks at both ends of the value. An empty value counts as
 * not set.
 */
export function environmentVariable(env: NodeJS.ProcessEnv, name: string): string | undefined {
  return env[name]?.trim() || undefined;
}

/** The home folder as OpenClaw finds it: `$OPENCLAW_HOME`, then `$HOME`, then `$USERPROFILE`, then that of the system. */
export function homeFolder({ env }: Pick<HostEnvironment, 'env'>): string {
  const named = folderIn(env, 'OPENCLAW_HOME');
  return named === undefined ? systemHome(env) : resolve(expandHome(named, systemHome(env)));
}

/** The home folder of this user, even if `$HOME` is empty. */
export function systemHome(env: NodeJS.ProcessEnv): string {
  return resolve(folderIn(env, 'HOME') ?? folderIn(env, 'USERPROFILE') ?? (homedir() || userInfo().homedir));
}

/**
 * Reads a home folder from a variable. The texts `undefined` and `null` are ignored, because scripts may set them by
 * mistake.
 */
function folderIn(env: NodeJS.ProcessEnv, name: string): string | undefined {
  const value = environmentVariable(env, name);
  return value === 'undefined' || value === 'null' ? undefined : value;
}

export function expandHome(path: string, home: string): string {
  return path === '~' || /^~[/\\]/.test(path) ? join(home, path.slice(1)) : path;
}

/**
 * The environment variables as OpenClaw's command line changes them for `--profile`. It sets the variables of the state
 * folder and of the configuration file, unless the user has already set them. The process may have inherited these
 * variables from the profile in `$OPENCLAW_PROFILE`. A variable with the usual value of that profile does not count as
 * set by the user.
 * @throws MemoryError `usage` for a profile name that OpenClaw refuses
 */
export function hostVariables({ env, profile }: HostEnvironment): NodeJS.ProcessEnv {
  if (profile === undefined) return env;
  const [selected, inherited] = [profileFolder(profile, env), profileFolder(envProfile(env) ?? 'default', env)];
  const leaves = (path: string | undefined, usual: string): boolean =>
    path === undefined || (selected !== inherited && absolute(path, env) === usual);
  const [state, config] = [
    environmentVariable(env, 'OPENCLAW_STATE_DIR'),
    environmentVariable(env, 'OPENCLAW_CONFIG_PATH'),
  ];
  const movesState = leaves(state, inherited);
  const stateFolder = movesState || state === undefined ? selected : state;
  const movesConfig = movesState ? leaves(config, join(inherited, CONFIG_FILE)) : config === undefined;
  return {
    ...env,
    OPENCLAW_PROFILE: profile.trim(),
    OPENCLAW_STATE_DIR: stateFolder,
    ...(movesConfig ? { OPENCLAW_CONFIG_PATH: join(absolute(stateFolder, env), CONFIG_FILE) } : {}),
  };
}

const CONFIG_FILE = 'openclaw.json';
/** Names that earlier versions of the host used. */
const OLDER = { folder: '.clawdbot', configFile: 'clawdbot.json' } as const;

function envProfile(env: NodeJS.ProcessEnv): string | undefined {
  return environmentVariable(env, 'OPENCLAW_PROFILE');
}

/** The state folder of a profile: `~/.openclaw`, or `~/.openclaw-work` for the profile `work`. */
function profileFolder(profile: string, env: NodeJS.ProcessEnv): string {
  const name = profile.trim();
  if (!/^[a-z0-9][a-z0-9_-]{0,63}$/iu.test(name))
    fail('usage', `"${profile}" is not a valid profile name`, 'use letters, digits, "_" and "-"');
  return join(homeFolder({ env }), `.openclaw${name.toLowerCase() === 'default' ? '' : `-${name}`}`);
}

function absolute(path: string, env: NodeJS.ProcessEnv): string {
  return resolve(expandHome(path, homeFolder({ env })));
}

/**
 * The host's state folder: `$OPENCLAW_STATE_DIR` if that is set, otherwise `~/.openclaw`. If `~/.openclaw` does not
 * exist, but the folder of earlier versions (`~/.clawdbot`) does, it is that folder.
 */
export function hostStateFolder(env: NodeJS.ProcessEnv): string {
  const named = environmentVariable(env, 'OPENCLAW_STATE_DIR');
  if (named !== undefined) return absolute(named, env);
  const [usual, older] = usualStateFolders(env);
  return !existsSync(usual) && existsSync(older) ? older : usual;
}

function usualStateFolders(env: NodeJS.ProcessEnv): readonly [usual: string, older: string] {
  const home = homeFolder({ env });
  return [join(home, '.openclaw'), join(home, OLDER.folder)];
}

/** The host's configuration file, whether or not it exists. */
export function hostConfigFile(env: NodeJS.ProcessEnv): string {
  const named = environmentVariable(env, 'OPENCLAW_CONFIG_PATH');
  if (named !== undefined) return absolute(named, env);
  const isNamed = environmentVariable(env, 'OPENCLAW_STATE_DIR') !== undefined;
  const folders = isNamed ? [hostStateFolder(env)] : usualStateFolders(env);
  const files = folders.flatMap((folder) => [join(folder, CONFIG_FILE), join(folder, OLDER.configFile)]);
  return files.find((file) => existsSync(file)) ?? join(hostStateFolder(env), CONFIG_FILE);
}

/** The default folder for a workspace. The host does not expand `~` in `$OPENCLAW_WORKSPACE_DIR`. */
export function defaultWorkspaceFolder(env: NodeJS.ProcessEnv, cwd: string): string {
  const named = environmentVariable(env, 'OPENCLAW_WORKSPACE_DIR');
  if (named !== undefined) return resolve(cwd, named);
  if (environmentVariable(env, 'OPENCLAW_STATE_DIR') !== undefined) return join(hostStateFolder(env), 'workspace');
  return join(profileFolder(envProfile(env) ?? 'default', env), 'workspace');
}
