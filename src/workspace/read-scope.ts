import { isAbsolute, relative, resolve, sep } from 'node:path';
import type { Clock } from '../base/clock.js';
import type { OnProgress } from '../base/request.js';
import { expandHome, type HostEnvironment, homeFolder } from './openclaw-config.js';
import { isFolderAllowed, realpathOr } from './permissions.js';
import type { Settings } from './settings.js';

/** What is read beside the workspace's own folders, and what is not. */
export interface ReadScope {
  /** Absolute. */
  readonly extraFolders: readonly string[];
  /** Those outside of the workspace that nobody on this machine has allowed to be read. */
  readonly refusedFolders: readonly string[];
  /** Globs of paths. */
  readonly ignore: readonly string[];
}

export function readScope({ extraFolders, ignore }: Settings, root: string, host: HostEnvironment): ReadScope {
  const all = extraFolders.map((folder) => resolve(root, expandHome(folder, homeFolder(host))));
  const isRead = (folder: string) => isWithin(root, folder) || isFolderAllowed(root, folder, host);
  return { extraFolders: all.filter(isRead), refusedFolders: all.filter((folder) => !isRead(folder)), ignore };
}

/** Whether a folder lies in the workspace, whatever links lead to it. */
function isWithin(root: string, folder: string): boolean {
  const real = realpathOr(folder);
  return [root, realpathOr(root)].some((own) => !isAbsolute(pathIn(own, real)));
}

/** How a file or folder is named: relative to the workspace, with `/`, where it lies inside of it, else absolute. */
export function pathIn(root: string, full: string): string {
  const inside = relative(root, full);
  const named = inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside) ? full : inside;
  return sep === '/' ? named : named.replaceAll(sep, '/');
}

/** Where what is named so lies. */
export function fileOf(root: string, path: string): string {
  return isAbsolute(path) ? path : `${root}/${path}`;
}

/** A workspace as the verbs are given it. */
export interface WorkspaceContext {
  /** The folder of the workspace, absolute. */
  readonly root: string;
  /** What is derived, and locks. */
  readonly stateFolder: string;
  /** What is read beside the workspace's own folders; nothing when not given. */
  readonly reads?: ReadScope | undefined;
  readonly clock: Clock;
  /** Ends whatever waits: for a lock, for a model. */
  readonly signal?: AbortSignal | undefined;
  /** Is told how far long work is. */
  readonly onProgress?: OnProgress | undefined;
}
