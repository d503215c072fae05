import { isAbsolute, relative, resolve, sep } from 'node:path';
import type { Clock } from '../base/clock.js';
import type { OnProgress } from '../base/request.js';
import { expandHome, type HostEnvironment, homeFolder } from './openclaw-config.js';
import { isFolderAllowed, realpathOr } from './permissions.js';
import type { Settings } from './settings.js';

/** The folders that are read besides the workspace's own, and the paths that are ignored. */
export interface ReadScope {
  /** Absolute. */
  readonly extraFolders: readonly string[];
  /** Folders outside of the workspace that were not allowed on this machine. */
  readonly refusedFolders: readonly string[];
  /** Globs of paths. */
  readonly ignore: readonly string[];
}

export function readScope({ extraFolders, ignore }: Settings, root: string, host: HostEnvironment): ReadScope {
  const all = extraFolders.map((folder) => resolve(root, expandHome(folder, homeFolder(host))));
  const isRead = (folder: string) => isWithin(root, folder) || isFolderAllowed(root, folder, host);
  return { extraFolders: all.filter(isRead), refusedFolders: all.filter((folder) => !isRead(folder)), ignore };
}

/** Whether the real path of a folder is inside the workspace. */
function isWithin(root: string, folder: string): boolean {
  const real = realpathOr(folder);
  return [root, realpathOr(root)].some((own) => !isAbsolute(pathIn(own, real)));
}

/** The name of a file or folder: relative to the workspace, with `/`, if it is inside, else absolute. */
export function pathIn(root: string, full: string): string {
  const inside = relative(root, full);
  const named = inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside) ? full : inside;
  return sep === '/' ? named : named.replaceAll(sep, '/');
}

/** The full path for a name of {@link pathIn}. */
export function fileOf(root: string, path: string): string {
  return isAbsolute(path) ? path : `${root}/${path}`;
}

/** A workspace as it is passed to commands. */
export interface WorkspaceContext {
  /** The folder of the workspace, absolute. */
  readonly root: string;
  /** The folder of derived files and locks. */
  readonly stateFolder: string;
  /** Extra folders and ignored paths; undefined means none. */
  readonly reads?: ReadScope | undefined;
  readonly clock: Clock;
  /** Ends all waiting: for a lock, for a model. */
  readonly signal?: AbortSignal | undefined;
  /** Receives the progress of long work. */
  readonly onProgress?: OnProgress | undefined;
}
