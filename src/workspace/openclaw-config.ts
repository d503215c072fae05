import { join } from 'node:path';
import { asRecord, type Fields } from '../base/json.js';
import { readTextIfThere } from './files.js';
import { type Roster, readRoster } from './openclaw/agents.js';
import { withIncludes } from './openclaw/includes.js';
import { configFileOf, type HostEnvironment, homeFolder, hostVariables } from './openclaw/places.js';
import { fillIn, withOwnVariables } from './openclaw/variables.js';

export { expandHome, type HostEnvironment, homeFolder, systemHome } from './openclaw/places.js';

/** The parts of the host's `openclaw.json` that concern a memory workspace. */
export interface OpenClawConfig {
  readonly roster: Roster;
  /** The environment of the host after it has read the configuration. */
  readonly variables: NodeJS.ProcessEnv;
  /** Why the existing configuration can't be read. */
  readonly unreadable?: string;
  readonly userTimezone?: string | undefined;
  /** Entries of its plugins, by id. */
  readonly plugins: Fields;
  /** Folders from which it loads plugins in place. */
  readonly pluginPaths: readonly string[];
  /** The model and server that the host searches its memory with, if that is Ollama. */
  readonly ollama?: { readonly embedModel?: string | undefined; readonly host?: string | undefined } | undefined;
}

/** Folders of this user, outside of any workspace. */
export interface UserFolders {
  readonly home: string;
  /** Settings of this machine. */
  readonly config: string;
  /** Installed data. */
  readonly data: string;
}

export function userFolders(host: HostEnvironment): UserFolders {
  const home = homeFolder(host);
  const own = (folder: string | undefined, ...usual: readonly string[]): string =>
    join(folder || join(home, ...usual), 'openclaw-memory');
  const { XDG_CONFIG_HOME: config, XDG_DATA_HOME: data } = host.env;
  return { home, config: own(config, '.config'), data: own(data, '.local', 'share') };
}

/** Reads the host's configuration. The file belongs to another program: unknown keys are ignored. */
export async function readOpenClawConfig(host: HostEnvironment): Promise<OpenClawConfig> {
  const env = hostVariables(host);
  const path = configFileOf(env);
  try {
    const text = readTextIfThere(path);
    const root = text === undefined ? {} : await withIncludes(await parseJson5(text), path, env, parseJson5);
    return pickConfig(asRecord(root), env);
  } catch (error) {
    const unreadable = `${path} can't be read: ${error instanceof Error ? error.message : String(error)}`;
    return { ...pickConfig({}, env), unreadable };
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

function pickConfig(root: Fields, given: NodeJS.ProcessEnv): OpenClawConfig {
  const env = withOwnVariables(root, given);
  const text = (value: unknown): string | undefined =>
    typeof value === 'string' && value !== '' ? fillIn(value, env).text : undefined;
  const { agents, plugins, memory } = root;
  const defaults = asRecord(asRecord(agents).defaults);
  const { paths } = asRecord(asRecord(plugins).load);
  return {
    roster: readRoster(root, env),
    variables: env,
    plugins: asRecord(asRecord(plugins).entries),
    pluginPaths: Array.isArray(paths) ? paths.filter((path) => typeof path === 'string') : [],
    userTimezone: text(defaults.userTimezone),
    ollama: ollamaOf(text, asRecord(asRecord(memory).search ?? defaults.memorySearch)),
  };
}

/**
 * `memory.search`, before 2026.8 `agents.defaults.memorySearch`. Cuts `/v1`, which addresses for OpenAI's protocol end in.
 */
function ollamaOf(text: (value: unknown) => string | undefined, search: Fields) {
  if (search.provider !== 'ollama') return undefined;
  const host = text(asRecord(search.remote).baseUrl)?.replace(/\/v1\/?$/u, '');
  return { embedModel: text(search.model), host };
}
