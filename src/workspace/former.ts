import { existsSync, realpathSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import { tryWithFallback } from '../base/failure.js';
import { shellLine, shellWord } from '../text/slug.js';
import {
  defaultAgentFolder,
  hasHostOption,
  hasLogs,
  hasMemory,
  type LocatedWorkspace,
  type LocateInput,
} from './locate.js';
import { agentId, agentWorkspaceFolder, type ConfiguredFolder } from './openclaw/agents.js';
import { expandHome, homeFolder, type OpenClawConfig } from './openclaw-config.js';

/**
 * A folder with a memory that earlier versions of this program used as the workspace of an agent by mistake. For OpenClaw,
 * the workspace of that agent is another folder.
 */
export interface FormerWorkspaceFolder {
  readonly message: string;
  /** How to move the memory; nothing is moved automatically. */
  readonly hint: string;
  /**
   * True if the folder is the workspace of another agent, and the correct folder has logs of its own. Then there may be
   * nothing left to move.
   */
  readonly isSettled: boolean;
}

/**
 * The names of the files and folders that a memory may consist of. Derived files are left out, because the program can
 * make them again.
 */
const PARTS = ['MEMORY.md', 'memory.md', 'memory', 'bank', 'sessions', 'resources', 'memory.config.json5'];

/**
 * The former folders that a command must report. If the command names an agent or profile, it reports all former
 * folders that are not settled (see `isSettled`). Otherwise it reports former folders only if the workspace was found
 * through OpenClaw and has no memory.
 */
export function findFormerFoldersToReport(
  input: LocateInput,
  config: OpenClawConfig,
  located: LocatedWorkspace,
): readonly FormerWorkspaceFolder[] {
  if (!['--agent', '--profile', 'openclaw.json', 'default'].includes(located.by)) return [];
  const id = input.agent === undefined ? undefined : agentId(input.agent);
  return formerOf(id, input, config)
    .map(told)
    .filter(({ isSettled }) => (hasHostOption(input) ? !isSettled : !hasMemory(located.root)));
}

/** The former folders of the named agent, or of all agents if none is named. */
export function findAllFormerFolders(input: LocateInput, config: OpenClawConfig): readonly FormerWorkspaceFolder[] {
  const ids = input.agent === undefined ? config.roster.agents.map(({ id }) => id) : [agentId(input.agent)];
  const all = [...(input.agent === undefined ? [undefined] : []), ...ids].flatMap((id) => formerOf(id, input, config));
  const isFirst = ({ folder, root }: Former, at: number): boolean =>
    at === all.findIndex((other) => other.folder === folder && other.root === root);
  return all.filter(isFirst).map(told);
}

interface Former {
  readonly owner: string;
  readonly folder: string;
  /** The folder that is the workspace now. */
  readonly root: string;
  /**
   * Whether the folder is now the workspace of another agent. In that case its content may belong to the other agent.
   */
  readonly isShared: boolean;
}

/** Finds the former folders of an agent. @param id undefined if no agent is named */
function formerOf(id: string | undefined, input: LocateInput, config: OpenClawConfig): readonly Former[] {
  const { cwd, env } = input;
  const { roster, variables } = config;
  const root = id === undefined ? usual(input, config) : pathOf(agentWorkspaceFolder(roster, id, variables, cwd));
  if (root === undefined || config.unreadable !== undefined) return [];
  const home = homeFolder(input);
  const at = (path: string): string => resolve(cwd, expandHome(path, home));
  const entry = roster.agents.find((agent) => (id === undefined ? agent.isMarked : agent.id === id));
  const profile = input.profile ?? env.OPENCLAW_PROFILE;
  const suffix = profile === undefined || profile === '' || profile === 'default' ? '' : `-${profile}`;
  const named = pathOf(entry?.folder) ?? pathOf(roster.folder) ?? join(home, '.openclaw', `workspace${suffix}`);
  const ofVariable = hasHostOption(input) && env.OPENCLAW_WORKSPACE ? [at(env.OPENCLAW_WORKSPACE)] : [];
  const others = [...roster.agents.map((agent) => agent.id), roster.owner].filter((other) => other !== id);
  const taken = others.map((other) => other && pathOf(agentWorkspaceFolder(roster, other, variables, cwd)));
  const shared = new Set([...taken, ...ofVariable]);
  const owner = id === undefined ? 'if no agent was named' : `for the agent ${id}`;
  return [...new Set([at(named), ...ofVariable])]
    .filter((folder) => real(folder) !== real(root) && hasMemory(folder))
    .map((folder) => ({ owner, folder, root, isShared: shared.has(folder) }));
}

function usual(input: LocateInput, config: OpenClawConfig): string | undefined {
  return tryWithFallback(() => defaultAgentFolder(input, config).root, undefined);
}

function pathOf(folder: ConfiguredFolder | undefined): string | undefined {
  return folder !== undefined && 'path' in folder ? folder.path : undefined;
}

function real(path: string): string {
  return tryWithFallback(() => realpathSync(path), path);
}

function told({ owner, folder, root, isShared }: Former): FormerWorkspaceFolder {
  const message = `there is a memory in ${folder}, which earlier versions used ${owner}; OpenClaw now has that workspace in ${root}`;
  const parts = PARTS.filter((name) => existsSync(join(folder, name))).map((name) => join(folder, name));
  const copy = `mkdir -p ${shellWord(root)} && ${shellLine(['cp', '-Rn', ...parts, `${root}/`])}`;
  const isSettled = isShared && hasLogs(root);
  if (isShared) {
    const both = `${message}, and another workspace in ${folder}`;
    return { message: both, hint: `copy the files that belong there: ${copy}`, isSettled };
  }
  const mayMove = !existsSync(root) && !root.startsWith(folder + sep);
  const move = `mkdir -p ${shellWord(dirname(root))} && ${shellLine(['mv', folder, root])}`;
  return { message, hint: `move the memory: ${mayMove ? move : copy}`, isSettled };
}
