import { lstatSync, realpathSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import { fail, tryWithFallback } from '../base/failure.js';
import { namesIn } from './files.js';

/**
 * Returns the absolute path of a page to write. Makes sure that no `..` and no link in the path leads out of the workspace.
 * The page need not exist yet.
 * @throws MemoryError `refused`
 */
export function resolveContainedPath(root: string, path: string): string {
  const full = resolve(root, path);
  if (!full.startsWith(resolve(root) + sep))
    return fail('refused', `${path} is outside of the workspace`, 'use a path inside the workspace');
  const realRoot = realpathSync(root);
  for (let at = full; at.length > resolve(root).length; at = dirname(at)) {
    if (lstatSync(at, { throwIfNoEntry: false }) === undefined) continue;
    // A link whose target does not exist has no real path. Writing to the link would create the target, so such a link
    // is refused, too.
    if ((tryWithFallback(() => realpathSync(at), '') + sep).startsWith(realRoot + sep)) break;
    const hint = 'replace the link by a real file or folder';
    return fail('refused', `${path} is a link to a place outside of the workspace`, hint);
  }
  return join(realRoot, path);
}

/**
 * Returns a path in the Unicode form that it has on disk, because macOS stores accents separately from letters. If two files
 * differ only in that form, the one with exactly the given name is used.
 * @param path relative to `root`, with `/`
 */
export function findPathOnDisk(root: string, path: string): string {
  let folder = '';
  for (const name of path.split('/')) {
    const names = /[^\0-\x7f]/.test(name) ? namesIn(join(root, folder)) : [];
    const form = name.normalize('NFC');
    const found = names.includes(name) ? name : names.find((other) => other.normalize('NFC') === form);
    folder = folder === '' ? (found ?? name) : `${folder}/${found ?? name}`;
  }
  return folder;
}
