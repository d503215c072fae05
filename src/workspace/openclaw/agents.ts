import { join, resolve } from 'node:path';
import { asRecord, asText, isRecord, type UnknownFields } from '../../base/json.js';
import { fillInVariables } from './includes.js';
import { defaultWorkspaceFolder, expandHome, homeFolder, hostStateFolder } from './places.js';

/** A folder that the configuration names, or the reason why its path is unknown. */
export type ConfiguredFolder = { readonly path: string } | { readonly unknown: string };

/**
 * The agents of a configuration. Depending on the version of OpenClaw, they are in `agents.list[]` or in `agents.entries{}`.
 */
export interface AgentList {
  readonly agents: readonly { readonly id: string; readonly isMarked: boolean; readonly folder?: ConfiguredFolder }[];
  /**
   * The agent whose workspace is the folder `agents.defaults.workspace` itself. Any other agent has a subfolder of it as
   * its workspace, unless the configuration names a folder for that agent.
   */
  readonly owner?: string;
  /** The agent whose workspace is used if no agent is named. */
  readonly usual?: string;
  /** The value of `agents.defaults.workspace`; undefined if it is not set. */
  readonly folder?: ConfiguredFolder;
}

/** If the configuration names no agents, OpenClaw has one agent with this id. */
const MAIN = 'main';

/** Turns a name into the form in which OpenClaw compares ids. Undefined if nothing of the text can be in an id. */
export function agentId(text: string): string | undefined {
  const id = text.trim().toLowerCase();
  if (/^[a-z0-9][a-z0-9_-]{0,63}$/u.test(id)) return id;
  const made = id.replace(/[^a-z0-9_-]+/gu, '-').replace(/^-+|-+$/gu, '');
  return made.slice(0, 64) || undefined;
}

/** Reads the agents of a configuration. @param root the configuration, with its included files */
export function readAgentList(root: UnknownFields, env: NodeJS.ProcessEnv): AgentList {
  const { defaults: usual, list, entries, ownership } = asRecord(root.agents);
  const defaults = asRecord(usual);
  const given: readonly (readonly [unknown, unknown])[] =
    entries !== undefined
      ? Object.entries(asRecord(entries))
      : (Array.isArray(list) ? list : []).map((entry) => [asRecord(entry).id, entry]);
  const agents = given
    .filter(([, entry]) => isRecord(entry))
    .map(([id, entry]) => {
      const { workspace, default: mark } = asRecord(entry);
      const folder = folderOf(workspace, `the workspace of the agent ${String(id)}`, env);
      return {
        id: agentId(fillInVariables(asText(id) ?? '', env).text) ?? MAIN,
        isMarked: mark === true,
        ...(folder && { folder }),
      };
    });
  const marked = ownership === 'explicit' ? [] : agents.filter(({ isMarked }) => isMarked);
  const sole = agents.length === 0 ? MAIN : agents.length === 1 ? agents[0]?.id : undefined;
  const owner = marked.length === 1 ? marked[0]?.id : sole;
  const system = ownership === 'explicit' ? asText(asRecord(defaults.systemAgent).agentId) : undefined;
  const named = agents.find(({ id }) => system !== undefined && id === agentId(system))?.id;
  // `agent.workspace` is the key in the oldest configurations.
  const folder = folderOf(defaults.workspace ?? asRecord(root.agent).workspace, 'agents.defaults.workspace', env);
  const meant = named ?? owner;
  return { agents, ...(owner && { owner }), ...(meant && { usual: meant }), ...(folder && { folder }) };
}

function folderOf(value: unknown, name: string, env: NodeJS.ProcessEnv): ConfiguredFolder | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string') return { unknown: `${name} in openclaw.json is not a text` };
  const { text, missing } = fillInVariables(value, env);
  if (missing !== undefined)
    return { unknown: `${name} in openclaw.json needs the variable $${missing}, which is not set` };
  return text.trim() === '' ? undefined : { path: text.trim() };
}

/** Whether the host knows an agent with this id. */
export function hasAgent({ agents }: AgentList, id: string): boolean {
  return agents.length === 0 ? id === MAIN : agents.some((agent) => agent.id === id);
}

/**
 * Finds the workspace of an agent in the same way as the host. If the entry of the agent names a folder, it is that folder.
 * Otherwise `agents.defaults.workspace` decides: that folder belongs to the owner (see {@link AgentList}), and its subfolder
 * `ID` to the agent `ID`. If this setting is missing, the owner has the default folder, and any other agent has the folder
 * `workspace-ID` in the state folder.
 */
export function agentWorkspaceFolder(
  roster: AgentList,
  id: string,
  env: NodeJS.ProcessEnv,
  cwd: string,
): ConfiguredFolder {
  const own = roster.agents.find((agent) => agent.id === id)?.folder;
  const named = own ?? roster.folder;
  if (named !== undefined) {
    if (!('path' in named)) return named;
    const path = resolve(cwd, expandHome(named.path, homeFolder({ env })));
    return { path: own !== undefined || id === roster.owner ? path : join(path, id) };
  }
  if (id === roster.owner) return { path: defaultWorkspaceFolder(env, cwd) };
  return { path: join(hostStateFolder(env), `workspace-${id}`) };
}
