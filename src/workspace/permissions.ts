import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { tryWithFallback } from '../base/failure.js';
import { editFile, makeFolder, readTextIfThere } from './files.js';
import { type HostEnvironment, userFolders } from './openclaw-config.js';

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
export function isFolderAllowed(root: string, folder: string, host: HostEnvironment): boolean {
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
