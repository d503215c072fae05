import { createHash } from 'node:crypto';
import {
  constants,
  type Dirent,
  existsSync,
  mkdirSync,
  realpathSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fail, tryWithFallback } from '../base/failure.js';
import { shellWord } from '../text/slug.js';
import { entriesOf, mayAccessPath, namesIn } from './files.js';
import { agentId, agentWorkspaceFolder, type ConfiguredFolder, hasAgent } from './openclaw/agents.js';
import { defaultWorkspaceFolder } from './openclaw/places.js';
import { expandHome, type HostEnvironment, homeFolder, type OpenClawConfig } from './openclaw-config.js';

export interface LocateInput extends HostEnvironment {
  readonly cwd: string;
  /** Value of the option `--workspace`: a folder. */
  readonly workspace?: string | undefined;
  /** Value of the option `--agent`: the id of an agent. */
  readonly agent?: string | undefined;
}

/** The folder of a workspace, and how it was found. */
export interface LocatedWorkspace {
  readonly root: string;
  readonly by:
    | '--workspace'
    | '--agent'
    | '--profile'
    | '$OPENCLAW_WORKSPACE'
    | 'parent folder'
    | 'openclaw.json'
    | 'default';
  /**
   * The current folder, or a parent of it, that has parts of a workspace or notes but is not used as the workspace. It is
   * reported, because the user may have meant it.
   */
  readonly passed?: string;
}

/**
 * Whether the user named the folder for this call. A folder that the user names may be any folder, even one without a
 * memory.
 */
export function isFolderNamedByUser({ by }: LocatedWorkspace): boolean {
  return by === '--workspace' || by === '$OPENCLAW_WORKSPACE';
}

/**
 * Finds the workspace. Tries in this order: `--workspace`, `--agent` and `--profile`, `$OPENCLAW_WORKSPACE`, the nearest
 * parent folder that is a workspace (never above the home folder), `openclaw.json`, the host's default.
 * @throws MemoryError `usage` if openclaw.json does not have the agent of `--agent`; `workspace` if the configuration names
 * a folder that can't be found from here
 */
export function locateWorkspace(input: LocateInput, config: OpenClawConfig): LocatedWorkspace {
  const home = homeFolder(input);
  const at = (path: string): string => resolve(input.cwd, expandHome(path, home));
  if (input.workspace?.trim() === '')
    fail('usage', 'the path of the workspace is empty', 'write a path, or leave out --workspace');
  if (input.workspace !== undefined) return { root: at(input.workspace), by: '--workspace' };
  if (hasHostOption(input) && config.unreadable !== undefined) fail('workspace', config.unreadable, MEND);
  if (input.agent !== undefined) return { root: agentFolder(input.agent, input, config), by: '--agent' };
  if (input.profile !== undefined) return { root: defaultAgentFolder(input, config).root, by: '--profile' };
  if (input.env.OPENCLAW_WORKSPACE) return { root: at(input.env.OPENCLAW_WORKSPACE), by: '$OPENCLAW_WORKSPACE' };
  for (const folder of upwards(input.cwd, home)) if (isWorkspace(folder)) return { root: folder, by: 'parent folder' };
  const { root, isDefault } = defaultAgentFolder(input, config);
  if (!isDefault) return { root, by: 'openclaw.json' };
  const passed = [...upwards(input.cwd, home)].find((folder) => folder !== root && isLikeOne(folder));
  if (passed !== undefined) return { root, by: 'default', passed };
  const isInNotes = !existsSync(root) && input.cwd !== home && detectNotesKind(input.cwd) !== undefined;
  return { root, by: 'default', ...(isInNotes ? { passed: input.cwd } : {}) };
}

/**
 * Whether this call names an agent or profile. If so, the environment and the current folder do not matter for the
 * choice of the workspace.
 */
export function hasHostOption({ agent, profile }: Pick<LocateInput, 'agent' | 'profile'>): boolean {
  return agent !== undefined || profile !== undefined;
}

const MEND = 'fix this, or name the workspace with --workspace';

function agentFolder(agent: string, { cwd }: LocateInput, { roster, variables }: OpenClawConfig): string {
  const id = agentId(agent);
  const root = id === undefined ? undefined : known(agentWorkspaceFolder(roster, id, variables, cwd));
  // If the agent is unknown, its usual folder is used if it exists: the agent may have been removed from the configuration.
  if (id !== undefined && root !== undefined && (hasAgent(roster, id) || isFolder(root))) return root;
  const names = roster.agents.map((entry) => entry.id).join(', ');
  const hint = names === '' ? 'name the workspace with --workspace' : `known agents: ${names}`;
  return fail('usage', `there is no agent "${agent}" in openclaw.json`, hint);
}

/**
 * The workspace if no agent is named: that of the default agent, or the default folder.
 * @throws MemoryError `workspace` for a folder that can't be found from here
 */
export function defaultAgentFolder({ cwd }: LocateInput, { roster, variables }: OpenClawConfig) {
  const usual = defaultWorkspaceFolder(variables, cwd);
  const named = roster.usual === undefined ? roster.folder : agentWorkspaceFolder(roster, roster.usual, variables, cwd);
  const root = named === undefined ? usual : resolve(cwd, expandHome(known(named), homeFolder({ env: variables })));
  return { root, isDefault: root === usual };
}

function known(folder: ConfiguredFolder): string {
  return 'path' in folder ? folder.path : fail('workspace', folder.unknown, MEND);
}

/** Lists a folder and its parents, up to the home folder. */
function* upwards(from: string, home: string): Generator<string> {
  for (let folder = resolve(from); ; folder = dirname(folder)) {
    yield folder;
    if (folder === home || dirname(folder) === folder) return;
  }
}

/** Whether a folder or one of its parents is a git repository. */
export function isInGit(folder: string): boolean {
  return [...upwards(folder, '')].some((above) => existsSync(join(above, '.git')));
}

function isFolder(path: string): boolean {
  return tryWithFallback(() => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false, false);
}

/**
 * Whether a folder is a workspace: it has `.memory`, which only this program makes, or the files of a workspace, for example
 * in a clone.
 */
function isWorkspace(folder: string): boolean {
  if (isFolder(join(folder, '.memory'))) return true;
  const [memory, bank] = [join(folder, 'memory'), join(folder, 'bank')];
  if (!isFolder(memory) || !isFolder(bank)) return false;
  return hasCore(folder) || hasPage(bank, false) || hasPage(memory, true);
}

function hasPage(folder: string, isDeep: boolean): boolean {
  return entriesOf(folder).some((entry) =>
    entry.isDirectory() ? isDeep && hasPage(join(folder, entry.name), true) : entry.name.endsWith('.md'),
  );
}

/** Whether a workspace has daily logs or pages about topics. Not true of a new workspace. */
export function hasLogs(folder: string): boolean {
  return hasPage(join(folder, 'memory'), true);
}

/** Whether a folder contains any part of a memory. Looks at file names only. */
export function hasMemory(folder: string): boolean {
  const has = (name: string): boolean => existsSync(join(folder, name));
  return (
    has('.memory') ||
    hasCore(folder) ||
    ['memory.config.json5', 'sessions', 'SOUL.md', 'USER.md', 'IDENTITY.md', 'DREAMS.md'].some(has) ||
    ['memory', 'bank', 'resources', 'journals'].some((name) => hasPage(join(folder, name), true))
  );
}

/** Chooses the folder that `init` turns into a workspace if the user names none. */
export function chooseFolderToInit(located: LocatedWorkspace, cwd: string, home: string) {
  if ((located.by !== 'openclaw.json' && located.by !== 'default') || cwd === home) return located;
  // The current folder is used only if it is empty, or has parts of a memory or of a vault of notes.
  const mayBecomeOne = isLikeOne(cwd) || (isFolder(cwd) && namesIn(cwd).length === 0);
  return mayBecomeOne ? { root: cwd, by: 'current folder' } : located;
}

/** Makes sure that a folder contains a memory. @throws MemoryError `workspace` if it does not */
export function requireMemory(root: string, stateFolder = join(root, '.memory')): void {
  if (existsSync(stateFolder) || hasMemory(root)) return;
  const kind = detectNotesKind(root);
  const [what, how] =
    kind === undefined ? ['', 'make it a workspace'] : [`, ${kind}`, 'make a workspace that reads these notes'];
  const init = `openclaw memory init ${kind === undefined ? '' : '--vault '}${shellWord(root)}`;
  fail('workspace', `there is no memory in ${root}${what}`, `${how}: ${init}`);
}

/** Whether a folder has a core file, a folder `memory`, or a vault of notes. */
function isLikeOne(folder: string): boolean {
  return hasCore(folder) || ['memory', '.obsidian', 'logseq'].some((name) => isFolder(join(folder, name)));
}

function hasCore(folder: string): boolean {
  return ['MEMORY.md', 'memory.md'].some((name) => existsSync(join(folder, name)));
}

/**
 * Makes sure that the workspace can be read. @throws MemoryError `workspace` if it is missing or not a folder, `permission`
 * if it can't be read
 */
export function checkWorkspace(root: string): void {
  let stat: ReturnType<typeof statSync> | undefined;
  try {
    stat = statSync(root, { throwIfNoEntry: false });
  } catch (error) {
    fail('permission', `the workspace ${root} can't be read`, 'check its permissions', error);
  }
  if (stat === undefined)
    fail('workspace', `there is no workspace at ${root}`, `create one: openclaw memory init ${shellWord(root)}`);
  if (!stat.isDirectory())
    fail('workspace', `the workspace ${root} is a file, not a folder`, 'name the workspace with --workspace');
}

/** Names for a folder of notes, used in messages. */
type NotesKind = 'a vault of Obsidian' | 'a graph of Logseq' | 'a folder of notes';

/**
 * Finds out what kind of notes a folder without a memory contains, by the file names in it and in its direct subfolders.
 * Undefined if it has none. A README alone does not count.
 */
export function detectNotesKind(folder: string): NotesKind | undefined {
  if (existsSync(join(folder, '.obsidian'))) return 'a vault of Obsidian';
  if (existsSync(join(folder, 'logseq'))) return 'a graph of Logseq';
  const below = entriesOrNone(folder).filter((entry) => entry.isDirectory() && !/^\.|^node_modules$/.test(entry.name));
  const hasNotes = [folder, ...below.map(({ name }) => join(folder, name))].some((one) =>
    entriesOrNone(one).some((entry) => entry.isFile() && /\.md$/i.test(entry.name) && !/^readme\./i.test(entry.name)),
  );
  return hasNotes ? 'a folder of notes' : undefined;
}

/** Entries of a folder. Empty if it can't be read; the reason does not matter here, because the folder is not ours. */
function entriesOrNone(folder: string): readonly Dirent[] {
  return tryWithFallback(() => entriesOf(folder), []);
}

/**
 * The folder for derived files and files of this machine: `.memory/` in the workspace, or a folder in the user's cache
 * folder.
 */
export interface StateFolder {
  readonly path: string;
  readonly place: 'workspace' | 'cache';
  /** Why the folder is not in the workspace. */
  readonly reason?: 'read-only' | 'network';
}

// Numbers of network file systems in `statfs`: NFS, SMB, CIFS, SMB2, AFS, Coda, 9p, Ceph. SQLite's locks are not reliable on
// them.
const NETWORK_FILE_SYSTEMS: ReadonlySet<number> = new Set([
  0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x5346414f, 0x73757245, 0x01021997, 0x00c36400,
]);

/**
 * Finds the state folder, and creates it if allowed.
 * @param isNamed whether the user named the workspace. Then no `.memory/` is created in a folder without any memory
 */
export function openStateFolder(root: string, host: HostEnvironment, isNamed = false): StateFolder {
  const own = join(root, '.memory');
  const mayBegin = !isNamed || hasMemory(root);
  const reason = isOnNetwork(root) ? 'network' : isWritable(root, own, mayBegin) ? undefined : 'read-only';
  if (reason === undefined) return { path: own, place: 'workspace' };
  const cache = host.env.XDG_CACHE_HOME || join(homeFolder(host), '.cache');
  const key = createHash('sha256').update(realpathSync(root)).digest('hex').slice(0, 16);
  const path = join(cache, 'openclaw-memory', key);
  mkdirSync(path, { recursive: true });
  return { path, place: 'cache', reason };
}

/** Whether a file or folder is on a network file system. */
export function isOnNetwork(root: string): boolean {
  return tryWithFallback(() => NETWORK_FILE_SYSTEMS.has(statfsSync(root).type), false);
}

function isWritable(root: string, own: string, mayBegin: boolean): boolean {
  return tryWithFallback(() => {
    if (mayBegin) makeMemoryFolder(own);
    return mayAccessPath(mayBegin ? own : root) && mayAccessPath(root, constants.R_OK);
  }, false);
}

/** Creates the `.memory/` of a workspace with a `.gitignore`, so that git ignores it wherever the workspace came from. */
export function makeMemoryFolder(path: string): void {
  if (mkdirSync(path, { recursive: true }) !== undefined)
    writeFileSync(join(path, '.gitignore'), IGNORE_ALL_FILES_TEXT);
}

export const IGNORE_ALL_FILES_TEXT = '*\n';
