import { isAbsolute, relative, resolve, sep } from 'node:path';
import type { Clock } from '../base/clock.js';
import type { OnProgress } from '../base/request.js';
import { expandHome, type HostEnvironment, homeFolder } from './openclaw-config.js';
import { isFolderAllowed, realpathOrSame } from './permissions.js';
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
