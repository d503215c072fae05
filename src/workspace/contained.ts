import { lstatSync, realpathSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import { fail } from '../base/failure.js';
import { attempt } from '../base/result.js';
import { namesIn } from './files.js';

/**
 * The absolute path of a page to write. Checks that no `..` and no symlink in the path leads out of the workspace. The page
 * need not exist yet.
 * @throws MemoryError `refused`
 */
export function containedPath(root: string, path: string): string {
  const full = resolve(root, path);
  if (!full.startsWith(resolve(root) + sep))
    return fail('refused', `${path} is outside of the workspace`, 'name a page inside of it');
  const realRoot = realpathSync(root);
  for (let at = full; at.length > resolve(root).length; at = dirname(at)) {
    if (lstatSync(at, { throwIfNoEntry: false }) === undefined) continue;
    // A dangling link has no real path, but a target that writing would create.
    if ((attempt(() => realpathSync(at), '') + sep).startsWith(realRoot + sep)) break;
    const hint = 'replace the link by a file or folder of its own';
    return fail('refused', `${path} is a link that leads out of the workspace`, hint);
  }
  return join(realRoot, path);
}

/**
 * A path with the Unicode form that the disk has: macOS decomposes accents. If two files differ only in that form, the named
 * one is taken.
 * @param path relative to `root`, with `/`
 */
export function asWritten(root: string, path: string): string {
  let folder = '';
  for (const name of path.split('/')) {
    const names = /[^\0-\x7f]/.test(name) ? namesIn(join(root, folder)) : [];
    const form = name.normalize('NFC');
    const found = names.includes(name) ? name : names.find((other) => other.normalize('NFC') === form);
    folder = folder === '' ? (found ?? name) : `${folder}/${found ?? name}`;
  }
  return folder;
}
