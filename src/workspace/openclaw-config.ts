import { homedir, userInfo } from 'node:os';
import { join, resolve } from 'node:path';
import { systemCode } from '../base/failure.js';
import { asRecord, type Fields } from '../base/json.js';
import { readTextIfThere } from './files.js';

/** What of the host's `openclaw.json` concerns a memory workspace. */
export interface OpenClawConfig {
  readonly agents: readonly AgentConfig[];
  readonly defaultWorkspace?: string | undefined;
  readonly userTimezone?: string | undefined;
  /** Entries of its plugins, by their ids. */
  readonly plugins: Fields;
  /** Folders that it loads plugins from where they are. */
  readonly pluginPaths: readonly string[];
  /** What the host searches its memory with, when that is Ollama. */
  readonly ollama?: { readonly embedModel?: string | undefined; readonly host?: string | undefined } | undefined;
}

interface AgentConfig {
  readonly id: string;
  readonly isDefault: boolean;
  readonly workspace?: string | undefined;
}

export type HostEnvironment = { readonly env: NodeJS.ProcessEnv; readonly profile?: string | undefined };

/** The user's home as OpenClaw finds it: `$OPENCLAW_HOME`, then `$HOME`, `$USERPROFILE`, the system's. */
export function homeFolder({ env }: HostEnvironment): string {
  return env.OPENCLAW_HOME ? expandHome(env.OPENCLAW_HOME, systemHome(env)) : systemHome(env);
}

/** The home folder of this user, also where `$HOME` is empty. */
export function systemHome(env: NodeJS.ProcessEnv): string {
  return env.HOME || env.USERPROFILE || homedir() || userInfo().homedir;
}

/** Folders of this user, outside of any workspace. */
export interface UserFolders {
  readonly home: string;
  /** What was said of this machine. */
  readonly config: string;
  /** What was installed. */
  readonly data: string;
}

export function userFolders(host: HostEnvironment): UserFolders {
  const home = homeFolder(host);
  const own = (folder: string | undefined, ...usual: readonly string[]): string =>
    join(folder || join(home, ...usual), 'openclaw-memory');
  const { XDG_CONFIG_HOME: config, XDG_DATA_HOME: data } = host.env;
  return { home, config: own(config, '.config'), data: own(data, '.local', 'share') };
}

export function expandHome(path: string, home: string): string {
  return path === '~' || /^~[/\\]/.test(path) ? join(home, path.slice(1)) : path;
}

/** `~/.openclaw`, or `~/.openclaw-<profile>`; `$OPENCLAW_STATE_DIR` wins. */
function hostStateFolder(host: HostEnvironment): string {
  const home = homeFolder(host);
  if (host.env.OPENCLAW_STATE_DIR) return resolve(expandHome(host.env.OPENCLAW_STATE_DIR, home));
  return join(home, `.openclaw${profileSuffix(host)}`);
}

export function defaultWorkspaceFolder(host: HostEnvironment): string {
  return join(homeFolder(host), '.openclaw', `workspace${profileSuffix(host)}`);
}

/** `-work` for the profile `work`. */
function profileSuffix({ env, profile }: HostEnvironment): string {
  const name = profile ?? env.OPENCLAW_PROFILE;
  return name === undefined || name === '' || name === 'default' ? '' : `-${name}`;
}

/**
 * Reads the host's configuration, or undefined when there is none. It is another program's file: what is unknown in
 * it is ignored, both generations (`agents.list[]`, `agents.entries{}`) are read, and a file that can't be parsed is
 * reported through `warn`, for the host says more about it than we could.
 */
export async function readOpenClawConfig(
  host: HostEnvironment,
  warn: (message: string) => void,
): Promise<OpenClawConfig | undefined> {
  const path = host.env.OPENCLAW_CONFIG_PATH
    ? resolve(expandHome(host.env.OPENCLAW_CONFIG_PATH, homeFolder(host)))
    : join(hostStateFolder(host), 'openclaw.json');
  const text = readOptional(path);
  if (text === undefined) return undefined;
  try {
    return pickConfig(await parseJson5(text), host.env);
  } catch (error) {
    warn(`${path} can't be read as JSON5 and is ignored: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
}

function readOptional(path: string): string | undefined {
  try {
    return readTextIfThere(path);
  } catch (error) {
    if (['EACCES', 'EISDIR'].includes(systemCode(error) ?? '')) return undefined;
    throw error;
  }
}

/** Plain JSON is the common case and needs no library. */
export async function parseJson5(text: string): Promise<unknown> {
  try {
    return JSON.parse(text);
  } catch {
    const { default: json5 } = await import('json5');
    return json5.parse(text);
  }
}

function pickConfig(root: unknown, env: NodeJS.ProcessEnv): OpenClawConfig {
  const text = (value: unknown): string | undefined =>
    typeof value === 'string' && value !== ''
      ? value.replace(/\$\{(\w+)\}/g, (whole, name) => env[name] ?? whole)
      : undefined;
  const { agents: all, agent, plugins, memory } = asRecord(root);
  const { defaults: usual, list, entries } = asRecord(all);
  const defaults = asRecord(usual);
  const named = Array.isArray(list) ? list.map((entry): [unknown, unknown] => [asRecord(entry).id, entry]) : [];
  const agents = [...named, ...Object.entries(asRecord(entries))].flatMap(([given, entry]) => {
    const id = text(given);
    const { workspace, default: isMain } = asRecord(entry);
    return id === undefined ? [] : [{ id, isDefault: isMain === true, workspace: text(workspace) }];
  });
  const { paths } = asRecord(asRecord(plugins).load);
  return {
    agents,
    plugins: asRecord(asRecord(plugins).entries),
    pluginPaths: Array.isArray(paths) ? paths.filter((path) => typeof path === 'string') : [],
    defaultWorkspace: text(defaults.workspace) ?? text(asRecord(agent).workspace),
    userTimezone: text(defaults.userTimezone),
    ollama: ollamaOf(text, asRecord(asRecord(memory).search ?? defaults.memorySearch)),
  };
}

/** `memory.search`, before 2026.8 `agents.defaults.memorySearch`. An address for OpenAI's protocol ends in `/v1`. */
function ollamaOf(text: (value: unknown) => string | undefined, search: Fields) {
  if (search.provider !== 'ollama') return undefined;
  const host = text(asRecord(search.remote).baseUrl)?.replace(/\/v1\/?$/u, '');
  return { embedModel: text(search.model), host };
}
