import { isAbsolute, relative, resolve, sep } from 'node:path';
import { expandHome } from './openclaw-config.js';
import type { Settings } from './settings.js';

/** What is read beside the workspace's own folders, and what is not. */
export interface Reads {
  /** Absolute. */
  readonly extraFolders: readonly string[];
  /** Globs of paths. */
  readonly ignore: readonly string[];
}

export function readsOf({ extraFolders, ignore }: Settings, root: string, home: string): Reads {
  return { extraFolders: extraFolders.map((folder) => resolve(root, expandHome(folder, home))), ignore };
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
