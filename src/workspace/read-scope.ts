import { realpathSync } from 'node:fs';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { Clock } from '../base/clock.js';
import { tryWithFallback } from '../base/failure.js';
import type { OnProgress } from '../base/request.js';
import { editFile, makeFolder, readTextIfThere } from './files.js';
import { expandHome, type HostEnvironment, homeFolder, userFolders } from './openclaw-config.js';
import type { Settings } from './settings.js';

/** The folders that are read in addition to those of the workspace, and the paths that are ignored. */
export interface ReadScope {
  /** Absolute paths of the folders that are read in addition. */
  readonly extraFolders: readonly string[];
  /** Folders outside of the workspace that were not allowed on this machine. */
  readonly refusedFolders: readonly string[];
  /** Globs of paths that are not read. */
  readonly ignore: readonly string[];
}

export function readScope({ extraFolders, ignore }: Settings, root: string, host: HostEnvironment): ReadScope {
  const all = extraFolders.map((folder) => resolve(root, expandHome(folder, homeFolder(host))));
  const isRead = (folder: string) => isWithin(root, folder) || isFolderAllowed(root, folder, host);
  return { extraFolders: all.filter(isRead), refusedFolders: all.filter((folder) => !isRead(folder)), ignore };
}

/** Whether the real path of a folder is inside the workspace. */
function isWithin(root: string, folder: string): boolean {
  const real = realpathOrSame(folder);
  return [root, realpathOrSame(root)].some((own) => !isAbsolute(pathInWorkspace(own, real)));
}

/**
 * The name of a file or folder, for example in citations. Inside the workspace this is the path relative to the
 * workspace, with `/`. Outside it is the absolute path.
 */
export function pathInWorkspace(root: string, full: string): string {
  const inside = relative(root, full);
  const named = inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside) ? full : inside;
  return sep === '/' ? named : named.replaceAll(sep, '/');
}

/** The full path of a file that {@link pathInWorkspace} has named. */
export function fullPathOf(root: string, path: string): string {
  return isAbsolute(path) ? path : `${root}/${path}`;
}

/** A workspace, with everything that a command needs to work on it. */
export interface WorkspaceContext {
  /** The folder of the workspace, absolute. */
  readonly root: string;
  /** The folder of derived files and locks. */
  readonly stateFolder: string;
  /** Extra folders and ignored paths; undefined means none. */
  readonly reads?: ReadScope | undefined;
  readonly clock: Clock;
  /** When it aborts, the command stops waiting for a lock or a model. */
  readonly signal?: AbortSignal | undefined;
  /** Called with the progress of long work. */
  readonly onProgress?: OnProgress | undefined;
}

/** Matches every form of an address that means this machine. */
const OWN_MACHINE = /^(?:https?:\/\/)?(?:localhost|127(?:\.\d{1,3}){3}|0\.0\.0\.0|\[?::1?\]?)?(?::\d{1,5})?\/?$/i;

/**
 * The names of two files with permissions, one permission per line. Only a person on this machine gives permissions.
 * The files are outside of any workspace, because a workspace may come from a stranger and must not give itself
 * permissions.
 */
const HOSTS = 'allowed-hosts';
const FOLDERS = 'allowed-folders';

/** Whether questions may be sent to a server that the settings of a workspace name. This machine is always allowed. */
export function isHostAllowed(server: string, host: HostEnvironment): boolean {
  return OWN_MACHINE.test(server.trim()) || isAllowed(HOSTS, server.trim(), host);
}

/** Allows all workspaces of this user to send data to a server. */
export function allowHost(server: string, host: HostEnvironment): void {
  allow(HOSTS, server.trim(), host);
}

/**
 * Whether a workspace may read a folder outside of it. Each workspace needs its own permission, because another workspace
 * may come from a stranger.
 */
function isFolderAllowed(root: string, folder: string, host: HostEnvironment): boolean {
  return isAllowed(FOLDERS, pair(root, folder), host);
}

/** Allows a workspace to read a folder. */
export function allowFolder(root: string, folder: string, host: HostEnvironment): void {
  allow(FOLDERS, pair(root, folder), host);
}

function pair(root: string, folder: string): string {
  return JSON.stringify([root, folder].map(realpathOrSame));
}

/** The path with links resolved, or the path itself if it does not exist. */
export function realpathOrSame(path: string): string {
  return tryWithFallback(() => realpathSync(path), path);
}

function isAllowed(name: string, line: string, host: HostEnvironment): boolean {
  const known = readTextIfThere(join(userFolders(host).config, name)) ?? '';
  return line !== '' && known.split('\n').includes(line);
}

function allow(name: string, line: string, host: HostEnvironment): void {
  const folder = userFolders(host).config;
  makeFolder(folder);
  editFile(join(folder, name), (current) => {
    const known = current?.toString('utf8') ?? '';
    return known.split('\n').includes(line) ? undefined : Buffer.from(`${known}${line}\n`);
  });
}
