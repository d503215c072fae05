import { existsSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { join, resolve } from 'node:path';
import { fail } from '../../base/failure.js';

export type HostEnvironment = { readonly env: NodeJS.ProcessEnv; readonly profile?: string | undefined };

/** The value of a variable as OpenClaw reads its own: trimmed; an empty value counts as not set. */
export function variable(env: NodeJS.ProcessEnv, name: string): string | undefined {
  return env[name]?.trim() || undefined;
}

/** The user's home as OpenClaw finds it: `$OPENCLAW_HOME`, then `$HOME`, `$USERPROFILE`, the system's. */
export function homeFolder({ env }: Pick<HostEnvironment, 'env'>): string {
  const named = folderIn(env, 'OPENCLAW_HOME');
  return named === undefined ? systemHome(env) : resolve(expandHome(named, systemHome(env)));
}

/** The home folder of this user, even if `$HOME` is empty. */
export function systemHome(env: NodeJS.ProcessEnv): string {
  return resolve(folderIn(env, 'HOME') ?? folderIn(env, 'USERPROFILE') ?? (homedir() || userInfo().homedir));
}

/** A home folder from a variable. Ignores `undefined` and `null`, which scripts may write by mistake. */
function folderIn(env: NodeJS.ProcessEnv, name: string): string | undefined {
  const value = variable(env, name);
  return value === 'undefined' || value === 'null' ? undefined : value;
}

export function expandHome(path: string, home: string): string {
  return path === '~' || /^~[/\\]/.test(path) ? join(home, path.slice(1)) : path;
}

/**
 * The environment after OpenClaw's command line: `--profile` sets the state folder and the configuration in it. Values that
 * the environment sets are kept, unless they are those of the inherited profile.
 * @throws MemoryError `usage` for a profile name that OpenClaw refuses
 */
export function hostVariables({ env, profile }: HostEnvironment): NodeJS.ProcessEnv {
  if (profile === undefined) return env;
  const [selected, inherited] = [profileFolder(profile, env), profileFolder(envProfile(env) ?? 'default', env)];
  const leaves = (path: string | undefined, usual: string): boolean =>
    path === undefined || (selected !== inherited && absolute(path, env) === usual);
  const [state, config] = [variable(env, 'OPENCLAW_STATE_DIR'), variable(env, 'OPENCLAW_CONFIG_PATH')];
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
/** Former names that the host used. */
const OLDER = { folder: '.clawdbot', configFile: 'clawdbot.json' } as const;

function envProfile(env: NodeJS.ProcessEnv): string | undefined {
  return variable(env, 'OPENCLAW_PROFILE');
}

/** `~/.openclaw`, or `~/.openclaw-work` for the profile `work`. */
function profileFolder(profile: string, env: NodeJS.ProcessEnv): string {
  const name = profile.trim();
  if (!/^[a-z0-9][a-z0-9_-]{0,63}$/iu.test(name))
    fail('usage', `"${profile}" is no name of a profile`, 'OpenClaw takes letters, digits, "_" and "-"');
  return join(homeFolder({ env }), `.openclaw${name.toLowerCase() === 'default' ? '' : `-${name}`}`);
}

function absolute(path: string, env: NodeJS.ProcessEnv): string {
  return resolve(expandHome(path, homeFolder({ env })));
}

/** `$OPENCLAW_STATE_DIR`, else `~/.openclaw`, else the former folder of the host if only that exists. */
export function stateFolderOf(env: NodeJS.ProcessEnv): string {
  const named = variable(env, 'OPENCLAW_STATE_DIR');
  if (named !== undefined) return absolute(named, env);
  const [usual, older] = usualStateFolders(env);
  return !existsSync(usual) && existsSync(older) ? older : usual;
}

function usualStateFolders(env: NodeJS.ProcessEnv): readonly [usual: string, older: string] {
  const home = homeFolder({ env });
  return [join(home, '.openclaw'), join(home, OLDER.folder)];
}

/** The host's configuration file, whether or not it exists. */
export function configFileOf(env: NodeJS.ProcessEnv): string {
  const named = variable(env, 'OPENCLAW_CONFIG_PATH');
  if (named !== undefined) return absolute(named, env);
  const isNamed = variable(env, 'OPENCLAW_STATE_DIR') !== undefined;
  const folders = isNamed ? [stateFolderOf(env)] : usualStateFolders(env);
  const files = folders.flatMap((folder) => [join(folder, CONFIG_FILE), join(folder, OLDER.configFile)]);
  return files.find((file) => existsSync(file)) ?? join(stateFolderOf(env), CONFIG_FILE);
}

/** The workspace of an agent without a configured one. The host does not expand `~` in `$OPENCLAW_WORKSPACE_DIR`. */
export function defaultWorkspaceFolder(env: NodeJS.ProcessEnv, cwd: string): string {
  const named = variable(env, 'OPENCLAW_WORKSPACE_DIR');
  if (named !== undefined) return resolve(cwd, named);
  if (variable(env, 'OPENCLAW_STATE_DIR') !== undefined) return join(stateFolderOf(env), 'workspace');
  return join(profileFolder(envProfile(env) ?? 'default', env), 'workspace');
}
