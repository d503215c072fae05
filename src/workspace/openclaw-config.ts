import { join } from 'node:path';
import { asRecord, type UnknownFields } from '../base/json.js';
import { readTextIfThere } from './files.js';
import { type AgentList, readAgentList } from './openclaw/agents.js';
import { addConfiguredVariables, fillInVariables, resolveIncludes } from './openclaw/includes.js';
import { type HostEnvironment, homeFolder, hostConfigFile, hostVariables } from './openclaw/places.js';

export { expandHome, type HostEnvironment, homeFolder, systemHome } from './openclaw/places.js';

/** The part of the host's `openclaw.json` that we need. */
export interface OpenClawConfig {
  readonly roster: AgentList;
  /** The environment variables of the host, with those that its configuration adds. */
  readonly variables: NodeJS.ProcessEnv;
  /** Why the configuration can't be read, although it exists. */
  readonly unreadable?: string;
  readonly userTimezone?: string | undefined;
  /** Settings of the host's plugins, by their ids. */
  readonly plugins: UnknownFields;
  /** Folders from which the host loads plugins without installing them. */
  readonly pluginPaths: readonly string[];
  /** The embedding model and the server with which the host searches its own memory, if it uses Ollama. */
  readonly ollama?: { readonly embedModel?: string | undefined; readonly host?: string | undefined } | undefined;
}

/** Folders of this user that do not belong to a workspace. */
export interface UserFolders {
  readonly home: string;
  /** Folder for the settings of this machine. */
  readonly config: string;
  /** Folder for data that was installed, such as the engine for model files. */
  readonly data: string;
  /** Folder for what can be found out again, such as the results of the test of a chat model. */
  readonly cache: string;
}

export function userFolders(host: HostEnvironment): UserFolders {
  const home = homeFolder(host);
  const own = (folder: string | undefined, ...usual: readonly string[]): string =>
    join(folder || join(home, ...usual), 'openclaw-memory');
  const { XDG_CONFIG_HOME: config, XDG_DATA_HOME: data, XDG_CACHE_HOME: cache } = host.env;
  return { home, config: own(config, '.config'), data: own(data, '.local', 'share'), cache: own(cache, '.cache') };
}

/** Reads the host's configuration. Unknown keys are ignored, because the file belongs to another program. */
export async function readOpenClawConfig(host: HostEnvironment): Promise<OpenClawConfig> {
  const env = hostVariables(host);
  const path = hostConfigFile(env);
  try {
    const text = readTextIfThere(path);
    const root = text === undefined ? {} : await resolveIncludes(await parseJson5(text), path, env, parseJson5);
    return pickConfig(asRecord(root), env);
  } catch (error) {
    const unreadable = `${path} can't be read: ${error instanceof Error ? error.message : String(error)}`;
    return { ...pickConfig({}, env), unreadable };
  }
}

/** Parses JSON5. Most files are plain JSON, for which the library is not loaded. */
export async function parseJson5(text: string): Promise<unknown> {
  try {
    return JSON.parse(text);
  } catch {
    const { default: json5 } = await import('json5');
    return json5.parse(text);
  }
}

function pickConfig(root: UnknownFields, given: NodeJS.ProcessEnv): OpenClawConfig {
  const env = addConfiguredVariables(root, given);
  const text = (value: unknown): string | undefined =>
    typeof value === 'string' && value !== '' ? fillInVariables(value, env).text : undefined;
  const { agents, plugins, memory } = root;
  const defaults = asRecord(asRecord(agents).defaults);
  const { paths } = asRecord(asRecord(plugins).load);
  return {
    roster: readAgentList(root, env),
    variables: env,
    plugins: asRecord(asRecord(plugins).entries),
    pluginPaths: Array.isArray(paths) ? paths.filter((path) => typeof path === 'string') : [],
    userTimezone: text(defaults.userTimezone),
    ollama: ollamaOf(text, asRecord(asRecord(memory).search ?? defaults.memorySearch)),
  };
}

/**
 * Reads the key `memory.search`, which was `agents.defaults.memorySearch` before OpenClaw 2026.8. Removes `/v1` from
 * the end of the server's address, because that path is only for OpenAI's protocol.
 */
function ollamaOf(text: (value: unknown) => string | undefined, search: UnknownFields) {
  if (search.provider !== 'ollama') return undefined;
  const host = text(asRecord(search.remote).baseUrl)?.replace(/\/v1\/?$/u, '');
  return { embedModel: text(search.model), host };
}
