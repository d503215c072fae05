import { createHash } from 'node:crypto';
import { constants, mkdirSync, realpathSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tryWithFallback } from '../base/failure.js';
import { mayAccessPath } from './files.js';
import { hasMemory } from './locate.js';
import { type HostEnvironment, homeFolder } from './openclaw-config.js';

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
